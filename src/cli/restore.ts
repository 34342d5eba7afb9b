import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { closeAllSessions } from "../accounts/session.ts"
import { openApp } from "../app.ts"
import { Refusal, UsageError } from "../base/errors.ts"
import { type Config, readConfig } from "../config/config.ts"
import { openProvenVault, proveKey } from "../db/key-proof.ts"
import { databasePath, openConnection } from "../db/sqlite/connection.ts"
import { claimDataDir } from "../db/sqlite/data-dir.ts"
import { putInPlace, unfinishedBeside } from "../db/sqlite/durable-file.ts"
import { damageOf, versionOf } from "../db/sqlite/integrity.ts"
import { migrate } from "../db/sqlite/migrate.ts"
import { keyPath, openVault } from "../db/vault.ts"
import { eraseResponses } from "../forms/responses/erase.ts"
import { journalPath, readErasures } from "../forms/responses/erasure-journal.ts"
import { renewSecrets } from "../webhooks/endpoints/secret.ts"
import { keyBeside } from "./backup.ts"
import { type Command, print, say } from "./command.ts"

export const restore: Command = {
  usage: "restore FILE [--json]",
  about:
    "puts a backup into an empty data folder and erases again what was erased since, by erasures.jsonl beside the backup; the service rebuilds the index",
  options: { json: { type: "boolean" } },
  async run({ positionals, options, environment }) {
    const [name] = positionals
    if (!name) throw new UsageError("which file? guichet restore FILE")
    const file = resolve(name)
    const config = readConfig(environment)
    requireSound(file)
    requireEmpty(config.dataDir)
    try {
      const restored = await bringBack(file, config)
      report(restored, file, options["json"] === true)
    } catch (error) {
      for (const path of [databasePath(config.dataDir), keyPath(config.dataDir)])
        for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true })
      throw error
    }
    return undefined
  },
}

interface Restored {
  /** How many form responses were in the backup that had been erased since. */
  erased: number
  /** Addresses of endpoints whose secrets could not be read and are new; undefined when they could. */
  renewed: string[] | undefined
}

async function bringBack(file: string, config: Config): Promise<Restored> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  place(file, databasePath(config.dataDir))
  if (existsSync(keyBeside(file)) && !config.secrets.key) place(keyBeside(file), keyPath(config.dataDir))
  migrate(config.dataDir)
  const renewed = await settleKey(config)
  await using app = await openApp(config)
  // Who signed out since, or was made to, is not signed in again.
  await closeAllSessions(app.db)
  const folders = [dirname(file), config.backup.dir, config.dataDir].filter((folder) => folder !== undefined)
  const ids = new Set([...new Set(folders)].flatMap((folder) => readErasures(journalPath(folder))))
  return { erased: await eraseResponses(app, [...ids]), renewed }
}

function place(source: string, target: string): void {
  using unfinished = unfinishedBeside(target)
  copyFileSync(source, unfinished.path, constants.COPYFILE_EXCL)
  // A copy has the rights of its original, which was carried here somehow.
  chmodSync(unfinished.path, 0o600)
  putInPlace(unfinished.path, target)
}

/**
 * Without the key that it was written with, the backup's secrets are lost: the database starts over with the
 * key there is.
 */
async function settleKey({ dataDir, secrets }: Config): Promise<string[] | undefined> {
  await using connection = openConnection(dataDir)
  const { db } = connection
  try {
    await openProvenVault(db, dataDir, secrets.key)
    return undefined
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
  }
  const vault = openVault(dataDir, secrets.key)
  await db.deleteFrom("key_proof").execute()
  await proveKey(db, vault)
  // Mails that waited cannot be read either.
  await db.deleteFrom("mail").execute()
  return await renewSecrets(db, vault)
}

function requireSound(file: string): void {
  if (!existsSync(file)) throw new Refusal("not_found", "", { reason: `there is no file ${file}` })
  const [damage] = damageOf(file)
  if (damage !== undefined)
    throw new Refusal("invalid_request", "", { reason: `${file} is damaged or not a backup: ${damage}` })
  // To SQLite an empty file is a sound database.
  if (versionOf(file) === 0)
    throw new Refusal("invalid_request", "", { reason: `${file} is not a backup: no Guichet has written it` })
}

/** Only the journal of erasures may be there already. */
function requireEmpty(dataDir: string): void {
  if (!existsSync(dataDir)) return
  claimDataDir(dataDir)
  const allowed = [journalPath(dataDir), join(dataDir, "lost+found")]
  const [inTheWay] = readdirSync(dataDir).filter((entry) => !allowed.includes(join(dataDir, entry)))
  if (inTheWay !== undefined)
    throw new Refusal("conflict", "", {
      reason: `the data folder ${dataDir} is not empty (${inTheWay}): stop the service and move its contents elsewhere`,
    })
}

function report({ erased, renewed }: Restored, file: string, json: boolean): void {
  if (json) print(JSON.stringify({ erased, secrets_renewed: renewed ?? [] }))
  else
    print(
      `${file} restored, ${erased} responses erased again; the service rebuilds the index when it starts\neverybody signs in anew; people, passwords and tokens are those of the backup: revoke again what was revoked since`,
    )
  if (!renewed) return
  say(
    "the secrets in the backup cannot be read without the key it was made with: mails that waited are gone, and every endpoint has a new secret",
  )
  for (const url of renewed) say(`  rotate the secret of ${url} and hand the new one to its owner`)
}
