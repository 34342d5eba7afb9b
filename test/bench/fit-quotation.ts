import { join } from "node:path"
import { parseArgs } from "node:util"
import { quotedBy, retrievePassages } from "../../src/answering/ask/retrieve.ts"
import { extract } from "../../src/answering/extractive/extract.ts"
import { confidenceOf, rankOfQuotation } from "../../src/answering/retrieval/decide.ts"
import { judgedQuotations, withGain } from "../../src/answering/retrieval/decide-whether-answered.ts"
import {
  mostLead,
  type QuoteSignals,
  type QuoteWeights,
  type RankWeights,
} from "../../src/answering/retrieval/quote-signals.ts"
import { quoteBias, quoteWeights, rankWeights } from "../../src/answering/retrieval/quote-weights.ts"
import { thresholds } from "../../src/answering/retrieval/thresholds.ts"
import { holdsText } from "../../src/owners/evaluation/answer-scores.ts"
import type { EvalQuestion } from "../../src/owners/evaluation/question-file.ts"
import type { Passage } from "../../src/reading/formats/document.ts"
import { type Corpus, openCorpora } from "./corpora.ts"
import { say } from "./figures.ts"
import { type Fit, fitLogistic } from "./logistic.ts"

/**
 * Fits the weights that rank quotations and those of the decision on the first of them, and says what each
 * documentation gets from weights fitted on the others, beside what it gets from those in force.
 * `--unseen NAME` names one that is only reported. The confidence is that of a quotation which holds what answers: questions
 * that are answerable and have no answering texts are left out.
 *
 *   bun test/bench/fit-quotation.ts --shared ../shared [--set NAME]… [--docs NAME-fr=FOLDER]… [--unseen NAME]
 *     [--data FOLDER] [--write rank,decision]
 */
type Kind = "answerable" | "near" | "outside"

/** A question with the quotations that are judged for it, in the candidates' order. */
interface Example {
  documentation: string
  kind: Kind
  /** At least one. */
  quotations: Quoted[]
}

interface Quoted {
  passage: Passage | undefined
  score: number
  /** Without the gain, which takes a pass of the model. */
  signals: QuoteSignals
  withGain(): Promise<QuoteSignals>
  holds: boolean
}

/** What is wrong and what is near the topic count as much as what is right; many questions come from outside. */
const weightOf: Record<Kind, number> = { answerable: 1, near: 1, outside: 0.125 }
const rankPenalty = 0.01
const penalty = 0.003

const { values } = parseArgs({
  options: {
    unseen: { type: "string" },
    write: { type: "string", default: "" },
  },
  strict: false,
})
await using all = await openCorpora()
const inForce: Fitted = { rank: rankWeights, decision: { bias: quoteBias, weights: quoteWeights } }
const examples: Example[] = []
const unseen: Example[] = []
for (const corpus of all.corpora)
  (corpus.name === values.unseen ? unseen : examples).push(...(await examplesOf(corpus)))
const fitted = await fit(examples)
const before: Judged[] = []
const leftOut: Judged[] = []
const rows = []
for (const [name, own] of Map.groupBy(examples, ({ documentation }) => documentation)) {
  const others = await fit(examples.filter((example) => !own.includes(example)))
  const [today, byOthers] = [await judgedBy(inForce, own), await judgedBy(others, own)]
  before.push(...today)
  leftOut.push(...byOthers)
  rows.push({ documentation: name, ...row("in force", today), ...row("by the others", byOthers) })
}
rows.push({ documentation: "all", ...row("in force", before), ...row("by the others", leftOut) })
say(`Right, wrong, refused and near from ${thresholds.prudent} on\n${Bun.inspect.table(rows)}`)
say(`Share right by confidence, fitted on the others\n${Bun.inspect.table(calibrated(leftOut))}`)
if (unseen.length > 0) {
  const [today, byOthers] = [await judgedBy(inForce, unseen), await judgedBy(fitted, unseen)]
  say(`Unseen\n${Bun.inspect.table([{ ...row("in force", today), ...row("fitted", byOthers) }])}`)
}
say(`Fitted on all: ${JSON.stringify(fitted)}`)
if (values.write) await write(fitted)

