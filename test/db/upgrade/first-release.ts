import { Database } from "bun:sqlite"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { databasePath } from "../../../src/db/sqlite/connection.ts"
import { administer } from "../../support/postgres-server.ts"

/** A database as commit 5f940d96 wrote it, the oldest that can be opened: a row in every table. */
const dumpOf = (engine: "sqlite" | "postgres") =>
  readFileSync(join(import.meta.dir, `version-1035.${engine}.sql`), "utf8")

/** A token of that database, which opens everything of its workspace. */
export const tokens = {
  sqlite: "gch_pIHOryqOdgitcZysnpU5ZTgHqoGdCZlQf2I4UtLRMJR",
  postgres: "gch_dOsOBPxkWtMOgNQmfHbIHHjs6Vq3bE2IZRUntebcZdw",
}

export function writeFolder(dataDir: string, version = 1035): void {
  writeFileSync(join(dataDir, "secret.key"), "MeEmrzTgfU0uuI20iCrUe9HuLqpJlQTUpHkHAp0ZNLA=", { mode: 0o600 })
  using database = new Database(databasePath(dataDir), { strict: true, create: true })
  database.run("PRAGMA journal_mode = WAL")
  database.transaction(() => database.run(dumpOf("sqlite"))).immediate()
  database.run(`PRAGMA user_version = ${version}`)
}

export async function writePostgres(url: string, version = 1035): Promise<void> {
  await administer(
    url,
    `BEGIN; ${dumpOf("postgres")} UPDATE schema_version SET version = ${version}; COMMIT;`,
  )
}
