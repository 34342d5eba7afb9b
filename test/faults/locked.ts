import { Database } from "bun:sqlite"
import { databasePath } from "../../src/db/sqlite/connection.ts"
import { temporaryFolder } from "../support/service.ts"
import { atMost, exactly, type Verdict } from "../support/verdict.ts"
import { startServedSite, until } from "./served-site.ts"

/** Another program holds the database's lock for 3 seconds, then for 15. */
export async function lockedDatabase(): Promise<Verdict[]> {
  using folder = temporaryFolder()
  await using site = await startServedSite(folder.path)
  const locked = async (ms: number) => {
    using other = new Database(databasePath(folder.path))
    other.run("PRAGMA busy_timeout = 5000")
    other.run("BEGIN IMMEDIATE")
    const posts = Array.from({ length: 20 }, site.post)
    const alive: number[] = []
    for (const endsAt = performance.now() + ms; performance.now() < endsAt; await Bun.sleep(100))
      alive.push((await site.get("/healthz")).ms)
    other.run("ROLLBACK")
    return { replies: await Promise.all(posts), slowestMs: Math.max(...alive) }
  }
  const short = await locked(3000)
  const long = await locked(15_000)
  const recoveredMs = await until(() => site.get("/readyz"), 200)
  const failed = long.replies.filter(({ status }) => status !== 201)
  return [
    exactly(
      "locked 3 s: posts not acknowledged after it",
      0,
      short.replies.filter(({ status }) => status !== 201).length,
    ),
    atMost("locked 3 s: slowest /healthz meanwhile", 1000, short.slowestMs, " ms"),
    exactly("locked 15 s: posts refused with 503", 20, failed.filter(({ status }) => status === 503).length),
    atMost("locked 15 s: longest until the refusal", 12_000, Math.max(...failed.map(({ ms }) => ms)), " ms"),
    atMost("locked 15 s: slowest /healthz meanwhile", 1000, long.slowestMs, " ms"),
    atMost("locked 15 s: back afterwards", 5000, recoveredMs, " ms"),
  ]
}
