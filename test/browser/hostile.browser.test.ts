import { afterAll, beforeAll, expect, test } from "bun:test"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import type { Counter } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// Whatever stands in questions, answers, titles and sections is text on the page and nothing else.

const harmless =
  "SECTION P DIV SPAN STRONG EM CODE PRE UL OL LI SUP A BDI H2 H3 H4 ARTICLE BUTTON TABLE TR TH TD BR DETAILS SUMMARY".split(
    " ",
  )
const furniture = "DIALOG HEADER FORM LABEL TEXTAREA svg path".split(" ")

const rlo = "\u202e"
const hostile: [name: string, text: string][] = [
  ["a script", "<script>window.ran = 1</script>"],
  ["an image with a handler", `<img src=x onerror="window.ran = 1">`],
  ["a drawing with a handler", `<svg onload="window.ran = 1"><circle r=9 /></svg>`],
  ["a frame", `<iframe srcdoc="<script>parent.ran = 1</script>"></iframe>`],
  [
    "a form",
    `<form action="https://mechant.exemple/"><input name=mot autofocus onfocus="window.ran = 1"></form>`,
  ],
  ["a style", "<style>*{display:none}</style>"],
  ["an element that breaks out", `</div></article></dialog><script>window.ran = 1</script>`],
  ["a half tag", "<img src=x onerror=window.ran=1 "],
  ["a comment", "<!-- --><script>window.ran = 1</script>"],
  ["entities", "&lt;script&gt;window.ran = 1&lt;/script&gt;"],
  ["MathML", `<math><mtext><script>window.ran = 1</script></mtext></math>`],
  ["a javascript: link", "[cliquez ici](javascript:window.ran=1)"],
  ["a javascript: link in capitals and tabs", "[cliquez](JaVa\tScRiPt:window.ran=1)"],
  ["a data: link", "[cliquez](data:text/html,<script>window.ran=1</script>)"],
  ["a link elsewhere", "[la documentation](https://mechant.exemple/hameconnage)"],
  ["an autolink", "<https://mechant.exemple/hameconnage>"],
  ["a bare address", "https://mechant.exemple/hameconnage"],
  ["an image", "![pixel](https://mechant.exemple/pixel.png)"],
  ["an image in a link", "[![pixel](https://mechant.exemple/p.png)](https://mechant.exemple/)"],
  ["a reference link", "[texte][ref]\n\n[ref]: https://mechant.exemple/"],
  ["a reference image", "![texte][ref]\n\n[ref]: https://mechant.exemple/p.png"],
  ["a link with a title", `[texte](https://mechant.exemple/ "onclick=window.ran=1")`],
  ["a link within emphasis", "**[texte](https://mechant.exemple/)**"],
  ["HTML within code", "`<script>window.ran = 1</script>`"],
  ["HTML within a code block", "```html\n<script>window.ran = 1</script>\n```"],
  [
    "HTML within a table",
    "| <img src=x onerror=window.ran=1> | b |\n|---|---|\n| <script>window.ran=1</script> | c |",
  ],
  ["HTML within a list", "- <script>window.ran = 1</script>\n- <img src=x onerror=window.ran=1>"],
  ["a forged marker", "Voir [^99] et [^1](javascript:window.ran=1)."],
  ["markers of the prototype", "[^__proto__] [^constructor]"],
  ["a text turned around", `${rlo}gro.elpmexe//:sptth${rlo}`],
  ["isolates that never close", "\u2066\u2067\u2068 début \u202a\u202b\u202d fin"],
  ["invisible characters", "a\u200b\u200d\ufeff\u00adb\u2028c\u2029d"],
  ["NUL and control characters", "a\u0000b\u0007c\u001bd"],
  ["half a surrogate pair", "a\ud800b"],
  ["marks piled up", `e${"\u0301".repeat(2000)}`],
]

/** As long as an answer may be to be read as Markdown at all; then beyond. */
const longest = 49_000
const huge: [name: string, text: string][] = [
  ["a long word", "x".repeat(longest)],
  ["nothing but stars", "*".repeat(longest)],
  ["stars and letters", "*a ".repeat(longest / 3)],
  ["emphasis in emphasis", "*a **b _c __d ".repeat(longest / 14)],
  ["nothing but backticks", "`".repeat(longest)],
  ["backticks in ever longer runs", Array.from({ length: 300 }, (_, n) => "`".repeat(n + 1)).join("a")],
  [
    "backticks in ever longer runs before many short ones",
    Array.from({ length: 180 }, (_, n) => "`".repeat(n + 2)).join("a") + "`a".repeat(16_000),
  ],
  ["nothing but brackets", "[".repeat(longest)],
  ["half links", "[a](".repeat(longest / 4)],
  ["half images", "![a](x".repeat(longest / 6)],
  ["a list in a list without end", "- ".repeat(longest / 2)],
  ["lists ever further in", Array.from({ length: 300 }, (_, n) => `${" ".repeat(n)}- a`).join("\n")],
  ["nothing but quote marks", "> ".repeat(longest / 2)],
  ["nothing but lines", "\n".repeat(longest)],
  ["a table of one long row", `|${"a|".repeat(longest / 2 - 1)}`],
  ["fences that never close", "```\n".repeat(longest / 4)],
  ["a word of 1 MB", "x".repeat(1_000_000)],
  ["1 MB of markup", "*a [b](c) `d`\n- e\n".repeat(50_000)],
]

