import { afterAll, beforeAll, expect, test } from "bun:test"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { answerable, type Counter } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// The tag of the widget, wherever and however it stands on a page, and the page around it.

describeInBrowser("the widget's tag", () => {
  let counter: Counter
  let browser: TestBrowser
  let pages = 0
  const policy = "connect-src *; default-src * 'unsafe-inline'"
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([aService().withWebsite().started(), startBrowser()])
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  const opener = (page: QuietPage) => page.getByRole("button", { name: "Poser une question" })
  const field = (page: QuietPage) => page.getByLabel("Votre question")
  const articles = (page: QuietPage) => page.locator("guichet-widget article")
  const dialog = (page: QuietPage) => page.locator("guichet-widget dialog")
  const isOpen = (page: QuietPage) => dialog(page).evaluate((one) => (one as HTMLDialogElement).open)
  const visit = (scripts: string, body?: string) =>
    browser.page(
      counter.page(`/tag-${++pages}`, body, {
        scripts,
        policy,
      }),
    )
  const src = () => `${counter.service.url}/widget.js`
  const project = () => `data-project="${counter.project.id}"`

  async function ask(page: QuietPage): Promise<void> {
    if (!(await field(page).isVisible())) await opener(page).click()
    const before = await articles(page).count()
    await field(page).fill(answerable)
    await page.keyboard.press("Enter")
    await articles(page).nth(before).locator(".feedback").waitFor()
  }

  /** Never asked: nothing of ours may go there. */
  const foreign = `<script src="https://ailleurs.invalid/widget.js" data-project="autre1234" async></script>
    <script type="text/plain" src="https://ailleurs.invalid/x/widget.js?y" data-project="autre1234"></script>`

  test.each([
    ["in the head", () => `<script src="${src()}" ${project()}></script>`],
    ["deferred", () => `<script src="${src()}" ${project()} defer></script>`],
    ["async", () => `<script src="${src()}" ${project()} async></script>`],
    ["a module", () => `<script src="${src()}" ${project()} type="module"></script>`],
    ["a module with a query", () => `<script src="${src()}?v=2" ${project()} type="module"></script>`],
    [
      "put in by a tag manager",
      () => `<script>addEventListener("load", () => {
        const tag = document.createElement("script")
        tag.src = "${src()}"
        tag.dataset.project = "${counter.project.id}"
        document.head.append(tag)
      })</script>`,
    ],
    ["there twice", () => `<script src="${src()}" ${project()} defer></script>`.repeat(2)],
  ])("is found %s, among those of others", async (_, tag) => {
    await using page = await visit(foreign + tag())
    const asked: string[] = []
    page.on("request", (request) => {
      if (request.method() === "POST") asked.push(new URL(request.url()).origin)
    })
    await ask(page)
    expect(new Set(asked)).toEqual(new Set([counter.service.url]))
    expect(await page.locator("guichet-widget").count()).toBe(1)
  })

  test.each([
    ["without a project", () => "", "/widget.js has no data-project", 0],
    ["with an empty one", () => `data-project=""`, "/widget.js has no data-project", 0],
    ["with a blank one", () => `data-project=" "`, "/widget.js has no data-project", 0],
    ["with an unknown one", () => `data-project="inconnu12345"`, `Guichet: no project "inconnu12345"`, 1],
    ["with one that is none", () => `data-project="../PAS UN"`, `Guichet: no project "../PAS UN"`, 1],
  ])(
    "%s shows visitors no button, and tells the console why in one line",
    async (_, attribute, why, requests) => {
      await using page = await browser.page("about:blank", {})
      const lines: string[] = []
      page.on("console", (message) => {
        if (message.type() === "warning") lines.push(message.text())
      })
      const asked: string[] = []
      page.on("request", (request) => {
        if (request.url().includes("/api/")) asked.push(request.url())
      })
      const told = page.waitForEvent("console", (message) => message.type() === "warning")
      const scripts = `${foreign}<script src="${src()}" ${attribute()} type="module"></script>`
      await page.goto(counter.page(`/tag-${++pages}`, undefined, { scripts, policy }))
      await told
      expect(lines).toEqual([expect.stringContaining(why)])
      expect(asked).toHaveLength(requests)
      expect(await opener(page).count()).toBe(0)
    },
  )

  test("a French panel reads from left to right on a page that does not, and stands where it should", async () => {
    const scripts = `<style>* { direction: rtl }</style><script src="${src()}" ${project()} defer></script>`
    await using page = await visit(scripts, `<main dir="rtl"><h1>עמוד</h1></main>`)
    await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"))
    await ask(page)
    const direction = (one: Element) => getComputedStyle(one).direction
    expect(await dialog(page).evaluate(direction)).toBe("ltr")
    expect(await articles(page).first().evaluate(direction)).toBe("ltr")
    const [box, width] = [await dialog(page).boundingBox(), page.viewportSize()?.width ?? 0]
    expect(width - (box?.x ?? 0) - (box?.width ?? 0)).toBeLessThan(40)
    const [written, sent] = [
      await field(page).boundingBox(),
      await page.getByRole("button", { name: "Envoyer" }).boundingBox(),
    ]
    expect(sent?.x).toBeGreaterThan(written?.x as number)
  })

  test.each([
    ["the body", () => document.body.replaceWith(document.createElement("body"))],
    [
      "the body, as older ones do",
      () => document.documentElement.replaceChild(document.createElement("body"), document.body),
    ],
    ["what the body holds", () => document.body.replaceChildren("autre")],
    [
      "what the document holds",
      () =>
        document.documentElement.replaceChildren(
          document.createElement("head"),
          document.createElement("body"),
        ),
    ],
    [
      "the document's element",
      () => {
        const html = document.createElement("html")
        html.append(document.createElement("head"), document.createElement("body"))
        document.documentElement.replaceWith(html)
      },
    ],
  ])("an open panel stays open and usable when a visit replaces %s", async (_, replace) => {
    await using page = await visit(`<script src="${src()}" ${project()} data-shortcut="k" defer></script>`)
    await ask(page)
    await field(page).fill("Et ensuite")
    for (const _ of [1, 2]) {
      await page.evaluate(replace)
      await page.locator("guichet-widget").waitFor({ state: "attached" })
      expect(await isOpen(page)).toBe(true)
    }
    expect(await field(page).inputValue()).toBe("Et ensuite")
    expect(await page.locator("guichet-widget").count()).toBe(1)
    const asked: string[] = []
    page.on("request", (request) => {
      if (request.url().endsWith("/ask") && request.method() === "POST") asked.push(request.postData() ?? "")
    })
    await ask(page)
    expect(await articles(page).count()).toBe(2)
    expect(asked).toHaveLength(1)
    expect(JSON.parse(asked[0] as string).previous).toHaveLength(1)
    await page.keyboard.press("Escape")
    await dialog(page).waitFor({ state: "hidden" })
    await page.keyboard.press("Control+k")
    expect(await dialog(page).evaluate((one) => one.matches(":modal"))).toBe(true)
  })

  test("a visit that runs the tag of the new body again adds no second widget", async () => {
    const tag = `<script src="${src()}" ${project()}></script>`
    await using page = await visit("", `<main><h1>A</h1></main>${tag}`)
    await ask(page)
    await page.evaluate((html) => {
      const body = document.createElement("body")
      body.append(document.createRange().createContextualFragment(`<main><h1>B</h1></main>${html}`))
      document.body.replaceWith(body)
      return new Promise((done) => body.querySelector("script")?.addEventListener("load", done))
    }, tag)
    expect(await page.locator("guichet-widget").count()).toBe(1)
    expect(await isOpen(page)).toBe(true)
    await ask(page)
    expect(await articles(page).count()).toBe(2)
  })
})
