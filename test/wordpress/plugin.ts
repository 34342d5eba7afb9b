import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { minuteMs } from "../../src/base/clock.ts"
import { type Api, apiOf } from "../support/api.ts"
import { answerable, type Site } from "../support/ask.ts"
import { startBrowser, type TestBrowser } from "../support/browser.ts"
import { freePort } from "../support/port.ts"
import { aService } from "../support/service-builder.ts"
import { admin, startWordPress, type WordPress } from "./site.ts"

// The plugin in Debian's WordPress, with PHP and MariaDB: bun test --timeout 300000 ./test/wordpress/plugin.ts

let wordpress: WordPress
let guichet: Site
let browser: TestBrowser
let api: Api
let service: string
let form: { id: string; public_id: string }

beforeAll(async () => {
  wordpress = await startWordPress()
  guichet = await aService()
    .withSettings({ GUICHET_PORT: String(await freePort()) })
    .withIndexedProject({ origins: [wordpress.url] })
    .started()
  service = guichet.service.app.config.publicUrl
  api = await apiOf(guichet.service)
  form = (
    await api.post("/api/v1/forms", {
      project: guichet.project.id,
      name: "Contact",
      hosted: true,
      fields: [{ name: "nom", label: "Votre nom", type: "text", required: true }],
    })
  ).body
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await guichet?.[Symbol.asyncDispose]()
  await wordpress?.[Symbol.asyncDispose]()
})

const settingsOf = (address: string, project: string, everywhere: boolean) =>
  wordpress.php(
    `update_option("guichet", ["address" => "${address}", "project" => "${project}", "everywhere" => ${everywhere}]);`,
  )

async function signedIn(): Promise<Page & { problems: string[] }> {
  const page = await browser.page(`${wordpress.url}/wp-login.php`, {})
  await page.locator("#user_login").fill(admin.name)
  await page.locator("#user_pass").fill(admin.password)
  await page.locator("#wp-submit").click()
  await page.waitForURL(/wp-admin/)
  return page
}

/** This WordPress has no icon, which a browser looks for once. */
const problemsOf = ({ problems }: { problems: string[] }) =>
  problems.filter((problem) => !problem.includes("404"))

test("the settings are in French, refuse what is no address or project, and tell of a silent one", async () => {
  await using page = await signedIn()
  const save = async (address: string, project: string) => {
    await page.goto(`${wordpress.url}/wp-admin/options-general.php?page=guichet`)
    await page.locator("form[action='options.php']").evaluate((each: HTMLFormElement) => {
      each.noValidate = true
    })
    await page.getByLabel("URL du service").fill(address)
    await page.getByLabel("Identifiant du projet").fill(project)
    await page.locator("#submit").click()
    await page.waitForURL(/settings-updated/)
    return page.locator(".settings-error").allInnerTexts()
  }
  for (const address of ["exemple", "http://exemple.fr", "https://exemple.fr/chemin", "javascript:alert(1)"])
    expect((await save(address, guichet.project.id)).join()).toContain("sans chemin")
  expect((await save(service, "Pas un projet")).join()).toContain("lettres minuscules")
  expect((await save("http://127.0.0.1:1", guichet.project.id)).join()).toContain("aucun Guichet ne répond")
  const said = await save(`${service}/`, guichet.project.id)
  expect(said.join()).not.toContain("Guichet")
  expect(await page.getByLabel("URL du service").inputValue()).toBe(service)
  expect(await page.getByText("Déclarez ce site dans le projet").innerText()).toContain(wordpress.url)
})

test("the assistant is on every page and answers, and a button of a page asks at once", async () => {
  await settingsOf(service, guichet.project.id, true)
  const block = `<!-- wp:guichet/assistant {"question":"${answerable}","label":"Voir comment"} /-->`
  await using page = await browser.page(await wordpress.publish("Aide", block), {})
  await page.locator("guichet-widget").getByRole("button").first().waitFor()
  await page.getByRole("button", { name: "Voir comment" }).click()
  const answer = page.locator("guichet-widget").locator("a[href*='verifier']").first()
  await answer.waitFor()
  expect(problemsOf(page)).toEqual([])
})

