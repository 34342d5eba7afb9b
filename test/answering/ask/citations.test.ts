import { expect, test } from "bun:test"
import type { AnswerPiece } from "../../../src/answering/answerer.ts"
import {
  type CitedAnswer,
  maxAnswerCharacters,
  withoutMarkers,
} from "../../../src/answering/ask/citations.ts"
import type { Passage } from "../../../src/reading/formats/document.ts"
import { citedAnswer } from "../../support/citations.ts"
import { passage } from "../../support/passages.ts"

const a = passage("a", "Page A", "…")
const b = passage("b", "Page B", "…", ["Installer", "Sous Linux"])
const c = passage("c", "Page C", "…", ["Ailleurs"])
const retrieved = [a, b, c]

const piece = (markdown: string, ...passages: Passage[]): AnswerPiece => ({ markdown, passages })
const cited = (...pieces: AnswerPiece[]) => citedAnswer(pieces, retrieved) as CitedAnswer
const answerOf = (...pieces: AnswerPiece[]) => cited(...pieces).answer

test("sources are numbered by first use, and are exactly those used", () => {
  expect(cited(piece("Un.", c), piece("Deux.", a), piece("Trois.", c))).toEqual({
    answer: "Un. [^1]\n\nDeux. [^2]\n\nTrois. [^1]",
    sources: [
      { n: 1, title: "Page C", section: "Ailleurs", url: c.url },
      { n: 2, title: "Page A", section: null, url: a.url },
    ],
  })
})

test("the section is the last heading, or null before the first", () => {
  expect(cited(piece("Un.", b)).sources[0]?.section).toBe("Sous Linux")
  expect(cited(piece("Un.", a)).sources[0]?.section).toBeNull()
})

test("a piece with two passages carries both markers", () => {
  expect(answerOf(piece("Un.", b, a))).toBe("Un. [^1][^2]")
})

test("two passages of one section are one source", () => {
  const rest = { ...b, key: "b#2" }
  expect(citedAnswer([piece("Un.", b), piece("Deux.", rest)], [b, rest])?.sources).toHaveLength(1)
})

test("a piece whose passage was not retrieved is dropped; without a piece there is no answer", () => {
  const stranger = passage("z", "Page Z", "…")
  expect(cited(piece("Faux.", stranger), piece("Vrai.", a, stranger))).toMatchObject({
    answer: "Vrai. [^1]",
    sources: [{ n: 1 }],
  })
  expect(citedAnswer([piece("Faux.", stranger), piece("Sans source.")], retrieved)).toBeUndefined()
  expect(citedAnswer([], retrieved)).toBeUndefined()
  expect(citedAnswer([piece(" \n", a)], retrieved)).toBeUndefined()
})

test("title and url are those of the passage that was retrieved, whatever the piece claims", () => {
  expect(cited(piece("Un.", { ...a, title: "Faux", url: "https://evil.com" })).sources[0]).toMatchObject({
    title: "Page A",
    url: a.url,
  })
})

test("sentences of one passage form a paragraph, others a paragraph each", () => {
  expect(answerOf(piece("Un.", a), piece("Deux.", a), piece("Trois.", b))).toBe(
    "Un. [^1] Deux. [^1]\n\nTrois. [^2]",
  )
})

test("a list stays a list, each item with its marker", () => {
  expect(
    answerOf(piece("Il faut :", a), piece("- du sel", a), piece("- de l’eau", a), piece("Fin.", a)),
  ).toBe("Il faut : [^1]\n\n- du sel [^1]\n- de l’eau [^1]\n\nFin. [^1]")
  expect(answerOf(piece("1. un", a), piece("2. deux", a))).toBe("1. un [^1]\n2. deux [^1]")
})

test("an item after a marker on a line of its own is still an item", () => {
  const answer = answerOf(piece("2. Lancez :\n\n   ```sh\n   x\n   ```", a), piece("3. Attendez.", a))
  expect(answer).toEndWith("```\n\n[^1]\n\n3. Attendez. [^1]")
  expect(Bun.markdown.html(answer)).toContain('<ol start="3">')
})

