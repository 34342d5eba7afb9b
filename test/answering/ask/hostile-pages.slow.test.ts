import { beforeAll, describe, expect, test } from "bun:test"
import type { Answerer } from "../../../src/answering/answerer.ts"
import {
  type AnsweredQuestion,
  type AnswerRequest,
  answerQuestion,
  answerTimeoutMs,
} from "../../../src/answering/ask/answer.ts"
import { maxAnswerCharacters } from "../../../src/answering/ask/citations.ts"
import { undivided } from "../../../src/answering/editions/edition-index.ts"
import { extract, extractive } from "../../../src/answering/extractive/extract.ts"
import { systemClock } from "../../../src/base/clock.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../../src/index/lance/lance.ts"
import type { Passage } from "../../../src/reading/formats/document.ts"
import { splitDocument } from "../../../src/reading/passages/split-document.ts"
import { fromOtherEdition, goesOn } from "../../../src/wording/assistant.fr.ts"
import { citedAnswer } from "../../support/citations.ts"
import { type HostileText, harmless, hostileTexts } from "../../support/hostile-text.ts"
import { threadWorkedMs } from "../../support/processor.ts"
import { temporaryFolder } from "../../support/service.ts"

/** Times as much of the main thread's time as a harmless page of its size: a square would take thousands. */
const mostTimes = 60
const tries = 3
const url = "https://docs.exemple.fr/zorglub"
const question = "Comment se règle le zorglub ?"
const kilobyte = 1000

/** Answers whatever the confidence of retrieval. */
const always: Answerer = { ...extractive, leastConfidence: 0 }

/** Passages as indexing makes them. */
function split(markdown: string): Passage[] {
  return splitDocument({
    path: "zorglub",
    url,
    title: "Le zorglub",
    sections: [{ headings: [], anchor: null, markdown: `Le zorglub se règle ainsi :\n\n${markdown}` }],
  })
}

/** Passages as an old index may hold them, from before long text without structure was split. */
function whole(markdown: string): Passage[] {
  const passage = { document: "zorglub", url, title: "Le zorglub", headings: ["Régler"] }
  return [0, 1, 2].map((at) => ({
    ...passage,
    key: `zorglub#${at}`,
    markdown: `${markdown}\n\nzorglub ${at}`,
  }))
}

/**
 * Asks an index of one page. `ms` is the processor time of this thread, the least of three tries with a newly
 * opened index each, fewer once one takes less than `enoughMs`.
 */
async function ask(
  passages: Passage[],
  question: string,
  enoughMs = 0,
): Promise<{ ms: number; answered: AnsweredQuestion }> {
  using folder = temporaryFolder()
  await buildIndex(folder.path, "page_1", "fr", passages)
  let ms = Number.POSITIVE_INFINITY
  let answered: AnsweredQuestion | undefined
  for (let tried = 0; tried < tries && ms >= enoughMs; tried++) {
    using index = (await openIndex(folder.path, "page_1")) as PassageIndex
    const request: AnswerRequest = { question, previous: [], language: "fr", page: undefined }
    const { signal } = new AbortController()
    const worked = threadWorkedMs()
    answered = await answerQuestion(
      { answerer: always, answerTimeoutMs, goesOn, fromOtherEdition, clock: systemClock },
      undivided(index),
      request,
      signal,
    )
    ms = Math.min(ms, worked())
  }
  return { ms, answered: answered as AnsweredQuestion }
}

const pages: [kind: string, passagesOf: (markdown: string) => Passage[]][] = [
  ["split", split],
  ["stored whole", whole],
]

describe.each(pages)("a page that is %s", (kind, passagesOf) => {
  const harmlessMs = new Map<number, number>()

  async function harmlessOf(size: number): Promise<number> {
    const known = harmlessMs.get(size) ?? (await ask(passagesOf(harmless(size)), question)).ms
    harmlessMs.set(size, known)
    return known
  }

  async function expectQuick(text: HostileText, size: number): Promise<void> {
    const mostMs = mostTimes * (await harmlessOf(size))
    const { ms, answered } = await ask(passagesOf(text(size)), question, mostMs)
    if (kind === "split") expect(answered.retrieval.ranked).not.toBeEmpty()
    expect(answered.result.answer.length).toBeLessThanOrEqual(maxAnswerCharacters + kilobyte)
    for (const { title, section, url } of answered.result.sources)
      expect(title.length + (section?.length ?? 0) + url.length).toBeLessThan(3 * kilobyte)
    expect(ms).toBeLessThan(mostMs)
  }

  beforeAll(async () => {
    await harmlessOf(120 * kilobyte)
    // Compiles what only pages of many small pieces run through.
    const items = hostileTexts.get("list items without words, apart") as HostileText
    for (let time = 0; time < 2; time++) await ask(passagesOf(items(120 * kilobyte)), question)
  })

  test.each([...hostileTexts])("%s", (_, text) => expectQuick(text, 120 * kilobyte))
  test.each(
    [
      "a paragraph without a full stop",
      "letters",
      "list items without words, apart",
      "code of many lines",
    ].map((name) => [name, hostileTexts.get(name) as HostileText] as const),
  )("3 MB of %s", (_, text) => expectQuick(text, 3000 * kilobyte))
})

/** Each step by itself and far above the size of a passage, so that no bound hides quadratic time. */
describe("units and their quotation", () => {
  const size = 120 * kilobyte

  /** The least of three tries, fewer once one takes less than `enoughMs`. */
  function leastMs(work: () => void, enoughMs: number): number {
    let ms = Number.POSITIVE_INFINITY
    for (let tried = 0; tried < tries && ms >= enoughMs; tried++) {
      const worked = threadWorkedMs()
      work()
      ms = Math.min(ms, worked())
    }
    return ms
  }

  function quotingMs(text: string, enoughMs = 0): number {
    return leastMs(() => {
      const [passage] = whole(text) as [Passage]
      const found = [{ passage, row: 0, score: 1, words: 1, meaning: undefined }]
      extract({ question: "", language: "fr", terms: [], words: [], found })
    }, enoughMs)
  }

  function citingMs(text: string, enoughMs = 0): number {
    const [passage] = whole(text) as [Passage]
    const pieces = [{ markdown: text.slice(0, maxAnswerCharacters - 1), passages: [passage] }]
    return leastMs(() => {
      for (let time = 0; time < 100; time++) citedAnswer(pieces, [passage])
    }, enoughMs)
  }

  const harmlessQuotingMs = quotingMs(harmless(size))
  const harmlessCitingMs = citingMs(harmless(size))

  test.each([...hostileTexts])("%s", (_, text) => {
    const [mostQuotingMs, mostCitingMs] = [mostTimes * harmlessQuotingMs, mostTimes * harmlessCitingMs]
    expect(quotingMs(text(size), mostQuotingMs)).toBeLessThan(mostQuotingMs)
    expect(citingMs(text(size), mostCitingMs)).toBeLessThan(mostCitingMs)
  })
})
