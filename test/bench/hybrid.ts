/**
 * Compares retrieval by words alone with retrieval by words and vectors, and counts the questions that would
 * be passed on to a language model. The vectors are those of the tests' embedder: hashed stems, which know no
 * more than words do, so the figures show whether fusing harms.
 *
 *   bun test/bench/hybrid.ts --shared ../shared
 */

import type { Passage } from "../../src/assistant/documents/document.ts"
import { type Embedder, normalised } from "../../src/assistant/embedding/embedder.ts"
import { questionVector } from "../../src/assistant/embedding/question-vector.ts"
import type { EvalQuestion } from "../../src/assistant/evaluation/question-file.ts"
import { type EvalReply, scoresOf } from "../../src/assistant/evaluation/scores.ts"
import { generativeAnswerer } from "../../src/assistant/generative/generate.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../src/assistant/index/lance.ts"
import { retrieve } from "../../src/assistant/retrieval/retrieve.ts"
import { bagOfStems } from "../support/models/behaviour.ts"
import { temporaryFolder } from "../support/service.ts"
import { type Corpus, corporaOfArguments } from "./corpora.ts"

const vectorOf = (text: string) => normalised(bagOfStems(text)) as Float32Array
const textOf = ({ title, headings, markdown }: Passage) => [title, ...headings, markdown].join("\n")
const embedder: Embedder = {
  name: "hashed stems",
  vectorsOf: async (passages) =>
    passages.map((passage) => ({ vector: vectorOf(textOf(passage)), pieces: new Uint8Array(0) })),
}
const leastConfidence = generativeAnswerer({} as never, "").leastConfidence as number

const rows: Record<string, string>[] = []
for (const corpus of await corporaOfArguments()) {
  using folder = temporaryFolder()
  await buildIndex(folder.path, "corpus_1", corpus.language, corpus.passages, embedder)
  using index = (await openIndex(folder.path, "corpus_1")) as PassageIndex
  rows.push(await row(corpus, index, false), await row(corpus, index, true))
}
process.stdout.write(`${Bun.inspect.table(rows)}\n`)

async function row(corpus: Corpus, index: PassageIndex, hybrid: boolean): Promise<Record<string, string>> {
  const replies: [EvalQuestion, EvalReply][] = []
  for (const question of corpus.questions.filter(({ previous }) => previous === undefined)) {
    const vector = hybrid ? vectorOf(question.question) : undefined
    const request = {
      question: question.question,
      previous: [],
      page: undefined,
      vector: vector && questionVector(vector, undefined),
    }
    const { ranked, decision } = await retrieve(index, request, 60)
    const answered = decision.confidence >= leastConfidence || decision.isNear
    replies.push([
      question,
      { ranked: ranked.map(({ passage }) => passage.document), answered, text: "", cited: [] },
    ])
  }
  const { hit1, hit5, mrr10 } = scoresOf(replies)
  const passed = (chosen: (question: EvalQuestion) => boolean) => {
    const asked = replies.filter(([question]) => chosen(question))
    return number(asked.filter(([, { answered }]) => answered).length / asked.length)
  }
  return {
    documentation: corpus.name,
    retrieval: hybrid ? "words and vectors" : "words",
    "hit@1": number(hit1),
    "hit@5": number(hit5),
    "MRR@10": number(mrr10),
    "passed on: answerable": passed(({ answerable }) => answerable),
    "passed on: outside": passed(({ kind }) => kind === "outside"),
  }
}

function number(value: number | null): string {
  return value === null ? "–" : value.toFixed(3)
}
