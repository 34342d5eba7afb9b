import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { systemClock } from "../../base/clock.ts"
import { Refusal, UsageError } from "../../base/errors.ts"
import { type Config, readConfig } from "../../config/config.ts"
import { parseDatabaseUrl } from "../../config/database-url.ts"
import { settings } from "../../config/settings.ts"
import { openProvenVault } from "../../db/key-proof.ts"
import { type MoveResult, moveDatabase, tablesToMove } from "../../db/move/move.ts"
import { databaseLocation, forgetMoved, type Location, markMoved, openDatabase } from "../../db/open.ts"
import * as postgres from "../../db/postgres/move.ts"
import { databasePath } from "../../db/sqlite/connection.ts"
import { claimDataDir } from "../../db/sqlite/data-dir.ts"
import * as sqlite from "../../db/sqlite/move.ts"
import { keyPath } from "../../db/vault.ts"
import { defineCommand, json, type Outcome } from "../kit/command.ts"
import { openProgress } from "../kit/progress.ts"

export const move = defineCommand({
  about: "copies the database to PostgreSQL, or from PostgreSQL to a data folder",
  details:
    "Goes from the database of the settings to another one, and leaves the first as it is, marked so that no service starts with it again unless forced. No service may run meanwhile. After an interruption the same command goes on; at the end it compares every table. Indexes are built again from the stored documents where their files are missing.",
  options: {
    to: {
      value: "ADDRESS",
      about:
        "where to: postgres://user:password@host/name, a data folder, or - to read it from stdin, where nobody else of the machine sees the password",
      required: true,
    },
    restart: { about: "removes the copy that an interrupted move has left, and begins again" },
    json,
  },
  async run({ options, environment }) {
    const config = readConfig(environment)
    const from = databaseLocation(config)
    const to = targetLocation(options.to === "-" ? (await Bun.stdin.text()).trim() : options.to, from)
    await proveKey(config)
    await using source = from.server
      ? await postgres.openSource(from.server, tablesToMove)
      : sqlite.openSource(from.dataDir)
    await using target = to.server ? await postgres.openTarget(to.server) : sqlite.openTarget(to.dataDir)
    if (options.restart) await target.clear()
    const progress = openProgress()
    try {
      const moved = await moveDatabase(tablesToMove, source, target, progress.show)
      await forgetMoved(to)
      await markMoved(from, systemClock.now())
      return moveOutcome(moved, to, config)
    } finally {
      progress.clear()
    }
  },
})

/** An address has a scheme; anything else is a folder. Throws UsageError where there is nothing to move. */
function targetLocation(text: string, from: Location): Location {
  if (/^postgres(ql)?:/i.test(text)) {
    const server = parseDatabaseUrl(text)
    if ("fault" in server) throw new UsageError(`--to ${server.fault}`)
    if (from.server)
      throw new UsageError(
        "--to is a data folder here: the database of the settings is in PostgreSQL already (pg_dump copies it to another server)",
      )
    return { dataDir: from.dataDir, server }
  }
  if (/^\w+:\/\//.test(text) || text === "") throw new UsageError("--to is postgres://… or a data folder")
  if (!from.server)
    throw new UsageError(
      "--to is postgres://… here: the database of the settings is in a data folder already (guichet backup copies it)",
    )
  return { dataDir: resolve(text), server: undefined }
}

/** Brings the database to this program's version. Throws UsageError when the key at hand does not open its secrets. */
async function proveKey(config: Config): Promise<void> {
  const { dataDir, secrets } = config
  if (!secrets.database && !existsSync(databasePath(dataDir)))
    throw new Refusal("not_found", "", { reason: `there is no database in ${dataDir}` })
  claimDataDir(dataDir)
  const { connection } = await openDatabase(databaseLocation(config))
  await using _connection = connection
  await openProvenVault(connection.db, dataDir, secrets.key)
}

function moveOutcome({ tables, wasMoved }: MoveResult, to: Location, config: Config): Outcome {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return {
    json: { was_moved: wasMoved, tables },
    text: wasMoved
      ? `everything has been moved already: ${rows} rows of ${tables.length} tables are the same`
      : `${rows} rows of ${tables.length} tables moved; counts and checksums are the same`,
    notes: to.server ? stepsToPostgres(config) : stepsToFolder(to.dataDir),
  }
}

function stepsToPostgres({ dataDir, secrets }: Config): string[] {
  const { databaseUrl, key } = settings
  return [
    `next: set ${databaseUrl.name} (or ${databaseUrl.name}_FILE) to this address`,
    ...(secrets.key
      ? [`  every node needs the ${key.name} of this one`]
      : [
          `  every node needs the key in ${keyPath(dataDir)}: ${key.name}_FILE names a copy of that file, which is as secret as the database`,
        ]),
    "  backups are yours from now on: the service makes none of PostgreSQL (pg_dump)",
    `  then start the service; ${databasePath(dataDir)} was left as it is, and no service starts with it again`,
  ]
}

function stepsToFolder(dataDir: string): string[] {
  const { databaseUrl, dataDir: folder, key } = settings
  return [
    `next: remove ${databaseUrl.name} from the settings, and set ${folder.name}=${dataDir}`,
    `  keep ${key.name}`,
    "  then start one service; the PostgreSQL database was left as it is, and no node starts with it again",
  ]
}
