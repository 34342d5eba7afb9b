import { afterAll, beforeAll, expect, test } from "bun:test"
import type { BrowserContextOptions } from "playwright-core"
import { apiOf } from "../support/api.ts"
import { expectNothing } from "../support/axe.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { answerable, type Counter, foreign } from "../support/counter.ts"
import { focusedOutOfSight } from "../support/out-of-sight.ts"
import { aService } from "../support/service-builder.ts"

// RGAA 4.1 and WCAG 2.2 AA, as far as a program can judge: axe-core finds nothing in any state of the widget
// and of a form; console-pages.browser.test.ts looks at the console.

describeInBrowser("axe-core finds nothing", () => {
  let counter: Counter
  let browser: TestBrowser
  let action: string
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([aService().withWebsite().started(), startBrowser()])
    const api = await apiOf(counter.service)
    const fields = [
      { name: "nom", label: "Votre nom", type: "text", required: true },
      { name: "regles", label: "J’accepte", type: "checkbox", required: true },
    ]
    const described = { project: counter.project.id, name: "Contact", fields, hosted: true }
    const made = await api.post("/api/v1/forms", described)
    action = `${counter.service.url}/f/${made.body.public_id}`
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  const looks: [name: string, context: BrowserContextOptions, widget: string][] = [
    ["light", { colorScheme: "light" }, ""],
    ["dark, in English", { colorScheme: "dark" }, `data-language="en"`],
    [
      "at 320 pixels, dark by the page’s wish",
      { viewport: { width: 320, height: 640 } },
      `data-theme="dark"`,
    ],
    ["at 400 %", { viewport: { width: 320, height: 256 } }, ""],
  ]

  test.each(looks)("in the widget, %s", async (_, context, widget) => {
    await using page = await browser.page(counter.page("/axe", undefined, { widget }), context)
    const english = widget.includes("en")
    await expectNothing(page, "closed")
    await page.getByRole("button", { name: english ? "Ask a question" : "Poser une question" }).click()
    await expectNothing(page, "open")
    const field = page.getByLabel(english ? "Your question" : "Votre question")
    const status = page.locator("guichet-widget p[role=status]")
    await field.fill("?")
    await page.keyboard.press("Enter")
    await expectNothing(page, "too short")
    for (const [question, end] of [
      [answerable, /Réponse prête|Answer ready/],
      ["Quels formats d’export existent, CSV ou JSON ?", /Réponse prête|Answer ready/],
      [foreign, /Aucune réponse trouvée|No answer found/],
    ] as const) {
      await field.fill(question)
      await page.keyboard.press("Enter")
      await status.filter({ hasText: end }).waitFor()
      await expectNothing(page, question)
    }
    await page
      .getByRole("button", { name: english ? "Helpful" : "Utile", exact: true })
      .first()
      .click()
    await page.getByText(english ? "Thank you for your opinion." : "Merci pour votre avis.").waitFor()
    await page.route("**/api/v1/ask", (route) => route.abort())
    await field.fill(answerable)
    await page.keyboard.press("Enter")
    await page.getByRole("alert").waitFor()
    await expectNothing(page, "error")
    expect(await overflow(page)).toEqual([])
  })

  test.each([["#ffe14d"], ["#d6006c"], ["#111111"], ["#767676"]])(
    "whatever the accent: %s",
    async (accent) => {
      for (const colorScheme of ["light", "dark"] as const) {
        const address = counter.page("/accent", undefined, {
          head: `<style nonce="page">guichet-widget{--guichet-accent:${accent}}</style>`,
          policy: `default-src 'none'; script-src ${counter.service.url}; connect-src ${counter.service.url}; style-src 'nonce-page'`,
        })
        await using page = await browser.page(address, { colorScheme })
        await page.evaluate((text) => (window.guichet as { ask(text: string): void }).ask(text), answerable)
        await page.getByText("Réponse prête").waitFor()
        await expectNothing(page, "answered")
      }
    },
  )

  test.each([["light"], ["dark"]] as const)("in a form, %s", async (colorScheme) => {
    const body = `<main><h1>Contact</h1><form action="${action}" method="post"><p><label>Votre nom <input name="nom"></label></p><p><label><input type="checkbox" name="regles"> J’accepte</label></p><button>Envoyer</button></form></main>`
    const address = counter.page("/form", body, {
      head: `<style nonce="page">:root{color-scheme:light dark;color:CanvasText;background:Canvas}</style>`,
      policy: `default-src 'none'; script-src ${counter.service.url}; connect-src ${counter.service.url}; style-src 'nonce-page'`,
    })
    await using page = await browser.page(address, { colorScheme })
    await expectNothing(page, "empty")
    await page.getByRole("button", { name: "Envoyer" }).click()
    await page.getByText("Remplissez ce champ.").waitFor()
    await expectNothing(page, "refused")
    await page.getByLabel("Votre nom").fill("Camille")
    await page.getByLabel("J’accepte").check()
    await page.getByRole("button", { name: "Envoyer" }).click()
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    await expectNothing(page, "sent")
  })

  // A window of 1280×800 that is enlarged twice has 640×400.
  const enlarged = { viewport: { width: 640, height: 400 } }

  test("enlarged twice, the widget is whole, and every control that has the focus is in sight", async () => {
    await using page = await browser.page(counter.page("/enlarged"), enlarged)
    await page.getByRole("button", { name: "Poser une question" }).click()
    for (const question of [answerable, foreign]) {
      await page.getByLabel("Votre question").fill(question)
      await page.keyboard.press("Enter")
      const end = question === answerable ? "Réponse prête" : "Aucune réponse trouvée"
      await page.locator("guichet-widget p[role=status]").filter({ hasText: end }).waitFor()
      expect([await overflow(page), await page.evaluate(focusedOutOfSight)]).toEqual([[], []])
    }
  })

  test("enlarged twice, a form's page is whole, and every control that has the focus is in sight", async () => {
    await using page = await browser.page(action, enlarged)
    await expectNothing(page, "enlarged")
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect([over, await page.evaluate(focusedOutOfSight)]).toEqual([0, []])
  })
})

/** What is wider than the window, or lies under what does not scroll with it. */
function overflow(page: QuietPage): Promise<string[]> {
  return page.locator("guichet-widget").evaluate((host) => {
    const dialog = (host.shadowRoot as ShadowRoot).querySelector("dialog") as HTMLDialogElement
    const wide = [...dialog.querySelectorAll("*")].filter((one) => {
      const { right } = one.getBoundingClientRect()
      return right > innerWidth + 1 && !one.closest("pre, .wide")
    })
    const scrolls = dialog.scrollWidth > dialog.clientWidth ? ["dialog scrolls sideways"] : []
    return [...scrolls, ...wide.map(({ outerHTML }) => outerHTML.slice(0, 120))]
  })
}
