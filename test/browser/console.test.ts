import { afterAll, beforeAll, expect, test } from "bun:test"
import axe from "axe-core"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { askedBefore, startFirst } from "../support/console.ts"
import { password, signedIn } from "../support/operator.ts"

/** A first reading is polite: it takes its time. */
const readingMs = 60_000

describeInBrowser("the console", () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser[Symbol.asyncDispose]())

  test(
    "from the first start to the first answered question, by keyboard alone at 320 pixels",
    async () => {
      await using first = await startFirst()
      const { service, site } = first
      const viewport = { width: 320, height: 640 }
      await using page = await browser.page(`${service.url}/console`, { viewport })
      await expectSound(page, "Premier démarrage")

      await page.goto(await first.setupLink())
      await expectSound(page, "Créer le premier compte")
      await typeInto(page, "Adresse e-mail", "camille@exemple.fr")
      await typeInto(page, "Mot de passe", password)
      await page.keyboard.press("Enter")
      await expectSound(page, "Projets")

      await typeInto(page, "Nom", "Documentation")
      await typeInto(page, "Adresse du site", site.url)
      await press(page, "Créer le projet")
      await expectSound(page, "Indexation")

      await press(page, "Ajouter et lire")
      await page.getByText("Indexation en cours").waitFor()
      await expectSound(page, "Indexation")
      // Renewed by the script, without anybody's doing.
      await page.getByText("16 pages indexées").waitFor({ timeout: readingMs })
      await page.getByRole("link", { name: "Écartées (2)" }).focus()
      await page.keyboard.press("Enter")
      await page.getByText("Elle demande elle-même à ne pas être indexée").waitFor()
      await expectSound(page, "Indexation")

      await page.getByRole("link", { name: "Projet", exact: true }).focus()
      await page.keyboard.press("Enter")
      await expectSound(page, "Documentation")
      await typeInto(page, "Question", "Comment renvoyer un webhook ?")
      await page.keyboard.press("Enter")
      await page.getByText("répondue", { exact: true }).waitFor()
      await expectSound(page, "Documentation")
      expect(await page.locator(".tried .quote").innerText()).toContain("Renvoyer")

      const { id } = await service.app.db.selectFrom("project").select("id").executeTakeFirstOrThrow()
      const reply = await fetch(`${service.url}/api/v1/ask`, {
        method: "POST",
        headers: { origin: site.url, "content-type": "application/json" },
        body: JSON.stringify({ project: id, question: "Comment renvoyer un webhook ?" }),
      })
      expect(await reply.json()).toMatchObject({ status: "answered" })
      await page.getByRole("link", { name: "Questions", exact: true }).focus()
      await page.keyboard.press("Enter")
      await page.getByText("Comment renvoyer un webhook ?").waitFor()
      await expectSound(page, "Questions")
      expect(page.problems).toEqual([])
    },
    2 * readingMs,
  )

  test("every page is sound in the dark, with questions of weeks", async () => {
    await using first = await startFirst()
    const { service, site } = first
    const owner = await signedIn(service)
    await owner.post("/console/projects", { name: "Documentation", site: site.url })
    const { id } = await service.app.db.selectFrom("project").select("id").executeTakeFirstOrThrow()
    await askedBefore(service, id)
    await using page = await browser.page(`${service.url}/console/sign-in`, { colorScheme: "dark" })
    await expectSound(page, "Connexion")
    await page.getByLabel("Adresse e-mail").fill(owner.email)
    await page.getByLabel("Mot de passe").fill(password)
    await page.keyboard.press("Enter")
    await expectSound(page, "Documentation")
    for (const [path, title] of [
      ["/console/projects", "Projets"],
      [`/console/projects/${id}/indexing`, "Indexation"],
      [`/console/projects/${id}/questions`, "Questions"],
    ] as const) {
      await page.goto(service.url + path)
      for (const summary of await page.locator("main summary").all()) await summary.click()
      await expectSound(page, title)
    }
    expect(await page.locator("svg polyline").count()).toBeGreaterThan(0)
    expect(await page.getByText("sans réponse", { exact: true }).count()).toBeGreaterThan(3)
    expect(page.problems).toEqual([])
  })

  test("without JavaScript everything works; with it, what cannot be undone is asked first and a snippet is copied", async () => {
    await using first = await startFirst()
    const { service, site } = first
    const owner = await signedIn(service)
    await owner.post("/console/projects", { name: "Documentation", site: site.url })

    const still = await browser.page(`${service.url}/console/sign-in`, { javaScriptEnabled: false })
    await signInAs(still, owner.email)
    expect(await still.getByRole("button", { name: "Copier" }).count()).toBe(0)
    await still.getByLabel("Nom", { exact: true }).fill("Autre nom")
    await still.getByRole("button", { name: "Enregistrer" }).click()
    await still.getByText("Les réglages du projet sont enregistrés.").waitFor()
    await still.close()

    await using page = await browser.page(`${service.url}/console/sign-in`, {
      permissions: ["clipboard-read", "clipboard-write"],
    })
    await signInAs(page, owner.email)
    await page.getByRole("button", { name: "Copier" }).click()
    await page.getByRole("button", { name: "Copié" }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(
      /^<script src="http:\/\/localhost:\d+\/widget\.js" data-project="\w+" defer><\/script>$/,
    )
    await page.getByText("Supprimer le projet").first().click()
    await page.getByLabel("Pour confirmer").fill("Autre nom")
    const asked: string[] = []
    page.once("dialog", async (dialog) => {
      asked.push(dialog.message())
      await dialog.dismiss()
    })
    await page.getByRole("button", { name: "Supprimer le projet" }).click()
    expect(asked).toEqual(["Supprimer ce projet et tout ce qui lui appartient\u202f?"])
    expect(await service.app.db.selectFrom("project").select("name").execute()).toEqual([
      { name: "Autre nom" },
    ])
    expect(page.problems).toEqual([])
  })
})

async function signInAs(page: QuietPage, email: string): Promise<void> {
  await page.getByLabel("Adresse e-mail").fill(email)
  await page.getByLabel("Mot de passe").fill(password)
  await page.getByRole("button", { name: "Se connecter" }).click()
  await page.getByRole("heading", { level: 1, name: "Connexion" }).waitFor({ state: "detached" })
}

/** The page of that title, without fault for axe-core (WCAG 2.2 AA), and no wider than its window. */
async function expectSound(page: QuietPage, title: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: title }).waitFor()
  await page.evaluate(axe.source)
  const faults = await page.evaluate(async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run({ runOnly: tags })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
  })
  expect(faults, title).toEqual([])
  const overflow = () => document.documentElement.scrollWidth - window.innerWidth
  expect(await page.evaluate(overflow), `${title} is too wide`).toBeLessThanOrEqual(0)
}

/** Reached by the keyboard, as it must be reachable. */
async function typeInto(page: QuietPage, label: string, text: string): Promise<void> {
  await reach(page, page.getByLabel(label, { exact: true }))
  await page.keyboard.press("ControlOrMeta+a")
  await page.keyboard.type(text)
}

async function press(page: QuietPage, name: string): Promise<void> {
  await reach(page, page.getByRole("button", { name, exact: true }))
  await page.keyboard.press("Enter")
}

/** By the tabulator alone, as often as it takes. */
async function reach(page: QuietPage, wanted: ReturnType<QuietPage["locator"]>): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press("Tab")
  }
  throw new Error("it cannot be reached by the keyboard")
}
