import { apiOf } from "./api.ts"
import type { TestBrowser } from "./browser.ts"
import { signIn } from "./console-pages.ts"
import type { Counter } from "./counter.ts"

/** Links, buttons and fields that can be seen on each page of an owner with one project and one form. */
export async function surface(browser: TestBrowser, counter: Counter): Promise<Record<string, number>> {
  const api = await apiOf(counter.service)
  const fields = [
    { name: "nom", label: "Votre nom", type: "text", required: true },
    { name: "courriel", label: "Votre adresse e-mail", type: "email", required: true },
    { name: "message", label: "Votre message", type: "textarea", required: true },
  ]
  const described = { project: counter.project.id, name: "Contact", fields }
  const form = (await api.post("/api/v1/forms", described)).body
  const path = `${counter.service.url}/console/projects/${counter.project.id}`
  await counter.service.app.db.deleteFrom("token").execute()
  await using page = await browser.page("about:blank", { viewport: { width: 1280, height: 900 } })
  await signIn(page, counter.service)
  const counted = async (address: string, prepare?: () => Promise<void>) => {
    await page.goto(path + address)
    await prepare?.()
    return page.evaluate(countControls)
  }
  return {
    home: await counted(""),
    questions: await counted("/questions"),
    messages: await counted("/messages"),
    builder: await counted(`/forms/${form.id}/settings`),
    documentation: await counted("/indexing", () => page.locator("summary", { hasText: /^Ajouter/ }).click()),
    appearance: await counted("/appearance"),
    settings: await counted("/settings"),
  }
}

/** Runs in the page. The link to the content is seen only by the keyboard. */
function countControls(): number {
  const controls = document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, summary",
  )
  return [...controls].filter(
    (control) =>
      control.checkVisibility({ visibilityProperty: true }) && control.getBoundingClientRect().right > 0,
  ).length
}
