import { beforeAll, describe, expect, test } from "bun:test"
import type { Answerer } from "../../../src/assistant/answerer.ts"
import { citedAnswer, maxAnswerCharacters } from "../../../src/assistant/ask/answer.ts"
import { type Answered, answerTimeoutMs, outcomeOf, type Wanted } from "../../../src/assistant/ask/outcome.ts"
import type { Passage } from "../../../src/assistant/documents/document.ts"
import { splitDocument } from "../../../src/assistant/documents/passages.ts"
import { completed } from "../../../src/assistant/extractive/complete.ts"
import { extractive } from "../../../src/assistant/extractive/extract.ts"
import { quotations } from "../../../src/assistant/extractive/quote.ts"
import { unitsOf } from "../../../src/assistant/extractive/units.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../../src/assistant/index/lance.ts"
import { noAnswer } from "../../../src/wording/assistant.fr.ts"
import { type HostileText, harmless, hostileTexts } from "../../support/hostile-text.ts"
import { threadWorkedMs } from "../../support/processor.ts"
import { temporaryFolder } from "../../support/service.ts"

/**
 * What a hostile page may take of the thread that answers everybody, beyond what a harmless one of its size
 * takes.
 */
const mostMs = 100
const tries = 3
const url = "https://docs.exemple.fr/zorglub"
const question = "Comment se règle le zorglub ?"
const kilobyte = 1000

/** Is asked whatever the passages are worth. */
const always: Answerer = { ...extractive, leastConfidence: 0 }

/** As indexing stores a page today. */
function split(markdown: string): Passage[] {
  return splitDocument({
    path: "zorglub",
    url,
    title: "Le zorglub",
    sections: [{ headings: [], anchor: null, markdown: `Le zorglub se règle ainsi :\n\n${markdown}` }],
  })
}

/** As an index may hold it that was built when pages were not split everywhere. */
function whole(markdown: string): Passage[] {
  const passage = { document: "zorglub", url, title: "Le zorglub", headings: ["Régler"] }
  return [0, 1, 2].map((at) => ({
    ...passage,
    key: `zorglub#${at}`,
    markdown: `${markdown}\n\nzorglub ${at}`,
  }))
}

/**
 * Asks of an index that holds a page; the processor time of this thread is the least of three tries, none of
 * which knows the page.
 */
async function asked(passages: Passage[], question: string): Promise<{ ms: number; answered: Answered }> {
  using folder = temporaryFolder()
  await buildIndex(folder.path, "page_1", "fr", passages)
  let ms = Number.POSITIVE_INFINITY
  let answered: Answered | undefined
  for (let tried = 0; tried < tries; tried++) {
    using index = (await openIndex(folder.path, "page_1")) as PassageIndex
    const wanted: Wanted = { question, previous: [], language: "fr", page: undefined }
    const { signal } = new AbortController()
    const worked = threadWorkedMs()
    answered = await outcomeOf({ answerer: always, answerTimeoutMs, noAnswer }, index, wanted, signal)
    ms = Math.min(ms, worked())
  }
  return { ms, answered: answered as Answered }
}

const pages: [kind: string, passagesOf: (markdown: string) => Passage[]][] = [
  ["split", split],
  ["stored whole", whole],
]

describe.each(pages)("a page that is %s", (kind, passagesOf) => {
  const harmlessMs = new Map<number, number>()

  async function harmlessOf(size: number): Promise<number> {
    const known = harmlessMs.get(size) ?? (await asked(passagesOf(harmless(size)), question)).ms
    harmlessMs.set(size, known)
    return known
  }

  async function holdsNobodyUp(text: HostileText, size: number): Promise<void> {
    const passages = passagesOf(text(size))
    const { ms, answered } = await asked(passages, question)
    if (kind === "split") expect(answered.retrieval.ranked).not.toBeEmpty()
    expect(answered.outcome.answer.length).toBeLessThanOrEqual(maxAnswerCharacters + kilobyte)
    for (const { title, section, url } of answered.outcome.sources)
      expect(title.length + (section?.length ?? 0) + url.length).toBeLessThan(3 * kilobyte)
    expect(ms).toBeLessThan((await harmlessOf(size)) + mostMs)
  }

  beforeAll(async () => {
    await harmlessOf(120 * kilobyte)
  }, 60_000)

  test.each([...hostileTexts])("%s", (_, text) => holdsNobodyUp(text, 120 * kilobyte), 60_000)
  test.each(
    [
      "a paragraph without a full stop",
      "letters",
      "list items without words, apart",
      "code of many lines",
    ].map((name) => [name, hostileTexts.get(name) as HostileText] as const),
  )("3 MB of %s", (_, text) => holdsNobodyUp(text, 3000 * kilobyte), 120_000)
})

/** Each by itself, far beyond what a passage may have: no bound hides what takes a square of its text. */
describe("units and their quotation", () => {
  const size = 120 * kilobyte

  function workOf(text: string): number {
    const least = Array.from({ length: tries }, () => {
      const worked = threadWorkedMs()
      const units = completed(unitsOf(text, 0, text.length, "fr"))
      quotations(text, units)
      return worked()
    })
    return Math.min(...least)
  }

  function markingOf(text: string): number {
    const [passage] = whole(text) as [Passage]
    const least = Array.from({ length: tries }, () => {
      const worked = threadWorkedMs()
      citedAnswer([{ markdown: text.slice(0, maxAnswerCharacters - 1), passages: [passage] }], [passage])
      return worked()
    })
    return Math.min(...least)
  }

  const harmlessUnits = workOf(harmless(size))
  const harmlessMarks = markingOf(harmless(size))

  test.each([...hostileTexts])("%s", (_, text) => {
    expect(workOf(text(size))).toBeLessThan(harmlessUnits + mostMs)
    expect(markingOf(text(size))).toBeLessThan(harmlessMarks + mostMs)
  })
})
