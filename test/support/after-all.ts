import { afterAll } from "bun:test"
import { leaks } from "./leaks.ts"
import { endPostgres } from "./postgres.ts"
import { endShared } from "./shared.ts"

/** Workers of `bun test --parallel` come here after every file, with what is shared still to be used. */
const isWorker = process.env["BUN_TEST_WORKER_ID"] !== undefined

// Loaded before all tests (bunfig.toml), so that this is after all of them: `bun test` ends without the
// `exit` of other processes.
afterAll(async () => {
  if (!isWorker) endShared()
  await endPostgres()
  const open = leaks()
  if (open.length > 0) throw new Error(open.join("\n"))
})
