import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Answerer } from "../../src/answering/answerer.ts"
import { Refusal } from "../../src/base/errors.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { answerable, type Counter } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// The answer as the service streams it: sentence by sentence to the eye, in one word to screen readers.

describeInBrowser("a streamed answer", () => {
  let counter: Counter
  let browser: TestBrowser
  let writer: Answerer["answer"]
  beforeAll(async () => {
    const answerer = {
      version: "test",
      answer: (...asked: Parameters<Answerer["answer"]>) => writer(...asked),
    } as Answerer
    ;[counter, browser] = await Promise.all([
      aService().withOverrides({ assistant: { answerer } }).withWebsite().started(),
      startBrowser(),
    ])
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  async function asking(question: string): Promise<QuietPage> {
    const page = await browser.page(counter.page("/stream"))
    await page.getByRole("button", { name: "Poser une question" }).click()
    await page.getByLabel("Votre question").fill(question)
    await page.keyboard.press("Enter")
    return page
  }

  test("is shown while it is written, and announced once it is there", async () => {
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
    writer = async function* ({ passages }) {
      yield { markdown: "Ouvrez la page de connexion.", passages: passages.slice(0, 1) }
      yield { markdown: "- **Suivez** le lien.", passages: passages.slice(0, 1) }
      await allowed
      yield { markdown: "- Choisissez-en un autre.", passages: passages.slice(1, 2) }
    }
    await using page = await asking(answerable)
    const article = page.locator("guichet-widget article")
    await article.locator("li strong", { hasText: "Suivez" }).waitFor()
    expect(await article.locator("sup a").count()).toBe(2)
    expect(await article.locator("[aria-busy=true]").count()).toBe(1)
    const status = page.locator("guichet-widget p[role=status]")
    expect(await status.textContent()).toBe("Recherche dans la documentation…")
    expect(await page.getByRole("button", { name: "Envoyer" }).getAttribute("aria-disabled")).toBe("true")
    allow()
    await page.getByText("Réponse prête, 2 sources").waitFor()
    expect(await article.locator("li").allTextContents()).toContain("Choisissez-en un autre. 2")
    expect(await article.locator("[aria-busy]").count()).toBe(0)
    expect(await article.locator("ol[aria-labelledby] a").count()).toBe(2)
  })

  test("one question at a time: what is sent meanwhile stays in the field", async () => {
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
    writer = async function* ({ passages }) {
      await allowed
      yield { markdown: "Ouvrez la page.", passages: passages.slice(0, 1) }
    }
    await using page = await asking("Comment changer de mot de passe ?")
    await page.getByText("Recherche dans la documentation…").waitFor()
    await page.getByLabel("Votre question").fill("Et ensuite ?")
    await page.keyboard.press("Enter")
    allow()
    await page.getByText("Réponse prête, 1 source").waitFor()
    expect(await page.locator("guichet-widget article").count()).toBe(1)
    expect(await page.getByLabel("Votre question").inputValue()).toBe("Et ensuite ?")
  })

  test("that ends in an error shows the error's sentence and nothing of the half answer", async () => {
    writer = async function* ({ passages }) {
      yield { markdown: "Une moitié de réponse.", passages: passages.slice(0, 1) }
      throw new Refusal(
        "unavailable",
        "L’assistant ne répond pas pour le moment. Réessayez dans quelques instants.",
      )
    }
    await using page = await asking("Comment réinitialiser un mot de passe ?")
    expect(await page.getByRole("alert").textContent()).toBe(
      "L’assistant ne répond pas pour le moment. Réessayez dans quelques instants.",
    )
    expect(await page.locator("guichet-widget article").textContent()).not.toContain("moitié")
  })

  test.each([
    ["is cut off", 'event: sentence\ndata: {"text":"Une moitié.","sources":[]}\n\n', "text/event-stream"],
    ["is no JSON", "event: answer\ndata: {\n\n", "text/event-stream"],
    ["is a proxy’s page", "<h1>502 Bad Gateway</h1>", "text/html"],
    ["is of another shape", `{"hello":"world"}`, "application/json"],
  ])("that %s is said to be unreadable", async (_, body, contentType) => {
    await using page = await browser.page(counter.page("/broken"))
    await page.route("**/api/v1/ask", (route) =>
      route.fulfill({ status: 200, contentType, body, headers: { "access-control-allow-origin": "*" } }),
    )
    await page.getByRole("button", { name: "Poser une question" }).click()
    await page.getByLabel("Votre question").fill("Une question")
    await page.keyboard.press("Enter")
    expect(await page.getByRole("alert").textContent()).toBe(
      "La réponse est illisible. Réessayez dans quelques instants.",
    )
  })
})
