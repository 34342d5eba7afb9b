/**
 * What the embedded model costs, beside the same service without it (Linux). Indexes a folder of Markdown with words
 * and with vectors, then starts two services on it; one question at a time goes to each in turn, then questions
 * come at an even pace, however long each takes.
 *
 *   bun test/bench/meaning.ts --binary dist/guichet [--dir FOLDER --questions FILE] [--rounds 6] [--each 100] [--rate 50] [--seconds 20]
 */
import { cpSync, mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { type EvalQuestion, parseQuestions } from "../../src/owners/evaluation/question-file.ts"
import { demo, origin } from "../support/ask.ts"
import { guichet } from "../support/cli.ts"
import { startServe } from "../support/serve.ts"
import { temporaryFolder } from "../support/service.ts"
import { described, plenty, quantile, report, say } from "./figures.ts"
import { type Memory, memoryOfTree, processorMsOfTree, treeOf } from "./process-tree.ts"
import { evenly } from "./soak/evenly.ts"

const { values } = parseArgs({
  options: {
    binary: { type: "string", default: "dist/guichet" },
    dir: { type: "string", default: demo },
    questions: { type: "string", default: join(import.meta.dir, "../../data/eval/demo.jsonl") },
    rounds: { type: "string", default: "6" },
    each: { type: "string", default: "100" },
    rate: { type: "string", default: "50" },
    seconds: { type: "string", default: "20" },
  },
})
const [rounds, each, rate, seconds] = [values.rounds, values.each, values.rate, values.seconds].map(
  Number,
) as [number, number, number, number]
const metricsToken = "a-token-of-thirty-two-characters-"
const program = [resolve(values.binary)]
const embeddings = ["none", "local"] as const
type Embedding = (typeof embeddings)[number]
const perEmbedding = <Value>(make: (embedding: Embedding) => Value) =>
  Object.fromEntries(embeddings.map((embedding) => [embedding, make(embedding)])) as Record<Embedding, Value>

using folder = temporaryFolder()
const environmentOf = (embedding: Embedding) => ({
  ...plenty,
  GUICHET_DATA_DIR: join(folder.path, embedding),
  GUICHET_EMBEDDING: embedding,
  GUICHET_METRICS_TOKEN: metricsToken,
  BUN_TMPDIR: folder.path,
})
const project = await indexed()
const questions = parseQuestions(await Bun.file(values.questions).text())
let asked = 0
const memory = { none: await memoryWith("none"), local: await memoryWith("local") }
for (const embedding of embeddings) {
  report({ [`${embedding}: MB at rest`]: memory[embedding].pss })
  say(`memory, ${embedding}: ${memory[embedding].pss} MB (PSS), ${memory[embedding].rss} MB (RSS)`)
}
say(`meaning takes ${memory.local.pss - memory.none.pss} MB more (PSS)`)
await using none = await startServe(logged("none"), program)
await using local = await startServe(logged("local"), program)
const services = { none, local }
await askInTurn(30)

const processorMs = () => perEmbedding((embedding) => processorMsOfTree(services[embedding].pid))
const processorMsBefore = processorMs()
const differences: number[] = []
const all = perEmbedding((): number[] => [])
for (let round = 0; round < rounds; round++) {
  const took = await askInTurn(each)
  differences.push(quantile(took.local, 0.5) - quantile(took.none, 0.5))
  for (const embedding of embeddings) {
    report({ [`${embedding}: p50 ms`]: quantile(took[embedding], 0.5) })
    all[embedding].push(...took[embedding])
  }
}
const processorMsAfter = processorMs()
for (const embedding of embeddings) {
  const each = (processorMsAfter[embedding] - processorMsBefore[embedding]) / all[embedding].length
  say(
    `one at a time, ${embedding}: ${described(all[embedding])}; ${each.toFixed(1)} ms of processors a question`,
  )
}
const added = differences.map((difference) => difference.toFixed(1)).join(" ")
say(
  `meaning adds at p50, in each round: ${added} ms; in the middle ${quantile(differences, 0.5).toFixed(1)} ms`,
)
for (const embedding of embeddings) {
  const took: number[] = []
  await evenly(1000 / rate, performance.now() + 1000 * seconds, async () =>
    took.push(await ask(services[embedding].url)),
  )
  report({ [`${embedding}: MB under load`]: memoryOfTree(services[embedding].pid).pss })
  say(`${rate} a second, ${embedding}: ${described(took)}`)
}
say(`questions that got no vector because the model was busy: ${await busyQuestions()}`)

/** Memory of a service on its own, its processes included, after some questions. */
async function memoryWith(embedding: Embedding): Promise<Memory> {
  await using service = await startServe(logged(embedding), program)
  for (let at = 0; at < each; at++) await ask(service.url)
  await withoutPassingProcesses(service.pid, embedding === "local" ? 2 : 1)
  return memoryOfTree(service.pid)
}

/** What runs by itself after a start has processes of its own for a while, which are no cost of the model. */
async function withoutPassingProcesses(pid: number, lasting: number): Promise<void> {
  const atMostMs = performance.now() + 60_000
  while (treeOf(pid).length > lasting && performance.now() < atMostMs) await Bun.sleep(100)
}

/** The data folder with vectors, and a copy whose index holds words alone. */
async function indexed(): Promise<string> {
  const run = async (embedding: Embedding, ...argv: string[]) => {
    const { exitCode, stdout, stderr } = await guichet(argv, environmentOf(embedding), "", program)
    if (exitCode !== 0) throw new Error(stderr)
    return stdout
  }
  mkdirSync(join(folder.path, "local"))
  const added = await run("local", "project", "add", "--name", "Doc", "--site", origin, "--json")
  const { id } = JSON.parse(added) as { id: string }
  const source = ["--dir", resolve(values.dir), "--base-url", origin]
  const wordsMs = await timed(() => run("local", "index", id, ...source, "--words"))
  const words = join(folder.path, "none")
  cpSync(join(folder.path, "local"), words, { recursive: true, preserveTimestamps: true })
  let told = ""
  const vectorsMs = await timed(async () => {
    told = await run("local", "index", id, "--stored", "--json")
  })
  const { passages } = JSON.parse(told) as { passages: number }
  report({
    "words: passages/s": passages / (wordsMs / 1000),
    "vectors: passages/s": passages / (vectorsMs / 1000),
  })
  say(
    `${passages} passages: words answer after ${(wordsMs / 1000).toFixed(1)} s, vectors take ${(vectorsMs / 1000).toFixed(1)} s more; ${((wordsMs + vectorsMs) / passages).toFixed(1)} s for 1,000 passages`,
  )
  return id
}

/** `startServe` reads the address of the service in its log. */
function logged(embedding: Embedding): Record<string, string> {
  return { ...environmentOf(embedding), GUICHET_LOG_LEVEL: "info" }
}

/** Milliseconds of `count` questions to each service, turn by turn. */
async function askInTurn(count: number): Promise<Record<Embedding, number[]>> {
  const took = perEmbedding((): number[] => [])
  for (let at = 0; at < count; at++)
    for (const embedding of embeddings) took[embedding].push(await ask(services[embedding].url))
  return took
}

async function ask(url: string): Promise<number> {
  const { question } = questions[asked++ % questions.length] as EvalQuestion
  // No cache answers, because the page that the visitor has open is another one each time.
  const body = JSON.stringify({ project, question, page: `/${asked}` })
  return timed(async () => {
    const response = await fetch(`${url}/api/v1/ask`, {
      method: "POST",
      headers: { "content-type": "application/json", origin },
      body,
    })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`status ${response.status}`)
  })
}

async function busyQuestions(): Promise<string> {
  const text = await (
    await fetch(`${local.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  ).text()
  return /^guichet_embedding_busy_total (\d+)/m.exec(text)?.[1] ?? "unknown"
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}
