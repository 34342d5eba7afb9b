import { afterAll, beforeAll, expect, test } from "bun:test"
import axe from "axe-core"
import { type Api, apiOf } from "../support/api.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { openPreview } from "../support/console-pages.ts"
import type { Counter } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// « Apparence »: what the owner sets is what visitors see, without a change to the site's pages.

describeInBrowser("the look of the widget", () => {
  let counter: Counter
  let browser: TestBrowser
  let api: Api
  let settings: string
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([aService().withWebsite().started(), startBrowser()])
    api = await apiOf(counter.service)
    settings = `/api/v1/projects/${counter.project.id}/widget-settings`
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  const opener = (page: QuietPage) => page.getByRole("button", { name: "Poser une question" })

  async function expectNothing(page: QuietPage): Promise<void> {
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() => (window as never as { axe: typeof axe }).axe.run())
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  }

  test("is set in the console, with a preview that follows what is typed, and seen on the site", async () => {
    await using page = await openPreview(browser, counter)
    const { preview } = page
    const shownButton = preview.locator("guichet-widget [part=button]")
    await expectNothing(page)
    await page.getByLabel("Titre").fill("Aide de Guide")
    await page.getByLabel("Introduction").fill("Une question sur votre compte ?")
    await page.getByLabel("Question 1").fill("Comment réinitialiser mon mot de passe ?")
    await page.getByLabel("Place du bouton").selectOption("left")
    await page.getByLabel("Texte du bouton").fill("Aidez-moi")
    await page.getByLabel("Thème").selectOption("light")
    // The open panel is open again, and leaves the focus to the field that is filled in.
    await preview.getByRole("dialog", { name: "Aide de Guide" }).waitFor()
    await preview.getByRole("button", { name: "Comment réinitialiser mon mot de passe ?" }).click()
    await preview.getByText("Ceci est un aperçu").waitFor()
    await page.getByLabel("Couleur").fill("#ffe14d")
    await page.getByLabel("Titre").focus()
    await page.waitForFunction(() => {
      const frame = document.querySelector<HTMLIFrameElement>("[data-preview]")
      const root = frame?.contentDocument?.querySelector("guichet-widget")?.shadowRoot
      const button = root?.querySelector("[part=button]")
      const isYellow = button && getComputedStyle(button).backgroundColor === "rgb(255, 225, 77)"
      return (
        isYellow &&
        button.textContent === "Aidez-moi" &&
        root?.querySelector("dialog")?.open &&
        document.activeElement?.id === "title"
      )
    })
    await preview.getByRole("button", { name: "Fermer" }).click()
    const look = (one: Element) => {
      const { backgroundColor, color } = getComputedStyle(one)
      return [backgroundColor, color]
    }
    expect(await shownButton.evaluate(look)).toEqual(["rgb(255, 225, 77)", expect.anything()])
    const ratio = () => page.getByText(/Contraste du texte sur cette couleur/).textContent()
    const told = await ratio()
    expect(told).toMatch(/1\d,\d\u00a0pour 1\./)
    await page.getByRole("button", { name: "Enregistrer" }).click()
    await page.getByText("L’apparence est enregistrée.").waitFor()
    expect(await ratio()).toBe(told)
    await shownButton.waitFor()
    await expectNothing(page)
    expect(page.problems).toEqual([])

    await using visitor = await browser.page(counter.page("/vue"), {})
    const opener = (page: QuietPage) => page.getByRole("button", { name: "Aidez-moi" })
    await opener(visitor).waitFor()
    const [box, colors] = await opener(visitor).evaluate((one) => {
      const { color, backgroundColor } = getComputedStyle(one)
      return [one.getBoundingClientRect().left, [color, backgroundColor]] as const
    })
    expect(box).toBeLessThan(100)
    expect(colors[1]).toBe("rgb(255, 225, 77)")
    await opener(visitor).click()
    await visitor.getByRole("dialog", { name: "Aide de Guide" }).waitFor()
    await visitor.getByText("Une question sur votre compte ?").waitFor()
    await expectNothing(visitor)
    await visitor.getByRole("button", { name: "Comment réinitialiser mon mot de passe ?" }).click()
    await visitor.getByText("Réponse prête").waitFor()
    expect(visitor.problems).toEqual([])
    await page.reload()
    await page.getByText("installé, vu à l’instant").waitFor()
    await api.patch(settings, { button: null, theme: "site" })
  })

  test.each([false, true])(
    "the preview's panel never has the focus of the field that is filled in (search: %p)",
    async (search) => {
      await api.patch(settings, { search })
      await using page = await openPreview(browser, counter)
      await page.getByLabel("Titre").focus()
      await page.evaluate(() => {
        const stolen: string[] = []
        Object.assign(window, { stolen })
        // After everything that the panel does at once, and before the next key.
        const look = () => queueMicrotask(() => stolen.push(String(document.activeElement?.id)))
        addEventListener("blur", look)
        const title = document.getElementById("title") as HTMLInputElement
        title.value = "Aide sans vol"
        title.dispatchEvent(new Event("change", { bubbles: true }))
      })
      await page.preview.getByRole("dialog", { name: "Aide sans vol" }).waitFor()
      if (search) await page.preview.getByRole("combobox").waitFor()
      await page.waitForFunction(
        (count) => (window as unknown as { stolen: string[] }).stolen.length >= count,
        search ? 2 : 1,
      )
      const stolen = await page.evaluate(() => (window as unknown as { stolen: string[] }).stolen)
      expect(new Set(stolen)).toEqual(new Set(["title"]))
      // A click in the panel is meant, though.
      await page.preview.locator(search ? "#search" : "#question").click()
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("IFRAME")
      await api.patch(settings, { search: false })
    },
  )

  test("the preview's panel is open again though a page of it is done loading after the next change", async () => {
    await using page = await openPreview(browser, counter)
    const held = Promise.withResolvers<void>()
    await page.route(/appearance\/preview\?/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.evaluate(async () => {
      const title = document.getElementById("title") as HTMLInputElement
      title.value = "Aide tardive"
      title.dispatchEvent(new Event("change", { bubbles: true }))
      const frame = document.querySelector("[data-preview]") as HTMLIFrameElement
      const dialog = frame.contentDocument
        ?.querySelector("guichet-widget")
        ?.shadowRoot?.querySelector("dialog")
      dialog?.close()
      title.focus()
      frame.dispatchEvent(new Event("load"))
      while (!dialog?.open) await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
    })
    held.resolve()
    await page.preview.getByRole("dialog", { name: "Aide tardive" }).waitFor()
  })

  test("what the page itself says of the colour is stronger", async () => {
    await api.patch(settings, { color: "#ffe14d" })
    const address = counter.page("/page-forte", undefined, {
      head: `<style nonce="page">guichet-widget{--guichet-accent:#00695c}</style>`,
      policy: `default-src 'none'; script-src ${counter.service.url}; connect-src ${counter.service.url}; style-src 'nonce-page'`,
    })
    await using page = await browser.page(address, {})
    await opener(page).waitFor()
    expect(await opener(page).evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(
      "rgb(0, 105, 92)",
    )
  })

  const colors = ["#ffe14d", "#d6006c", "#111111", "#767676", "#ffffff"]
  const looks = colors.flatMap((color) =>
    (["light", "dark"] as const).map((scheme) => [color, scheme] as const),
  )
  test.each(looks)("the text on %s can be read, %s", async (color, colorScheme) => {
    await api.patch(settings, { color })
    const address = counter.page(`/couleur-${colorScheme}-${color.slice(1)}`)
    await using page = await browser.page(address, { colorScheme })
    await opener(page).click()
    await expectNothing(page)
  })

  test("without settings, or without an answer to what they are, it looks as usual", async () => {
    await using page = await browser.page("about:blank", {})
    await page.route("**/api/v1/projects/*/widget", (route) => route.abort())
    await page.goto(counter.page("/sans"))
    await opener(page).click()
    await page.getByRole("dialog", { name: "Assistant" }).waitFor()
  })
})
