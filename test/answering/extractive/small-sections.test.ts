import { expect, test } from "bun:test"
import type { CitedAnswer } from "../../../src/answering/ask/citations.ts"
import { extract } from "../../../src/answering/extractive/extract.ts"
import { splitDocument } from "../../../src/reading/passages/split-document.ts"
import { rangeUnits } from "../../../src/reading/passages/units.ts"
import { citedAnswer } from "../../support/citations.ts"
import { answer, asked, text } from "../../support/extract.ts"
import { passage } from "../../support/passages.ts"

test("facts that stand in headings alone are quoted together, from the section that the question names", () => {
  const passages = splitDocument({
    path: "club",
    url: "https://docs.exemple.fr/club",
    title: "Le club",
    sections: [
      { headings: ["Téléphone : 01 02 03 04 05"], anchor: "tel", markdown: "" },
      { headings: ["Ouvert le lundi de 9 h à 12 h"], anchor: "lundi", markdown: "" },
      { headings: ["Ouvert le jeudi de 14 h à 18 h"], anchor: "jeudi", markdown: "" },
    ],
  })
  expect(text("quand est-ce ouvert ?", passages)).toContain(
    "**Ouvert le lundi de 9 h à 12 h**\n\n**Ouvert le jeudi de 14 h à 18 h**",
  )
  expect(text("téléphone", passages)).toContain("01 02 03 04 05")
})

test("an image whose address could not be read is not quoted", () => {
  const poster = passage(
    "fete",
    "Fête",
    "La fête a lieu en juin.\n\n![affiche de la fête](/images/la fête 23.png)",
  )
  expect(text("affiche de la fête", [poster])).toBe("La fête a lieu en juin.")
})

test("small sections of one passage are not quoted together, and their labels are not quoted", () => {
  const sections = [
    { from: 0, heading: "Exporter", url: "https://docs.exemple.fr/reponses#exporter" },
    { from: 57, heading: "Doublons", url: "https://docs.exemple.fr/reponses#doublons" },
  ]
  const both = passage(
    "reponses",
    "Réponses",
    "**Exporter**\n\nL’export des réponses s’ouvre dans Excel.\n\n**Doublons**\n\nUn double clic n’enregistre qu’une réponse.",
  )
  expect(text("exporter les réponses", [{ ...both, sections }])).toBe(
    "L’export des réponses s’ouvre dans Excel.",
  )
  expect(text("éviter les doublons", [{ ...both, sections }])).toBe(
    "Un double clic n’enregistre qu’une réponse.",
  )
})

test("a text that several small sections share is quoted from the relevant section and cites it", () => {
  const faq = passage(
    "faq",
    "Questions",
    "**Un compte ?**\n\nOui. C’est gratuit.\n\n**Une carte ?**\n\nOui. Elle expire.\n\n**Résilier ?**\n\nOui. C’est gratuit.",
  )
  const sections = ["Un compte ?", "Une carte ?", "Résilier ?"].map((heading) => ({
    from: faq.markdown.indexOf(`**${heading}**`),
    heading,
    url: `${faq.url}#${heading}`,
  }))
  const cited = (question: string) => {
    const passages = [{ ...faq, sections }]
    const { answer: said, sources } = citedAnswer(answer(question, passages), passages) as CitedAnswer
    return [said, sources.map(({ section }) => section)]
  }
  expect(cited("puis-je résilier ?")).toEqual(["**Résilier ?**\n\nOui. C’est gratuit. [^1]", ["Résilier ?"]])
  expect(cited("faut-il une carte ?")).toEqual(["**Une carte ?**\n\nOui. Elle expire. [^1]", ["Une carte ?"]])
})

test("on a page of short questions under an introduction, each answer cites its own question", () => {
  const passages = splitDocument({
    path: "faq",
    url: "https://docs.exemple.fr/faq",
    title: "Questions",
    sections: [
      { headings: [], anchor: null, markdown: "Voici ce que l’on nous demande." },
      { headings: ["Faut-il un compte ?"], anchor: "compte", markdown: "Non, aucun." },
      { headings: ["Est-ce gratuit ?"], anchor: "gratuit", markdown: "Oui, toujours." },
    ],
  })
  expect(citedAnswer(answer("faut-il un compte ?", passages), passages)).toEqual({
    answer: "**Faut-il un compte ?**\n\nNon, aucun. [^1]",
    sources: [
      { n: 1, title: "Questions", section: "Faut-il un compte ?", url: "https://docs.exemple.fr/faq#compte" },
    ],
  })
  expect(text("que demande-t-on ?", passages)).toBe("Voici ce que l’on nous demande.")
})

test("a sentence that occurs twice is quoted from the relevant place, without the text in between", () => {
  const end =
    "Redémarrez le service. Le nouveau port d’écoute est alors pris en compte par toutes les connexions, celles du tableau de bord comme celles des visiteurs, sans que personne ait à recharger sa page ni à changer son adresse."
  const twice = passage("port", "Port", `Redémarrez le service. ${"Attendez un peu. ".repeat(40)}\n\n${end}`)
  const quoted = text("redémarrez le service pour que le nouveau port soit pris en compte", [twice])
  expect(quoted).toEndWith(end)
  expect(quoted.length).toBeLessThan(2 * end.length)
})

test.each([
  "Le mot de passe est oublié, dit-il. Cliquez sur le lien reçu.",
  "Le port est pris. Changez-le vite.",
])("a short word ends a sentence as well as a long one: %j", (markdown) => {
  expect(rangeUnits(markdown, 0, markdown.length, "fr")).toHaveLength(2)
})

test.each([
  "Comptez un port, p. ex. Ouvert au public, par machine.",
  "Selon l’art. L. 121 du code, cf. Annexe, rien n’est dû à M. Martin.",
])("the full stop of an abbreviation ends no sentence: %j", (markdown) => {
  expect(rangeUnits(markdown, 0, markdown.length, "fr")).toHaveLength(1)
})

test("the paragraph that names what is asked for is quoted, whatever stands above it and in the title", () => {
  const hours = passage(
    "horaires",
    "Mairie de Valmorin",
    "La piscine ferme à 19 h 30 pendant toute la semaine.\n\nLa mairie ferme à 17 h, le vendredi à 16 h.",
    ["Horaires"],
  )
  expect(text("À quelle heure ferme la mairie ?", [hours])).toBe(
    "La mairie ferme à 17 h, le vendredi à 16 h.",
  )
  expect(text("À quelle heure ferme la piscine ?", [hours])).toStartWith("La piscine ferme à 19 h 30")
})

test("where a question names nothing but the kind of fact, what gives it is quoted, whatever the site calls it", () => {
  const team = passage(
    "equipe",
    "L'équipe",
    "Le bureau se réunit le lundi et répond aux questions des membres.",
  )
  const place = passage("club", "Nous trouver", "Piscine municipale, 12 rue du Moulin, 24270 Sarlande.")
  const question = asked("C'est quoi votre adresse ?", [team, place])
  const words = question.words.map((word) => ({ ...word, frequency: 0, specificity: 0 }))
  const [first] = extract({ ...question, words }).quotations
  expect(first?.judged.markdown).toContain("12 rue du Moulin")
  expect(first?.match.share).toBe(1)
})
