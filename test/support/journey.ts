import type { Page } from "playwright-core"
import { askedBefore } from "./asked-before.ts"
import { pagesRead } from "./documentation-site.ts"
import type { FirstStart } from "./first-start.ts"
import type { Hand } from "./hand.ts"

/** Looks at a page as it stands: a test judges it, a script keeps a picture of it. */
export type Look = (name: string) => Promise<void>

/** A first reading is polite: it takes its time. */
const readingMs = 170_000

const email = "camille@exemple.fr"
const password = "un mot de passe bien long"

/**
 * What an owner does, by the console alone: from the first start of an empty service to the first answered
 * question, the first delivered webhook, and every other page. Visitors ask and answer on the owner's site.
 */
export async function journey(first: FirstStart, page: Page, hand: Hand, look: Look): Promise<void> {
  const steps = stepsOf(page, hand, look)
  await page.goto(`${first.service.url}/console`)
  await signUp(first, page, steps)
  await readDocumentation(first, steps)
  const snippet = await tryQuestions(page, steps)
  await askAsVisitor(page, first.site.publish(snippet))
  await seeQuestions(first, page, steps)
  const html = await makeForm(page, steps)
  await createEndpoint(steps)
  await answerAsVisitor(page, first.site.publish(snippet + html))
  await first.receiver.waitFor(1)
  await first.service.dispatcher.settled()
  await seeDelivery(first, page, steps)
  await seeResponses(page, steps)
  const invitation = await seeSettings(first, page, steps)
  await signOutAndFail(page, steps)
  await acceptInvitation(first, page, steps, invitation)
}

function stepsOf(page: Page, hand: Hand, look: Look) {
  const main = page.locator("main")
  /** The last of that name: a form grows at its end. */
  const labelled = (label: string) =>
    page.getByLabel(new RegExp(`^${RegExp.escape(label)}( \\(facultatif\\))?$`)).last()
  return {
    main,
    /** The page of that title, once it is there. */
    async at(name: string, title: string | RegExp) {
      await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor()
      await look(name)
    },
    /** The page, once it says so. */
    async says(name: string, text: string | RegExp) {
      await main.getByText(text).filter({ visible: true }).first().waitFor()
      await look(name)
    },
    fill: (label: string, text: string) => hand.fill(labelled(label), text),
    part: (name: string) => hand.tick(page.getByRole("radio", { name, exact: true })),
    tick: (label: string) => hand.tick(page.getByRole("checkbox", { name: label })),
    choose: (label: string, option: string) => hand.choose(labelled(label), option),
    press: (name: string) => hand.press(page.getByRole("button", { name, exact: true }).first()),
    /** Of the navigation too, which a narrow screen shows behind a button. */
    async open(name: string | RegExp) {
      const link = page.getByRole("link", { name, exact: true }).first()
      const menu = page.getByRole("link", { name: "Menu", exact: true })
      await link.or(menu).first().waitFor()
      if (!(await link.isVisible())) await hand.press(menu)
      await hand.press(link)
    },
    unfold: (text: string) => hand.press(page.locator("main summary", { hasText: text }).last()),
  }
}

type Steps = ReturnType<typeof stepsOf>

async function signUp(first: FirstStart, page: Page, steps: Steps): Promise<void> {
  await steps.at("first-start", "Premier démarrage")
  await page.goto(await first.setupLink())
  await steps.fill("Adresse e-mail", email)
  await steps.fill("Mot de passe", "court")
  await steps.press("Créer le compte")
  await steps.says("setup-refused", /mot de passe de 12 à/)
  await steps.fill("Mot de passe", password)
  await steps.press("Créer le compte")
  await steps.at("first-home", "Vue d’ensemble")
  await steps.open("Projets")
  await steps.at("no-project", "Projets")
}

async function readDocumentation({ site }: FirstStart, steps: Steps): Promise<void> {
  await steps.fill("Nom", "Documentation")
  await steps.fill("Site", "docs exemple")
  await steps.press("Créer le projet")
  await steps.says("project-refused", "Indiquez l’URL du site")
  await steps.fill("Site", site.url)
  await steps.tick("Lire sa documentation tout de suite")
  await steps.press("Créer le projet")
  await steps.at("no-feed", "Documentation")
  await steps.press("Ajouter et lire")
  await steps.says("indexing", "Indexation en cours")
  // Renewed by the script, without anybody's doing.
  await steps.main.getByText(`${pagesRead} pages indexées`).waitFor({ timeout: readingMs })
  await steps.at("indexed", "Documentation")
  await steps.open("Écartées (2)")
  await steps.says("left-out", "Elle demande elle-même à ne pas être indexée")
}

