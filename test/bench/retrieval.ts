import { parseArgs } from "node:util"
import { temporaryFolder } from "../support/service.ts"
import { corporaOfArguments } from "./corpora.ts"
import { engines } from "./engines.ts"
import { syntheticPassages } from "./synthetic.ts"

/**
 * Compares search engines at several sizes. Each engine runs in processes of its own and gets the same terms.
 *
 *   bun test/bench/retrieval.ts --shared ../shared [--size N]… [--only ENGINE]…
 */
const { values } = parseArgs({
  options: {
    size: { type: "string", multiple: true, default: ["1000", "10000", "100000"] },
    only: { type: "string", multiple: true, default: Object.keys(engines) },
    step: { type: "string" },
    folder: { type: "string" },
  },
  strict: false,
})
const secondsPerEngine = 8
const maxQuestions = 1000

if (values.step) await runStep(String(values.step))
else await runAll()

async function runAll(): Promise<void> {
  const rows: Record<string, unknown>[] = []
  for (const size of values.size as string[])
    for (const engine of values.only as string[]) {
      using folder = temporaryFolder()
      const built = await child(["build", engine, size, folder.path])
      const opened = await child(["search", engine, size, folder.path])
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

async function child([step, engine, size, folder]: string[]): Promise<Record<string, number>> {
  const argv = ["--step", step, "--only", engine, "--size", size, "--folder", folder] as string[]
  const shared = process.argv.indexOf("--shared")
  const from = shared < 0 ? [] : process.argv.slice(shared, shared + 2)
  const running = Bun.spawn([process.execPath, import.meta.path, ...argv, ...from], { stderr: "inherit" })
  const stdout = await new Response(running.stdout).text()
  if ((await running.exited) !== 0) throw new Error(`${step} of ${engine} at ${size} failed`)
  return JSON.parse(stdout)
}

/**
 * Runs in a process of its own, so that its memory is the engine's, apart from some 100 MB for the runtime and
 * the real passages.
 */
async function runStep(step: string): Promise<void> {
  const corpora = (await corporaOfArguments()).filter(({ name }) => name === "vue-fr" || name === "cnil")
  const real = corpora.flatMap(({ passages }) => passages)
  const questions = corpora.flatMap(({ questions }) => questions).map(({ question }) => question)
  const passages = () => syntheticPassages(real, Number((values.size as string[])[0]))
  const engine = engines[(values.only as string[])[0] as string]
  if (!engine) throw new Error("no such engine")
  const folder = String(values.folder)
  const start = performance.now()
  if (step === "build") {
    let count = 0
    await engine.build(
      (function* () {
        for (const passage of passages()) {
          count++
          yield passage
        }
      })(),
      folder,
    )
    return write({ seconds: count === 0 ? 0 : (performance.now() - start) / 1000 })
  }
  const search = await engine.open(passages, folder)
  const openSeconds = (performance.now() - start) / 1000
  const timesMs = await timed(search, questions)
  Bun.gc(true)
  const megabytes = process.memoryUsage().rss / 1_048_576
  write({ openSeconds, megabytes, p50: quantile(timesMs, 0.5), p95: quantile(timesMs, 0.95) })
  process.exit(0)
}

/** Asks one question after another for a bounded time, after a tenth of them to warm up. */
async function timed(search: (question: string) => unknown, questions: string[]): Promise<number[]> {
  for (const question of questions.slice(0, questions.length / 10)) await search(question)
  const timesMs: number[] = []
  const end = performance.now() + secondsPerEngine * 1000
  for (let n = 0; n < maxQuestions && performance.now() < end; n++) {
    const start = performance.now()
    await search(questions[n % questions.length] as string)
    timesMs.push(performance.now() - start)
  }
  return timesMs.sort((one, other) => one - other)
}

function quantile(sorted: number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] as number
}

function write(value: Record<string, number>): void {
  process.stdout.write(JSON.stringify(value))
}
