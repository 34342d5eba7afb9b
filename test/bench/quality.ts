/**
 * Quality on several documentations: of retrieval by words alone, by meaning alone, by both as a visitor gets it, and
 * by MiniSearch on the same analysed text; and of the answers, by words alone and by both.
 *
 *   bun test/bench/quality.ts --shared ../shared [--set NAME]… [--docs NAME-en=FOLDER]… [--data FOLDER]
 *     [--only finding,answers,typos] [--print FILE]
 *
 * `--only answers` asks each question once, as a visitor does. `--print` writes each question with its answer, to be
 * read beside its page; what that showed is in data/operate/measure.md.
 */
import { parseArgs } from "node:util"
import type { AnswerDeps } from "../../src/answering/ask/answer.ts"
import { undivided } from "../../src/answering/editions/edition-index.ts"
import { extractive } from "../../src/answering/extractive/extract.ts"
import { leastConfidence } from "../../src/answering/generative/generate.ts"
import { holdsText, scoreAnswers } from "../../src/owners/evaluation/answer-scores.ts"
import { evaluateQuestion, rankedPassages } from "../../src/owners/evaluation/evaluate.ts"
import type { EvalQuestion } from "../../src/owners/evaluation/question-file.ts"
import { type EvalReply, scoreReplies } from "../../src/owners/evaluation/scores.ts"
import { type Corpus, openCorpora } from "./corpora.ts"
import { say } from "./figures.ts"
import { miniSearchOf } from "./minisearch.ts"
import { mistyped } from "./mistyped.ts"

type Reply = [EvalQuestion, EvalReply]
type Row = Record<string, string>

await using all = await openCorpora()
const { corpora, deps: both } = all
const words = { ...both, understanding: undefined }
/** Answers whatever would be worth a call of a language model. */
const passing = { ...both, answerer: { ...extractive, leastConfidence } }
const { values } = parseArgs({
  options: { only: { type: "string" }, print: { type: "string" } },
  strict: false,
})
const parts = new Set(String(values.only ?? "finding,answers,typos").split(","))
const isQuick = values.only === "answers"
const found: Row[] = []
const answers: Row[] = []
const typos: Row[] = []
const read: string[] = []
for (const corpus of corpora) {
  const byBoth = await byGuichet(corpus, both)
  const byWords = isQuick ? [] : await byGuichet(corpus, words)
  if (parts.has("finding"))
    found.push(
      findingRow(corpus, "words", byWords),
      findingRow(corpus, "meaning", await byMeaning(corpus)),
      findingRow(corpus, "both", byBoth),
      findingRow(corpus, "MiniSearch", byMiniSearch(corpus)),
    )
  if (isQuick) answers.push(answersRow(corpus, "both", byBoth, []))
  else if (parts.has("answers"))
    answers.push(
      answersRow(corpus, "words", byWords, []),
      answersRow(corpus, "both", byBoth, await byGuichet(corpus, passing)),
    )
  if (parts.has("typos")) {
    const wrong = { ...corpus, questions: corpus.questions.map(mistyped) }
    typos.push(
      typosRow(corpus, "words", await byGuichet(wrong, words)),
      typosRow(corpus, "both", await byGuichet(wrong, both)),
      typosRow(corpus, "MiniSearch", byMiniSearch(wrong)),
      typosRow(corpus, "MiniSearch, fuzzy", byMiniSearch(wrong, { fuzzy: 0.2 })),
    )
  }
  read.push(...byBoth.filter(([{ kind }]) => kind !== "outside").map((reply) => asRead(corpus, reply)))
}
for (const [title, rows] of [
  ["Finding a right page", found],
  ["Answers", answers],
  ["With a typing error in each question", typos],
] as const)
  if (rows.length > 0) say(`${title}\n${Bun.inspect.table(rows)}`)
if (typeof values.print === "string") await Bun.write(values.print, read.join("\n"))

/** One question as the visitor sees it answered, with the texts that would answer it. */
function asRead({ name, answers }: Corpus, [question, reply]: Reply): string {
  const wanted = question.answerable
    ? (answers.get(question.id)?.map((text) => `«${text}»`) ?? ["?"])
    : ["none"]
  const answer = reply.answered ? reply.text : `REFUSED (${reply.ranked.slice(0, 3).join(", ")})`
  return `### ${name} ${question.id} ${question.question}\nwanted: ${wanted.join(" or ")}\n\n${answer}\n`
}