/** Resolves to what is to be pasted into the pages of the site. */
async function tryQuestions(page: Page, steps: Steps): Promise<string> {
  await steps.open("Accueil")
  await steps.open("Voir la fenêtre sur le site")
  await steps.at("appearance", "Apparence")
  const snippet = (await page.locator("figure code").first().textContent()) ?? ""
  await steps.open("Accueil")
  await steps.says("project", "Pour commencer")
  await steps.fill("Question", "Comment renvoyer un webhook ?")
  await steps.press("Poser la question")
  await steps.says("trial-answered", /^avec réponse$/)
  await steps.fill("Question", "Qui a peint la Joconde ?")
  await steps.press("Poser la question")
  await steps.says("trial-refused", /^sans réponse$/)
  await steps.open("Questions")
  await steps.at("no-question", "Questions")
  return snippet
}

async function askAsVisitor(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole("button", { name: "Poser une question" }).click()
  await page.getByLabel("Votre question").fill("Comment renvoyer un webhook ?")
  await page.keyboard.press("Enter")
  await page.getByText(/^Réponse prête/).waitFor()
}

async function seeQuestions({ service }: FirstStart, page: Page, steps: Steps): Promise<void> {
  await page.goto(`${service.url}/console`)
  await steps.at("home", "Documentation")
  await steps.open("Questions")
  await steps.says("first-question", "Comment renvoyer un webhook ?")
  const { id } = await service.app.db.selectFrom("project").select("id").executeTakeFirstOrThrow()
  await askedBefore(service, id)
  await page.reload()
  for (const summary of await steps.main.locator("details:not(.row-actions) > summary").all())
    await summary.click()
  await steps.at("questions-of-weeks", "Questions")
}

/** Resolves to the HTML of the form. */
async function makeForm(page: Page, steps: Steps): Promise<string> {
  await steps.open("Messages")
  await steps.open("Formulaires")
  await steps.at("forms-none", "Formulaires")
  await steps.open("Nouveau formulaire")
  await steps.press("Ajouter un champ")
  await page.locator("#field-4").waitFor()
  await steps.fill("Libellé", "Quel service ?")
  await steps.choose("Type", "liste déroulante")
  await steps.fill("Choix proposés, un par ligne", "ventes = Les ventes\naide = L’aide")
  await steps.part("Options")
  await steps.fill("Texte de la case d’accord", "J’accepte d’être recontacté.")
  await steps.part("Champs")
  await steps.fill("Nom du formulaire", "")
  await steps.press("Créer le formulaire")
  await steps.says("form-refused", "Indiquez un nom de 1 à 200 caractères.")
  await steps.fill("Nom du formulaire", "Contact")
  await steps.press("Créer le formulaire")
  await steps.says("form-html", "Le formulaire est créé.")
  const html = (await page.locator("figure code").textContent()) ?? ""
  await steps.open("Modifier")
  await page.getByLabel("Nom du formulaire").waitFor()
  await steps.at("form-settings", "Contact")
  await steps.main.getByRole("link", { name: "Messages reçus" }).click()
  await steps.says("responses-none", "Aucun message pour le moment.")
  return html
}

async function createEndpoint(steps: Steps): Promise<void> {
  await steps.open("Réglages")
  await steps.open("Brancher une application")
  await steps.at("webhooks-none", "Brancher une application")
  await steps.fill("URL", "http://hooks.acme.fr/guichet")
  await steps.press("Ajouter la destination")
  await steps.says("webhook-refused", "https://")
  await steps.fill("URL", "https://hooks.acme.fr/guichet")
  await steps.fill("Description", "Application de suivi")
  await steps.press("Ajouter la destination")
  await steps.says("webhook-secret", "whsec_")
  await steps.open("Continuer")
  await steps.at("webhook", "Application de suivi")
}

async function answerAsVisitor(page: Page, address: string): Promise<void> {
  // Whoever fills a form in as fast as a test is taken for a program, where the time is known.
  await page.route(/\/f\/\w+\/start$/, (route) => route.fulfill({ status: 404 }))
  await page.goto(address)
  // Another visitor: the conversation of before would open over the form.
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await page.getByLabel("Votre nom").fill("Dominique Visiteur")
  await page.getByLabel("Votre adresse e-mail").fill("visiteur@exemple.fr")
  await page.getByLabel("Votre message").fill("Bonjour,\nj’ai une question sur mon contrat.")
  await page.getByLabel("Quel service").selectOption("aide")
  await page.getByLabel("J’accepte d’être recontacté.").check()
  await page.locator("form button", { hasText: "Envoyer" }).click()
  await page.getByText("Votre message a bien été envoyé.").waitFor()
}

