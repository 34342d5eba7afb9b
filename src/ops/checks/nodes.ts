import { secondMs } from "../../base/clock.ts"
import { detail } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { listNodes } from "../../db/node.ts"
import { engineOf } from "../../db/words.ts"
import { type Check, ok, runCheck, warning } from "./check.ts"

/** A node that is silent for longer is about to be given up by the others. */
const lateMs = 6 * secondMs

/** One result for each node that shares the database; none on SQLite, where one process serves. */
export async function runNodeChecks(db: Db, timeoutMs: number): Promise<Check[]> {
  if (engineOf(db) === "sqlite") return []
  const nodes = await listNodes(db).catch(() => [])
  return Promise.all(
    nodes.map(({ id, host, version, silentMs }) => {
      const found = detail("checks.node", { id, host, version, seconds: Math.round(silentMs / secondMs) })
      return runCheck("node", () => (silentMs > lateMs ? warning(found) : ok(found)), timeoutMs)
    }),
  )
}
