import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { BrowserContextOptions } from "playwright-core"
import { apiOf } from "../support/api.ts"
import { type QuietPage, startBrowser } from "../support/browser.ts"
import { answerable, type Counter, foreign, startCounter } from "../support/counter.ts"

// `bun test/browser/screenshots.ts FOLDER`: the main states of the widget and of a form, to be looked at.

const folder = Bun.argv[2]
if (!folder) {
  process.stderr.write("usage: bun test/browser/screenshots.ts FOLDER\n")
  process.exit(2)
}
mkdirSync(folder, { recursive: true })

const style = `:root{color-scheme:light dark;font:16px/1.6 system-ui,sans-serif}body{margin:0 auto;max-width:44rem;padding:2rem 1.2rem}input,textarea{display:block;font:inherit;width:100%;box-sizing:border-box}[type=checkbox]{display:inline;width:auto}`
const article = `<main><h1>Mot de passe</h1><p>Votre compte est protégé par un mot de passe que vous choisissez vous-même. Cette page dit comment le changer, comment le retrouver et comment en choisir un bon.</p><h2>Réinitialiser son mot de passe</h2><p>Ouvrez la page de connexion puis suivez le lien « Mot de passe oublié ». Un message vous est envoyé avec un lien valable une heure.</p><h2>Choisir un bon mot de passe</h2><p>Prenez au moins douze caractères, et n’employez jamais le même mot de passe sur deux sites.</p></main>`

const sizes: [name: string, options: BrowserContextOptions][] = [
  ["light", { colorScheme: "light", viewport: { width: 1200, height: 760 } }],
  ["dark", { colorScheme: "dark", viewport: { width: 1200, height: 760 } }],
  ["320", { colorScheme: "light", viewport: { width: 320, height: 640 } }],
  ["200-percent", { colorScheme: "light", viewport: { width: 640, height: 380 }, deviceScaleFactor: 2 }],
]

await using browser = await startBrowser()
await using counter = await startCounter()
for (const [name, options] of sizes) {
  await shootWidget(name, options)
  await shootForm(name, options)
}

async function shootWidget(name: string, options: BrowserContextOptions): Promise<void> {
  await using page = await browser.page(pageOf(counter, "/mot-de-passe", article), options)
  const shoot = (state: string) => page.screenshot({ path: join(folder as string, `${name}-${state}.png`) })
  const asked = async (question: string, done: RegExp) => {
    await page.getByLabel("Votre question").fill(question)
    await page.keyboard.press("Enter")
    await page.locator("guichet-widget p[role=status]").filter({ hasText: done }).waitFor()
    await page.evaluate(() => document.fonts.ready)
  }
  await page.getByRole("button", { name: "Poser une question" }).waitFor()
  await shoot("1-closed")
  await page.getByRole("button", { name: "Poser une question" }).click()
  await shoot("2-open")
  await asked(answerable, /Réponse prête/)
  await shoot("3-answered")
  await page.getByRole("button", { name: "Utile", exact: true }).click()
  await page.getByText("Merci pour votre avis.").waitFor()
  await shoot("4-sources")
  await asked("Quels formats d’export existent, CSV ou JSON ?", /Réponse prête/)
  await shoot("5-table")
  await asked(foreign, /ne répond pas/)
  await shoot("6-no-answer")
  await page.route("**/api/v1/ask", () => {})
  await page.getByLabel("Votre question").fill(answerable)
  await page.keyboard.press("Enter")
  await page.getByText("Recherche dans la documentation…").waitFor()
  await shoot("7-searching")
  await page.reload()
  await page.unroute("**/api/v1/ask")
  await page.route("**/api/v1/ask", (route) => route.abort())
  await page.getByRole("button", { name: "Poser une question" }).click()
  await page.getByLabel("Votre question").fill(answerable)
  await page.keyboard.press("Enter")
  await page.getByRole("alert").waitFor()
  await shoot("8-error")
}

async function shootForm(name: string, options: BrowserContextOptions): Promise<void> {
  const api = await apiOf(counter.service)
  const fields = [
    { name: "nom", label: "Votre nom", type: "text", required: true },
    { name: "adresse", label: "Votre adresse e-mail", type: "email", required: true },
    { name: "message", label: "Votre message", type: "textarea" },
    { name: "regles", label: "J’ai lu les règles", type: "checkbox", required: true },
  ]
  const made = await api.post("/api/v1/forms", { project: counter.project.id, name: "Contact", fields })
  const action = `${counter.service.url}/f/${made.body.public_id}`
  const body = `<main><h1>Nous écrire</h1><form action="${action}" method="post"><p><label>Votre nom <input name="nom"></label></p><p><label>Votre adresse e-mail <input name="adresse" type="email"></label></p><p><label>Votre message <textarea name="message"></textarea></label></p><p><label><input type="checkbox" name="regles"> J’ai lu les règles</label></p><button>Envoyer</button></form></main>`
  await using page: QuietPage = await browser.page(pageOf(counter, "/contact", body), options)
  await page.getByRole("button", { name: "Envoyer" }).click()
  await page.getByText("Remplissez ce champ.").first().waitFor()
  await page.screenshot({ path: join(folder as string, `${name}-9-form.png`) })
}

function pageOf({ page, service }: Counter, path: string, body: string): string {
  return page(path, body, {
    head: `<style nonce="page">${style}</style>`,
    policy: `default-src 'none'; script-src ${service.url}; connect-src ${service.url}; style-src 'nonce-page'`,
  })
}
