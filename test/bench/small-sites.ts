import { listProjects } from "../../src/accounts/project.ts"
import { retrievePassages } from "../../src/answering/ask/retrieve.ts"
import { thresholds } from "../../src/answering/retrieval/thresholds.ts"
import { sha256 } from "../../src/base/hash.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../src/index/lance/lance.ts"
import { holdsText, plain } from "../../src/owners/evaluation/answer-scores.ts"
import type { EvalQuestion } from "../../src/owners/evaluation/question-file.ts"
import type { Passage } from "../../src/reading/formats/document.ts"
import { temporaryFolder } from "../support/service.ts"
import { type Corpus, openCorpora } from "./corpora.ts"
import { say } from "./figures.ts"

/**
 * What a site of a few pages answers: each documentation is cut into sites of about 12 and of about 5 pages,
 * by the hash of their names. A question that is answerable is asked on every site with a text that answers
 * it; one that is not, on the site of the page that was found first. Judged by the quotation, for a prudent project.
 *
 *   bun test/bench/small-sites.ts --shared ../shared [--set NAME]… [--docs NAME-fr=FOLDER]… [--data DIR]
 */
interface Judged {
  size: string
  passages: number
  answerable: boolean
  holds: boolean
  confidence: number
}

await using all = await openCorpora()
using folder = temporaryFolder()
const { signal } = new AbortController()
const { understanding } = all.deps
const vectors = new Map<string, ReturnType<NonNullable<typeof understanding>["vectorOf"]>>()
/** Most questions are asked on three sites. */
const sharing = understanding && {
  ...understanding,
  vectorOf(text: string) {
    const vector = vectors.get(text) ?? understanding.vectorOf(text, signal)
    vectors.set(text, vector)
    return vector
  },
}
const projects = await listProjects(all.app.db)
const judged: Judged[] = []
for (const corpus of all.corpora) {
  const inner = corpus.questions.filter(({ id, kind, answerable, previous }) => {
    const isJudged = !answerable || (corpus.answers.get(id)?.length ?? 0) > 0
    return kind !== "outside" && previous === undefined && isJudged
  })
  judged.push(...(await judgedOn("whole", corpus.index, inner, corpus)))
  for (const pages of [12, 5]) await cutInto(corpus, inner, pages)
}
const groups = [...Map.groupBy(judged, ({ size }) => size)]
const tiny = judged.filter(({ size, passages }) => size !== "whole" && passages <= 15)
say(
  Bun.inspect.table(
    [...groups, ["of at most 15 passages", tiny] as const].map(([size, ones]) => row(size, ones)),
  ),
)

async function cutInto(corpus: Corpus, questions: readonly EvalQuestion[], pages: number): Promise<void> {
  const { name, language, passages, answers, index } = corpus
  const documents = [...new Set(passages.map(({ document }) => document))]
  const parts = Math.round(documents.length / pages)
  if (parts < 2) return
  const inOrder = documents.toSorted((one, other) => (sha256(one) < sha256(other) ? -1 : 1))
  const partOf = new Map(inOrder.map((document, at) => [document, at % parts]))
  const sites = inOrder.slice(0, parts).map((_, part) => ({
    passages: passages.filter(({ document }) => partOf.get(document) === part),
    questions: [] as EvalQuestion[],
  }))
  for (const question of questions) {
    const texts = answers.get(question.id) ?? []
    const isAnswering = ({ markdown }: Passage) => texts.some((text) => plain(markdown).includes(plain(text)))
    if (question.answerable)
      for (const site of sites.filter(({ passages }) => passages.some(isAnswering)))
        site.questions.push(question)
    else {
      const { retrieval } = await found(index, question, corpus)
      const first = retrieval.ranked[0]?.passage.document
      if (first !== undefined) sites[partOf.get(first) as number]?.questions.push(question)
    }
  }
  const projectId = projects.find((project) => project.name === name)?.id as string
  for (const site of sites.filter(({ questions }) => questions.length > 0)) {
    const embedder = all.app.embeddings
      .passagesOf({ answers: "extractive" })
      ?.begin({ projectId, language, generation: Number.MAX_SAFE_INTEGER, signal, onProgress() {} })
    await buildIndex(folder.path, "site_1", language, site.passages, embedder)
    using small = (await openIndex(folder.path, "site_1")) as PassageIndex
    judged.push(...(await judgedOn(`${pages} pages`, small, site.questions, corpus)))
  }
}

async function judgedOn(
  size: string,
  index: PassageIndex,
  questions: readonly EvalQuestion[],
  corpus: Corpus,
): Promise<Judged[]> {
  const all: Judged[] = []
  for (const question of questions) {
    const { retrieval, quoted } = await found(index, question, corpus)
    const texts = question.answerable ? (corpus.answers.get(question.id) ?? []) : []
    const holds = quoted.some(({ markdown }) => holdsText(markdown, texts))
    const { confidence } = retrieval.decision
    all.push({ size, passages: index.passages, answerable: question.answerable, holds, confidence })
  }
  return all
}

function found(index: PassageIndex, { question }: EvalQuestion, { language }: Corpus) {
  return retrievePassages(sharing, index, { question, previous: [], language, page: undefined }, signal)
}

/** `net`: right less wrong less near, over all. */
function row(size: string, ones: readonly Judged[]) {
  const answered = ones.filter(({ confidence }) => confidence >= thresholds.prudent)
  const right = answered.filter(({ holds }) => holds).length
  const near = answered.filter(({ answerable }) => !answerable).length
  const answerable = ones.filter((one) => one.answerable).length
  const wrong = answered.length - right - near
  return {
    size,
    right: `${right} of ${answerable}`,
    wrong,
    refused: answerable - right - wrong,
    near: `${near} of ${ones.length - answerable}`,
    net: ((right - wrong - near) / ones.length).toFixed(3),
  }
}
