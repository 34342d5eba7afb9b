import { isoTime } from "../../base/clock.ts"
import { UsageError } from "../../base/errors.ts"
import { type Server, statementTimeoutMs } from "./client.ts"
import { withClient } from "./migrate.ts"

/** The comment of a table marks a database that `guichet move` has copied elsewhere: dumps take it along. */
const prefix = "moved by guichet at "

export function markMoved(server: Server, nowMs: number): Promise<void> {
  return comment(server, `'${prefix}${isoTime(nowMs)}'`)
}

export function forgetMoved(server: Server): Promise<void> {
  return comment(server, "NULL")
}

/** Throws UsageError for a database that was moved elsewhere: it lacks what came in there since. */
export async function refuseMoved(server: Server): Promise<void> {
  const [row] = await withClient(server, statementTimeoutMs, (client) =>
    client.run("SELECT obj_description('schema_version'::regclass, 'pg_class') AS comment", []),
  )
  const note = String(row?.["comment"] ?? "")
  if (note.startsWith(prefix))
    throw new UsageError(
      `the PostgreSQL database was moved to a data folder at ${note.slice(prefix.length)} and lacks what came in since: remove GUICHET_DATABASE_URL and set GUICHET_DATA_DIR to that folder; to go on with it all the same, guichet serve --force`,
    )
}

async function comment(server: Server, text: string): Promise<void> {
  await withClient(server, statementTimeoutMs, (client) =>
    client.run(`COMMENT ON TABLE schema_version IS ${text}`, []),
  )
}
