import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { noPostgres, startPostgres, testSettings } from "./support/postgres-server.ts"

// `bun test/run.ts [flags and filters of bun test]`: the test files by as many workers as there are processors, each
// of which takes the next file when it is done with one, the slowest of the last run first. Most of a test is
// waiting, for the disk and for other processes.

const isOnPostgres = process.env["GUICHET_TEST_ENGINE"] === "postgres"
if (isOnPostgres && noPostgres()) process.exit(0)

// Left out on PostgreSQL: what asks no database, or the same one on either run.
const sameOnBothEngines = [
  "*.test.ts",
  "{base,binary,browser,config,db,host,outbound,release,storage,wording}/**",
  "assistant/{documents,evaluation,extractive,feeds,generative,index,insights,llm,retrieval,text}/**",
]
const cache = resolve(import.meta.dir, "../node_modules/.cache/guichet-test")
mkdirSync(cache, { recursive: true })
// Workers end without a word, so that what they share among files goes with these two folders.
const temporary = mkdtempSync(join(tmpdir(), "guichet-tests-"))
// PostgreSQL runs as another user and has its folder in here.
chmodSync(temporary, 0o711)
const bundles = mkdtempSync(join(cache, "run-"))
const timings = join(cache, isOnPostgres ? "timings-on-postgres.json" : "timings.json")
const postgres = isOnPostgres ? await startPostgres(testSettings) : undefined
const run = Bun.spawn(
  [
    process.execPath,
    "test",
    "--parallel",
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
      ...(postgres && { GUICHET_TEST_POSTGRES: postgres.url("postgres") }),
    },
    stdio: ["ignore", "inherit", "inherit"],
  },
)
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => run.kill(signal))
const exitCode = await run.exited
postgres?.[Symbol.dispose]()
try {
  for (const folder of [bundles, temporary]) rmSync(folder, { recursive: true, force: true })
} catch (error) {
  // A test that was stopped may leave a file system mounted, which is no result of the run.
  process.stderr.write(`left behind: ${error}\n`)
}
process.exit(exitCode)
