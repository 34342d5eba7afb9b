import { join } from "node:path"
import { parseArgs } from "node:util"
import { retrievePassages } from "../../src/assistant/ask/retrieve.ts"
import type { EvalQuestion } from "../../src/assistant/evaluation/question-file.ts"
import { confidenceOf } from "../../src/assistant/retrieval/decide.ts"
import type { QuoteSignals } from "../../src/assistant/retrieval/quote-signals.ts"
import { quoteModel } from "../../src/assistant/retrieval/quote-weights.ts"
import { type Corpus, openCorpora } from "./corpora.ts"
import { type Fit, fitLogistic } from "./logistic.ts"

/**
 * Fits the weights of the decision on a quotation, and says what each documentation would get from weights and a
 * threshold fitted on the others. `--unseen NAME` names one that is only reported.
 *
 *   bun test/bench/fit-quotation.ts --shared ../shared [--set NAME]… [--docs NAME-fr=FOLDER]… [--unseen NAME]
 *     [--data FOLDER] [--write]
 */
type Kind = "answerable" | "near" | "outside"

interface Example {
  documentation: string
  kind: Kind
  signals: QuoteSignals
}

/** A question near the topic counts as much as three from outside: there are fewer of them, and they are harder. */
const weightOf: Record<Kind, number> = { answerable: 1, near: 3, outside: 1 }
const penalty = 0.001
/** The threshold is the one that exceeds these shares least, summed over the documentations. */
const goals: Record<Kind, number> = { answerable: 0.1, near: 0.25, outside: 0.03 }
const kinds = Object.keys(goals) as Kind[]

const { values } = parseArgs({
  options: { unseen: { type: "string" }, write: { type: "boolean", default: false } },
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
if (values.write) await write(fitted)

async function examplesOf({ name, language, index, questions }: Corpus): Promise<Example[]> {
  const examples: Example[] = []
  for (const question of questions) {
    const { retrieval } = await retrievePassages(
      all.deps.understanding,
      index,
      {
        question: question.question,
        previous: [question.previous ?? []].flat().map((earlier) => ({ question: earlier, answer: "" })),
        language,
        page: undefined,
      },
      new AbortController().signal,
    )
    const { quoteSignals: signals } = retrieval
    if (signals) examples.push({ documentation: name, kind: kindOf(question), signals })
  }
  return examples
}

function kindOf({ answerable, kind }: EvalQuestion): Kind {
  if (answerable) return "answerable"
  return kind === "outside" ? "outside" : "near"
}

/** The bias puts the threshold at a confidence of one half. */
function fit(examples: Example[]): Fit<keyof QuoteSignals> {
  const { bias, weights } = fitLogistic(
    examples.map(({ kind, signals }) => ({
      signals: { ...signals },
      isPositive: kind === "answerable",
      weight: weightOf[kind],
    })),
    penalty,
  )
  const logits = examples.map((example) => ({ ...example, logit: logitOf(example, { bias, weights }) }))
  const excess = (threshold: number) =>
    [...Map.groupBy(logits, ({ documentation }) => documentation).values()].reduce(
      (sum, own) =>
        sum +
        kinds.reduce((all, kind) => all + Math.max(0, wrongShare(own, kind, threshold) - goals[kind]), 0),
      0,
    )
  const thresholds = logits.map(({ logit }) => logit).sort((one, other) => one - other)
  const least = Math.min(...thresholds.map(excess))
  const best = thresholds.filter((threshold) => excess(threshold) === least)
  return { bias: bias - (best[best.length >> 1] as number), weights }
}

function logitOf({ signals }: Example, { bias, weights }: Fit<keyof QuoteSignals>): number {
  const confidence = confidenceOf({ ...signals }, bias, weights)
  return Math.log(confidence / (1 - confidence))
}

/** Share of the answerable that would be refused; of the others, share that would be answered. */
function wrongShare(
  examples: readonly (Example & { logit: number })[],
  kind: Kind,
  threshold: number,
): number {
  const asked = examples.filter((example) => example.kind === kind)
  const answered = asked.filter(({ logit }) => logit >= threshold).length
  if (asked.length === 0) return 0
  return (kind === "answerable" ? asked.length - answered : answered) / asked.length
}

function described(examples: Example[], fit: Fit<keyof QuoteSignals>): string {
  const judged = examples.map((example) => ({ ...example, logit: logitOf(example, fit) }))
  const shares = kinds.map((kind) => wrongShare(judged, kind, 0).toFixed(3)).join(" / ")
  const areas = (["near", "outside"] as const).map((kind) => areaUnderCurve(judged, kind)).join(" / ")
  return `refused / near / outside ${shares}, AUC near / outside ${areas}`
}

/** Probability that an answerable question has more confidence than one of this kind. */
function areaUnderCurve(judged: readonly (Example & { logit: number })[], kind: Kind): string {
  const [answerable, others] = (["answerable", kind] as const).map((wanted) =>
    judged.filter((example) => example.kind === wanted).map(({ logit }) => logit),
  ) as [number[], number[]]
  if (others.length === 0) return "–"
  const ahead = answerable.reduce(
    (sum, one) => sum + others.reduce((all, other) => all + (one > other ? 1 : one === other ? 0.5 : 0), 0),
    0,
  )
  return (ahead / (answerable.length * others.length)).toFixed(3)
}

function perDeviation({ weights }: Fit<keyof QuoteSignals>): Record<string, number> {
  return Object.fromEntries(
    (Object.keys(weights) as (keyof QuoteSignals)[]).map((name) => {
      const all = examples.map(({ signals }) => signals[name])
      const mean = all.reduce((sum, value) => sum + value, 0) / all.length
      const deviation = Math.sqrt(all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / all.length)
      return [name, Number((weights[name] * deviation).toFixed(2))]
    }),
  )
}

async function write({ bias, weights }: Fit<keyof QuoteSignals>): Promise<void> {
  const lines = Object.entries(weights).map(([name, weight]) => `  ${name}: ${Number(weight.toFixed(3))},`)
  const file = join(import.meta.dir, "../../src/assistant/retrieval/quote-weights.ts")
  await Bun.write(
    file,
    `import type { QuoteWeights } from "./quote-signals.ts"

/** Vectors of this name: cosines of another model lie on another scale. */
export const quoteModel = "${quoteModel}"

/** Generated by \`bun test/bench/fit-quotation.ts --write\`, which names the documentations. Do not edit. */
export const quoteBias = ${Number(bias.toFixed(3))}

export const quoteWeights: QuoteWeights = {
${lines.join("\n")}
}
`,
  )
  process.stdout.write(`written: ${file}\n`)
}
