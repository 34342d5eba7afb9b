import { afterAll, beforeAll, expect, test } from "bun:test"
import { expectNothing } from "../support/axe.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import type { Counter } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// « Ce n’est pas cela ? »: under an answer, the widget shows the passages that come next, to be opened in their place.

const piscine = `# Piscine

## Horaires de la piscine

La piscine est ouverte du mardi au dimanche, de 10 h à 19 h, et jusqu’à 21 h le vendredi. Le bassin ferme vingt minutes avant. Pendant les vacances, les horaires de la piscine sont affichés à l’entrée et sur cette page.

## Tarifs de la piscine

L’entrée de la piscine coûte trois euros, deux pour les enfants et les étudiants qui montrent une carte de l’année. La caisse ferme une heure avant les horaires de la piscine.

- Le carnet de **dix** entrées coûte vingt-cinq euros.
- L’abonnement à l’année coûte cent euros.

## Cours à la piscine

Les cours de la piscine ont lieu le mercredi et le samedi matin, de septembre à juin, hors des horaires du public. On s’inscrit à l’accueil avec un certificat du médecin, dans la limite de douze places pour chaque groupe.
`
const question = "À la piscine, quels horaires et quels cours ?"

describeInBrowser("under an answer", () => {
  let counter: Counter
  let browser: TestBrowser
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([
      aService().withWebsite({}, { piscine }).started(),
      startBrowser(),
    ])
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  async function ask(page: QuietPage, text = question): Promise<void> {
    const field = page.getByRole("textbox")
    if (!(await field.isVisible())) await page.getByRole("button", { name: /^(Ask|Poser)/ }).click()
    await field.fill(text)
    await page.keyboard.press("Enter")
  }
  const openedOf = async () => {
    const { db } = counter.service.app
    const rows = await db.selectFrom("answer").select("opened").orderBy("id", "desc").execute()
    return rows[0]?.opened
  }

  test.each([
    ["fr", "Ce n’est pas cela\u202f?", { colorScheme: "light" }],
    ["en", "Other passages", { colorScheme: "dark", viewport: { width: 320, height: 640 } }],
  ] as const)(
    "the next passages open by the keyboard, in %s, and the service learns it once",
    async (lang, name, look) => {
      await using page = await browser.page(counter.page(`/next-${lang}`, undefined, { lang }), look)
      await ask(page)
      const group = page.getByRole("group", { name })
      await group.waitFor()
      const places = group.locator("details")
      const count = await places.count()
      expect(count).toBeWithin(1, 3)
      // They stand below the opinion, so that nothing moves under the visitor's hand.
      expect(await page.locator("guichet-widget .feedback + .next").count()).toBe(1)
      const first = places.first()
      expect(await first.locator("summary").textContent()).toMatch(/^Piscine.*…$/)
      expect(await first.getByRole("link").isVisible()).toBe(false)
      const sent: string[] = []
      page.on(
        "request",
        (request) => request.url().endsWith("/opened") && sent.push(request.postData() ?? ""),
      )
      await first.locator("summary").focus()
      const reply = page.waitForResponse("**/opened")
      await page.keyboard.press("Enter")
      expect((await reply).status()).toBe(204)
      expect(await openedOf()).toBe(1)
      const link = first.getByRole("link")
      await link.waitFor()
      expect(await link.getAttribute("href")).toStartWith(`${counter.site}/piscine#`)
      await expectNothing(page, "opened")
      await page.keyboard.press("Enter")
      await page.keyboard.press("Enter")
      await link.waitFor()
      expect(sent).toEqual(['{"n":1}'])
      const wide = await page.locator("guichet-widget").evaluate((host) => {
        const dialog = (host.shadowRoot as ShadowRoot).querySelector("dialog") as HTMLDialogElement
        return dialog.scrollWidth > dialog.clientWidth
      })
      expect(wide).toBe(false)
      expect(page.problems).toEqual([])
    },
  )

  test("they come back on the next page without being asked for again", async () => {
    const address = counter.page("/next-again")
    await using page = await browser.page(address)
    await ask(page)
    const group = page.getByRole("group", { name: "Ce n’est pas cela" })
    await group.waitFor()
    const sent: string[] = []
    page.on("request", (request) => request.url().endsWith("/related") && sent.push(request.url()))
    await page.goto(address)
    await group.waitFor()
    expect(sent).toEqual([])
  })

  test("nothing follows where they cannot be had, and the answer stands", async () => {
    for (const missing of ["**/related", "**/related/*.js"]) {
      await using page = await browser.page(counter.page("/next-none"))
      await page.route(missing, (route) => route.abort())
      const failed = page.waitForEvent("requestfailed")
      await ask(page)
      await failed
      await page.locator("guichet-widget .feedback").waitFor()
      expect(await page.locator("guichet-widget .next").count()).toBe(0)
      expect(await page.locator("guichet-widget [role=alert]").count()).toBe(0)
    }
  })
})
