import { afterAll, beforeAll, expect, test } from "bun:test"
import axe from "axe-core"
import type { FrameLocator, Locator } from "playwright-core"
import { secondMs } from "../../src/base/clock.ts"
import { contrast } from "../../src/base/color.ts"
import { type Api, apiOf } from "../support/api.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { movableClock } from "../support/clock.ts"
import { answerable, type Counter, foreign } from "../support/counter.ts"
import { freePort } from "../support/port.ts"
import { aService } from "../support/service-builder.ts"

// « Votre message n’est pas encore envoyé » where form.js serves a form: pasted into a page of the site, on its own page, in a frame.

describeInBrowser("an answer before a form is sent", () => {
  let counter: Counter
  let browser: TestBrowser
  let api: Api
  let url: string
  let form: { id: string; action: string }
  let html: string
  let pages = 0
  /** Whoever fills a form in takes the time that the test says. */
  const clock = movableClock()
  beforeAll(async () => {
    const settings = { GUICHET_PORT: String(await freePort()) }
    ;[counter, browser] = await Promise.all([
      aService().withClock(clock).withSettings(settings).withWebsite().started(),
      startBrowser(),
    ])
    url = counter.service.app.config.publicUrl
    api = await apiOf(counter.service)
    const project = counter.project.id
    const fields = [
      { name: "nom", label: "Votre nom", type: "text", required: true },
      { name: "message", label: "Votre message", type: "textarea", required: true },
      { name: "secret", label: "Autre chose", type: "textarea" },
    ]
    const described = { project, name: "Contact", fields, hosted: true }
    form = (await api.post("/api/v1/forms", described)).body
    await api.patch(`/api/v1/projects/${project}/widget-settings`, { contact_form: form.id })
    html = (await api.get(`/api/v1/forms/${form.id}/html`)).body
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  const policy = () =>
    `default-src 'none'; script-src ${url} 'nonce-page'; style-src ${url}; connect-src ${url}; frame-src ${url}; form-action ${url}`
  const publish = (body: string) =>
    counter.page(`/offre-${++pages}`, `<main><h1>Contact</h1>${body}</main>`, {
      scripts: "",
      policy: policy(),
    })

  async function visit(address: string): Promise<QuietPage> {
    const page = await browser.page("about:blank", {})
    // What is to be checked is told together with the start.
    const started = page.waitForResponse(/\/start$/)
    await page.goto(address)
    await started
    return page
  }

  const offer = (page: QuietPage | FrameLocator) =>
    page.getByRole("region", { name: "Votre message n’est pas encore envoyé" })
  const send = (page: QuietPage | FrameLocator) =>
    page.getByRole("button", { name: "Envoyer", exact: true }).click()
  const responses = async () => {
    const listed = await Promise.all(
      ["received", "held"].map((state) => api.get(`/api/v1/forms/${form.id}/responses?state=${state}`)),
    )
    return listed.flatMap(({ body }) => body.items)
  }

  async function fill(page: QuietPage | FrameLocator, name: string, message: string): Promise<void> {
    await page.getByLabel("Votre nom").fill(name)
    await page.getByLabel("Votre message").fill(message)
    clock.move(10 * secondMs)
  }

  test.each([
    ["pasted into a page", () => publish(html)],
    ["on the form's own page", () => form.action],
  ])("%s: shown once, after the form's own faults; it may be the answer", async (_, address) => {
    const before = (await responses()).length
    await using page = await visit(address())
    const asked: string[] = []
    page.on("request", (request) => {
      if (/\/(answer|offer\/\w+\.js)$/.test(request.url())) asked.push(request.postData() ?? "")
    })
    await page.getByLabel("Votre message").fill(answerable)
    await page.getByLabel("Autre chose").fill("Ne regarde personne.")
    await send(page)
    await page.getByText("Remplissez ce champ.").waitFor()
    expect(asked).toEqual([])
    await fill(page, "Camille", answerable)
    await send(page)
    await offer(page).waitFor()
    expect(asked).toEqual(["", JSON.stringify({ text: answerable })])
    expect(await offer(page).textContent()).toContain("Mot de passe oublié")
    expect(
      await offer(page)
        .getByRole("link", { name: /^Mot de passe/ })
        .getAttribute("href"),
    ).toContain("/mot-de-passe")
    const title = page.getByText("Votre message n’est pas encore envoyé")
    expect(await title.evaluate((one) => (one.getRootNode() as ShadowRoot).activeElement === one)).toBe(true)
    await page.evaluate(axe.source)
    // Without preload, which puts the sheet of form.css into a style of its own, against the page's policy.
    const { violations } = await page.evaluate(() =>
      (window as never as { axe: typeof axe }).axe.run({ preload: false }),
    )
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
    const solved = page.waitForResponse("**/solved")
    await offer(page).getByRole("button", { name: "Oui, c’est la réponse" }).click()
    expect((await solved).status()).toBe(204)
    await page.getByText("Rien n’a été envoyé.").waitFor()
    expect(await offer(page).count()).toBe(0)
    expect((await responses()).length).toBe(before)
    expect(page.problems.filter((said) => !said.includes("400 (Bad Request)"))).toEqual([])
  })

  test("it can be passed over by its button or by the form's own, and is not shown again", async () => {
    for (const button of ["Envoyer mon message", "Envoyer"]) {
      await using page = await visit(publish(html))
      const name = `Zoé ${button}`
      await fill(page, name, `${answerable} Je n’y arrive pas.`)
      await send(page)
      await offer(page).waitFor()
      const service = /\/f\/\w+/
      await page.route(service, (route) => route.abort())
      await page.getByRole("button", { name: button, exact: true }).click()
      await page.getByText("vérifiez votre connexion").waitFor()
      expect(await offer(page).count()).toBe(0)
      await page.unroute(service)
      await send(page)
      await page.getByText("Votre message a bien été envoyé.").waitFor()
      expect((await responses()).filter(({ values }) => values.nom === name)).toHaveLength(1)
    }
  })

  test.each([
    ["pasted into a page", () => publish(html), false],
    [
      "in a frame",
      () => publish(`<iframe src="${form.action}" title="Contact" width="100%" height="900"></iframe>`),
      true,
    ],
  ])(
    "%s: its sources open in a tab of their own, and say so; what was typed is still there",
    async (_, address, isFramed) => {
      await using page = await visit(address())
      const shown = isFramed ? page.frameLocator("iframe") : page
      await fill(shown, "Camille", answerable)
      await send(shown)
      const source = offer(shown).getByRole("link", { name: /^Mot de passe.*\(nouvel onglet\)$/ })
      const opened = page.waitForEvent("popup")
      await source.click()
      await using tab = await opened
      await tab.waitForURL("**/mot-de-passe*")
      expect(await shown.getByRole("textbox", { name: "Votre message" }).inputValue()).toBe(answerable)
      await offer(shown).getByRole("button", { name: "Envoyer mon message" }).click()
      await shown.getByText("Votre message a bien été envoyé.").waitFor()
    },
  )

  test("in a frame, it is shown in full", async () => {
    await using page = await visit(
      publish(
        `<iframe src="${form.action}" title="Contact" width="100%" height="300" frameborder="0"></iframe><script src="${url}/form.js" defer></script>`,
      ),
    )
    const frame = page.frameLocator("iframe")
    await fill(frame, "Camille", answerable)
    await send(frame)
    await offer(frame).waitFor()
    const end = frame.getByRole("button", { name: "Envoyer mon message" })
    await page.waitForFunction(() => (document.querySelector("iframe")?.clientHeight ?? 0) > 600)
    const { bottom, height } = await end.evaluate((one) => ({
      bottom: one.getBoundingClientRect().bottom,
      height: innerHeight,
    }))
    expect(bottom).toBeLessThanOrEqual(height)
  })

  test("a message without an answer is sent at once", async () => {
    await using page = await visit(publish(html))
    await fill(page, "Ada", foreign)
    await send(page)
    await page.getByText("Votre message a bien été envoyé.").waitFor()
  })

  test("a script or a check that cannot be had delays nothing, and neither does a form without a start", async () => {
    for (const pattern of ["**/offer/*.js", "**/answer", "**/start"]) {
      await using page = await browser.page("about:blank", {})
      await page.route(pattern, (route) => route.abort())
      await page.goto(publish(html))
      await fill(page, "Ada", answerable)
      await send(page)
      await page.getByText("Votre message a bien été envoyé.").waitFor()
    }
  })

  test("a script that never comes holds nobody up for longer than the answer itself may take", async () => {
    await using page = await browser.page("about:blank", {})
    await page.route("**/offer/*.js", () => {})
    const started = page.waitForResponse(/\/start$/)
    await page.goto(publish(html))
    await started
    await fill(page, "Ada", answerable)
    const asked = page.waitForRequest("**/offer/*.js")
    await send(page)
    await asked
    await page.getByText("Votre message a bien été envoyé.").waitFor({ timeout: 9 * secondMs })
  })

  test("it can be passed over where the page has replaced its button", async () => {
    await using page = await visit(publish(html))
    await fill(page, "Ada", answerable)
    await send(page)
    await offer(page).waitFor()
    await page.evaluate(() => {
      const button = document.querySelector("form [type=submit]") as HTMLElement
      button.replaceWith(button.cloneNode(true))
    })
    await page.getByRole("button", { name: "Envoyer mon message" }).click()
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect(page.problems).toEqual([])
  })

  test.each(["light", "dark"] as const)(
    "where the focus is can be seen whatever the owner's colour is, in the %s look, and so can ticked boxes",
    async (colorScheme) => {
      const { body: boxes } = await api.post("/api/v1/forms", {
        project: counter.project.id,
        name: "Devis",
        fields: [
          { name: "accord", label: "Accord", type: "checkbox" },
          { name: "message", label: "Votre message", type: "textarea" },
        ],
        hosted: true,
      })
      const settings = `/api/v1/projects/${counter.project.id}/widget-settings`
      for (const color of ["#fff3a0", "#101c3a", "#d01c5f"]) {
        await api.patch(settings, { color, contact_form: boxes.id })
        await using page = await browser.page("about:blank", { colorScheme })
        const started = page.waitForResponse(/\/start$/)
        await page.goto(boxes.action)
        await started
        await page.getByLabel("Accord").check()
        const paper = await styleOf(page.locator("main"), "backgroundColor")
        const isSeen = async (one: Locator, property: "outlineColor" | "accentColor") =>
          expect(contrast(await styleOf(one, property), paper), `${color} ${property}`).toBeGreaterThan(3)
        await isSeen(page.getByLabel("Accord"), "accentColor")
        await page.getByLabel("Votre message").fill(answerable)
        clock.move(10 * secondMs)
        await send(page)
        await offer(page).waitFor()
        // By the keyboard, or the browser shows no focus.
        await page.keyboard.press("Tab")
        const yes = offer(page).getByRole("button", { name: "Oui, c’est la réponse" })
        await yes.focus()
        await isSeen(yes, "outlineColor")
      }
      await api.patch(settings, { color: null, contact_form: form.id })
    },
  )

  /** A computed colour as `#rrggbb`, whatever colour space it is written in. */
  function styleOf(
    one: Locator,
    property: "backgroundColor" | "outlineColor" | "accentColor",
  ): Promise<string> {
    return one.evaluate((element, name) => {
      const canvas = new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D
      canvas.fillStyle = getComputedStyle(element)[name]
      canvas.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
      return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`
    }, property)
  }

  test("another form of the project is sent as it is", async () => {
    const fields = [{ name: "message", label: "Votre message", type: "textarea" }]
    const { body } = await api.post("/api/v1/forms", { project: counter.project.id, name: "Devis", fields })
    await using page = await visit(publish(html.replaceAll(form.action, body.action)))
    await fill(page, "Ada", answerable)
    await send(page)
    await page.getByText("Votre message a bien été envoyé.").waitFor()
  })

  test("the answer keeps out the style of the page, on a page that allows scripts by a nonce alone", async () => {
    const style = `<style nonce="page">.answer, section, p.label { display: none } form button { color: #fff; background: #fff }</style>`
    const page = counter.page(
      `/offre-${++pages}`,
      `<main><h1>Contact</h1>${html.replace("<script", `<script nonce="page"`)}</main>`,
      {
        scripts: style,
        policy: `default-src 'none'; script-src 'nonce-page'; style-src 'nonce-page' ${url}; connect-src ${url}`,
      },
    )
    await using visited = await visit(page)
    await fill(visited, "Camille", answerable)
    await send(visited)
    await offer(visited).waitFor()
    expect(await offer(visited).getByText("Mot de passe oublié").isVisible()).toBe(true)
    const yes = offer(visited).getByRole("button", { name: "Oui, c’est la réponse" })
    expect(await yes.evaluate((one) => getComputedStyle(one).backgroundColor)).not.toBe("rgb(255, 255, 255)")
    expect(visited.problems).toEqual([])
  })
})
