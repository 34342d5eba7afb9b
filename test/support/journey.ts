import type { Page } from "playwright-core"
import { addOperator } from "../../src/workspaces/operator.ts"
import { addProject } from "../../src/workspaces/project.ts"
import { defaultWorkspaceId } from "../../src/workspaces/workspace.ts"
import { openAuthority } from "./authority.ts"
import { freePort } from "./port.ts"
import { type Receiver, settingsFor, startReceiver } from "./receiver.ts"
import { type Service, startService } from "./service.ts"

/** A service with an owner and a project, the owner's site on another port, and the owner's application over TLS. */
export interface Owned extends AsyncDisposable {
  service: Service
  receiver: Receiver
  projectId: string
  /** The one page of the site holds this from now on, and this is its address. */
  publish(html: string): string
}

export const owner = { email: "camille@exemple.fr", password: "un mot de passe bien long" }

export async function startOwned(): Promise<Owned> {
  const authority = openAuthority()
  const receiver = await startReceiver(authority, "hooks.acme.fr")
  const service = await startService({
    ...settingsFor(authority, receiver),
    // The address that forms post to is told beforehand.
    GUICHET_PORT: String(await freePort()),
  })
  let html = ""
  const site = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      new Response(`<!doctype html><html lang="fr"><title>Contact</title><h1>Contact</h1>${html}`, {
        headers: { "content-type": "text/html; charset=utf-8" },
      }),
  })
  const { app } = service
  const workspaceId = await defaultWorkspaceId(app.db)
  await addOperator(app.db, { ...owner, workspaceId, role: "owner" }, app.clock.now())
  const address = `http://127.0.0.1:${site.port}`
  const project = await addProject(app.db, workspaceId, { name: "Site", site: address }, app.clock.now())
  return {
    service,
    receiver,
    projectId: project.id,
    publish(published) {
      html = published
      return `${address}/contact`
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await site.stop(true)
      await receiver[Symbol.asyncDispose]()
      authority[Symbol.dispose]()
    },
  }
}

/** Looks at a page as it stands: a test judges it, a script keeps a picture of it. */
export type Look = (name: string) => Promise<void>

/** What an owner does with forms and webhooks, from the first form to a message resent, by the console alone. */
export async function tour(owned: Owned, page: Page, look: Look): Promise<void> {
  const press = (name: string) => page.getByRole("button", { name, exact: true }).first().click()
  const open = (name: string) => page.getByRole("link", { name, exact: true }).first().click()
  const main = page.locator("main")
  await page.getByLabel("Adresse e-mail").fill(owner.email)
  await page.getByLabel("Mot de passe").fill(owner.password)
  await press("Se connecter")

  await open("Formulaires")
  await look("forms-none")
  await open("Nouveau formulaire")
  await press("Ajouter un champ")
  await page.getByLabel("Libellé").last().fill("Quel service ?")
  await page.getByLabel("Type").last().selectOption("select")
  await page.locator("details.options summary").last().click()
  await page.getByLabel("Une réponse par ligne").last().fill("ventes = Les ventes\naide = L’aide")
  await page.getByLabel("Texte de la case d’accord").fill("J’accepte d’être recontacté.")
  await page.getByLabel("Nom du formulaire").fill("")
  await press("Créer le formulaire")
  await main.getByText("Donnez un nom de 1 à 200 caractères.").waitFor()
  await look("form-refused")
  await page.getByLabel("Nom du formulaire").fill("Contact")
  await press("Créer le formulaire")
  await main.getByText("Le formulaire est créé.").waitFor()
  await look("form-html")
  const address = owned.publish((await page.locator("figure code").textContent()) ?? "")
  await open("Modifier")
  await look("form-settings")
  await open("Réponses")
  await look("responses-none")

  await open("Webhooks")
  await look("webhooks-none")
  await page.getByLabel("Adresse", { exact: true }).fill("http://hooks.acme.fr/guichet")
  await press("Ajouter l’adresse")
  await main.getByText("https://").first().waitFor()
  await look("webhook-refused")
  await page.getByLabel("Adresse", { exact: true }).fill("https://hooks.acme.fr/guichet")
  await page.getByLabel("Description").fill("Application de suivi")
  await press("Ajouter l’adresse")
  await main.getByText("whsec_").waitFor()
  await look("webhook-secret")
  await open("Continuer")
  await look("webhook")

  await answerForm(page, address)
  await owned.receiver.waitFor(1)
  await owned.service.dispatcher.settled()

  await page.goto(`${owned.service.url}/console/webhooks`)
  await look("webhooks")
  await open("Livraisons")
  await look("deliveries")
  await page.getByRole("link", { name: /^Ouvrir/ }).click()
  await look("delivery")
  await press("Renvoyer")
  await main.getByText("a déjà été livré").waitFor()
  await look("delivery-asks")
  await press("Renvoyer quand même")
  await owned.receiver.waitFor(2)
  await main.getByText("à la main").waitFor()
  await look("delivery-resent")

  await open("Formulaires")
  await look("forms")
  await open("Contact")
  await page.getByText("Preuve de l’accord").click()
  await look("responses")
  await page.getByLabel("Contenant").fill("introuvable")
  await press("Afficher")
  await main.getByText("Aucune réponse ne correspond").waitFor()
  await open("Formulaires")
  await open("Données d’une personne")
  await page.getByLabel("Adresse e-mail").fill("visiteur@exemple.fr")
  await press("Chercher")
  await main.getByText("Une réponse contient cette adresse.").waitFor()
  await look("person")

  await open("Réglages")
  await look("settings")
  await open("État du service")
  await look("health")
  await open("Opérateurs")
  await page.getByLabel("Adresse e-mail").fill("sacha@exemple.fr")
  await press("Ajouter")
  await main.getByText("sacha@exemple.fr est membre").waitFor()
  await look("operator-password")
  await open("Continuer")
  await look("operators")
  await open("Jetons d’accès")
  await page.getByLabel("Nom").fill("Suivi")
  await press("Créer un jeton")
  await main.getByText("Donnez au moins un droit au jeton.").first().waitFor()
  await look("token-refused")
  await page.getByLabel("Formulaires").selectOption("read")
  await press("Créer un jeton")
  await main.getByText("gch_").waitFor()
  await look("token")
  await open("Continuer")
  await look("tokens")
  await page.getByRole("main").getByRole("link", { name: "Votre compte" }).click()
  await look("account")
  await open("Journal")
  await look("journal")
  await page.goto(`${owned.service.url}/api/v1/docs`)
  await page.locator("summary").nth(3).click()
  await look("api")
}

/** As a visitor does, on the owner's site. */
async function answerForm(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByLabel("Votre nom").fill("Dominique Visiteur")
  await page.getByLabel("Votre adresse e-mail").fill("visiteur@exemple.fr")
  await page.getByLabel("Votre message").fill("Bonjour,\nj’ai une question sur mon contrat.")
  await page.getByLabel("Quel service").selectOption("aide")
  await page.getByLabel("J’accepte d’être recontacté.").check()
  await page.getByRole("button", { name: "Envoyer" }).click()
  await page.getByText("Votre réponse a bien été envoyée.").waitFor()
}
