import { join } from "node:path"
import { parseArgs } from "node:util"
import { deserialize, serialize } from "node:v8"
import { localEmbeddingName } from "../../src/index/embedding/embeddings.ts"
import { temporaryFolder } from "../support/service.ts"
import { openCorpora } from "./corpora.ts"
import { type AskedQuestion, type EngineName, engines, type RealDocumentation } from "./engines.ts"
import { quantile } from "./figures.ts"

/**
 * Compares search engines at several sizes. Each engine runs in processes of its own and gets the same terms. With
 * meaning, passages have vectors at random around real ones, and questions have theirs already: how long those take
 * is measured by `bun test/bench/meaning.ts`.
 *
 *   bun test/bench/retrieval.ts --shared ../shared [--size N]… [--only ENGINE]… [--data FOLDER]
 */
const { values } = parseArgs({
  options: {
    size: { type: "string", multiple: true, default: ["1000", "10000", "100000"] },
    only: { type: "string", multiple: true, default: Object.keys(engines) },
    step: { type: "string" },
    folder: { type: "string" },
    real: { type: "string" },
  },
  strict: false,
})
const secondsPerEngine = 8
const maxQuestions = 1000
const sampledVectors = 1000

if (values.step) await runStep(String(values.step))
else await runAll()

async function runAll(): Promise<void> {
  using real = temporaryFolder()
  const realFile = join(real.path, "real")
  await Bun.write(realFile, serialize(await realDocumentation()))
  const rows: Record<string, unknown>[] = []
  for (const size of values.size as string[])
    for (const engine of values.only as string[]) {
      using folder = temporaryFolder()
      const built = await child(["build", engine, size, folder.path, realFile])
      const opened = await child(["search", engine, size, folder.path, realFile])
      const indexing = built["seconds"] || opened["openSeconds"]
      rows.push({
        passages: size,
        engine,
        "p50 ms": (opened["p50"] as number).toFixed(2),
        "p95 ms": (opened["p95"] as number).toFixed(2),
        "process MB": Math.round(opened["megabytes"] as number),
        "passages/s indexed": Math.round(Number(size) / (indexing as number)),
        "open ms": built["seconds"] ? Math.round(1000 * (opened["openSeconds"] as number)) : "–",
      })
      process.stderr.write(`${size} ${engine} done\n`)
    }
  process.stdout.write(`${Bun.inspect.table(rows)}\n`)
}

/** Passages, questions and vectors of the French sets. */
async function realDocumentation(): Promise<RealDocumentation> {
  await using all = await openCorpora()
  const corpora = all.corpora.filter(({ name }) => name === "vue-fr" || name === "cnil")
  const { signal } = new AbortController()
  const questions: AskedQuestion[] = []
  for (const { question } of corpora.flatMap(({ questions }) => questions)) {
    const vector = await all.deps.understanding?.vectorOf(question, signal)
    if (!vector) throw new Error("the embedded model gave no vector")
    questions.push({ question, vector })
  }
  const embedded = await all.app.db
    .selectFrom("passage_vector")
    .innerJoin("project", "project.id", "passage_vector.project_id")
    .select(["vector", "pieces"])
    .where("passage_vector.model", "=", localEmbeddingName)
    .where(
      "project.name",
      "in",
      corpora.map(({ name }) => name),
    )
    .orderBy("hash")
    .limit(sampledVectors)
    .execute()
  return {
    passages: corpora.flatMap(({ passages }) => passages),
    questions,
    embedded: embedded.map(({ vector, pieces }) => ({
      vector: new Float32Array(vector.slice().buffer),
      pieces,
    })),
  }
}

async function child([step, engine, size, folder, real]: string[]): Promise<Record<string, number>> {
  const argv = [
    "--step",
    step,
    "--only",
    engine,
    "--size",
    size,
    "--folder",
    folder,
    "--real",
    real,
  ] as string[]
  const running = Bun.spawn([process.execPath, import.meta.path, ...argv], { stderr: "inherit" })
  const stdout = await new Response(running.stdout).text()
  if ((await running.exited) !== 0) throw new Error(`${step} of ${engine} at ${size} failed`)
  return JSON.parse(stdout)
}

/**
 * Runs in a process of its own, so that its memory is the engine's, apart from some 100 MB for the runtime and
 * the real passages.
 */
async function runStep(step: string): Promise<void> {
  const real = deserialize(await Bun.file(String(values.real)).bytes()) as RealDocumentation
  const engine = engines[(values.only as string[])[0] as EngineName]
  if (!engine) throw new Error("no such engine")
  const wanted = { real, size: Number((values.size as string[])[0]), folder: String(values.folder) }
  const start = performance.now()
  if (step === "build") {
    const isBuilt = await engine.build(wanted)
    return write({ seconds: isBuilt ? (performance.now() - start) / 1000 : 0 })
  }
  const search = await engine.open(wanted)
  const openSeconds = (performance.now() - start) / 1000
  const timesMs = await timed(search, real.questions)
  Bun.gc(true)
  const megabytes = process.memoryUsage().rss / 1_048_576
  write({ openSeconds, megabytes, p50: quantile(timesMs, 0.5), p95: quantile(timesMs, 0.95) })
  process.exit(0)
}

/** Asks one question after another for a bounded time, after a tenth of them to warm up. */
async function timed(
  search: (question: AskedQuestion) => unknown,
  questions: readonly AskedQuestion[],
): Promise<number[]> {
  for (const question of questions.slice(0, questions.length / 10)) await search(question)
  const timesMs: number[] = []
  const end = performance.now() + secondsPerEngine * 1000
  for (let n = 0; n < maxQuestions && performance.now() < end; n++) {
    const start = performance.now()
    await search(questions[n % questions.length] as AskedQuestion)
    timesMs.push(performance.now() - start)
  }
  return timesMs
}

function write(value: Record<string, number>): void {
  process.stdout.write(JSON.stringify(value))
}
