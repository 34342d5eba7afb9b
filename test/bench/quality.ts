import {
  type EvalQuestion,
  type EvalReply,
  type EvalScores,
  scoresOf,
} from "../../src/assistant/answers/evaluate.ts"
import { extractive } from "../../src/assistant/answers/extract.ts"
import { answerTimeoutMs } from "../../src/assistant/answers/outcome.ts"
import { tryQuestion } from "../../src/assistant/answers/try-question.ts"
import { type Corpus, corporaOfArguments, indexed } from "./corpora.ts"
import { miniSearchOf } from "./minisearch.ts"

/**
 * How good retrieval, refusing and answering are on several documentations, beside MiniSearch on the same analysed text.
 *
 *   bun test/bench/quality.ts --shared ../shared [--docs NAME-en=FOLDER]…
 */
const table: Record<string, Record<string, string>> = {}
for (const corpus of await corporaOfArguments()) {
  using ready = await indexed(corpus)
  const replies: [EvalQuestion, EvalReply][] = []
  for (const question of corpus.questions)
    replies.push([
      question,
      await tryQuestion({ answerer: extractive, answerTimeoutMs }, ready.index, corpus.language, question),
    ])
  table[corpus.name] = described(corpus, scoresOf(replies), scoresOf(byMiniSearch(corpus)), replies)
}
process.stdout.write(`${Bun.inspect.table(transposed(table))}\n`)

function byMiniSearch({ passages, questions, language }: Corpus): [EvalQuestion, EvalReply][] {
  const search = miniSearchOf(passages, language)
  return questions
    .filter(({ answerable }) => answerable)
    .map((question) => {
      const ranked = search(question.question).slice(0, 60)
      return [question, { ranked: ranked.map(({ document }) => document), answered: false, cited: [] }]
    })
}

function described(corpus: Corpus, ours: EvalScores, mini: EvalScores, replies: [EvalQuestion, EvalReply][]) {
  const answered = (chosen: (question: EvalQuestion) => boolean) => {
    const asked = replies.filter(([question]) => chosen(question))
    return asked.length === 0 ? null : asked.filter(([, reply]) => reply.answered).length / asked.length
  }
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