test("it is only where its shortcode stands, where the owner wants it so, and nowhere before it is set up", async () => {
  await settingsOf(service, guichet.project.id, false)
  const [bare, asked] = [
    await wordpress.publish("Sans", "Rien."),
    await wordpress.publish("Avec", "[guichet_assistant]"),
  ]
  const html = async (address: string) => (await fetch(address)).text()
  expect(await html(bare)).not.toContain("widget.js")
  expect(await html(asked)).toContain(`data-project="${guichet.project.id}"`)
  expect(await html(asked)).toContain("Poser une question")
  await settingsOf("", "", true)
  for (const address of [bare, asked]) expect(await html(address)).not.toContain("guichet-")
})

test("a form is filled in within its frame, by block and by shortcode, and arrives", async () => {
  await settingsOf(service, guichet.project.id, false)
  const contents = [
    `<!-- wp:guichet/form {"id":"${form.public_id}","title":"Nous écrire"} /-->`,
    `[guichet_form id="${form.public_id}" title="Nous écrire"]`,
  ]
  for (const [index, content] of contents.entries()) {
    await using page = await browser.page(await wordpress.publish("Contact", content), {})
    const frame = page.frameLocator("iframe[title='Nous écrire']")
    await frame.getByLabel("Votre nom").waitFor()
    // Who is faster than a person counts as a program.
    guichet.clock.move(minuteMs)
    await frame.getByLabel("Votre nom").fill(`Personne ${index}`)
    await frame.getByRole("button", { name: "Envoyer" }).click()
    await frame.getByText("Merci").waitFor()
    expect(problemsOf(page)).toEqual([])
  }
  const { items } = (await api.get(`/api/v1/forms/${form.id}/responses`)).body
  expect(items.map((item: { values: { nom: string } }) => item.values.nom).sort()).toEqual([
    "Personne 0",
    "Personne 1",
  ])
  const wrong = await (await fetch(await wordpress.publish("Faux", `[guichet_form id='"><script>']`))).text()
  expect(wrong).not.toContain("<iframe")
  expect(wrong).not.toContain('"><script>')
})

test("the editor offers both blocks, and keeps what is typed in them", async () => {
  await using page = await signedIn()
  const block = `<!-- wp:guichet/form {"id":"${form.public_id}"} /--><!-- wp:guichet/assistant /-->`
  const address = await wordpress.publish("À modifier", block)
  const id = new URL(address).searchParams.get("page_id")
  await page.goto(`${wordpress.url}/wp-admin/post.php?post=${id}&action=edit`)
  await page.keyboard.press("Escape")
  const label = page.getByLabel("Texte du bouton")
  await label.fill("Demander")
  expect(await page.getByLabel("Identifiant du formulaire").inputValue()).toBe(form.public_id)
  await page.evaluate(() =>
    (window as unknown as { wp: { data: { dispatch(of: string): { savePost(): Promise<void> } } } }).wp.data
      .dispatch("core/editor")
      .savePost(),
  )
  expect(await wordpress.php(`echo get_post(${id})->post_content;`)).toContain('"label":"Demander"')
})

test("PHP has nothing to complain about", () => {
  expect(wordpress.complaints()).toEqual([])
})

test("nothing stays behind once it is uninstalled", async () => {
  await settingsOf(service, guichet.project.id, true)
  await wordpress.php(
    `require "wp-admin/includes/plugin.php"; deactivate_plugins("guichet/guichet.php"); uninstall_plugin("guichet/guichet.php");`,
  )
  expect(await wordpress.php(`echo json_encode(get_option("guichet"));`)).toBe("false")
})
