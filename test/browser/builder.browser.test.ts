import { afterAll, beforeAll, expect, test } from "bun:test"
import axe from "axe-core"
import type { BrowserContextOptions } from "playwright-core"
import { type Api, apiOf } from "../support/api.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { signIn } from "../support/console-pages.ts"
import type { FirstStart } from "../support/first-start.ts"
import { aService } from "../support/service-builder.ts"

// The form builder and the page that puts a form on a site, as an owner sees them.

describeInBrowser("the form builder", () => {
  let first: FirstStart
  let browser: TestBrowser
  let api: Api
  let forms: string
  beforeAll(async () => {
    ;[first, browser] = await Promise.all([aService().withOwner().started(), startBrowser()])
    api = await apiOf(first.service)
    const project = (await api.post("/api/v1/projects", { name: "Durand", site: first.site.url })).body.id
    forms = `/console/projects/${project}/forms`
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await first[Symbol.asyncDispose]()
  })

  async function opened(path: string, options: BrowserContextOptions = {}): Promise<QuietPage> {
    const page = await browser.page(`${first.service.url}/console/sign-in`, options)
    await signIn(page, first.service)
    await page.goto(first.service.url + path)
    return page
  }

  /** Shows the parts of every field, whose cards are folded where there are several. */
  async function unfold(page: QuietPage): Promise<void> {
    for (const card of await page.locator(".card").all())
      if ((await card.getAttribute("open")) === null) await card.locator("> summary").click()
  }
  const openPart = (page: QuietPage, name: string) => page.getByRole("radio", { name, exact: true }).check()

  const labels = (page: QuietPage) =>
    page
      .getByLabel("Libellé", { exact: true })
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
  const previewed = (page: QuietPage) => page.locator("#preview-sheet")
  const newestForm = async () => (await api.get("/api/v1/forms?limit=1")).body.items[0]

  test("the preview follows what is typed, and a type has what it can have", async () => {
    await using page = await opened(`${forms}/new`)
    await unfold(page)
    await page.getByLabel("Libellé").first().fill("Votre prénom")
    await previewed(page).getByText("Votre prénom").waitFor()
    const [, second] = await page.locator(".item").all()
    expect(await page.getByLabel("Choix proposés").first().isVisible()).toBe(false)
    await second?.getByLabel("Type").selectOption("checkboxes")
    await second?.getByLabel("Choix proposés").fill("Lundi\nMardi")
    await previewed(page).getByText("Mardi").waitFor()
    await second?.getByText("Aide, exemple, variable").click()
    expect(await second?.getByLabel("Exemple de saisie").isVisible()).toBe(false)
    await second?.getByLabel("Texte d’aide").fill("Plusieurs, si vous voulez.")
    await previewed(page).getByText("Plusieurs, si vous voulez.").waitFor()
    await openPart(page, "Options")
    await page.getByLabel("Texte du bouton").fill("Réserver")
    await previewed(page).getByText("Réserver").waitFor()
    await openPart(page, "Champs")
    await page.getByLabel("Nom du formulaire").fill("Essai")
    await page.getByRole("button", { name: "Créer le formulaire" }).click()
    await page.getByText("Le formulaire est créé.").waitFor()
    const made = await newestForm()
    expect(made.button).toBe("Réserver")
    expect(made.fields[1]).toMatchObject({
      type: "checkboxes",
      help: "Plusieurs, si vous voulez.",
      options: [
        { value: "Lundi", label: "Lundi" },
        { value: "Mardi", label: "Mardi" },
      ],
    })
    expect(page.problems).toEqual([])
  })

  test.each([true, false])(
    "a long form is seen as folded cards titled by their labels (script: %p)",
    async (script) => {
      await using page = await opened(`${forms}/new?template=devis`, {
        viewport: { width: 390, height: 844 },
        javaScriptEnabled: script,
      })
      const card = (title: string) => page.locator("summary", { hasText: title })
      expect(await page.getByLabel("Libellé", { exact: true }).first().isVisible()).toBe(false)
      await card("Votre téléphone").click()
      await page.getByLabel("Libellé", { exact: true }).nth(6).fill("Votre mobile")
      if (script) await card("Votre mobile").waitFor()
      await page.getByText("D’un autre type").click()
      await page.getByRole("button", { name: "texte à lire" }).click()
      const text = page.getByLabel("Texte à lire").nth(7)
      await text.fill("Nous répondons sous 48 h.")
      expect(await page.getByLabel("Obligatoire").nth(7).isVisible()).toBe(false)
      await page.getByRole("button", { name: "Créer le formulaire" }).click()
      await page.getByText("Le formulaire est créé.").waitFor()
      expect((await newestForm()).fields.slice(6)).toMatchObject([
        { name: "telephone", label: "Votre mobile" },
        { name: "texte", label: "Nous répondons sous 48 h.", type: "paragraph" },
      ])
    },
  )

  test("what is refused is listed with links to it, and has the focus", async () => {
    await using page = await opened(`${forms}/new`)
    await page.getByLabel("Nom du formulaire").fill("")
    const last = page.locator(".item").last()
    await unfold(page)
    await last.getByLabel("Type").selectOption("select")
    const number = await page.locator(".item").count()
    await page.getByRole("button", { name: "Créer le formulaire" }).click()
    const alert = page.getByRole("alert")
    await alert.waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.id)
    expect(await focused()).toBe("name")
    const link = alert.getByRole("link", { name: `Champ ${number}` })
    expect(await link.textContent()).toContain("choix proposés")
    await link.click()
    expect(await focused()).toBe(`fields.${number - 1}.options`)
    expect(await last.getByLabel("Choix proposés").isVisible()).toBe(true)
    expect(page.problems.filter((problem) => !problem.includes("400"))).toEqual([])
    await expectNothing(page, "a refused form")
  })

  test("fields are added, duplicated, moved and removed by keyboard, and the focus stays where the work is", async () => {
    await using page = await opened(`${forms}/new`)
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.id)
    const status = page.locator("#builder-status")
    await unfold(page)
    await page.getByText("Aide, exemple, variable").nth(2).click()
    await page.getByLabel("Texte d’aide").nth(2).fill("Dites tout.")
    await page.getByRole("button", { name: "Monter le champ 3" }).press("Enter")
    await status.getByText("Le champ 3 est maintenant le champ 2.").waitFor()
    expect(await labels(page)).toEqual(["Votre nom", "Votre message", "Votre adresse e-mail"])
    expect(await focused()).toBe("Monter le champ 2")
    // What was unfolded is unfolded where it went.
    expect(await page.getByLabel("Texte d’aide").nth(1).isVisible()).toBe(true)
    await page.keyboard.press("Enter")
    await status.getByText("Le champ 2 est maintenant le champ 1.").waitFor()
    expect(await focused()).toBe("Descendre le champ 1")
    await page.getByRole("button", { name: "Dupliquer le champ 2" }).press("Enter")
    await status.getByText("Champ 3 ajouté.").waitFor()
    expect(await focused()).toBe("fields.2.label")
    await page.getByRole("button", { name: "Retirer le champ 1" }).press("Enter")
    await status.getByText("Champ 1 retiré.").waitFor()
    expect(await focused()).toBe("Retirer le champ 1")
    await page.getByText("D’un autre type").click()
    await page.getByRole("button", { name: "date", exact: true }).press("Enter")
    await status.getByText("Champ 4 ajouté.").waitFor()
    await page.keyboard.type("Quand ?")
    await previewed(page).getByText("Quand ?").waitFor()
    expect(await labels(page)).toEqual(["Votre nom", "Votre nom (copie)", "Votre adresse e-mail", "Quand ?"])
    expect(page.problems).toEqual([])
  })

  test("a field is dragged to its place, and back where it was by Escape", async () => {
    await using page = await opened(`${forms}/new`, { viewport: { width: 1280, height: 1400 } })
    const start = async (index: number) => {
      const box = await page.locator("[data-grip]").nth(index).boundingBox()
      if (!box) throw new Error("no grip")
      await page.mouse.move(box.x + 5, box.y + 10)
      await page.mouse.down()
      return box
    }
    const { y } = await start(0)
    const last = await page.locator(".item").nth(2).boundingBox()
    await page.mouse.move(400, y + 100, { steps: 5 })
    await page.mouse.move(400, (last?.y ?? 0) + (last?.height ?? 0), { steps: 10 })
    await page.mouse.up()
    await page.locator("#builder-status").getByText("Le champ 1 est maintenant le champ 3.").waitFor()
    expect(await labels(page)).toEqual(["Votre adresse e-mail", "Votre message", "Votre nom"])
    await start(2)
    await page.mouse.move(400, y, { steps: 10 })
    await page.keyboard.press("Escape")
    await page.mouse.up()
    expect(await labels(page)).toEqual(["Votre adresse e-mail", "Votre message", "Votre nom"])
    expect(page.problems).toEqual([])
  })

  test("whoever leaves unsaved work is asked first, and only then", async () => {
    await using page = await opened(`${forms}/new`)
    const asked: string[] = []
    page.on("dialog", async (dialog) => {
      asked.push(dialog.type())
      await dialog.accept()
    })
    await page.getByRole("link", { name: /^Demande de devis/ }).click()
    await previewed(page).getByText("Demande de devis", { exact: true }).waitFor()
    expect(asked).toEqual([])
    await page.getByLabel("Nom du formulaire").fill("Autre")
    await page.getByText("Modifications non enregistrées").waitFor()
    await page.getByRole("link", { name: /^Inscription/ }).click()
    await previewed(page).getByText("M’inscrire").waitFor()
    expect(asked).toEqual(["beforeunload"])
    // Refused work is unsaved too.
    await page.getByLabel("Nom du formulaire").fill("")
    await page.getByRole("button", { name: "Créer le formulaire" }).click()
    await page.getByText("Indiquez un nom de 1 à 200 caractères.").waitFor()
    expect(asked).toHaveLength(1)
    await page.getByRole("link", { name: "Webhooks" }).click()
    await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor()
    expect(asked).toHaveLength(2)
  })

  test("a field's condition is chosen in its card, with or without JavaScript, and the preview tells it", async () => {
    for (const javaScriptEnabled of [true, false]) {
      const viewport = { width: 320, height: 640 }
      await using page = await opened(`${forms}/new?template=contact`, { javaScriptEnabled, viewport })
      await unfold(page)
      await page.locator(".item").nth(1).getByRole("button", { name: "Afficher seulement si…" }).click()
      const asked = page.getByLabel("Condition 1\u00a0: le champ")
      await asked.waitFor()
      if (javaScriptEnabled)
        expect(await asked.evaluate((list) => list === document.activeElement)).toBe(true)
      await asked.selectOption({ index: 1 })
      if (javaScriptEnabled) await page.getByLabel("Valeurs, une par ligne").waitFor()
      await page.getByLabel("Sa valeur").selectOption("filled")
      if (javaScriptEnabled) {
        await previewed(page).getByText("est rempli.").waitFor()
        await page.evaluate(axe.source)
        const { violations } = await page.evaluate(() => (window as never as { axe: typeof axe }).axe.run())
        expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      await page.getByRole("button", { name: "Créer le formulaire" }).click()
      await page.getByText("Le formulaire est créé.").waitFor()
      expect((await newestForm()).fields[1].when).toEqual({
        match: "all",
        conditions: [{ field: "nom", test: "filled", values: [] }],
      })
    }
  })

  test.each([true, false])(
    "a condition is picked from the choices of the field that it asks about (script: %p)",
    async (javaScriptEnabled) => {
      const name = `Rendez-vous ${javaScriptEnabled}`
      const options = ["Mairie", "École"].map((value) => ({ value: value.toLowerCase(), label: value }))
      const fields = [
        { name: "service", label: "Service", type: "select", options },
        { name: "classe", label: "Classe", type: "text" },
      ]
      const project = forms.split("/")[3]
      const { id } = (await api.post("/api/v1/forms", { project, name, fields })).body
      await using page = await opened(`${forms}/${id}/settings`, { javaScriptEnabled })
      await unfold(page)
      await page.getByRole("button", { name: "Afficher seulement si…" }).click()
      await page.getByLabel("Condition 1\u00a0: le champ").selectOption({ label: "Service" })
      if (!javaScriptEnabled) await page.getByRole("button", { name: "Proposer ses valeurs" }).click()
      const choices = page.getByRole("group", { name: "L’un de ces choix" })
      await choices.getByRole("checkbox", { name: "École" }).check()
      expect(await choices.getByRole("checkbox").count()).toBe(2)
      if (javaScriptEnabled) await previewed(page).getByText("Seulement si").waitFor()
      await page.getByRole("button", { name: "Enregistrer" }).click()
      await page.getByText("Le formulaire est enregistré.").waitFor()
      expect((await api.get(`/api/v1/forms/${id}`)).body.fields[1].when).toEqual({
        match: "all",
        conditions: [{ field: "service", test: "is", values: ["école"] }],
      })
      await unfold(page)
      expect(await choices.getByRole("checkbox", { name: "École" }).isChecked()).toBe(true)
    },
  )

  test("one part is in sight at a time, and a fault in another one shows it", async () => {
    for (const javaScriptEnabled of [true, false]) {
      await using page = await opened(`${forms}/new`, { javaScriptEnabled })
      const button = page.getByLabel("Texte du bouton")
      const thanks = page.getByLabel("Message de remerciement")
      expect([await button.isVisible(), await thanks.isVisible()]).toEqual([false, false])
      await page.getByRole("radio", { name: "Champs" }).focus()
      await page.keyboard.press("ArrowRight")
      expect([await button.isVisible(), await thanks.isVisible()]).toEqual([false, true])
      await page.getByLabel("Page de remerciement").fill("nulle part")
      await openPart(page, "Champs")
      await page.getByRole("button", { name: "Créer le formulaire" }).click()
      await page.getByRole("alert").getByRole("link", { name: "Page de remerciement" }).click()
      expect([await button.isVisible(), await thanks.isVisible()]).toEqual([false, true])
    }
  })

  test("without JavaScript the same is done by pages", async () => {
    await using page = await opened(`${forms}/new?template=empty`, { javaScriptEnabled: false })
    expect(await page.locator("[data-grip]").first().isVisible()).toBe(false)
    await page.getByLabel("Libellé", { exact: true }).fill("Taille")
    await page.getByLabel("Type", { exact: true }).selectOption("select")
    await page.getByLabel("Choix proposés").fill("s = Petite\nm = Moyenne")
    await page.getByRole("button", { name: "Mettre à jour l’aperçu" }).click()
    await previewed(page).getByText("Taille").waitFor()
    await page.getByRole("button", { name: "Ajouter un champ" }).click()
    await page.getByLabel("Libellé", { exact: true }).nth(1).fill("Couleur")
    await unfold(page)
    await page.getByRole("button", { name: "Descendre le champ 1" }).click()
    expect(await labels(page)).toEqual(["Couleur", "Taille"])
    await openPart(page, "Options")
    await page.getByLabel("Donner à ce formulaire sa propre page").check()
    await page.getByRole("button", { name: "Créer le formulaire" }).click()
    await page.getByText("Le formulaire est créé.").waitFor()
    expect(await newestForm()).toMatchObject({
      hosted: true,
      fields: [
        { name: "couleur", type: "text" },
        { name: "taille", type: "select", options: [{ value: "s" }, { value: "m" }] },
      ],
    })
  })

  test("a form's page is switched on, shown in a frame of the site alone, and filled in there", async () => {
    const fields = [
      { name: "nom", label: "Votre nom", type: "text", required: true },
      {
        name: "jours",
        label: "Jours",
        type: "checkboxes",
        required: true,
        options: [
          { value: "l", label: "Lundi" },
          { value: "m", label: "Mardi" },
        ],
      },
    ]
    const project = forms.split("/")[3]
    const made = (
      await api.post("/api/v1/forms", { project, name: "Rendez-vous", fields, thanks: "À bientôt." })
    ).body
    await using page = await opened(`${forms}/${made.id}/html`)
    await page.getByRole("button", { name: "Activer la page" }).click()
    await page.getByText("La page est activée.").waitFor()
    const link = await page.locator("figure code").first().innerText()
    expect(link).toBe(made.action)
    expect(
      await page.locator("main img").evaluate((image) => (image as HTMLImageElement).naturalWidth),
    ).toBeGreaterThan(0)
    const code = await page.locator("figure code").nth(1).innerText()

    await using framing = await browser.page("about:blank", {})
    const siteAddress = first.site.publish(code)
    await framing.goto(siteAddress.replace("127.0.0.1", "localhost"))
    // Chromium shows a page of its own instead of one that refuses to be framed.
    await framing.waitForFunction(() => document.querySelector("iframe")?.contentDocument === null)
    expect(await framing.frameLocator("iframe").getByLabel("Votre nom").count()).toBe(0)
    await framing.goto(siteAddress)
    const frame = framing.frameLocator("iframe")
    await frame.getByRole("button", { name: "Envoyer" }).click()
    await frame.getByText("Cochez au moins une case.").waitFor()
    await frame.getByLabel("Votre nom").fill("Camille")
    await frame.getByLabel("Mardi").check()
    await frame.getByLabel("Lundi").check()
    await frame.getByRole("button", { name: "Envoyer" }).click()
    await frame.getByText("À bientôt.").waitFor()
    const [response] = [
      ...(await api.get(`/api/v1/forms/${made.id}/responses`)).body.items,
      ...(await api.get(`/api/v1/forms/${made.id}/responses?state=held`)).body.items,
    ]
    expect(response).toMatchObject({ values: { nom: "Camille", jours: "l, m" }, page: made.action })
  })

  test.each([
    ["light", { colorScheme: "light", viewport: { width: 1280, height: 900 } }],
    ["dark", { colorScheme: "dark", viewport: { width: 1280, height: 900 } }],
    ["at 320 pixels", { viewport: { width: 320, height: 640 } }],
  ] as const)("axe-core finds nothing in builder, embedding and a form's page, %s", async (_, context) => {
    const fields = [
      { name: "nom", label: "Nom", type: "text", required: true, help: "Le vôtre.", placeholder: "Durand" },
      {
        name: "jours",
        label: "Jours",
        type: "checkboxes",
        required: true,
        options: [{ value: "l", label: "Lundi" }],
      },
      { name: "lieu", label: "Lieu", type: "radio", options: [{ value: "p", label: "Paris" }] },
      {
        name: "ville",
        label: "Ville",
        type: "select",
        placeholder: "Choisir",
        options: [{ value: "p", label: "Paris" }],
      },
      { name: "ok", label: "D’accord", type: "checkbox", required: true, help: "Il le faut." },
    ]
    const project = forms.split("/")[3]
    const described = { project, name: "Axe", fields, hosted: true, consent: { text: "J’accepte." } }
    const made = (await api.post("/api/v1/forms", described)).body
    await using page = await opened(`${forms}/new`, context)
    for (const path of [
      `${forms}/new`,
      `${forms}/${made.id}/settings`,
      `${forms}/${made.id}/html`,
      made.action,
      `${made.action}/thanks?confirm`,
    ]) {
      await page.goto(new URL(path, first.service.url).href)
      await page.locator("main details").evaluateAll((all) => {
        for (const each of all) (each as HTMLDetailsElement).open = true
      })
      await expectNothing(page, path)
      for (const part of await page.getByRole("radio", { name: /^(Après l’envoi|Options)$/ }).all()) {
        await part.check()
        await expectNothing(page, `${path}, another part`)
      }
    }
    await page.goto(made.action)
    await page.getByRole("button", { name: "Envoyer" }).click()
    await page.getByText("Cochez au moins une case.").waitFor()
    await expectNothing(page, "refused")
  })
})

async function expectNothing(page: QuietPage, state: string): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source)
  const found = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run()
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  })
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect({ state, found, over }).toEqual({ state, found: [], over: 0 })
}
