import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { migrate } from "../src/db/postgres/migrate.ts"
import { bundle } from "./support/bundle.ts"
import { administer, noPostgres, startPostgres, testSettings } from "./support/postgres-server.ts"
import { showProgress } from "./support/progress.ts"

// `bun test/run.ts [flags and filters of bun test]`: the test files by one worker more than there are processors, each
// of which takes the next file when it is done with one, the slowest of the last run first. Most of a test is
// waiting, for the disk and for other processes.

const isOnPostgres = process.env["GUICHET_TEST_ENGINE"] === "postgres"
if (isOnPostgres && noPostgres()) process.exit(0)

// Left out on PostgreSQL, where each test costs a database: what is the same on either run. Another test asks
// PostgreSQL unless it is named here; the slow part of a file goes with it.
const sameOnBothEngines = [
  // No database.
  "*.test.ts",
  "{base,config,host,outbound,release,wording}/**",
  "reading/**",
  "index/{lance,text}/**",
  "answering/{extractive,generative,llm,retrieval}/**",
  "owners/{evaluation,gaps}/**",
  "http/{body,client,proxies,schemas}.test.ts",
  "webhooks/delivery/{batcher,connections,limiter,wake-loop}.test.ts",
  "webhooks/{endpoints/signature,messages/retry-schedule}.test.ts",
  // Both engines, or PostgreSQL, on either run.
  "db/{postgres,sqlite,upgrade}/**",
  "db/{batch,search,vault}.test.ts",
  "{jobs/nodes,cli/move,forms/removal,indexing/{archives-in-database,fenced}}.test.ts",
  // What a browser, the model, or a hostile or slow site does, before or after the database is asked.
  "{binary,browser,storage}/**",
  "index/embedding/embedding.test.ts",
  "{answering/ask,indexing}/hostile-pages.test.ts",
  "indexing/taking-turns.test.ts",
  "cli/{meaning,eval,authorities,check-certificates,demo,index-sitemap}.test.ts",
  "faults/shapes.test.ts",
  "mail/{smtp,test-mail}.test.ts",
  "webhooks/delivery/{connecting,guard,send}.test.ts",
]
// What a first run takes first: without a time of the last one, the longest file would come last.
const longest = [
  "indexing/archives",
  "indexing/taking-turns",
  "regex.deep",
  "cli/index",
  "cli/move",
  "cli/meaning",
  "console/indexing/indexing",
  "faults/shapes",
  "webhooks/delivery/dispatcher",
  "answering/ask/hostile-pages",
]
/** Files that are tried once more, alone. More of them have a cause in common. */
const maxTriedAgain = 3
const cache = resolve(import.meta.dir, "../node_modules/.cache/guichet-test")
mkdirSync(cache, { recursive: true })
// Workers end without a word, so that what they share among files goes with these two folders.
const temporary = mkdtempSync(join(tmpdir(), "guichet-tests-"))
// PostgreSQL runs as another user and has its folder in here.
chmodSync(temporary, 0o711)
// The program, for all workers.
const bundles = mkdtempSync(join(cache, "run-"))
const program = await bundle(bundles)
const timings = join(cache, isOnPostgres ? "timings-on-postgres.json" : "timings.json")
if (!existsSync(timings)) {
  const files = [...new Bun.Glob("**/*.test.ts").scanSync(import.meta.dir)].map((file) => {
    const place = longest.findIndex((name) => new Bun.Glob(withSlow(`${name}.test.ts`)).match(file))
    return [`test/${file}`, place === -1 ? 1000 : 100_000 - place]
  })
  writeFileSync(timings, JSON.stringify({ version: 1, files: Object.fromEntries(files) }))
}

/** A database of this version that each data folder gets a copy of, in half the time of making its tables. */
const template = "template_guichet"

async function startWithTemplate() {
  const server = await startPostgres(testSettings)
  await administer(server.url("postgres"), `CREATE DATABASE ${template} TEMPLATE template0`)
  await migrate({ url: server.url(template), ca: undefined, tls: undefined })
  return server
}

/** The pattern of a file, and of its slow part. */
function withSlow(pattern: string): string {
  return pattern.replace(/\.test\.ts$/, "{,.slow}.test.ts")
}

