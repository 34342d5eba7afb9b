import { expect, test } from "bun:test"
import { groupQuestions } from "../../../src/owners/gaps/group-questions.ts"
import { timesPlainWork } from "../../support/processor.ts"

async function grouped(...questions: string[]): Promise<string[][]> {
  const asked = questions.map((question, index) => ({ question, askedAt: index }))
  return (await groupQuestions(asked, "fr")).map(({ question, others }) => [question, ...others])
}

test("questions that share most words are one group, named by the most frequent phrasing", async () => {
  expect(
    await grouped(
      "Exporter la facture en PDF ?",
      "exporter FACTURE",
      "Exporter une facture ?",
      "Un remboursement ?",
    ),
  ).toEqual([["exporter FACTURE", "Exporter la facture en PDF ?"], ["Un remboursement ?"]])
})

test("a question of small words alone is one, however it is punctuated, written large or accented", async () => {
  const asked = [
    "Et vous ?",
    "et vous",
    "ET VOUS ???",
    "et vous…",
    "Et, vous !",
    "et vous?",
    "«\u00a0Et vous\u00a0»",
  ]
  const at = asked.map((question, askedAt) => ({ question, askedAt }))
  expect((await groupQuestions(at, "fr")).map(({ times }) => times)).toEqual([7])
})

test("a question that is equally similar to two groups joins the earlier one", async () => {
  const both = ["Livraison colis remise facture ?", "Facture remise colis livraison ?"]
  for (const question of both)
    expect(await grouped("Remise facture ?", "Livraison colis ?", question)).toEqual([
      ["Remise facture ?", question],
      ["Livraison colis ?"],
    ])
})

test("two thousand long questions are grouped in an instant", async () => {
  const letters = "bcdfglmnprstv"
  const word = (number: number) =>
    [number % 13, Math.floor(number / 13) % 13, Math.floor(number / 169) % 13]
      .map((letter) => `${letters[letter]}a`)
      .join("")
  const questions = Array.from({ length: 2000 }, (_, place) =>
    Array.from({ length: 60 }, (_, step) => word((place + 1) * (step + 3) ** 3)).join(" "),
  )
  expect(await timesPlainWork(() => grouped(...questions), 150)).toBeLessThan(150)
})

test("grouping yields to the event loop", async () => {
  const asked = Array.from({ length: 2000 }, (_, at) => ({
    question: `zorglub${at} `.repeat(100),
    askedAt: at,
  }))
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await groupQuestions(asked, "fr")
  isOver = true
  expect(turns).toBeGreaterThan(100)
})

test("two thousand questions of five hundred words of a letter are grouped in an instant", async () => {
  const letter = (place: number) => String.fromCodePoint(0x4e00 + (place % 1500))
  const questions = Array.from({ length: 2000 }, (_, place) =>
    Array.from({ length: 500 }, (_, step) => letter(place * 7 + step * 3)).join(" "),
  )
  expect(await timesPlainWork(() => grouped(...questions), 150)).toBeLessThan(150)
})
