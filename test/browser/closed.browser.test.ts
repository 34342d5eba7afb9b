import { afterAll, beforeAll, expect, test } from "bun:test"
import axe from "axe-core"
import { type Api, apiOf } from "../support/api.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import type { FirstStart } from "../support/first-start.ts"
import { aService } from "../support/service-builder.ts"

// Forms that take no response, and texts between fields, as a visitor sees them.

describeInBrowser("a closed form", () => {
  let first: FirstStart
  let browser: TestBrowser
  let api: Api
  let project: string
  beforeAll(async () => {
    ;[first, browser] = await Promise.all([aService().withOwner().started(), startBrowser()])
    api = await apiOf(first.service)
    project = (await api.post("/api/v1/projects", { name: "Mairie d’Exemple", site: first.site.url })).body.id
    await api.patch(`/api/v1/projects/${project}/widget-settings`, { color: "#7a1f4b" })
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await first[Symbol.asyncDispose]()
  })

  const fields = [
    { name: "nom", label: "Votre nom", type: "text", required: true },
    { name: "avis", label: "Nous répondons sous 48 h.", type: "paragraph" },
  ]
  const made = async (described: object) =>
    (await api.post("/api/v1/forms", { project, name: "Inscription", fields, ...described })).body
  const post = (form: { public_id: string }, nom: string) =>
    fetch(`${first.service.url}/f/${form.public_id}`, {
      method: "POST",
      headers: { origin: first.site.url, "content-type": "application/json" },
      body: JSON.stringify({ nom }),
    })

  test("a pasted form says by its script that it is full before one types, and again when it is sent", async () => {
    const form = await made({ max_responses: 1 })
    const { body: html } = await api.get(`/api/v1/forms/${form.id}/html`)
    const open = await browser.page(first.site.publish(html), {})
    await open.getByLabel("Votre nom").fill("Dominique")
    expect(await open.getByText("Nous répondons sous 48 h.").isVisible()).toBe(true)
    await post(form, "Camille")
    await open.getByRole("button", { name: "Envoyer" }).click()
    await open.getByText("Ce formulaire est complet").waitFor()
    expect(await open.getByLabel("Votre nom").inputValue()).toBe("Dominique")
    await using late = await browser.page(first.site.publish(html), {})
    await late.getByText("Ce formulaire est complet").waitFor()
    // The colour of « Apparence » reaches pasted HTML.
    const color = await late
      .getByRole("button", { name: "Envoyer" })
      .evaluate((button) => getComputedStyle(button).backgroundColor)
    expect(color).toBe("rgb(122, 31, 75)")
    await open.close()
  })

  test.each([
    ["light, 1280", { colorScheme: "light", viewport: { width: 1280, height: 900 } }],
    ["dark, 390", { colorScheme: "dark", viewport: { width: 390, height: 844 } }],
  ] as const)(
    "axe-core finds nothing on its page, nor on an open one with a period, %s",
    async (_, context) => {
      const closed = await made({ hosted: true, closes_at: "2020-01-01" })
      const open = await made({ hosted: true, closes_at: "2090-01-01" })
      await using page = await browser.page("about:blank", context)
      for (const [{ public_id }, sentence] of [
        [closed, "Ce formulaire est fermé depuis la fin du 1er janvier 2020"],
        [open, "Ouvert jusqu’au 1er janvier 2090 inclus"],
      ] as const) {
        await page.goto(`${first.service.url}/f/${public_id}`)
        await page.getByText(sentence).waitFor()
        await expectNothing(page)
      }
    },
  )
})

async function expectNothing(page: QuietPage): Promise<void> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run()
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  })
  expect(found).toEqual([])
}
