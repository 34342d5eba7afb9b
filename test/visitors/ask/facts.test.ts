import { afterAll, beforeAll, expect, test } from "bun:test"
import { indexFolder, type Site } from "../../support/ask.ts"
import { documentation } from "../../support/documentation.ts"
import { aService } from "../../support/service-builder.ts"

// A question that asks for a place, a person or a way to reach somebody is answered by the text that gives one.

const about = (name: string) =>
  `# ${name}

## Présentation

${name} accueille les habitants du quartier depuis longtemps. ${name} fait partie des équipements de la ville, et tous
les habitants du quartier connaissent bien ${name} et son histoire.

## Histoire

${name} fut construit après la guerre, puis agrandi. L’histoire de ${name} est celle du quartier et de ses habitants.
On trouve dans ${name} une plaque qui raconte la construction.
`
const pages = {
  "gymnase.md": `${about("Le gymnase Pasteur")}
## Informations pratiques

Adresse : 12, rue des Lilas, 19000 Tulle

Tél. : 05 55 01 02 03
`,
  "piscine.md": about("La piscine Jaurès"),
  "mediatheque.md": `${about("La médiathèque Prévert")}
## Emprunter des tablettes

Les tablettes de la médiathèque Prévert plaisent beaucoup, et emprunter des tablettes est simple. Emprunter des
tablettes se fait à l’accueil, où les tablettes sont préparées.

Chaque prêt est noté par l’équipe, qui vérifie l’état du matériel au départ et au retour.

La durée du prêt est de 7 jours, renouvelable une fois.
`,
  "chorale.md": `${about("La chorale Mozart")}
## Répétitions

La chorale Mozart est dirigée par Anne Morel. Les choristes répètent chaque semaine et chantent deux fois par an.
`,
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [`salle${n}.md`, about(`La salle numéro ${n} des associations`)]),
  ),
}

let site: Site
beforeAll(async () => {
  using folder = documentation(pages)
  site = await aService().withIndexedProject().started()
  await indexFolder(site.service.app, site.project, folder.path)
})
afterAll(() => site[Symbol.asyncDispose]())

test.each([
  ["où se trouve le gymnase Pasteur ?", "12, rue des Lilas"],
  ["c’est quoi le téléphone du gymnase Pasteur ?", "05 55 01 02 03"],
  ["comment joindre le gymnase Pasteur ?", "05 55 01 02 03"],
  ["qui dirige la chorale Mozart ?", "Anne Morel"],
])("« %s » is answered by: %s", async (question, text) => {
  const { body } = await site.ask({ question })
  expect(body.answer).toContain(text)
})

test("a fact is told by the lines that give it, not by those that repeat the heading", async () => {
  const { body } = await site.ask({ question: "combien de temps peut-on emprunter des tablettes ?" })
  expect(body.answer).toContain("7 jours")
  expect(body.answer).not.toContain("plaisent beaucoup")
})

test("a question that asks for something else is answered as before", async () => {
  const { body } = await site.ask({ question: "quelle est l’histoire du gymnase Pasteur ?" })
  expect(body.answer).toContain("construit après la guerre")
})
