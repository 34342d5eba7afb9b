import { answerTimeoutMs } from "../../src/assistant/ask/answer.ts"
import { evaluateQuestion } from "../../src/assistant/evaluation/evaluate.ts"
import type { EvalQuestion } from "../../src/assistant/evaluation/question-file.ts"
import { type EvalReply, type EvalScores, scoresOf } from "../../src/assistant/evaluation/scores.ts"
import { extractive } from "../../src/assistant/extractive/extract.ts"
import type { PassageIndex } from "../../src/assistant/index/lance.ts"
import { noAnswer } from "../../src/wording/assistant.fr.ts"
import { type Corpus, corporaOfArguments, indexed } from "./corpora.ts"
import { miniSearchOf } from "./minisearch.ts"
import { mistyped } from "./mistyped.ts"

type Reply = [EvalQuestion, EvalReply]

/**
 * Quality of retrieval, refusal and answers on several documentations, compared with MiniSearch on the same
 * analysed text.
 *
 *   bun test/bench/quality.ts --shared ../shared [--docs NAME-en=FOLDER]…
 */
const table: Record<string, Record<string, string>> = {}
for (const corpus of await corporaOfArguments()) {
  using ready = await indexed(corpus)
  const typos = { ...corpus, questions: corpus.questions.map(mistyped) }
  table[corpus.name] = {
    ...described(corpus, await byGuichet(corpus, ready.index), scoresOf(byMiniSearch(corpus))),
    ...describedMistyped(
      await byGuichet(typos, ready.index),
      scoresOf(byMiniSearch(typos)),
      scoresOf(byMiniSearch(typos, { fuzzy: 0.2 })),
    ),
  }
}
process.stdout.write(`${Bun.inspect.table(transposed(table))}\n`)

async function byGuichet({ questions, language }: Corpus, index: PassageIndex): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const question of questions)
    replies.push([
      question,
      await evaluateQuestion({ answerer: extractive, answerTimeoutMs, noAnswer }, index, language, question),
    ])
  return replies
}

function byMiniSearch({ passages, questions, language }: Corpus, options?: { fuzzy: number }): Reply[] {
  const search = miniSearchOf(passages, language, options)
  return questions
    .filter(({ answerable }) => answerable)
    .map((question) => {
      const ranked = search(question.question).slice(0, 60)
      return [
        question,
        { ranked: ranked.map(({ document }) => document), answered: false, text: "", cited: [] },
      ]
    })
}

function described(corpus: Corpus, replies: readonly Reply[], mini: EvalScores) {
  const ours = scoresOf(replies)
  const answered = answeredOf(replies)
  const kinds = ["outside", "offtopic", "adversarial", "neartopic", "absentfact"]
  return {
    passages: String(corpus.passages.length),
    "answerable questions": String(corpus.questions.filter(({ answerable }) => answerable).length),
    "hit@1": number(ours.hit1),
    "hit@5": number(ours.hit5),
    "hit@5, MiniSearch": number(mini.hit5),
    "MRR@10": number(ours.mrr10),
    "MRR@10, MiniSearch": number(mini.mrr10),
    "hit@5 of follow-ups": number(ours.followup_hit5),
    "answers that cite a right page": number(ours.cited),
    "answered: answerable": number(
      answered(({ answerable, previous }) => answerable && previous === undefined),
    ),
    "answered: follow-ups": number(
      answered(({ answerable, previous }) => answerable && previous !== undefined),
    ),
    ...Object.fromEntries(
      kinds.map((wanted) => [`answered: ${wanted}`, number(answered(({ kind }) => kind === wanted))]),
    ),
  }
}

/** Measures of questions with one typing error each. */
function describedMistyped(replies: readonly Reply[], mini: EvalScores, fuzzy: EvalScores) {
  const ours = scoresOf(replies)
  const answered = answeredOf(replies)
  return {
    "mistyped: hit@5": number(ours.hit5),
    "mistyped: hit@5, MiniSearch": number(mini.hit5),
    "mistyped: hit@5, MiniSearch fuzzy": number(fuzzy.hit5),
    "mistyped: answers that cite a right page": number(ours.cited),
    "mistyped: answered: answerable": number(
      answered(({ answerable, previous }) => answerable && previous === undefined),
    ),
    "mistyped: answered: outside": number(answered(({ kind }) => kind === "outside")),
  }
}

/** Returns a function: the answered share of the chosen questions, or null when none is chosen. */
function answeredOf(replies: readonly Reply[]) {
  return (chosen: (question: EvalQuestion) => boolean): number | null => {
    const asked = replies.filter(([question]) => chosen(question))
    return asked.length === 0 ? null : asked.filter(([, reply]) => reply.answered).length / asked.length
  }
}

function number(value: number | null): string {
  return value === null ? "–" : value.toFixed(3)
}

function transposed(columns: Record<string, Record<string, string>>): Record<string, string>[] {
  const names = Object.keys(Object.values(columns)[0] ?? {})
  return names.map((name) => ({
    measure: name,
    ...Object.fromEntries(Object.entries(columns).map(([corpus, values]) => [corpus, values[name] ?? "–"])),
  }))
}