/** Passes on what Bun prints, and collects its lines of failures, each with its file. */
async function passOn(output: Readable, failures: string[]): Promise<void> {
  let file = ""
  for await (const line of createInterface(output)) {
    progress.clear()
    process.stderr.write(`${line}\n`)
    const plain = Bun.stripANSI(line)
    if (/^\S+\.test\.ts:$/.test(plain)) file = plain
    if (/^\(fail\)|^✗/.test(plain)) failures.push(`${file} ${plain}`)
  }
}

/** The files that Bun takes for these flags and filters. */
function filesOfRun(): string[] {
  const words = Bun.argv.slice(2)
  const flag = "--path-ignore-patterns"
  const ignored = words.flatMap((word, at) =>
    word.startsWith(`${flag}=`) ? word.slice(flag.length + 1) : words[at - 1] === flag ? word : [],
  )
  const filters = words.filter((word, at) => !word.startsWith("-") && words[at - 1] !== flag)
  const globs = [...ignored, ...untaken].map((pattern) => new Bun.Glob(pattern))
  return [...new Bun.Glob("**/*.test.ts").scanSync(import.meta.dir)]
    .map((file) => `test/${file}`)
    .filter((file) => !file.includes("/node_modules/") && !globs.some((glob) => glob.match(file)))
    .filter((file) => filters.length === 0 || filters.some((each) => file.includes(each)))
}

/** On the run of SQLite some tests ask for databases of PostgreSQL: each file would start a server of its own. */
function startWhereNeeded(files: readonly string[]) {
  if (isOnPostgres) return startWithTemplate()
  const asks = (file: string) =>
    readFileSync(resolve(import.meta.dir, "..", file), "utf8").includes("createDatabase(")
  return files.some(asks) && !noPostgres() ? startPostgres(testSettings) : undefined
}

const untaken = (isOnPostgres ? sameOnBothEngines : []).map((each) => `test/${withSlow(each)}`)
const files = filesOfRun()
const postgres = await startWhereNeeded(files)
const failures: string[] = []
const progress = showProgress(join(temporary, "progress"), files, timings, failures)
const env = {
  ...process.env,
  TMPDIR: temporary,
  GUICHET_TEST_PROGRAM: program,
  GUICHET_TEST_PROGRESS: progress.path,
  ...(postgres && { GUICHET_TEST_POSTGRES: postgres.url("postgres") }),
  ...(isOnPostgres && { GUICHET_TEST_TEMPLATE: template }),
}

/** Runs `bun test` to its end, and tells its exit code. */
async function bunTest(args: readonly string[], failures: string[]): Promise<number> {
  const run = Bun.spawn(
    // One start of a service takes the modules of a hundred.
    [process.execPath, "test", "--no-isolate", "--timeout=600000", "--only-failures", ...args],
    { env, stdio: ["ignore", "inherit", "pipe"] },
  )
  const stop = (signal: NodeJS.Signals) => run.kill(signal)
  const signals = ["SIGINT", "SIGTERM"] as const
  for (const signal of signals) process.on(signal, stop)
  await passOn(Readable.from(run.stderr), failures)
  for (const signal of signals) process.off(signal, stop)
  return run.exited
}

const exitCode = await bunTest(
  [
    `--parallel=${availableParallelism() + 1}`,
    `--timings=${timings}`,
    "--update-timings",
    ...untaken.map((each) => `--path-ignore-patterns=${each}`),
    ...Bun.argv.slice(2),
  ],
  failures,
)
progress.end()
const failed = [...new Set(failures.map((failure) => failure.slice(0, failure.indexOf(":"))))]
// The run has failed all the same: this tells whether a test fell by the work of others beside it.
const mayTryAgain = failed.length > 0 && failed.length <= maxTriedAgain
const againCode = mayTryAgain ? await bunTest(failed, []) : undefined
// Once more at the end: of a long log only the last lines are kept.
if (failures.length > 0)
  process.stderr.write(
    `\nFailed${againCode === 0 ? " among others, and passed alone" : ""}:\n${failures.join("\n")}\n`,
  )
postgres?.[Symbol.dispose]()
try {
  for (const folder of [bundles, temporary]) rmSync(folder, { recursive: true, force: true })
} catch (error) {
  // A test that was stopped may leave a file system mounted, which is no result of the run.
  process.stderr.write(`left behind: ${error}\n`)
}
process.exit(exitCode)