async function examplesOf({ name, language, index, questions, answers }: Corpus): Promise<Example[]> {
  const examples: Example[] = []
  const { signal } = new AbortController()
  const vectorOf = async (text: string) => all.deps.understanding?.vectorOf(text, signal)
  for (const question of questions) {
    const kind = kindOf(question)
    const texts = answers.get(question.id) ?? []
    // The weights of what leans on a conversation are others.
    if (question.previous !== undefined || (kind === "answerable" && texts.length === 0)) continue
    const asked = { question: question.question, previous: [], language, page: undefined }
    const { retrieval } = await retrievePassages(all.deps.understanding, index, asked, signal)
    const { ranked: found, terms, words } = retrieval
    const extracted = extract({ ...asked, found, terms, words: quotedBy(words) }).quotations
    const quotations = (await judgedQuotations(index, retrieval, extracted)).map((one): Quoted => {
      let gained: Promise<QuoteSignals> | undefined
      return {
        passage: one.choice.judged.passages[0],
        score: one.choice.score,
        signals: one.signals,
        withGain: () => (gained ??= withGain(index, one, vectorOf)),
        holds: kind === "answerable" && holdsText(one.choice.judged.markdown, texts),
      }
    })
    if (quotations.length > 0) examples.push({ documentation: name, kind, quotations })
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

async function fit(examples: readonly Example[]): Promise<Fitted> {
  const rank = fitRank(examples)
  return { rank, decision: await fitDecision(examples, rank) }
}

/** From every pair of quotations of one question of which one holds an answer. Each question counts the same. */
function fitRank(examples: readonly Example[]): RankWeights {
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

async function fitDecision(
  examples: readonly Example[],
  rank: RankWeights,
): Promise<Fit<keyof QuoteWeights>> {
  const firsts = []
  for (const { kind, quotations } of examples) {
    const { signals, holds } = await firstOf(quotations, rank)
    firsts.push({ signals: decisive(signals), isPositive: holds, weight: weightOf[kind] })
  }
  return fitLogistic(firsts, penalty)
}

function decisive(signals: QuoteSignals): Record<keyof QuoteWeights, number> {
  const names = Object.keys(quoteWeights) as (keyof QuoteWeights)[]
  return Object.fromEntries(names.map((name) => [name, signals[name]])) as Record<keyof QuoteWeights, number>
}

/** With its gain, and its lead over the quotations of other passages. */
async function firstOf(quotations: readonly Quoted[], rank: RankWeights) {
  const rankOf = ({ score, signals }: Quoted) => rankOfQuotation(score, signals, rank)
  const first = quotations.reduce((best, one) => (rankOf(one) > rankOf(best) ? one : best))
  const others = quotations.filter(({ passage }) => passage !== first.passage).map(rankOf)
  const lead = Math.min(mostLead, rankOf(first) - Math.max(...others))
  return { signals: { ...(await first.withGain()), lead }, holds: first.holds }
}

/** The first quotation of a question, judged. */
interface Judged {
  kind: Kind
  holds: boolean
  confidence: number
}

async function judgedBy({ rank, decision: { bias, weights } }: Fitted, examples: readonly Example[]) {
  const judged: Judged[] = []
  for (const { kind, quotations } of examples) {
    const { signals, holds } = await firstOf(quotations, rank)
    judged.push({ kind, holds, confidence: confidenceOf(decisive(signals), bias, weights) })
  }
  return judged
}

/** Counts of one documentation. `net`: right less wrong less near, over all of them. */
function row(weights: string, judged: readonly Judged[]): Record<string, string> {
  const count = (kind: Kind, isCounted: (one: Judged) => boolean = () => true) =>
    judged.filter((one) => one.kind === kind && isCounted(one)).length
  const isAnswered = ({ confidence }: Judged) => confidence >= thresholds.prudent
  const right = count("answerable", (one) => isAnswered(one) && one.holds)
  const wrong = count("answerable", isAnswered) - right
  const [answerable, near] = [count("answerable"), count("near")]
  const answeredNear = count("near", isAnswered)
  const net = (right - wrong - answeredNear) / (answerable + near)
  return {
    [weights]: `${right} ${wrong} ${answerable - right - wrong} of ${answerable}, ${answeredNear} of ${near}`,
    [`${weights}: net`]: net.toFixed(3),
    [`${weights}: outside`]: `${count("outside", isAnswered)} of ${count("outside")}`,
  }
}

/** Without questions from outside. */
function calibrated(judged: readonly Judged[]) {
  const tenthOf = ({ confidence }: Judged) => Math.min(9, Math.floor(confidence * 10))
  const tenths = Map.groupBy(
    judged.filter(({ kind }) => kind !== "outside"),
    tenthOf,
  )
  return [...tenths]
    .sort(([one], [other]) => one - other)
    .map(([tenth, ones]) => ({
      from: (tenth / 10).toFixed(1),
      questions: ones.length,
      right: (ones.filter(({ holds }) => holds).length / ones.length).toFixed(2),
    }))
}

/** Puts the asked parts in place of those in the file, which holds others too. */
async function write({ rank, decision: { bias, weights } }: Fitted): Promise<void> {
  const lines = (weights: object) =>
    Object.entries(weights).map(([name, weight]) => `  ${name}: ${Number(weight.toFixed(3))},\n`)
  const parts = String(values.write).split(",")
  const file = join(import.meta.dir, "../../src/answering/retrieval/quote-weights.ts")
  let text = await Bun.file(file).text()
  const replace = (name: string, value: string) => {
    text = text.replace(new RegExp(`(?<=export const ${name}\\b[^=]*= )(?:\\{[^}]*\\}|\\S+)`), value)
  }
  if (parts.includes("rank")) replace("rankWeights", `{\n${lines(rank).join("")}}`)
  if (parts.includes("decision")) {
    replace("quoteBias", bias.toFixed(3))
    replace("quoteWeights", `{\n${lines(weights).join("")}}`)
  }
  await Bun.write(file, text)
  say(`written: ${file}`)
}
