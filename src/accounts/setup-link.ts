import { minuteMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import { newSecretText, sha256 } from "../base/hash.ts"
import type { Db } from "../db/connection.ts"
import { insertRows } from "../db/store.ts"
import { hasOwner } from "./operator.ts"

export const setupLinkMinutes = 30

/** Undefined once there is an owner. Earlier links stay valid until they expire or one is used. */
export async function newSetupLink(
  { db, publicUrl }: { db: Db; publicUrl: string },
  nowMs: number,
  validMinutes = setupLinkMinutes,
): Promise<string | undefined> {
  if (await hasOwner(db)) return undefined
  const text = newSecretText()
  await insertRows(db, "setup_link", { hash: sha256(text), expires_at: nowMs + validMinutes * minuteMs })
  return `${publicUrl}/console/setup/${text}`
}

/** Throws Refusal `not_found` for a link that is unknown or expired, or once there is an owner. */
export async function requireSetupLink(db: Db, text: string, nowMs: number): Promise<void> {
  const row = await db
    .selectFrom("setup_link")
    .select("hash")
    .where("hash", "=", sha256(text))
    .where("expires_at", ">", nowMs)
    .executeTakeFirst()
  if (!row || (await hasOwner(db))) throw new Refusal("not_found", detail("accounts.deadSetupLink"))
}
