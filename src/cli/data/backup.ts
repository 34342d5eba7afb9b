import { constants, copyFileSync, existsSync } from "node:fs"
import { resolve } from "node:path"
import { Refusal, UsageError } from "../../base/errors.ts"
import { type Config, readConfig } from "../../config/config.ts"
import { backUp, requireFree } from "../../db/sqlite/backup.ts"
import { changedSince, checksumsBeside, writeChecksums } from "../../db/sqlite/checksum.ts"
import { putInPlace, unfinishedBeside } from "../../db/sqlite/durable-file.ts"
import { fileVersion, findDamage } from "../../db/sqlite/integrity.ts"
import { keyPath } from "../../db/vault.ts"
import { defineCommand, json, type Outcome } from "../kit/command.ts"

export const backup = defineCommand({
  about: "copies the database to a file and checks the copy",
  details:
    "Works while the service runs. The checksum of the copy stands beside it, in FILE.sha256, as sha256sum writes it.",
  args: { file: "file to write, which must not exist yet; with --verify, the backup to look at" },
  options: {
    verify: { about: "writes nothing: compares a backup with its checksum and looks for damage in it" },
    "with-key": { about: "puts the key that opens the secrets beside the copy, in FILE.key" },
    json,
  },
  async run({ args, options, environment }) {
    const file = resolve(args.file)
    if (options.verify) return verify(file)
    const config = readConfig(environment)
    requireSqlite(config)
    const key = options["with-key"] ? readKeyFile(config) : undefined
    requireFree(checksumsBeside(file))
    if (key) requireFree(keyBeside(file))
    backUp(config.dataDir, file)
    if (key) copyKey(key, keyBeside(file))
    writeChecksums(file, key ? [keyBeside(file)] : [])
    const keyFile = key ? keyBeside(file) : null
    return {
      json: { file, key: keyFile },
      text: `${file} written and checked${keyFile ? `, its key in ${keyFile}` : "; without the key: keep that apart (--with-key)"}`,
    }
  },
})

function verify(file: string): Outcome {
  const hasChecksum = requireSound(file)
  return {
    json: { file, sound: true, checksum: hasChecksum },
    text: hasChecksum
      ? `${file} is sound, and the same as when it was made`
      : `${file} is sound; without ${checksumsBeside(file)} no one can tell whether it is the one that was made`,
  }
}

/** Throws Refusal where it differs from the checksum beside it, or is damaged. Gives whether there was one. */
export function requireSound(file: string): boolean {
  if (!existsSync(file)) throw new Refusal("not_found", "", { reason: `there is no file ${file}` })
  const changed = changedSince(file)
  if (changed && changed.length > 0)
    throw new Refusal("invalid_request", "", {
      reason: `${file} is damaged or was changed since it was made: ${changed.join(", ")} and ${checksumsBeside(file)} do not agree; take another backup`,
    })
  const [damage] = findDamage(file)
  if (damage !== undefined)
    throw new Refusal("invalid_request", "", { reason: `${file} is damaged or not a backup: ${damage}` })
  // SQLite takes an empty file for a sound database.
  if (fileVersion(file) === 0)
    throw new Refusal("invalid_request", "", { reason: `${file} is not a backup: no Guichet has written it` })
  return changed !== undefined
}

/** The file where `backup --with-key` puts the key, and where `restore` looks for it. */
export function keyBeside(file: string): string {
  return `${file}.key`
}

/** Throws UsageError where the database is PostgreSQL's. */
export function requireSqlite({ secrets }: Config): void {
  if (secrets.database)
    throw new UsageError(
      "the database is PostgreSQL's: its owner backs it up and restores it (pg_dump, pg_restore); keep GUICHET_SECRET_KEY apart",
    )
}

function readKeyFile({ dataDir, secrets }: Config): string {
  if (secrets.key)
    throw new UsageError(
      "--with-key: the key comes from GUICHET_SECRET_KEY and is not in the data folder: keep it yourself",
    )
  const key = keyPath(dataDir)
  if (!existsSync(key)) throw new Refusal("not_found", "", { reason: `there is no key in ${dataDir}` })
  return key
}

function copyKey(key: string, target: string): void {
  using unfinished = unfinishedBeside(target)
  // The copy keeps the mode of the original, 0600.
  copyFileSync(key, unfinished.path, constants.COPYFILE_EXCL)
  putInPlace(unfinished.path, target)
}
