import { join } from "node:path"
import { parseArgs } from "node:util"
import { deserialize, serialize } from "node:v8"
import { localEmbeddingName } from "../../src/index/embedding/embeddings.ts"
import { temporaryFolder } from "../support/service.ts"
import { openCorpora } from "./corpora.ts"
import { type AskedQuestion, type EngineName, engines, type RealDocumentation } from "./engines.ts"
import { quantile, report, say } from "./figures.ts"
import { answerCommands, type Child, startChild } from "./nodes/child.ts"

/**
 * Compares search engines at several sizes. Each engine runs in processes of its own and gets the same terms.
 * With meaning, passages have vectors at random around real ones, and questions have theirs already: how long
 * those take is measured by `bun test/bench/meaning.ts`. Engines take turns, a line for each round.
 *
 *   bun test/bench/retrieval.ts --shared ../shared [--size N]… [--only ENGINE]… [--rounds 1] [--set NAME]… [--data FOLDER]
 */
const { values } = parseArgs({
  options: {
    size: { type: "string", multiple: true, default: ["1000", "10000", "100000"] },
    only: { type: "string", multiple: true, default: Object.keys(engines) },
    rounds: { type: "string", default: "1" },
    set: { type: "string", multiple: true, default: ["vue-fr", "cnil"] },
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
  for (const size of values.size as string[]) {
    await using resources = new AsyncDisposableStack()
    const opened: [engine: string, child: Child][] = []
    for (const engine of values.only as string[]) {
      const folder = resources.use(temporaryFolder()).path
      const setup = ["--only", engine, "--size", size, "--folder", folder, "--real", realFile]
      const start = (step: string) => startChild("../retrieval.ts", "--step", step, ...setup)
      await using builder = await start("build")
      const child = resources.use(await start("search"))
      const [buildSeconds, openSeconds] = [builder, child].map(({ greeting }) => Number(greeting)) as [
        number,
        number,
      ]
      report({
        [`${engine}, ${size}: passages/s indexed`]: Number(size) / (buildSeconds || openSeconds),
        ...(buildSeconds > 0 && { [`${engine}, ${size}: open ms`]: 1000 * openSeconds }),
      })
      opened.push([engine, child])
    }
    for (let round = 0; round < Number(values.rounds); round++)
      for (const [engine, child] of opened) {
        const figures = Object.entries(JSON.parse(await child.tell("time")) as Record<string, number>)
        report(Object.fromEntries(figures.map(([what, value]) => [`${engine}, ${size}: ${what}`, value])))
      }
  }
}

/** Passages, questions and vectors of the chosen sets. */
async function realDocumentation(): Promise<RealDocumentation> {
  const withMeaning = (values.only as string[]).includes("guichet, with meaning")
  await using all = await openCorpora(withMeaning ? "local" : "none")
  const corpora = all.corpora.filter(({ name }) => (values.set as string[]).includes(name))
  const { signal } = new AbortController()
  const questions: AskedQuestion[] = []
  for (const { question } of corpora.flatMap(({ questions }) => questions)) {
    const vector = withMeaning ? await all.deps.understanding?.vectorOf(question, signal) : undefined
    if (withMeaning && !vector) throw new Error("the embedded model gave no vector")
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

/**
 * Runs in a process of its own, so that its memory is the engine's, apart from some 100 MB for the runtime
 * and the real passages.
 */
async function runStep(step: string): Promise<void> {
  const real = deserialize(await Bun.file(String(values.real)).bytes()) as RealDocumentation
  const engine = engines[(values.only as string[])[0] as EngineName]
  if (!engine) throw new Error("no such engine")
  const wanted = { real, size: Number((values.size as string[])[0]), folder: String(values.folder) }
  const start = performance.now()
  if (step === "build") {
    const isBuilt = await engine.build(wanted)
    return say(String(isBuilt ? (performance.now() - start) / 1000 : 0))
  }
  const search = await engine.open(wanted)
  await answerCommands(String((performance.now() - start) / 1000), async () => {
    const timesMs = await timed(search, real.questions)
    Bun.gc(true)
    const megabytes = process.memoryUsage().rss / 1_048_576
    return JSON.stringify({
      "p50 ms": quantile(timesMs, 0.5),
      "p95 ms": quantile(timesMs, 0.95),
      "process MB": megabytes,
    })
  })
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
