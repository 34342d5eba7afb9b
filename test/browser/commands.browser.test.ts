import { afterAll, beforeAll, expect, test } from "bun:test"
import { describeInBrowser, heard, startBrowser, type TestBrowser } from "../support/browser.ts"
import { answerable, type Counter, foreign } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// `window.guichet` and the events on `document`: what a page's own code does with the widget.

/** The line that the documentation gives for calls before the script is there. */
const early = `window.guichet ??= new Proxy([], { get: (calls, name) => calls[name] ?? ((...call) => calls.push([name, ...call])) })`

describeInBrowser("a page's own code", () => {
  let counter: Counter
  let browser: TestBrowser
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([aService().withWebsite().started(), startBrowser()])
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  const visit = (path: string, script = "") =>
    browser.page(
      counter.page(path, "<main><h1>Page</h1><button id='own'>Aide</button></main>", {
        head: script && `<script nonce="page">${script}</script>`,
      }),
    )

  test("opens and closes the panel, and the focus goes back to its button", async () => {
    await using page = await visit("/open")
    await page.evaluate(() =>
      document.querySelector("#own")?.addEventListener("click", () => (window.guichet as Guichet).open()),
    )
    await page.getByRole("button", { name: "Aide" }).click()
    await page.getByLabel("Votre question").waitFor()
    await page.evaluate(() => (window.guichet as Guichet).close())
    await page.getByLabel("Votre question").waitFor({ state: "hidden" })
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("own")
  })

  test("asks a question, and is told of it and of its answer", async () => {
    await using page = await visit("/ask")
    await page.evaluate((text) => (window.guichet as Guichet).ask(text), answerable)
    await page.getByText("Réponse prête, 1 source").waitFor()
    const [ready, question, answer] = await heard(page)
    expect(ready).toEqual({ name: "ready", detail: {} })
    expect(question).toEqual({ name: "question", detail: { question: answerable } })
    expect(answer?.name).toBe("answer")
    expect(answer?.detail).toMatchObject({ question: answerable, status: "answered", sources: [{ n: 1 }] })
    expect(answer?.detail.id).toStartWith("ans_")
  })

  test("is told of what went wrong", async () => {
    await using page = await visit("/error")
    await page.route("**/api/v1/ask", (route) => route.abort())
    await page.evaluate(() => (window.guichet as Guichet).ask("Une question"))
    await page.getByRole("alert").waitFor()
    expect((await heard(page)).at(-1)).toMatchObject({ name: "error", detail: { code: "offline" } })
  })

  test.each([
    ["with the documented line", `${early}; guichet.ask(${JSON.stringify(foreign)})`],
    ["with a list of calls", `window.guichet = [["ask", ${JSON.stringify(foreign)}]]`],
  ])("calls before the script has loaded, %s", async (_, script) => {
    await using page = await visit("/early", script)
    await page.getByText("Aucune réponse trouvée", { exact: true }).waitFor()
    expect(page.problems).toEqual([])
    await page.evaluate(() => (window.guichet as Guichet).close())
    await page.getByRole("dialog").waitFor({ state: "hidden" })
  })

  test("an element of the page called guichet keeps nobody from anything", async () => {
    await using page = await browser.page(
      counter.page("/named", "<main><h1 id='guichet'>Guichet</h1></main>"),
    )
    await page.evaluate(() => (window.guichet as Guichet).open())
    await page.getByLabel("Votre question").waitFor()
  })
})

interface Guichet {
  open(): void
  close(): void
  ask(text: string): void
}
