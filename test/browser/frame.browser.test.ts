import { afterAll, beforeAll, expect, test } from "bun:test"
import type { FrameLocator, Page } from "playwright-core"
import { type Api, apiOf } from "../support/api.ts"
import { describeInBrowser, startBrowser, type TestBrowser } from "../support/browser.ts"
import type { Counter } from "../support/counter.ts"
import { freePort } from "../support/port.ts"
import { aService } from "../support/service-builder.ts"

// A form's own page in a frame of the owner's site, which is of another origin and allows no inline style.

describeInBrowser("a form in a frame", () => {
  let counter: Counter
  let browser: TestBrowser
  let api: Api
  let url: string
  let pages = 0
  beforeAll(async () => {
    // The address that the frame and its script are of is told beforehand.
    const settings = { GUICHET_PORT: String(await freePort()) }
    ;[counter, browser] = await Promise.all([
      aService().withSettings(settings).withWebsite().started(),
      startBrowser(),
    ])
    api = await apiOf(counter.service)
    url = counter.service.app.config.publicUrl
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  const fields = [
    { name: "nom", label: "Votre nom", type: "text", required: true },
    { name: "ville", label: "Votre ville", type: "text", required: true },
    { name: "message", label: "Votre message", type: "textarea" },
  ]

  async function hosted(described: object = {}): Promise<string> {
    const form = { project: counter.project.id, name: "Contact", fields, hosted: true, ...described }
    return (await api.post("/api/v1/forms", form)).body.action
  }

  /** As the console writes it, around a page that goes on below. */
  const around = (address: string) =>
    `<main><h1>Page</h1><iframe src="${address}" title="Contact" width="100%" height="900" frameborder="0"></iframe><p>La suite.</p></main>`

  function publish(body: string, scripts = `<script src="${url}/form.js" defer></script>`) {
    const policy = `default-src 'none'; script-src ${url} 'nonce-page'; frame-src ${url} ${counter.site}`
    return counter.page(`/frame-${++pages}`, body, { scripts, policy })
  }

  const visit = async (address: string) => browser.page(publish(around(address)), {})
  const frameOf = (page: Page): FrameLocator => page.frameLocator("iframe")
  const shownPx = (page: Page) =>
    page.locator("iframe").evaluate((frame) => Math.round(frame.getBoundingClientRect().height))
  const contentPx = (page: Page) =>
    frameOf(page)
      .locator("body")
      .evaluate((body) => Math.ceil(body.getBoundingClientRect().height))

  /** Resolves to its height once the frame, other than `before`, is as high as its content and does not scroll. */
  async function fitted(page: Page, before: number): Promise<number> {
    for (let tries = 0; tries < 500; tries++) {
      const [shown, content] = [await shownPx(page), await contentPx(page)]
      if (shown !== before && shown - 1 <= content && content <= shown) return content
      await Bun.sleep(20)
    }
    throw new Error("the frame does not fit")
  }

  test("is as high as its content: the form, its errors, and the thanks", async () => {
    await using page = await visit(await hosted())
    const asForm = await fitted(page, 900)
    expect(
      await frameOf(page)
        .locator("html")
        .evaluate((html) => html.scrollHeight <= html.clientHeight),
    ).toBe(true)
    await frameOf(page).getByRole("button", { name: "Envoyer" }).click()
    await frameOf(page).getByText("Remplissez ce champ.").first().waitFor()
    const withErrors = await fitted(page, asForm)
    expect(withErrors).toBeGreaterThan(asForm + 40)
    await frameOf(page).getByLabel("Votre nom").fill("Camille")
    await frameOf(page).getByLabel("Votre ville").fill("Nantes")
    await frameOf(page).getByRole("button", { name: "Envoyer" }).click()
    await frameOf(page).getByText("Votre message a bien été envoyé.").waitFor()
    expect(await fitted(page, withErrors)).toBeLessThan(asForm - 100)
    expect(page.problems.filter((said) => !said.includes("400 (Bad Request)"))).toEqual([])
  })

  test("whoever sent a long form from its end sees the thanks", async () => {
    const many = Array.from({ length: 30 }, (_, at) => ({
      name: `n${at}`,
      label: `Champ ${at}`,
      type: "text",
    }))
    await using page = await visit(await hosted({ fields: many }))
    await fitted(page, 900)
    const send = frameOf(page).getByRole("button", { name: "Envoyer" })
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await send.click()
    await frameOf(page).getByText("Votre message a bien été envoyé.").waitFor()
    await page.waitForFunction(() => {
      const { top, bottom } = (document.querySelector("iframe") as HTMLElement).getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })
  })

  test("pages that come without the helper's sending are fitted too: the form shown again, and the thanks", async () => {
    const address = await hosted()
    await using page = await visit(address)
    const asForm = await fitted(page, 900)
    const native = () =>
      frameOf(page)
        .locator("form")
        .evaluate((form) => HTMLFormElement.prototype.submit.call(form))
    await native()
    await frameOf(page).getByText("corrigez les champs indiqués").waitFor()
    const withErrors = await fitted(page, asForm)
    expect(withErrors).toBeGreaterThan(asForm + 40)
    await frameOf(page).getByLabel("Votre nom").fill("Camille")
    await frameOf(page).getByLabel("Votre ville").fill("Nantes")
    await native()
    await frameOf(page).getByRole("heading", { name: "Merci" }).waitFor()
    expect(await fitted(page, withErrors)).toBeLessThan(asForm - 100)
    expect(await page.locator("iframe").getAttribute("src")).toBe(address)
  })

  test("frames that come to the page later are fitted too", async () => {
    await using page = await browser.page(publish("<main><h1>Page</h1></main>"), {})
    await page.evaluate(
      (html) => {
        document.body.append(document.createRange().createContextualFragment(html))
      },
      around(await hosted()),
    )
    expect(await fitted(page, 900)).toBeGreaterThan(200)
  })

  test.each([
    ["light", ""],
    ["dark", "dark"],
    ["dark", "light dark"],
  ])("is %s for a visitor who likes it dark, on a page whose colour scheme is %j", async (shown, scheme) => {
    const sheet = `<script nonce="page">
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(":root { color-scheme: ${scheme} }")
      document.adoptedStyleSheets = [sheet]
    </script><script src="${url}/form.js" defer></script>`
    await using page = await browser.page(publish(around(await hosted()), sheet), { colorScheme: "dark" })
    await fitted(page, 900)
    const paper = await frameOf(page)
      .locator("body")
      .evaluate((body) => getComputedStyle(body).backgroundColor)
    expect(paper).toBe(shown === "dark" ? "rgb(27, 36, 48)" : "rgb(255, 255, 255)")
    expect(await frameOf(page).getByRole("link", { name: "Guide" }).count()).toBe(0)
  })

  test("without JavaScript, or without form.js around it, the frame keeps its height and scrolls", async () => {
    const address = await hosted()
    const low = around(address).replace(`height="900"`, `height="200"`)
    await using bare = await browser.page(publish(low, ""), {})
    await using scriptless = await browser.page(publish(low), { javaScriptEnabled: false })
    for (const page of [bare, scriptless]) {
      await frameOf(page).getByLabel("Votre nom").fill("Camille")
      await frameOf(page).getByLabel("Votre ville").fill("Nantes")
      await frameOf(page).getByRole("button", { name: "Envoyer" }).click()
      await frameOf(page).getByText("Votre message a bien été envoyé.").waitFor()
      expect(await page.locator("iframe").boundingBox()).toMatchObject({ height: 200 })
    }
  })

  test("the redirect of a form in a frame opens in the place of the page around it", async () => {
    const next = counter.page("/merci-cadre", "<main><h1>Merci</h1></main>")
    await using page = await visit(await hosted({ redirect_url: next }))
    await frameOf(page).getByLabel("Votre nom").fill("Camille")
    await frameOf(page).getByLabel("Votre ville").fill("Nantes")
    await frameOf(page).getByRole("button", { name: "Envoyer" }).click()
    await page.waitForURL(next)
  })

  test("each frame has its own height, which nobody but the service's page in it sets, within bounds", async () => {
    const lie = `<script nonce="page">parent.postMessage({ "guichet:frame": 300 }, "*")</script>`
    const liar = counter.page("/menteur", lie, { scripts: "", policy: "script-src 'nonce-page'" })
    const long = await hosted({ fields: [...fields, { name: "autre", label: "Autre", type: "textarea" }] })
    const body = `${around(await hosted())}${around(long)}<iframe id="liar" src="${liar}" height="150"></iframe>`
    await using page = await browser.page(publish(body), {})
    const heights = () =>
      page.evaluate(() => [...document.querySelectorAll("iframe")].map(({ style }) => style.height))
    await page.waitForFunction(() => document.querySelectorAll("iframe[style*=height]").length === 2)
    const [short = "", higher = "", none] = await heights()
    expect(Number.parseInt(higher, 10)).toBeGreaterThan(Number.parseInt(short, 10) + 100)
    expect(none).toBe("")
    const say = (message: unknown) =>
      page
        .frameLocator("iframe >> nth=0")
        .locator("body")
        .evaluate((_, said) => parent.postMessage(said, "*"), message)
    const heard = () => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
    await page.evaluate(() => postMessage({ "guichet:frame": 300 }, "*"))
    await say("guichet:frame")
    for (const said of [null, {}, "x", -5, 0, Number.NaN]) await say({ "guichet:frame": said })
    await heard()
    expect(await heights()).toEqual([short, higher, ""])
    await say({ "guichet:frame": 1e9 })
    await page.waitForFunction(() => document.querySelector("iframe")?.style.height === "8000px")
    await say({ "guichet:frame": 1 })
    await page.waitForFunction(() => document.querySelector("iframe")?.style.height === "80px")
    // The frame of the form, once it shows a page of elsewhere.
    await page.evaluate(
      (address) => document.querySelector("iframe")?.contentWindow?.location.replace(address),
      liar,
    )
    await page.waitForFunction(() => document.querySelector("iframe")?.contentDocument !== null)
    await heard()
    expect(await heights()).toEqual(["80px", higher, ""])
  })

  test("the form tells its height to declared addresses alone, and nothing else", async () => {
    const address = await hosted()
    const listener = `<script nonce="page">
      window.told = []
      addEventListener("message", (event) => told.push(event.data))
      addEventListener("load", () => document.querySelector("iframe").contentWindow.postMessage({ "guichet:frame": "normal" }, "*"))
    </script>`
    await using page = await browser.page(publish(around(address), listener), {})
    await page.waitForFunction(() => (window as never as { told: unknown[] }).told.length > 0)
    const told = await page.evaluate(() => (window as never as { told: object[] }).told)
    expect(new Set(told.flatMap(Object.keys))).toEqual(new Set(["guichet:frame"]))
    expect(told[0]).toEqual({ "guichet:frame": await contentPx(page) })
    // A page that the policy of the frame would not let show it, had the browser no such policy.
    const { body: changed } = await api.patch(`/api/v1/projects/${counter.project.id}`, {
      origins: ["https://autre.exemple"],
    })
    expect(changed.origins).toContain(counter.site)
    await using stranger = await browser.page("about:blank", {})
    await stranger.route(address, async (route) => {
      const reply = await route.fetch()
      const headers = reply.headers()
      const policy = String(headers["content-security-policy"]).replace(
        /frame-ancestors [^;]+/,
        "frame-ancestors *",
      )
      await route.fulfill({ response: reply, headers: { ...headers, "content-security-policy": policy } })
    })
    const elsewhere = publish(around(address), listener).replace("127.0.0.1", "localhost")
    await stranger.goto(elsewhere)
    await frameOf(stranger).getByLabel("Votre nom").waitFor()
    await stranger.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
    expect(await stranger.evaluate(() => (window as never as { told: unknown[] }).told)).toEqual([])
  })
})
