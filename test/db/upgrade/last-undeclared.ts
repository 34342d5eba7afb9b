import { Database } from "bun:sqlite"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { databasePath } from "../../../src/db/sqlite/connection.ts"
import { administer } from "../../support/postgres-server.ts"

/**
 * A database as commit acb3a5e8 wrote it, the last whose schema was written in 31 steps: one of each thing the API
 * speaks of, and a row in every other table.
 */
const dumpOf = (engine: "sqlite" | "postgres") =>
  readFileSync(join(import.meta.dir, `step-31.${engine}.sql`), "utf8")

/** A token of that database, which opens everything of its workspace. */
export const tokens = {
  sqlite: "gch_pIHOryqOdgitcZysnpU5ZTgHqoGdCZlQf2I4UtLRMJR",
  postgres: "gch_dOsOBPxkWtMOgNQmfHbIHHjs6Vq3bE2IZRUntebcZdw",
}

export function writeFolder(dataDir: string, version = 31): void {
  writeFileSync(join(dataDir, "secret.key"), "MeEmrzTgfU0uuI20iCrUe9HuLqpJlQTUpHkHAp0ZNLA=", { mode: 0o600 })
  using database = new Database(databasePath(dataDir), { strict: true, create: true })
  database.run("PRAGMA journal_mode = WAL")
  database.transaction(() => database.run(dumpOf("sqlite"))).immediate()
  database.run(`PRAGMA user_version = ${version}`)
}

export async function writePostgres(url: string, version = 31): Promise<void> {
  await administer(
    url,
    `BEGIN; ${dumpOf("postgres")} UPDATE schema_version SET version = ${version}; COMMIT;`,
  )
}