async function seeDelivery({ service, receiver }: FirstStart, page: Page, steps: Steps): Promise<void> {
  await page.goto(`${service.url}/console/webhooks`)
  await steps.at("webhooks", "Webhooks")
  await steps.open("Livraisons")
  await steps.says("deliveries", /^livrée$/)
  await steps.open("visiteur@exemple.fr")
  await steps.at("delivery", /^Livraison à /)
  await steps.press("Renvoyer")
  await steps.says("delivery-asks", "a déjà été livré")
  await steps.press("Renvoyer quand même")
  await receiver.waitFor(2)
  await steps.says("delivery-resent", "manuelle")
}

async function seeResponses(page: Page, steps: Steps): Promise<void> {
  await steps.open("Messages")
  await steps.open("Formulaires")
  await steps.at("forms", "Formulaires")
  await steps.open("Messages reçus")
  await steps.at("responses", "Messages reçus")
  await steps.open("Dominique Visiteur")
  await steps.says("response", "Preuve de l’accord")
  await steps.open("Tous les messages")
  await steps.fill("Chercher dans les messages", "introuvable")
  await steps.press("Chercher")
  await steps.says("responses-not-found", "Aucun message ne correspond")
  await steps.open("Formulaires")
  await steps.open("Données d’une personne")
  await page.getByRole("heading", { level: 1, name: "Données d’une personne" }).waitFor()
  await steps.fill("Adresse e-mail", "visiteur@exemple.fr")
  await steps.press("Chercher")
  await steps.says("person", "Un message reçu contient cette adresse e-mail.")
}

/** Resolves to the link of an invitation that nobody has accepted. */
async function seeSettings({ service }: FirstStart, page: Page, steps: Steps): Promise<string> {
  await steps.open("Réglages")
  await steps.at("project-settings", "Réglages du projet")
  await steps.open("Général")
  await steps.at("settings", "Organisation")
  await steps.open("État du service")
  await steps.says("health", "Base de données")
  await steps.open("Opérateurs")
  await steps.fill("Adresse e-mail", "sacha@exemple.fr")
  await steps.press("Inviter")
  await steps.says("invitation-link", "sacha@exemple.fr est invité")
  const link = (await page.locator("main pre code").innerText()).trim()
  await steps.open("Continuer")
  await steps.says("operators", "invitation sans réponse")
  await page.goto(`${service.url}${new URL(link).pathname}`)
  await steps.says("invitation-of-another", `Vous êtes connecté avec l’adresse e-mail ${email}`)
  await page.goto(`${service.url}/console/settings/operators`)
  await steps.open("Jetons d’accès")
  await steps.fill("Nom", "Suivi")
  await steps.says("new-token", "Choisir les droits un par un")
  await steps.press("Créer un jeton")
  await steps.says("token", "gch_")
  await steps.open("Continuer")
  await steps.says("tokens", "Suivi")
  await page.getByRole("main").getByRole("link", { name: "Votre compte" }).click()
  await steps.says("account", "Nouveau mot de passe")
  await steps.open("Journal")
  await steps.at("journal", "Journal")
  await page.goto(`${service.url}/console/projects`)
  await steps.at("projects", "Projets")
  await page.goto(`${service.url}/console/nowhere`)
  await steps.says("unknown-page", "Cette page n’existe pas")
  await page.goto(`${service.url}/api/v1/docs`)
  await page.getByRole("searchbox").fill("livraison")
  await steps.at("api", /^API de Guichet/)
  return link
}

async function signOutAndFail(page: Page, steps: Steps): Promise<void> {
  await page.goBack()
  const account = page.locator("summary", { hasText: email })
  if (!(await account.isVisible())) await page.getByRole("link", { name: "Menu", exact: true }).click()
  await account.click()
  await steps.press("Se déconnecter")
  await steps.at("signed-out", "Connexion")
  await steps.fill("Adresse e-mail", email)
  await steps.fill("Mot de passe", "un autre mot de passe")
  await steps.press("Se connecter")
  await steps.says("sign-in-refused", "ne convient pas")
}

async function acceptInvitation(
  { service }: FirstStart,
  page: Page,
  steps: Steps,
  link: string,
): Promise<void> {
  await page.goto(`${service.url}${new URL(link).pathname}`)
  await steps.at("invitation", "Invitation")
  await steps.fill("Mot de passe", "court")
  await steps.press("Créer le compte")
  await steps.says("invitation-refused", "de 12 à 256 caractères")
  await steps.fill("Mot de passe", password)
  await steps.press("Créer le compte")
  await steps.at("invited-sign-in", "Connexion")
  await steps.fill("Adresse e-mail", "sacha@exemple.fr")
  await steps.fill("Mot de passe", password)
  await steps.press("Se connecter")
  await page.locator("summary", { hasText: "sacha@exemple.fr" }).waitFor({ state: "attached" })
}
