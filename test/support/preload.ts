import { afterAll, setDefaultTimeout } from "bun:test"
import { leaks } from "./leaks.ts"
import { endPostgres, engine, serverOfTests } from "./postgres.ts"
import { noteFileDone } from "./progress.ts"
import { endShared } from "./shared.ts"

/** Workers of `bun test --parallel` come here after every file, with what is shared still to be used. */
const isWorker = process.env["BUN_TEST_WORKER_ID"] !== undefined

// On a busy machine it takes as long to start as `bun test` gives a test: none has that within its time.
if (engine === "postgres") await serverOfTests()

// One limit for every test, so long that no machine is too slow for it: what hangs is found all the same.
setDefaultTimeout(600_000)

// Loaded before all tests (bunfig.toml), so that this is after all of them: `bun test` ends without the
// `exit` of other processes.
afterAll(async () => {
  noteFileDone()
  if (!isWorker) endShared()
  await endPostgres()
  const open = leaks()
  if (open.length > 0) throw new Error(open.join("\n"))
})
