import { join } from "node:path"
import { parseArgs } from "node:util"
import { retrievePassages } from "../../src/answering/ask/retrieve.ts"
import { extract } from "../../src/answering/extractive/extract.ts"
import { logitOf, rankOfQuotation } from "../../src/answering/retrieval/decide.ts"
import { judgedQuotations, withGain } from "../../src/answering/retrieval/decide-whether-answered.ts"
import {
  mostLead,
  type QuoteSignals,
  type QuoteWeights,
  type RankWeights,
} from "../../src/answering/retrieval/quote-signals.ts"
import {
  quoteBias,
  quoteModel,
  quoteWeights,
  rankWeights,
} from "../../src/answering/retrieval/quote-weights.ts"
import { holdsText } from "../../src/owners/evaluation/answer-scores.ts"
import type { EvalQuestion } from "../../src/owners/evaluation/question-file.ts"
import type { Passage } from "../../src/reading/formats/document.ts"
import { type Corpus, openCorpora } from "./corpora.ts"
import { type Fit, fitLogistic } from "./logistic.ts"

/**
 * Fits the weights that rank quotations and those of the decision on the first of them, and says what each documentation
 * would get from weights and a threshold fitted on the others. `--unseen NAME` names one that is only reported.
 * The confidence is that of a quotation which holds what answers: questions without answering texts are left out.
 *
 *   bun test/bench/fit-quotation.ts --shared ../shared [--set NAME]… [--docs NAME-fr=FOLDER]… [--unseen NAME]
 *     [--data FOLDER] [--write rank,decision]
 */
type Kind = "answerable" | "near" | "outside"

/** A question with the quotations that are judged for it, in the candidates' order. */
interface Example {
  documentation: string
  kind: Kind
  /** Texts that answer were written down. */
  hasTexts: boolean
  /** At least one. */
  quotations: Quoted[]
}

interface Quoted {
  passage: Passage | undefined
  score: number
  signals: QuoteSignals
  holds: boolean
}

/** What is wrong and what is near the topic count as much as what is right; many questions come from outside. */
const weightOf: Record<Kind, number> = { answerable: 1, near: 1, outside: 0.125 }
const rankPenalty = 0.01
const penalty = 0.003
const kinds = Object.keys(weightOf) as Kind[]

const { values } = parseArgs({
  options: {
    unseen: { type: "string" },
    write: { type: "string", default: "" },
  },
  strict: false,
})
await using all = await openCorpora()
const examples: Example[] = []
for (const corpus of all.corpora.filter(({ name }) => name !== values.unseen))
  examples.push(...(await examplesOf(corpus)))
const documentations = [...new Set(examples.map(({ documentation }) => documentation))]
process.stdout.write("by weights fitted on the other documentations | on all\n")
const fitted = fit(examples)
for (const name of documentations) {
  const own = examples.filter(({ documentation }) => documentation === name)
  const others = fit(examples.filter(({ documentation }) => documentation !== name))
  process.stdout.write(`${name.padEnd(12)} ${described(own, others)} | ${described(own, fitted)}\n`)
}
const unseen = all.corpora.find(({ name }) => name === values.unseen)
if (unseen) process.stdout.write(`unseen       ${described(await examplesOf(unseen), fitted)}\n`)
process.stdout.write(`per standard deviation: ${JSON.stringify(perDeviation(fitted))}\n`)
const written = String(values.write).split(",")
if (values.write) await write(fitted)

async function examplesOf({ name, language, index, questions, answers }: Corpus): Promise<Example[]> {
  const examples: Example[] = []
  const { signal } = new AbortController()
  const vectorOf = async (text: string) => all.deps.understanding?.vectorOf(text, signal)
  for (const question of questions) {
    const kind = kindOf(question)
    const texts = answers.get(question.id) ?? []
    const previous = [question.previous ?? []].flat().map((earlier) => ({ question: earlier, answer: "" }))
    const asked = { question: question.question, previous, language, page: undefined }
    const { retrieval } = await retrievePassages(all.deps.understanding, index, asked, signal)
    const { ranked: found, terms, words } = retrieval
    const judged = await judgedQuotations(
      index,
      retrieval,
      extract({ ...asked, found, terms, words }).quotations,
    )
    const quotations: Quoted[] = []
    for (const one of judged.filter(({ form }) => form === retrieval.forms[0]))
      quotations.push({
        passage: one.choice.judged.passages[0],
        score: one.choice.score,
        signals: await withGain(index, one, vectorOf),
        holds: holdsText(one.choice.judged.markdown, texts),
      })
    if (quotations.length > 0 && (kind !== "answerable" || texts.length > 0))
      examples.push({ documentation: name, kind, hasTexts: texts.length > 0, quotations })
  }
  return examples
}

function kindOf({ answerable, kind }: EvalQuestion): Kind {
  if (answerable) return "answerable"
  return kind === "outside" ? "outside" : "near"
}

interface Fitted {
  rank: RankWeights
  decision: Fit<keyof QuoteWeights>
}

function fit(examples: Example[]): Fitted {
  const rank = fitRank(examples)
  return { rank, decision: fitDecision(examples, rank) }
}

/** From every pair of quotations of one question of which one holds an answer. Each question counts the same. */
function fitRank(examples: Example[]): RankWeights {
  const pairs = examples.flatMap(({ quotations }) => {
    const [right, wrong] = [quotations.filter(({ holds }) => holds), quotations.filter(({ holds }) => !holds)]
    const weight = 1 / (right.length * wrong.length)
    return right.flatMap((one) =>
      wrong.flatMap((other) => [
        { signals: difference(one, other), isPositive: true, weight },
        { signals: difference(other, one), isPositive: false, weight },
      ]),
    )
  })
  const { score, ...weights } = fitLogistic(pairs, rankPenalty).weights
  return Object.fromEntries(
    Object.entries(weights).map(([name, weight]) => [name, weight / score]),
  ) as unknown as RankWeights
}

