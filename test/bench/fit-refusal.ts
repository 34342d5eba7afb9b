import { join } from "node:path"
import { confidenceOf } from "../../src/assistant/retrieval/decide.ts"
import { retrieve } from "../../src/assistant/retrieval/retrieve.ts"
import type { Signals, Weights } from "../../src/assistant/retrieval/signals.ts"
import { type Corpus, corporaOfArguments, indexed } from "./corpora.ts"

/**
 * Fits the weights of the decision to answer and cross-validates them: it prints the result of each
 * documentation with weights fitted on all others. Negative examples are encyclopedia questions and, so
 * that the fit does not learn their style, visitors' questions on the other documentations of the same
 * language.
 *
 *   bun test/bench/fit-refusal.ts --shared ../shared --docs vue-en=FOLDER … [--write]
 */
interface Example {
  corpus: string
  kind: "answerable" | "outside" | "foreign"
  signals: Signals
}

/**
 * Share of the visitors' questions on other documentations among the negative examples. It is small because
 * some of them have an answer here too.
 */
const foreignShare = 0.25
const penalty = 0.005
const rounds = 2500
const stepSize = 0.5
/** Documentations of one subject: either may answer a question on the other. */
const related: Record<string, string[]> = {
  "vue-fr": ["react-fr"],
  "react-fr": ["vue-fr"],
  cnil: ["etalab-fr"],
  "etalab-fr": ["cnil"],
  "mkdocs-en": ["caddy-en"],
  "caddy-en": ["mkdocs-en"],
}

const corpora = await corporaOfArguments()
const examples = (await Promise.all(corpora.map((corpus) => examplesOf(corpus, corpora)))).flat()

process.stdout.write("answered, by weights fitted on the other documentations | on all\n")
const fitted = fit(examples)
for (const { name } of corpora) {
  const crossFitted = fit(examples.filter(({ corpus }) => corpus !== name))
  const own = examples.filter(({ corpus }) => corpus === name)
  process.stdout.write(`${name.padEnd(12)} ${described(own, crossFitted)} | ${described(own, fitted)}\n`)
}
if (process.argv.includes("--write")) await write(fitted)

async function examplesOf(corpus: Corpus, all: Corpus[]): Promise<Example[]> {
  using ready = await indexed(corpus)
  const others = all.filter(
    ({ name, language }) =>
      name !== corpus.name && language === corpus.language && !related[corpus.name]?.includes(name),
  )
  const asked = [
    ...corpus.questions
      .filter(({ kind, answerable }) => answerable || kind === "outside" || kind === "offtopic")
      .map((question) => ({
        question,
        kind: question.answerable ? ("answerable" as const) : ("outside" as const),
      })),
    ...others
      .flatMap(({ questions }) => questions)
      .filter(({ answerable }) => answerable)
      .map((question) => ({ question, kind: "foreign" as const })),
  ].filter(({ question }) => question.previous === undefined)
  const examples: Example[] = []
  for (const { question, kind } of asked) {
    const { signals } = await retrieve(ready.index, {
      question: question.question,
      previous: [],
      page: undefined,
    })
    examples.push({ corpus: corpus.name, kind, signals })
  }
  return examples
}

interface Fit {
  bias: number
  weights: Weights
}

/**
 * L2-regularised logistic regression by gradient descent on standardised signals. Every documentation has the
 * same total weight, and so have positive and negative examples.
 */
function fit(examples: Example[]): Fit {
  const names = Object.keys(examples[0]?.signals ?? {}) as (keyof Signals)[]
  const columns = names.map((name) => standardised(examples.map(({ signals }) => signals[name])))
  const sampleWeight = sampleWeights(examples)
  const slopes = names.map(() => 0)
  let intercept = 0
  for (let round = 0; round < rounds; round++) {
    const errors = examples.map(({ kind }, row) => {
      const logit = columns.reduce(
        (sum, { values }, name) => sum + (slopes[name] as number) * (values[row] as number),
        intercept,
      )
      return (1 / (1 + Math.exp(-logit)) - (kind === "answerable" ? 1 : 0)) * (sampleWeight[row] as number)
    })
    intercept -= stepSize * errors.reduce((sum, error) => sum + error, 0)
    columns.forEach(({ values }, name) => {
      const gradient = errors.reduce((sum, error, row) => sum + error * (values[row] as number), 0)
      slopes[name] = (slopes[name] as number) - stepSize * (gradient + penalty * (slopes[name] as number))
    })
  }
  const weights = names.map(
    (name, place) => [name, (slopes[place] as number) / (columns[place]?.deviation as number)] as const,
  )
  const shift = weights.reduce((sum, [, weight], place) => sum + weight * (columns[place]?.mean as number), 0)
  return { bias: intercept - shift, weights: Object.fromEntries(weights) as Weights }
}

function standardised(values: number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const deviation =
    Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1
  return { mean, deviation, values: values.map((value) => (value - mean) / deviation) }
}

/** Sample weights, which sum to 1. */
function sampleWeights(examples: Example[]): number[] {
  const group = ({ corpus, kind }: Example) => `${corpus} ${kind}`
  const sizes = Map.groupBy(examples, group)
  const ofKind = { answerable: 1, outside: 1 - foreignShare, foreign: foreignShare }
  const raw = examples.map((example) => ofKind[example.kind] / (sizes.get(group(example))?.length ?? 1))
  const total = raw.reduce((sum, value) => sum + value, 0)
  return raw.map((value) => value / total)
}

function described(examples: Example[], { bias, weights }: Fit): string {
  return (["answerable", "outside", "foreign"] as const)
    .map((kind) => {
      const asked = examples.filter((example) => example.kind === kind)
      const answered = asked.filter(({ signals }) => confidenceOf(signals, bias, weights) >= 0.5)
      return `${kind} ${((100 * answered.length) / Math.max(1, asked.length)).toFixed(1).padStart(5)} %`
    })
    .join("  ")
}

async function write({ bias, weights }: Fit): Promise<void> {
  const lines = Object.entries(weights).map(([name, weight]) => `  ${name}: ${weight.toFixed(3)},`)
  const file = join(import.meta.dir, "../../src/assistant/retrieval/refusal-weights.ts")
  await Bun.write(
    file,
    `import type { Weights } from "./signals.ts"

/** Generated by \`bun test/bench/fit-refusal.ts --write\`, which names the documentations. Do not edit. */
export const bias = ${bias.toFixed(3)}

export const weights: Weights = {
${lines.join("\n")}
}
`,
  )
  process.stdout.write(`written: ${file}\n`)
}