test("the marker of a code block or a table is on a line below it", () => {
  const code = "```sh\nguichet serve\n```"
  expect(answerOf(piece("Lancez :", a), piece(code, a))).toBe(`Lancez : [^1]\n\n${code}\n\n[^1]`)
  expect(answerOf(piece("- Lancez :\n\n  ```sh\n  x\n  ```", a))).toEndWith("```\n\n[^1]")
  expect(answerOf(piece("| a |\n| --- |\n| b |", a))).toEndWith("| b |\n\n[^1]")
})

test.each([
  ["Une note[^1] ici.", "Une note ici. [^1]"],
  ["Une note[^note] ici.", "Une note ici. [^1]"],
  ["Échappée \\[^2] ici.", "Échappée ici. [^1]"],
  ["Emboîtée [[^x]^1] ici.", "Emboîtée ici. [^1]"],
  ["[^1]: Le texte de la note.", "Le texte de la note. [^1]"],
])("a passage's own footnote in %j does not look like a marker", (markdown, answer) => {
  expect(answerOf(piece(markdown, a))).toBe(answer)
})

test("code is unchanged", () => {
  expect(answerOf(piece("Écrivez `[^note]` ou `[^a-z]`.", a))).toBe("Écrivez `[^note]` ou `[^a-z]`. [^1]")
  expect(answerOf(piece("```\n[^note]: x\n```", a))).toContain("[^note]: x")
})

test("a piece whose code looks like a marker is dropped", () => {
  expect(answerOf(piece("Écrivez `[^1]`.", a), piece("```\n[^7]\n```", a), piece("Reste.", b))).toBe(
    "Reste. [^1]",
  )
})

test("a quotation from a passage of several sections cites its own section", () => {
  const both: Passage = {
    ...a,
    markdown: "**Installer**\n\nCopiez-le.\n\n**Retirer**\n\nEffacez-le.",
    sections: [
      { from: 0, heading: "Installer", url: `${a.url}#installer` },
      { from: 27, heading: "Retirer", url: `${a.url}#retirer` },
    ],
  }
  const { sources } = citedAnswer(
    [piece("Effacez-le.", both), piece("Copiez-le.", both)],
    [both],
  ) as CitedAnswer
  expect(sources.map(({ section, url }) => [section, url])).toEqual([
    ["Retirer", `${a.url}#retirer`],
    ["Installer", `${a.url}#installer`],
  ])
  // A paraphrase cites the section that shares most of its words, or the passage if none shares any.
  expect(citedAnswer([piece("Pour le retirer, on l’efface.", both)], [both])?.sources[0]).toMatchObject({
    section: "Retirer",
    url: `${a.url}#retirer`,
  })
  expect(citedAnswer([piece("On l’efface.", both)], [both])?.sources[0]?.url).toBe(a.url)
})

test("an earlier answer is context without its markers", () => {
  expect(withoutMarkers("Un. [^1] Deux. [^1][^12]\n\nTrois.")).toBe("Un. Deux.\n\nTrois.")
})

test("a piece that would make the answer too long is left out", () => {
  const long = "mot ".repeat(maxAnswerCharacters / 6)
  const { answer } = cited(piece(`Un ${long}`, a), piece(`Deux ${long}`, b), piece("Trois.", c))
  expect(answer).toStartWith("Un mot")
  expect(answer).not.toContain("Deux")
  expect(answer).toEndWith("Trois. [^2]")
})

test("deeply nested footnotes never look like a marker", () => {
  for (const markdown of ["[[[[^a]^b]^c]^1] Fin.", `${"[^a".repeat(500)}${"]".repeat(500)} Fin.`])
    expect(citedAnswer([piece(markdown, a)], retrieved)?.answer ?? "").not.toMatch(/\[\^\d+\](?! ?$)/)
})

test("a quotation that is cut leads to the page that it is on, within its citation", () => {
  const { answer, sources } = cited({ ...piece("- Un.", a), isCut: true }, piece("Deux.", a))
  expect(answer).toBe(`- Un.\n\n[Suite](${a.url}) [^1]\n\nDeux. [^1]`)
  expect(sources).toHaveLength(1)
  const odd = { ...a, key: "odd", url: "https://docs.exemple.fr/a)(b" }
  expect(citedAnswer([{ ...piece("- Un.", odd), isCut: true }], [odd])?.answer).toBe("- Un. [^1]")
})
