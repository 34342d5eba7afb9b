import { constants, copyFileSync, existsSync } from "node:fs"
import { resolve } from "node:path"
import { Refusal, UsageError } from "../../base/errors.ts"
import { type Config, readConfig } from "../../config/config.ts"
import { backUp, requireFree } from "../../db/sqlite/backup.ts"
import { putInPlace, unfinishedBeside } from "../../db/sqlite/durable-file.ts"
import { keyPath } from "../../db/vault.ts"
import { defineCommand, json, print } from "../kit/command.ts"

export const backup = defineCommand({
  about: "copies the database to a file and checks the copy",
  details: "Works while the service runs.",
  args: { file: "file to write, which must not exist yet" },
  options: {
    "with-key": { about: "puts the key that opens the secrets beside the copy, in FILE.key" },
    json,
  },
  async run({ args, options, environment }) {
    const file = resolve(args.file)
    const config = readConfig(environment)
    requireSqlite(config)
    const key = options["with-key"] ? keyOf(config) : undefined
    if (key) requireFree(keyBeside(file))
    backUp(config.dataDir, file)
    if (key) copyKey(key, keyBeside(file))
    const keyFile = key ? keyBeside(file) : null
    print(
      options.json
        ? JSON.stringify({ file, key: keyFile })
        : `${file} written and checked${keyFile ? `, its key in ${keyFile}` : "; without the key: keep that apart (--with-key)"}`,
    )
    return undefined
  },
})

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

function keyOf({ dataDir, secrets }: Config): string {
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