describeInBrowser("hostile text", () => {
  let counter: Counter
  let browser: TestBrowser
  let page: QuietPage
  let reply: object
  let next: object[] = []
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([aService().withWebsite().started(), startBrowser()])
    page = await browser.page(counter.page("/hostile"))
    await page.route("**/api/v1/ask", (route) =>
      route.fulfill({ json: reply, headers: { "access-control-allow-origin": "*" } }),
    )
    await page.route("**/related", (route) =>
      route.fulfill({ json: { items: next }, headers: { "access-control-allow-origin": "*" } }),
    )
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  const source = (n: number, fields: object = {}) => ({
    n,
    title: "Page",
    section: "Section",
    url: `${counter.site}/a#b`,
    ...fields,
  })

  async function shown(question: string, answer: string, sources: object[]): Promise<Shown> {
    reply = { id: "ans_1", status: "answered", answer, sources }
    await page.evaluate((text) => (window.guichet as { ask(text: string): void }).ask(text), question)
    const article = page.locator("guichet-widget article").last()
    await article.locator(next.length > 0 ? ".next" : "[role=group]").waitFor()
    const found = await page.locator("guichet-widget").evaluate(look)
    await page.evaluate(() => {
      const root = document.querySelector("guichet-widget")?.shadowRoot as ShadowRoot
      for (const one of root.querySelectorAll("article")) one.remove()
    })
    return found
  }

  /** `links`: addresses that the answer may lead to. */
  function expectHarmless(found: Shown, links: readonly string[] = []): void {
    expect(found.names.filter((name) => !harmless.includes(name) && !furniture.includes(name))).toEqual([])
    expect(found.handlers).toEqual([])
    const allowed = [`${counter.site}/a#b`, `${counter.site}/hostile#answer`, ...links]
    expect(found.links.filter((link) => !allowed.includes(link))).toEqual([])
    expect(found.ran).toBe(false)
    expect(page.problems).toEqual([])
  }

  test.each(hostile)("%s", async (_, text) => {
    const everywhere = [source(1, { title: text, section: text }), source(2, { title: `« ${text} »` })]
    next = [{ title: text, section: text, url: `${counter.site}/a#b`, excerpt: `${text}\n\nFin.` }]
    const found = await shown(text, `${text}\n\nAvant [^1] ${text} [^2]`, everywhere)
    next = []
    // A quotation keeps the documentation's links to the web.
    const links = [...text.matchAll(/\]\((https:[^\s)]+)/g)].map(([, address]) => address as string)
    expectHarmless(found, links)
    expect(found.question).toBe(text.trim())
    expect(found.title).toBe(text)
    // What the text says is still there to be read.
    for (const word of text.match(/[a-zé]{4,}/g) ?? [])
      if (
        !/hameconnage|mechant|exemple|javascript|https|html|text|window|pixel|onclick|data|script/.test(word)
      )
        expect(found.text).toContain(word)
  })

  test.each([
    ["javascript:window.ran=1"],
    ["JAVASCRIPT:window.ran=1"],
    [" javascript:window.ran=1"],
    ["java\nscript:window.ran=1"],
    ["data:text/html,<script>window.ran=1</script>"],
    ["vbscript:x"],
    ["blob:https://exemple.fr/x"],
    ["file:///etc/passwd"],
    ["/relative"],
    [""],
  ])("a source at %j is no link", async (url) => {
    const found = await shown("Question", "Réponse [^1]", [source(1, { url, title: "Titre" })])
    expectHarmless(found)
    expect(found.links).toEqual([`${counter.site}/hostile#answer`])
    expect(found.text).toContain("Titre")
  })

  test.each(huge)("%s is shown before anybody gives up", async (_, text) => {
    expectHarmless(await shown("Question", `${text}\n\nFin [^1]`, [source(1)]))
  })

  test("a word of 1 MB as a title, and as a question, breaks no layout", async () => {
    const word = "x".repeat(1_000_000)
    expectHarmless(await shown("y".repeat(1000), "Réponse [^1]", [source(1, { title: word })]))
    expect(
      await page.locator("guichet-widget .talk").evaluate((talk) => talk.scrollWidth <= talk.clientWidth),
    ).toBe(true)
  })
})

interface Shown {
  names: string[]
  handlers: string[]
  links: string[]
  question: string | undefined
  title: string | undefined
  text: string
  ran: boolean
}

/** Runs in the page. */
function look(host: Element): Shown {
  const root = host.shadowRoot as ShadowRoot
  const all = [...root.querySelectorAll("*")]
  const article = root.querySelector("article")
  return {
    names: [...new Set(all.map(({ tagName }) => tagName))],
    handlers: all
      .flatMap((one) => [...one.attributes].map(({ name }) => name))
      .filter((name) => /^on|^src|^style$/.test(name)),
    links: [...root.querySelectorAll("a")].map((link) =>
      (link.getAttribute("href") ?? "").replace(/#answer-.*/, "#answer"),
    ),
    question: article?.querySelector("h3")?.textContent ?? undefined,
    title: article?.querySelector("bdi")?.textContent ?? undefined,
    text: article?.textContent ?? "",
    ran: "ran" in window,
  }
}
