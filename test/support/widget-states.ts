import type { Page } from "playwright-core"
import { apiOf } from "./api.ts"
import { answerable, type Counter, foreign } from "./counter.ts"
import type { Look } from "./journey.ts"

const style = `:root{color-scheme:light dark;font:16px/1.6 system-ui,sans-serif}body{margin:0 auto;max-width:44rem;padding:2rem 1.2rem}input,textarea{display:block;font:inherit;width:100%;box-sizing:border-box}[type=checkbox]{display:inline;width:auto}`
const article = `<main><h1>Mot de passe</h1><p>Votre compte est protégé par un mot de passe que vous choisissez vous-même. Cette page dit comment le changer, comment le retrouver et comment en choisir un bon.</p><h2>Réinitialiser son mot de passe</h2><p>Ouvrez la page de connexion puis suivez le lien « Mot de passe oublié ». Un message vous est envoyé avec un lien valable une heure.</p><h2>Choisir un bon mot de passe</h2><p>Prenez au moins douze caractères, et n’employez jamais le même mot de passe sur deux sites.</p></main>`

/** The main states of the widget. */
export async function widgetStates(counter: Counter, page: Page, look: Look): Promise<void> {
  await page.goto(pageOf(counter, "/mot-de-passe", article))
  const asked = async (question: string, done: RegExp) => {
    await page.getByLabel("Votre question").fill(question)
    await page.keyboard.press("Enter")
    await page.locator("guichet-widget p[role=status]").filter({ hasText: done }).waitFor()
    await page.evaluate(() => document.fonts.ready)
  }
  await page.getByRole("button", { name: "Poser une question" }).waitFor()
  await look("widget-closed")
  await page.getByRole("button", { name: "Poser une question" }).click()
  await look("widget-open")
  await asked(answerable, /Réponse prête/)
  await look("widget-answered")
  await page.getByRole("button", { name: "Utile", exact: true }).click()
  await page.getByText("Merci pour votre avis.").waitFor()
  await look("widget-sources")
  await asked("Quels formats d’export existent, CSV ou JSON ?", /Réponse prête/)
  await look("widget-table")
  await asked(foreign, /^Aucune réponse/)
  await look("widget-no-answer")
  await page.route("**/api/v1/ask", () => {})
  await page.getByLabel("Votre question").fill(answerable)
  await page.keyboard.press("Enter")
  await page.getByText("Recherche dans la documentation…").waitFor()
  await look("widget-searching")
  await page.reload()
  await page.unroute("**/api/v1/ask")
  await page.route("**/api/v1/ask", (route) => route.abort())
  // The panel is open again, as it was left.
  await page.getByLabel("Votre question").fill(answerable)
  await page.keyboard.press("Enter")
  await page.getByRole("alert").waitFor()
  await look("widget-error")
}

/** A form of the site, with what is wrong with it. */
export async function formStates(counter: Counter, page: Page, look: Look): Promise<void> {
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
  await page.goto(pageOf(counter, "/contact", body))
  await page.getByRole("button", { name: "Envoyer" }).click()
  await page.getByText("Remplissez ce champ.").first().waitFor()
  await look("form-refused")
}

function pageOf({ page, service }: Counter, path: string, body: string): string {
  return page(path, body, {
    head: `<style nonce="page">${style}</style>`,
    policy: `default-src 'none'; script-src ${service.url}; connect-src ${service.url}; style-src 'nonce-page'`,
  })
}