function difference(one: Quoted, other: Quoted): Record<keyof RankWeights | "score", number> {
  const names = Object.keys(rankWeights) as (keyof RankWeights)[]
  return {
    score: one.score - other.score,
    ...(Object.fromEntries(names.map((name) => [name, one.signals[name] - other.signals[name]])) as Record<
      keyof RankWeights,
      number
    >),
  }
}

function fitDecision(examples: Example[], rank: RankWeights): Fit<keyof QuoteWeights> {
  const firsts = examples.map(({ kind, quotations }) => {
    const { signals, holds } = firstOf(quotations, rank)
    return { signals: decisive(signals), isPositive: kind === "answerable" && holds, weight: weightOf[kind] }
  })
  return fitLogistic(firsts, penalty)
}

function decisive(signals: QuoteSignals): Record<keyof QuoteWeights, number> {
  const names = Object.keys(quoteWeights) as (keyof QuoteWeights)[]
  return Object.fromEntries(names.map((name) => [name, signals[name]])) as Record<keyof QuoteWeights, number>
}

/** With its lead over the quotations of other passages. */
function firstOf(quotations: readonly Quoted[], rank: RankWeights): Quoted {
  const rankOf = ({ score, signals }: Quoted) => rankOfQuotation(score, signals, rank)
  const first = quotations.reduce((best, one) => (rankOf(one) > rankOf(best) ? one : best))
  const others = quotations.filter(({ passage }) => passage !== first.passage).map(rankOf)
  const lead = Math.min(mostLead, rankOf(first) - Math.max(...others))
  return { ...first, signals: { ...first.signals, lead } }
}

/** The first quotation of a question, judged. */
interface Judged {
  kind: Kind
  holds: boolean
  logit: number
}

/** Share of the answerable that would be refused; of the others, share that would be answered. */
function wrongShare(judged: readonly Judged[], kind: Kind, threshold: number): number {
  const asked = judged.filter((one) => one.kind === kind)
  const answered = asked.filter(({ logit }) => logit >= threshold).length
  if (asked.length === 0) return 0
  return (kind === "answerable" ? asked.length - answered : answered) / asked.length
}

function described(examples: Example[], { rank, decision: { bias, weights } }: Fitted): string {
  const judged = examples.map(({ kind, quotations }): Judged => {
    const { signals, holds } = firstOf(quotations, rank)
    return { kind, holds, logit: logitOf(decisive(signals), bias, weights) }
  })
  const withTexts = examples.filter(({ hasTexts }) => hasTexts).length
  const share = (count: number) => (count / withTexts).toFixed(3)
  const before = examples.filter(({ quotations }) => quotations[0]?.holds).length
  const right = judged.filter(({ holds }) => holds)
  const shown = right.filter(({ logit }) => logit >= 0)
  const shares = kinds.map((kind) => wrongShare(judged, kind, 0).toFixed(3)).join(" / ")
  const wrong = judged.filter(({ kind, holds }) => kind === "answerable" && !holds)
  const areas = [
    wrong,
    ...(["near", "outside"] as const).map((kind) => judged.filter((one) => one.kind === kind)),
  ]
  return [
    `first holds ${share(before)} → ${share(right.length)}, shown ${share(shown.length)}`,
    `refused / near / outside ${shares}`,
    `AUC wrong / near / outside ${areas.map((others) => areaUnderCurve(right, others)).join(" / ")}`,
  ].join(", ")
}

/** Probability that a quotation which holds an answer has more confidence than one of the others. */
function areaUnderCurve(right: readonly Judged[], others: readonly Judged[]): string {
  if (right.length === 0 || others.length === 0) return "–"
  const ahead = right.reduce(
    (sum, { logit }) =>
      sum +
      others.reduce((all, other) => all + (logit > other.logit ? 1 : logit === other.logit ? 0.5 : 0), 0),
    0,
  )
  return (ahead / (right.length * others.length)).toFixed(3)
}

function perDeviation({ decision: { weights } }: Fitted): Record<string, number> {
  return Object.fromEntries(
    (Object.keys(weights) as (keyof QuoteWeights)[]).map((name) => {
      const all = examples.flatMap(({ quotations }) => quotations.map(({ signals }) => signals[name]))
      const mean = all.reduce((sum, value) => sum + value, 0) / all.length
      const deviation = Math.sqrt(all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / all.length)
      return [name, Number((weights[name] * deviation).toFixed(2))]
    }),
  )
}

async function write({ rank, decision }: Fitted): Promise<void> {
  const isWritten = (part: string) => written.includes(part)
  const { bias, weights } = isWritten("decision") ? decision : { bias: quoteBias, weights: quoteWeights }
  const lines = (weights: object) =>
    Object.entries(weights).map(([name, weight]) => `  ${name}: ${Number(weight.toFixed(3))},`)
  const file = join(import.meta.dir, "../../src/answering/retrieval/quote-weights.ts")
  await Bun.write(
    file,
    `import type { QuoteWeights, RankWeights } from "./quote-signals.ts"

/** Vectors of this name: cosines of another model lie on another scale. */
export const quoteModel = "${quoteModel}"

/** Generated by \`bun test/bench/fit-quotation.ts --write\`, as are those below; see decision 009. Do not edit. */
export const rankWeights: RankWeights = {
${lines(isWritten("rank") ? rank : rankWeights).join("\n")}
}

export const quoteBias = ${Number(bias.toFixed(3))}

export const quoteWeights: QuoteWeights = {
${lines(weights).join("\n")}
}
`,
  )
  process.stdout.write(`written: ${file}\n`)
}
