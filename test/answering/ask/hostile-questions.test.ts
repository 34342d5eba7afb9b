import { afterAll, expect, test } from "bun:test"
import { answerCacheKey } from "../../../src/answering/ask/earlier-answers.ts"
import { retrieve } from "../../../src/answering/retrieval/retrieve.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../../src/index/lance/lance.ts"
import { type HostileText, harmless, hostileTexts } from "../../support/hostile-text.ts"
import { passage } from "../../support/passages.ts"
import { threadWorkedMs } from "../../support/processor.ts"
import { temporaryFolder } from "../../support/service.ts"

/** Times as much of the main thread as a harmless question of maximum length, with earlier ones as long. */
const mostTimes = 15
const tries = 3
const longest = 1000

/** Makes new words on every call, so that no cache helps. */
let wordCount = 0
function words(length: number, count = longest / (length + 1)): string {
  const letters = "zqxkwjvbphgfmcdnrtslueoaiy"
  const word = () => {
    wordCount++
    return Array.from({ length }, (_, at) => letters[(wordCount * (at + 7) * 31 + at * at) % 26]).join("")
  }
  return Array.from({ length: count }, word).join(" ")
}

const questions = new Map<string, HostileText>([
  ...hostileTexts,
  ["mistyped words of five letters", () => words(5)],
  ["mistyped words of twelve letters", () => words(12)],
  ["mistyped words of 24 letters", () => words(24)],
  ["mistyped words of 63 letters", () => words(63)],
  ["one word of a thousand letters", () => words(longest, 1)],
  [
    "mistyped words that begin like many others",
    () => `${"conforz constiz contrez comprez recomaz ".repeat(5)}${words(9, 60)}`,
  ],
  ["names", () => `a ${words(6).replace(/\b\w/g, (letter) => letter.toUpperCase())}`.slice(0, longest)],
  [
    "500 words of a letter",
    () => Array.from({ length: 500 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(" "),
  ],
  ["letters that stand for eighteen", () => "\ufdfa ".repeat(longest / 2)],
])

const folder = temporaryFolder()
const everyLetter = Array.from({ length: 500 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(" ")
await buildIndex(folder.path, "pages_1", "fr", [
  ...Array.from({ length: 50 }, (_, at) => passage(`page${at}`, `Page ${at}`, `${harmless(1500)} mot${at}`)),
  passage("letters", "Lettres", everyLetter),
])
const index = (await openIndex(folder.path, "pages_1")) as PassageIndex
afterAll(() => {
  index[Symbol.dispose]()
  folder[Symbol.dispose]()
})

async function retrieved(text: HostileText) {
  let ms = Number.POSITIVE_INFINITY
  let terms = 0
  for (let tried = 0; tried < tries; tried++) {
    const question = () => text(longest).slice(0, longest).trim()
    const previous = [question(), question(), question()].map((question) => ({ question, answer: "" }))
    const wanted = { question: question(), previous, page: "/".repeat(512) }
    const worked = threadWorkedMs()
    const found = await retrieve(index, wanted)
    const project = { language: "fr", threshold: 0.5 } as const
    answerCacheKey({ ...wanted, ...project, generation: 1, answerer: "", synonyms: undefined })
    ms = Math.min(ms, worked())
    terms = found.terms.reduce((sum, { terms }) => sum + terms.length, 0)
  }
  return { ms, terms }
}

const { ms: harmlessMs } = await retrieved(harmless)

test.each([...questions])("a question of %s", async (_, text) => {
  const { ms, terms } = await retrieved(text)
  expect(terms).toBeLessThan(longest / 4)
  expect(ms / harmlessMs).toBeLessThan(mostTimes)
})
