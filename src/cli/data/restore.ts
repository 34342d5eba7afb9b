import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { closeSessions } from "../../accounts/session.ts"
import { openApp } from "../../app.ts"
import { Refusal, UsageError } from "../../base/errors.ts"
import { type Config, readConfig } from "../../config/config.ts"
import { openProvenVault, proveKey } from "../../db/key-proof.ts"
import { databasePath, openConnection } from "../../db/sqlite/connection.ts"
import { claimDataDir } from "../../db/sqlite/data-dir.ts"
import { putInPlace, unfinishedBeside } from "../../db/sqlite/durable-file.ts"
import { migrate } from "../../db/sqlite/migrate.ts"
import { keyPath, openVault } from "../../db/vault.ts"
import { eraseResponses } from "../../forms/responses/erase.ts"
import { journalPath, readErasures } from "../../forms/responses/erasure-journal.ts"
import { forgetHeaders } from "../../reading/feed.ts"
import { renewSecrets } from "../../webhooks/endpoints/secret.ts"
import { defineCommand, json, type Outcome, say } from "../kit/command.ts"
import { keyBeside, requireSound, requireSqlite } from "./backup.ts"

export const restore = defineCommand({
  about: "puts a backup into an empty data folder",
  details:
    "Erases again the form responses that erasures.jsonl, beside the backup, lists as erased since. The service rebuilds the index when it starts.",
  args: { file: "backup to restore" },
  options: {
    trial: {
      about:
        "restores into a temporary folder beside the backup, says whether that went well, and removes it",
    },
    json,
  },
  async run({ args, options, environment }) {
    const file = resolve(args.file)
    const config = readConfig(environment)
    requireSqlite(config)
    requireSound(file)
    if (options.trial) {
      const { erased, renewed } = await tryOut(file, config)
      return {
        json: { erased, secrets_renewed: renewed ?? [], trial: true },
        text: `${file} can be restored${renewed ? ", but its secrets cannot be read with the key at hand" : ""}; nothing was kept of the trial`,
        code: renewed ? 1 : 0,
      }
    }
    requireEmpty(config.dataDir)
    try {
      return restoreOutcome(await restoreFrom(file, config), file)
    } catch (error) {
      for (const path of [databasePath(config.dataDir), keyPath(config.dataDir)])
        for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true })
      throw error
    }
  },
})

interface Restored {
  /** Number of form responses that the backup held and that had been erased since. */
  erased: number
  /** Addresses of the endpoints that got a new secret; undefined when the backup's secrets could be read. */
  renewed: string[] | undefined
}

/** Restores into a folder that goes afterwards, with the key beside the backup or else that of the service. */
async function tryOut(file: string, config: Config): Promise<Restored> {
  using folder = unfinishedBeside(file)
  const dataDir = folder.path
  mkdirSync(dataDir, { mode: 0o700 })
  const key = keyPath(config.dataDir)
  if (!config.secrets.key && !existsSync(keyBeside(file)) && existsSync(key))
    copyInPlace(key, keyPath(dataDir))
  // The journal of erasures is read beside the backup, and nothing is added to it.
  return await restoreFrom(file, { ...config, dataDir, backup: { ...config.backup, dir: undefined } })
}

async function restoreFrom(file: string, config: Config): Promise<Restored> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  copyInPlace(file, databasePath(config.dataDir))
  if (existsSync(keyBeside(file)) && !config.secrets.key)
    copyInPlace(keyBeside(file), keyPath(config.dataDir))
  migrate(config.dataDir)
  const renewed = await adoptKey(config)
  await using app = await openApp(config)
  // The backup holds sessions that were ended since, and links that were used since.
  await closeSessions(app.db)
  await app.db.deleteFrom("password_link").execute()
  const folders = [dirname(file), config.backup.dir, config.dataDir].filter((folder) => folder !== undefined)
  const ids = new Set([...new Set(folders)].flatMap((folder) => readErasures(journalPath(folder))))
  return { erased: await eraseResponses(app, [...ids]), renewed }
}

function copyInPlace(source: string, target: string): void {
  using unfinished = unfinishedBeside(target)
  copyFileSync(source, unfinished.path, constants.COPYFILE_EXCL)
  // The copy takes the mode of the backup, which may be readable by others after its transport.
  chmodSync(unfinished.path, 0o600)
  putInPlace(unfinished.path, target)
}

/**
 * Checks that the key at hand opens the backup's secrets. If it does not, they are lost: the database adopts
 * the key, and every endpoint gets a new secret. Resolves to the addresses of these endpoints.
 */
async function adoptKey({ dataDir, secrets }: Config): Promise<string[] | undefined> {
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
  // Waiting mails are encrypted under the lost key too.
  await db.deleteFrom("mail").execute()
  await forgetHeaders(db)
  return await renewSecrets(db, vault)
}

/** Throws Refusal `conflict`; the erasure journal and what a file system makes for itself may be there. */
function requireEmpty(dataDir: string): void {
  if (!existsSync(dataDir)) return
  claimDataDir(dataDir)
  const allowed = [journalPath(dataDir), join(dataDir, "lost+found")]
  const [obstacle] = readdirSync(dataDir).filter((entry) => !allowed.includes(join(dataDir, entry)))
  if (obstacle !== undefined)
    throw new Refusal("conflict", "", {
      reason: `the data folder ${dataDir} is not empty (${obstacle}): stop the service and move its contents elsewhere`,
    })
}

function restoreOutcome({ erased, renewed }: Restored, file: string): Outcome {
  if (renewed)
    say(
      "the secrets in the backup cannot be read without the key it was made with: mails that waited are gone, every endpoint has a new secret, and no endpoint or feed has headers of its owner's any more",
    )
  for (const url of renewed ?? []) say(`  rotate the secret of ${url} and hand the new one to its owner`)
  return {
    json: { erased, secrets_renewed: renewed ?? [] },
    text: [
      `${file} restored, ${erased} responses erased again; the service rebuilds the index when it starts`,
      "everybody signs in anew; people, passwords and tokens are those of the backup: revoke again what was revoked since",
    ],
  }
}
