import type { Page } from "playwright-core"
import { type CountingHand, countingHand, type Effort } from "./counting-hand.ts"
import { pagesRead } from "./documentation-site.ts"
import type { FirstStart } from "./first-start.ts"
import { mouse } from "./hand.ts"

/** The parts of the way, in their order. */
export const stages = {
  read: "account, project, documentation read",
  tried: "a first question tried in the console",
  answered: "a visitor's question answered on the site",
  form: "a form on the site",
  delivered: "a visitor's message seen in the test receiver",
  chosen: "a gap given the owner's own answer, which the visitor then gets",
} as const

export type Stage = keyof typeof stages

/** What a stage took of both. */
export interface Taken {
  owner: Effort
  visitor: Effort
  seconds: number
}

/** Tabs of two browsers: the owner's stays in the console, the visitor's on the site. */
export interface Tabs {
  owner: Page
  visitor: Page
}

const account = { email: "camille@exemple.fr", password: "un mot de passe bien long" }
const answerable = "Comment renvoyer un webhook ?"
const gap = "Quel est le prix de Guichet ?"
const price = "Guichet est gratuit."

/** A first reading is polite: it takes its time. */
const readingMs = 170_000
/** Whoever fills in a form faster than this is taken for a program. */
const personMs = 2_000

/**
 * The shortest way of an owner by the screen alone, from the first start of an empty service to the first
 * answer of their own, and what each part took. What a visitor does on the site meanwhile is counted apart.
 */
export async function shortWay(first: FirstStart, { owner, visitor }: Tabs): Promise<Record<Stage, Taken>> {
  await owner.context().grantPermissions(["clipboard-read", "clipboard-write"])
  const way: Way = {
    first,
    pasted: [],
    owner: { page: owner, hand: countingHand(mouse) },
    visitor: { page: visitor, hand: countingHand(mouse) },
  }
  const counted = async (stage: (way: Way) => Promise<void>): Promise<Taken> => {
    const startedAt = performance.now()
    await stage(way)
    const seconds = (performance.now() - startedAt) / 1000
    return { owner: way.owner.hand.take(), visitor: way.visitor.hand.take(), seconds }
  }
  return {
    read: await counted(readDocumentation),
    tried: await counted(tryQuestion),
    answered: await counted(installWidget),
    form: await counted(makeForm),
    delivered: await counted(receive),
    chosen: await counted(closeGap),
  }
}

interface Person {
  page: Page
  hand: CountingHand
}

interface Way {
  first: FirstStart
  /** What stands in the page of the site. */
  pasted: string[]
  owner: Person
  visitor: Person
}

const button = ({ page }: Person, name: string) => page.getByRole("button", { name, exact: true }).first()
const link = ({ page }: Person, name: string) => page.getByRole("link", { name, exact: true }).first()
const field = ({ page }: Person, name: string) => page.getByLabel(name, { exact: true }).first()

async function readDocumentation({ first, owner }: Way): Promise<void> {
  const { page, hand } = owner
  await page.goto(await first.setupLink())
  await hand.fill(field(owner, "Adresse e-mail"), account.email)
  await hand.fill(field(owner, "Mot de passe"), account.password)
  await hand.press(button(owner, "Créer le compte"))
  await hand.fill(field(owner, "Site"), first.site.url)
  await hand.press(button(owner, "Créer le projet"))
  await page.getByText(`${pagesRead} pages indexées`).waitFor({ timeout: readingMs })
}

async function tryQuestion({ owner }: Way): Promise<void> {
  const { page, hand } = owner
  await hand.fill(field(owner, "Question"), answerable)
  await hand.press(button(owner, "Poser la question"))
  await page.getByText("avec réponse", { exact: true }).waitFor()
}

async function installWidget(way: Way): Promise<void> {
  const { visitor } = way
  await paste(way, "widget.js")
  await visitor.hand.press(button(visitor, "Poser une question"))
  await ask(visitor, answerable, /^Réponse prête/)
}

async function makeForm(way: Way): Promise<void> {
  const { owner, visitor } = way
  await owner.hand.press(link(owner, "Créer un premier formulaire"))
  await owner.hand.press(button(owner, "Créer le formulaire"))
  await paste(way, "form.js")
  // The conversation of before opens over the form.
  await visitor.hand.press(button(visitor, "Fermer"))
  await visitor.page.getByLabel("Votre nom").waitFor()
}

async function receive({ owner, visitor }: Way): Promise<void> {
  await owner.hand.press(button(owner, "Créer la boîte d’essai"))
  await owner.page.getByText("Rien n’est encore arrivé").waitFor()
  const startedAt = performance.now()
  await visitor.hand.fill(visitor.page.getByLabel("Votre nom"), "Dominique Visiteur")
  await visitor.hand.fill(visitor.page.getByLabel("Votre adresse e-mail"), "visiteur@exemple.fr")
  await visitor.hand.fill(visitor.page.getByLabel("Votre message"), "Bonjour")
  await Bun.sleep(Math.max(0, startedAt + personMs - performance.now()))
  await visitor.hand.press(button(visitor, "Envoyer"))
  await visitor.page.getByText("Votre message a bien été envoyé.").waitFor()
  await owner.page.getByText("signature valide", { exact: true }).waitFor()
  await owner.page.getByText('"Dominique Visiteur"').waitFor()
}

async function closeGap({ owner, visitor }: Way): Promise<void> {
  await visitor.hand.press(button(visitor, "Poser une question"))
  await ask(visitor, gap, /^Aucune réponse/)
  await owner.hand.press(link(owner, "Accueil"))
  await owner.hand.press(link(owner, `Écrire la réponse\u00a0: ${gap}`))
  await owner.hand.fill(field(owner, "Réponse"), price)
  // No page says the price: the answer is its own source.
  await owner.hand.press(button(owner, "Enregistrer"))
  await owner.page.getByText("La réponse est enregistrée").waitFor()
  await ask(visitor, gap, /^Réponse prête/)
  await visitor.page.getByText(price).waitFor()
}

async function ask(visitor: Person, question: string, told: RegExp): Promise<void> {
  const widget = visitor.page.locator("guichet-widget")
  await visitor.hand.fill(widget.getByLabel("Votre question"), question)
  await visitor.hand.press(widget.getByRole("button", { name: "Envoyer" }))
  await widget.getByRole("status").filter({ hasText: told }).waitFor()
}

/** Copies the code that holds `part` from the console into the page of the site, which the visitor opens. */
async function paste({ first, owner, visitor, pasted }: Way, part: string): Promise<void> {
  const figure = owner.page.locator("figure.snippet", { hasText: part }).first()
  await owner.hand.press(figure.getByRole("button", { name: "Copier" }))
  await figure.getByRole("button", { name: "Copié" }).waitFor()
  pasted.push(await owner.page.evaluate(() => navigator.clipboard.readText()))
  await visitor.page.goto(first.site.publish(pasted.join("")))
}