async function byGuichet({ questions, language, index }: Corpus, deps: AnswerDeps): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const question of questions)
    replies.push([question, await evaluateQuestion(deps, undivided(index), language, question)])
  return replies
}

/** The passages whose vectors are nearest to the question's. A follow-up is left out: nothing says what it means. */
async function byMeaning({ questions, index }: Corpus): Promise<Reply[]> {
  const replies: Reply[] = []
  const { signal } = new AbortController()
  for (const question of questions.filter(isAnswerableAlone)) {
    const vector = await both.understanding?.vectorOf(question.question, signal)
    const nearest = vector ? await index.nearest(vector.specific, rankedPassages) : []
    replies.push([question, rankedOnly(nearest.map(({ passage }) => passage))])
  }
  return replies
}

function byMiniSearch({ passages, questions, language }: Corpus, options?: { fuzzy: number }): Reply[] {
  const search = miniSearchOf(passages, language, options)
  return questions
    .filter(isAnswerableAlone)
    .map((question) => [question, rankedOnly(search(question.question).slice(0, rankedPassages))])
}

function isAnswerableAlone({ answerable, previous }: EvalQuestion): boolean {
  return answerable && previous === undefined
}

function rankedOnly(passages: readonly { document: string }[]): EvalReply {
  return { ranked: passages.map(({ document }) => document), answered: false, text: "", cited: [] }
}

function findingRow({ name, passages, questions }: Corpus, retrieval: string, replies: Reply[]): Row {
  const { hit1, hit5, mrr10, followup_hit5 } = scoreReplies(replies)
  return {
    documentation: name,
    passages: String(passages.length),
    questions: String(questions.filter(isAnswerableAlone).length),
    retrieval,
    "hit@1": number(hit1),
    "hit@5": number(hit5),
    "MRR@10": number(mrr10),
    "hit@5 of follow-ups": number(followup_hit5),
  }
}

function answersRow({ name, answers }: Corpus, retrieval: string, replies: Reply[], passed: Reply[]): Row {
  const { holds, held_early, blocks, refused, near_topic, outside, words } = scoreAnswers(replies, answers)
  const judged = replies.filter(([{ id, answerable }]) => answerable && (answers.get(id)?.length ?? 0) > 0)
  return {
    documentation: name,
    retrieval,
    holds: number(holds),
    held_early: number(held_early),
    blocks: number(blocks),
    refused: judged.length > 0 ? `${refused} of ${judged.length}` : "–",
    near_topic: number(near_topic),
    "holds − wrong − near": net(replies, answers),
    outside: number(outside),
    words: words ? `${words.median}, ${words.p90}` : "–",
    answered: number(answeredShare(replies, ({ answerable }) => answerable)),
    "cites a right page": number(scoreReplies(replies).cited),
    "worth a model": number(answeredShare(passed, ({ answerable }) => answerable)),
    "… outside": number(answeredShare(passed, ({ kind }) => kind === "outside")),
  }
}

/**
 * A wrong answer and one to a question near the topic count as much as a right one, over all questions that have
 * answering texts or none on the site.
 */
function net(replies: readonly Reply[], answers: Corpus["answers"]): string {
  const counted = replies.flatMap(([{ id, answerable, kind }, reply]) => {
    const texts = answerable ? (answers.get(id) ?? []) : []
    if (answerable ? texts.length === 0 : kind === "outside") return []
    return [!reply.answered ? 0 : holdsText(reply.text, texts) ? 1 : -1]
  })
  return counted.length === 0
    ? "–"
    : number(counted.reduce((sum: number, each) => sum + each, 0) / counted.length)
}

function typosRow({ name }: Corpus, retrieval: string, replies: Reply[]): Row {
  const isEngine = retrieval.startsWith("MiniSearch")
  return {
    documentation: name,
    retrieval,
    "hit@5": number(scoreReplies(replies).hit5),
    "answered: answerable": isEngine ? "–" : number(answeredShare(replies, isAnswerableAlone)),
    "answered: outside": number(answeredShare(replies, ({ kind }) => kind === "outside")),
  }
}

/** Answered share of the chosen questions; null when none is chosen. */
function answeredShare(
  replies: readonly Reply[],
  chosen: (question: EvalQuestion) => boolean,
): number | null {
  const asked = replies.filter(([question]) => chosen(question))
  return asked.length === 0 ? null : asked.filter(([, { answered }]) => answered).length / asked.length
}

function number(value: number | null): string {
  return value === null ? "–" : value.toFixed(3)
}
