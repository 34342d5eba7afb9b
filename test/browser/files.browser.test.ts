import { afterAll, beforeAll, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import axe from "axe-core"
import type { BrowserContextOptions } from "playwright-core"
import { type Api, apiOf } from "../support/api.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { signIn } from "../support/console-pages.ts"
import { contents } from "../support/files.ts"
import type { FirstStart } from "../support/first-start.ts"
import { freePort } from "../support/port.ts"
import { aService } from "../support/service-builder.ts"

// Files in forms: an owner asks for them, visitors send them with and without a script, the owner reads them.

describeInBrowser("files in forms", () => {
  let first: FirstStart
  let browser: TestBrowser
  let api: Api
  let forms: string
  beforeAll(async () => {
    const port = await freePort()
    const settings = { GUICHET_PORT: String(port), GUICHET_PUBLIC_URL: `http://127.0.0.1:${port}` }
    ;[first, browser] = await Promise.all([
      aService().withSettings(settings).withOwner().started(),
      startBrowser(),
    ])
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

  const newest = async () => (await api.get("/api/v1/forms?limit=1")).body.items[0]
  const cv = { name: "mon cv.pdf", mimeType: "application/pdf", buffer: contents.pdf }
  const program = { name: "cv.pdf", mimeType: "application/pdf", buffer: contents.exe }
  async function violations(page: QuietPage): Promise<string[]> {
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() => (window as never as { axe: typeof axe }).axe.run())
    return violations.map(({ id }) => id)
  }

  test("an owner asks for files in the builder, which shows their rules, and sees them in the preview", async () => {
    await using page = await opened(`${forms}/new?template=empty`)
    await page.getByLabel("Nom du formulaire").fill("Candidature")
    const item = page.locator(".item").first()
    await item.getByLabel("Libellé", { exact: true }).fill("Votre CV")
    expect(await item.getByLabel("Nombre de fichiers au plus").isVisible()).toBe(false)
    await item.getByLabel("Type", { exact: true }).selectOption("file")
    await item.getByLabel("PDF", { exact: true }).check()
    await item.getByLabel("Nombre de fichiers au plus").fill("2")
    await page.locator("#preview-sheet").getByText("2 fichiers au plus").waitFor()
    await item.getByLabel("Taille de chacun").fill("99")
    await page.getByRole("radio", { name: "Options" }).check()
    await page.getByLabel("Donner à ce formulaire sa propre page").check()
    await page.getByRole("button", { name: "Créer le formulaire" }).last().click()
    await page.getByText("Indiquez un nombre entier de 1 à 20, ou laissez vide.").waitFor()
    await page.locator(".item").first().getByLabel("Taille de chacun").fill("5")
    await page.getByRole("button", { name: "Créer le formulaire" }).last().click()
    await page.getByRole("heading", { level: 1, name: "Candidature" }).waitFor()
    expect((await newest()).fields[0]).toMatchObject({
      type: "file",
      accept: ["pdf"],
      files: 2,
      megabytes: 5,
    })
  })

  for (const javaScriptEnabled of [true, false])
    test(`a visitor is told what is wrong, and sends a file, ${javaScriptEnabled ? "with" : "without"} a script`, async () => {
      const { id, public_id } = (
        await api.post("/api/v1/forms", {
          project: forms.split("/")[3],
          name: "Dossier",
          hosted: true,
          fields: [
            { name: "nom", label: "Votre nom", type: "text" },
            { name: "cv", label: "Votre CV", type: "file", required: true, help: "Le plus récent." },
          ],
        })
      ).body
      const options = { javaScriptEnabled, viewport: { width: 320, height: 700 } }
      await using page = await browser.page(`${first.service.url}/f/${public_id}`, options)
      if (javaScriptEnabled) expect(await violations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      await page.getByLabel("Votre nom").fill("Zoé")
      const input = page.getByLabel("Votre CV")
      await input.setInputFiles(program)
      await page.getByRole("button", { name: "Envoyer" }).click()
      await page.getByText("n’est pas d’un type accepté ici").waitFor()
      expect(await page.getByLabel("Votre nom").inputValue()).toBe("Zoé")
      expect(await page.getByLabel("Votre CV").getAttribute("aria-invalid")).toBe("true")
      await page.getByLabel("Votre CV").setInputFiles(cv)
      await page.getByRole("button", { name: "Envoyer" }).click()
      await page.getByText("Votre message a bien été envoyé").waitFor()
      const { items } = (await api.get(`/api/v1/forms/${id}/responses?state=received`)).body
      const held = (await api.get(`/api/v1/forms/${id}/responses?state=held`)).body.items
      expect([...items, ...held]).toMatchObject([{ values: { nom: "Zoé", cv: "mon cv.pdf" }, files: [{}] }])
    })

  test("the owner downloads it from the console, and nobody else does", async () => {
    const form = await newest()
    const { items } = (await api.get(`/api/v1/forms/${form.id}/responses?state=received`)).body
    const held = (await api.get(`/api/v1/forms/${form.id}/responses?state=held`)).body.items
    const [response] = [...items, ...held]
    await using page = await opened(`${forms}/${form.id}/responses/${response.id}`, { acceptDownloads: true })
    const coming = page.waitForEvent("download")
    await page.getByRole("link", { name: "mon cv.pdf" }).click()
    const download = await coming
    expect(download.suggestedFilename()).toBe("mon cv.pdf")
    expect(readFileSync(await download.path()).equals(contents.pdf)).toBe(true)
    const address = `${forms}/${form.id}/responses/${response.id}/files/${response.files[0].id}`
    const reply = await fetch(first.service.url + address, { redirect: "manual" })
    expect(reply.status).toBe(303)
    expect(await violations(page)).toEqual([])
  })
})
