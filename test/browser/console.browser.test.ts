import { afterAll, beforeAll, expect, test } from "bun:test"
import { storeAnswer } from "../../src/answering/ask/store-answer.ts"
import { apiOf } from "../support/api.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { pagesRead } from "../support/documentation-site.ts"
import { password, signedIn } from "../support/operator.ts"
import { aService } from "../support/service-builder.ts"

describeInBrowser("the console", () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser[Symbol.asyncDispose]())

  test("without JavaScript everything works; with it, what cannot be undone is asked first and a snippet is copied", async () => {
    await using first = await aService().withOwner().started()
    const { service, site } = first
    const owner = await signedIn(service)
    await owner.post("/console/projects", { name: "Documentation", site: site.url })

    const still = await browser.page(`${service.url}/console/sign-in`, { javaScriptEnabled: false })
    await signInAs(still, owner.email)
    await still.getByRole("link", { name: "Réglages", exact: true }).click()
    expect(await still.getByRole("button", { name: "Copier" }).count()).toBe(0)
    await still.getByLabel("Nom", { exact: true }).fill("Autre nom")
    await still.getByRole("button", { name: "Enregistrer" }).first().click()
    await still.getByText("Les réglages du projet sont enregistrés.").waitFor()
    await still.close()

    await using page = await browser.page(`${service.url}/console/sign-in`, {
      permissions: ["clipboard-read", "clipboard-write"],
    })
    await signInAs(page, owner.email)
    await page.getByRole("link", { name: "Réglages", exact: true }).click()
    await page.getByRole("link", { name: "Apparence" }).click()
    await page.getByRole("button", { name: "Copier" }).click()
    await page.getByRole("button", { name: "Copié" }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(
      /^<script src="http:\/\/localhost:\d+\/widget\.js" data-project="\w+" defer><\/script>$/,
    )
    await page.getByRole("link", { name: "Réglages", exact: true }).click()
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

  test("words of any length, a visitor's or an owner's, widen no page", async () => {
    await using first = await aService().withOwner().started()
    const { service, site } = first
    const owner = await signedIn(service)
    const api = await apiOf(service)
    const word = "Anticonstitutionnellement".repeat(8)
    await api.patch(`/api/v1/workspaces/${api.workspaceId}`, { name: word })
    const project = (await api.post("/api/v1/projects", { name: word, site: site.url })).body.id
    const fields = [{ name: "a".repeat(64), label: word, type: "text" }]
    const form = (await api.post("/api/v1/forms", { project, name: word, fields })).body
    await api.post("/api/v1/endpoints", { url: `https://hooks.acme.fr/${word}`, description: word })
    await api.post("/api/v1/tokens", { name: word })
    const posted = await fetch(`${service.url}/f/${form.public_id}`, {
      method: "POST",
      headers: { origin: site.url, "content-type": "application/json" },
      body: JSON.stringify({ ["a".repeat(64)]: "x".repeat(3000) }),
    })
    const response = (await posted.json()) as { id: string }
    const result = { status: "no_answer" as const, answer: "Rien.", sources: [] }
    const asked = { question: "y".repeat(900), page: `/${"z".repeat(500)}`, generation: 1, cacheKey: null }
    await storeAnswer(service.app.db, { projectId: project, ...asked, result }, service.app.clock.now())
    const about = `/console/projects/${project}`
    for (const width of [320, 1200]) {
      await using page = await browser.page(`${service.url}/console`, { viewport: { width, height: 700 } })
      await signInAs(page, owner.email)
      for (const path of [
        "/console",
        about,
        `${about}#menu`,
        `${about}/settings`,
        `${about}/messages`,
        `${about}/forms/${form.id}/responses/${response.id}`,
        `${about}/questions`,
        `${about}/forms`,
        `${about}/forms/${form.id}`,
        `${about}/forms/${form.id}/html`,
        "/console/projects",
        "/console/webhooks",
        "/console/settings",
        "/console/settings/tokens",
        "/console/journal",
      ]) {
        await page.goto(service.url + path)
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect([width, path, over]).toEqual([width, path, 0])
      }
    }
  })

  test("a double click makes one thing, not two", async () => {
    await using first = await aService().withOwner().started()
    const { service, site } = first
    const owner = await signedIn(service)
    await using page = await browser.page(`${service.url}/console`, {})
    await signInAs(page, owner.email)
    await page.goto(`${service.url}/console/projects`)
    await page.getByRole("textbox", { name: "Nom (facultatif)", exact: true }).fill("Documentation")
    await page.getByRole("textbox", { name: "Site", exact: true }).fill(site.url)
    await page.getByRole("button", { name: "Créer le projet" }).dblclick()
    await page.getByRole("heading", { level: 1, name: "Documentation" }).waitFor()
    expect(await service.app.db.selectFrom("project").select("name").execute()).toHaveLength(1)
    expect(page.problems).toEqual([])
  })

  test("what is being typed stays when the page renews itself", async () => {
    await using first = await aService().withOwner().started()
    const { service, site } = first
    const owner = await signedIn(service)
    const made = await owner.post("/console/projects", { name: "Documentation", site: site.url })
    const address = made.location?.replace(/\?.*/, "") as string
    await owner.post(`${address}/feeds`, { kind: "sitemap", address: `${site.url}/sitemap.xml` })
    await using page = await browser.page(`${service.url}/console`, {})
    await signInAs(page, owner.email)
    await page.goto(service.url + address)
    await page.getByText("Indexation en cours").waitFor()
    await page.getByText("Ajouter une source").click()
    await page.getByRole("link", { name: /^Fichier llms\.txt/ }).click()
    await page.getByLabel("URL", { exact: true }).fill(`${site.url}/llms.txt`)
    await page.getByText(`${pagesRead} pages indexées`).waitFor()
    expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe(`${site.url}/llms.txt`)
    // A page that refused has an address of its own, which is not asked for again.
    await page.getByRole("button", { name: "Lire maintenant" }).click()
    await page.getByText("Indexation en cours").waitFor()
    await page.getByText("Ajouter une source").click()
    await page.getByRole("link", { name: /^Plan du site/ }).click()
    await page.getByLabel("URL", { exact: true }).fill("plan du site")
    await page.getByRole("button", { name: "Ajouter et lire" }).click()
    await page.getByText("Indiquez une URL complète").waitFor()
    await page.getByRole("button", { name: "Lire maintenant" }).waitFor()
    expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe("plan du site")
    expect(page.problems.filter((problem) => !problem.includes("status of 400"))).toEqual([])
  })

  test("describes a form without JavaScript, and Enter saves it rather than taking a field away", async () => {
    await using first = await aService().withOwner().started()
    const { service, site } = first
    const owner = await signedIn(service)
    const made = await owner.post("/console/projects", { name: "Documentation", site: site.url })
    const project = made.location?.split("/")[3]
    await using page = await browser.page(`${service.url}/console`, { javaScriptEnabled: false })
    await signInAs(page, owner.email)
    await page.goto(`${service.url}/console/projects/${project}/forms/new`)
    await page.locator("summary", { hasText: "Votre message" }).click()
    await page.getByRole("button", { name: "Retirer le champ 3" }).click()
    await page.getByRole("button", { name: "Monter le champ 2" }).click()
    expect(await page.getByLabel("Nom de variable").first().inputValue()).toBe("courriel")
    await page.getByLabel("Nom du formulaire").fill("Devis")
    await page.keyboard.press("Enter")
    await page.getByText("Le formulaire est créé.").waitFor()
    expect(await page.locator("figure code").textContent()).toMatch(/name="courriel"[\s\S]*name="nom"/)
  })

  test("what has the focus of the keyboard can be seen", async () => {
    await using first = await aService().withOwner().started()
    const owner = await signedIn(first.service)
    await using page = await browser.page(`${first.service.url}/console`, {})
    await signInAs(page, owner.email)
    await page.goto(`${first.service.url}/console/webhooks`)
    const reached: string[] = []
    for (let presses = 0; presses < 40 && !reached.includes("Ajouter la destination"); presses++) {
      await page.keyboard.press("Tab")
      const [name, outline] = await page.evaluate(() => {
        const focused = document.activeElement as HTMLElement
        return [focused.textContent || focused.id, getComputedStyle(focused).outlineStyle]
      })
      expect([name, outline]).not.toEqual([name, "none"])
      reached.push(String(name).trim())
    }
    expect(reached).toEqual(
      expect.arrayContaining(["Aller au contenu", "Projets", "url", "description", "Ajouter la destination"]),
    )
  })
})

async function signInAs(page: QuietPage, email: string): Promise<void> {
  await page.getByLabel("Adresse e-mail").fill(email)
  await page.getByLabel("Mot de passe").fill(password)
  await page.getByRole("button", { name: "Se connecter", exact: true }).click()
  await page.getByRole("heading", { level: 1, name: "Connexion" }).waitFor({ state: "detached" })
}
