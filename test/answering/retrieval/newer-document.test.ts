import { expect, test } from "bun:test"
import { retrievePassages } from "../../../src/answering/ask/retrieve.ts"
import { decideWhetherAnswered } from "../../../src/answering/retrieval/decide-whether-answered.ts"
import { isNewer } from "../../../src/answering/retrieval/newer-document.ts"
import { quoteModel } from "../../../src/answering/retrieval/quote-weights.ts"
import { questionVector } from "../../../src/index/embedding/embedder.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../../src/index/lance/lance.ts"
import { passage } from "../../support/passages.ts"
import { temporaryFolder } from "../../support/service.ts"
import { e5LikeEmbedder, e5LikeVector } from "../../support/vectors.ts"

// Of documents that differ by their date, the newest one answers.

test.each([
  ["years of the title", "a", "Charte financière 2022-2023", "b", "Charte financière 2021-2022"],
  ["days of the title", "a", "Conseil municipal du 24 juin 2022", "b", "Conseil municipal du 4 juin 2021"],
  ["an address in digits", "cr/CR_20220624", "Compte rendu", "cr/CR_20211126", "Compte rendu"],
  [
    "an address by day, month and year",
    "cr/CR_07_10_2022",
    "Compte rendu",
    "cr/CR_24_06_2022",
    "Compte rendu",
  ],
  ["a month against a year", "tarifs-2024", "Tarifs", "tarifs-2023-09", "Tarifs"],
  ["names of files", "minutes-2024-03-01", "March", "minutes-2023-11-07", "November"],
  ["names of files in words", "cr-conseil-24-juin-2022", "Juin", "cr-conseil-4-mars-2021", "Mars"],
] as const)("a document is newer by %s", (_, document, title, otherDocument, otherTitle) => {
  const [one, other] = [passage(document, title, "Texte."), passage(otherDocument, otherTitle, "Texte.")]
  expect([isNewer(one, other), isNewer(other, one)]).toEqual([true, false])
})

test("a text says from when on it holds, where neither title nor address does", () => {
  const one = passage("a", "Tarifs", "Tarifs applicables au 1er septembre 2026.")
  const other = passage("b", "Tarifs", "Tarifs applicables au 1er septembre 2025.")
  expect([isNewer(one, other), isNewer(other, one)]).toEqual([true, false])
})

test.each([
  [
    "another name",
    passage("a", "Charte financière 2023", "Texte."),
    passage("b", "Règlement 2022", "Texte."),
  ],
  [
    "another number in the address",
    passage("article34", "Fête 2024", "Texte."),
    passage("article12", "Tarifs 2023", "Texte."),
  ],
  [
    "another page of one script",
    passage("spip?page=34", "Fête 2024", "Texte."),
    passage("spip?page=12", "Tarifs 2023", "Texte."),
  ],
  [
    "a file of one format",
    passage("a/2024.pdf", "Fête", "Texte."),
    passage("a/2023.pdf", "Tarifs", "Texte."),
  ],
  ["no date", passage("a", "Charte", "Texte."), passage("b", "Charte 2022", "Texte.")],
  ["the day of an event", passage("a", "Fête", "Le 3 mai 2026."), passage("b", "Fête", "Le 4 mai 2025.")],
  ["one page", passage("a", "Tarifs 2026", "Texte."), passage("a", "Tarifs 2025", "Texte.")],
])("%s makes no document newer", (_, one, other) => {
  expect([isNewer(one, other), isNewer(other, one)]).toEqual([false, false])
})

const charter = (years: string, fee: string) =>
  passage(
    `charte-${years}`,
    `Charte financière ${years}`,
    `Les frais de première inscription sont de ${fee}, payables en une fois.`,
  )
const passages = [
  charter("2021-2022", "100 €"),
  charter("2022-2023", "250 €"),
  ...["Cantine", "Garderie", "Équipe", "Projet", "Contact"].map((title) =>
    passage(title.toLowerCase(), title, `La page ${title} parle de tout autre chose que de frais.`),
  ),
]

test("the newest of two charters is quoted, unless the question names a year", async () => {
  using folder = temporaryFolder()
  await buildIndex(folder.path, "ecole_1", "fr", passages, e5LikeEmbedder(quoteModel))
  using index = (await openIndex(folder.path, "ecole_1")) as PassageIndex
  const vectorOf = async (text: string) => questionVector(e5LikeVector(text), undefined)
  const quotedFor = async (question: string) => {
    const understanding = { embeddingName: quoteModel, standalone: async () => undefined, vectorOf }
    const asked = { question, previous: [], language: "fr" as const, page: undefined }
    const { retrieval } = await retrievePassages(understanding, index, asked, AbortSignal.timeout(60_000))
    const choices = retrieval.ranked
      .filter(({ passage: { title } }) => title.startsWith("Charte"))
      .map(({ passage: quoted }) => ({
        judged: { markdown: quoted.markdown, passages: [quoted] },
        match: { share: 0.8, nearness: 0.9, headingLikeness: 0 },
        // The older one would be first.
        score: quoted.title.includes("2021") ? 1.1 : 1,
      }))
    const { chosen } = await decideWhetherAnswered(index, retrieval, choices, vectorOf)
    return chosen?.judged.markdown
  }
  expect(await quotedFor("Combien coûte la première inscription ?")).toContain("250 €")
  expect(await quotedFor("Combien coûtait la première inscription en 2021 ?")).toContain("100 €")
})
