import { afterAll, beforeAll, expect, test } from "bun:test"
import { describeInBrowser, startBrowser, type TestBrowser } from "../support/browser.ts"
import { answerable, type Counter } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

describeInBrowser("an opinion of an answer", () => {
  let counter: Counter
  let browser: TestBrowser
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([aService().withWebsite().started(), startBrowser()])
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  test.each([
    ["fr", "Utile", "L’envoi n’a pas abouti\u00a0: vérifiez votre connexion, puis réessayez.", "Merci pour"],
    ["en", "Helpful", "Sending failed. Check your connection, then try again.", "Thank you"],
  ])(
    "an opinion that is not sent is called one, in %s, and only the service's own words are marked as French",
    async (lang, name, notSent, thanks) => {
      await using page = await browser.page(counter.page(`/opinion-${lang}`, undefined, { lang }))
      await page.getByRole("button", { name: /^(Ask|Poser)/ }).click()
      await page.getByRole("textbox").fill(answerable)
      await page.keyboard.press("Enter")
      const useful = page.getByRole("button", { name, exact: true })
      await useful.waitFor()
      const note = page.locator("guichet-widget [role=group] [role=status]")
      const said = async (sentence: string, language: string | null) => {
        await useful.click()
        await note.filter({ hasText: sentence }).waitFor()
        expect(await note.getAttribute("lang")).toBe(language)
        await note.evaluate((one) => {
          one.textContent = ""
        })
      }
      await page.route("**/feedback", (route) => route.abort())
      await said(notSent, null)
      await page.route("**/feedback", (route) => route.fulfill({ status: 502, body: "<h1>Bad gateway</h1>" }))
      await said(notSent, null)
      const error = { code: "not_found", message: "Aucune réponse ne porte cet identifiant." }
      await page.route("**/feedback", (route) => route.fulfill({ status: 404, json: { error } }))
      await said(error.message, "fr")
      await page.unroute("**/feedback")
      await said(thanks, null)
    },
  )
})
