import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { migrate } from "../src/db/postgres/migrate.ts"
import { administer, noPostgres, startPostgres, testSettings } from "./support/postgres-server.ts"

// `bun test/run.ts [flags and filters of bun test]`: the test files by one worker more than there are processors, each
// of which takes the next file when it is done with one, the slowest of the last run first. Most of a test is
// waiting, for the disk and for other processes.

const isOnPostgres = process.env["GUICHET_TEST_ENGINE"] === "postgres"
if (isOnPostgres && noPostgres()) process.exit(0)

// Left out on PostgreSQL, where each test costs a database: what is the same on either run. Another test asks
// PostgreSQL unless it is named here.
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
const cache = resolve(import.meta.dir, "../node_modules/.cache/guichet-test")
mkdirSync(cache, { recursive: true })
// Workers end without a word, so that what they share among files goes with these two folders.
const temporary = mkdtempSync(join(tmpdir(), "guichet-tests-"))
// PostgreSQL runs as another user and has its folder in here.
chmodSync(temporary, 0o711)
const bundles = mkdtempSync(join(cache, "run-"))
const timings = join(cache, isOnPostgres ? "timings-on-postgres.json" : "timings.json")
if (!existsSync(timings)) {
  const files = [...new Bun.Glob("**/*.test.ts").scanSync(import.meta.dir)].map((file) => {
    const place = longest.findIndex((name) => file === `${name}.test.ts`)
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

/** Passes on what Bun tells and gives its lines of failures, each with its file. */
async function shownWithFailures(told: Readable): Promise<string[]> {
  const failures: string[] = []
  let file = ""
  for await (const line of createInterface(told)) {
    process.stderr.write(`${line}\n`)
    const plain = Bun.stripANSI(line)
    if (/^\S+\.test\.ts:$/.test(plain)) file = plain
    if (/^\(fail\)|^✗/.test(plain)) failures.push(`${file} ${plain}`)
  }
  return failures
}

const postgres = isOnPostgres ? await startWithTemplate() : undefined
const run = Bun.spawn(
  [
    process.execPath,
    "test",
    `--parallel=${availableParallelism() + 1}`,
    // One start of a service takes the modules of a hundred.
    "--no-isolate",
    "--timeout=600000",
    "--only-failures",
    `--timings=${timings}`,
    "--update-timings",
    ...(isOnPostgres ? sameOnBothEngines : []).map((each) => `--path-ignore-patterns=test/${each}`),
    ...Bun.argv.slice(2),
  ],
  {
    env: {
      ...process.env,
      TMPDIR: temporary,
      GUICHET_TEST_BUNDLES: bundles,
      ...(postgres && {
        GUICHET_TEST_POSTGRES: postgres.url("postgres"),
        GUICHET_TEST_TEMPLATE: template,
      }),
    },
    stdio: ["ignore", "inherit", "pipe"],
  },
)
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => run.kill(signal))
const failures = await shownWithFailures(Readable.from(run.stderr))
const exitCode = await run.exited
// Once more at the end: of a long log only the last lines are kept.
if (failures.length > 0) process.stderr.write(`\nFailed:\n${failures.join("\n")}\n`)
postgres?.[Symbol.dispose]()
try {
  for (const folder of [bundles, temporary]) rmSync(folder, { recursive: true, force: true })
} catch (error) {
  // A test that was stopped may leave a file system mounted, which is no result of the run.
  process.stderr.write(`left behind: ${error}\n`)
}
process.exit(exitCode)
