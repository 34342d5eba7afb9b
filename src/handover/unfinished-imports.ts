import type { App } from "../app.ts"
import { Refusal } from "../base/errors.ts"
import type { Lock } from "../db/connection.ts"
import { databaseLocation, takeLock } from "../db/open.ts"
import { changeRows } from "../db/store.ts"

/** Held by the process that reads a workspace in, and gone with it. */
const lockName = "workspace import"

/** Throws Refusal `unavailable` while another workspace is read in. */
export async function holdImport({ config }: Pick<App, "config">): Promise<Lock> {
  const lock = await takeLock(databaseLocation(config), lockName)
  if (lock) return lock
  throw new Refusal("unavailable", "", { reason: "another workspace is being read in: wait until it is" })
}

export async function finishImport({ db }: Pick<App, "db">, id: string): Promise<void> {
  await changeRows(db, "workspace", { id }, { is_unfinished: 0 })
}

export async function removeUnfinishedImports(app: App): Promise<void> {
  const lock = await takeLock(databaseLocation(app.config), lockName)
  if (!lock) return
  await using _held = lock
  const unfinished = await app.db
    .selectFrom("workspace")
    .select("id")
    .where("is_unfinished", "=", 1)
    .execute()
  for (const { id } of unfinished) {
    await app.removeWorkspace(id)
    app.log.warning("removed a workspace whose import was killed", { workspace: id })
  }
}
