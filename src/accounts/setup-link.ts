import { createHash, randomBytes } from "node:crypto"
import { minuteMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/sqlite/connection.ts"
import { hasOwner } from "./operator.ts"

/** How long a link is good for. */
export const setupLinkMinutes = 30

/**
 * A link under which the first operator makes their account; undefined when there is an owner. Every link
 * that was given out stands until its time is over or one of them was used.
 */
export async function newSetupLink(
  { db, publicUrl }: { db: Db; publicUrl: string },
  nowMs: number,
): Promise<string | undefined> {
  if (await hasOwner(db)) return undefined
  const text = randomBytes(32).toString("base64url")
  await db
    .insertInto("setup_link")
    .values({ hash: hashOf(text), expires_at: nowMs + setupLinkMinutes * minuteMs })
    .execute()
  return `${publicUrl}/console/setup/${text}`
}

/** Throws Refusal `not_found` for a link that is unknown, too old, or no longer needed. */
export async function requireSetupLink(db: Db, text: string, nowMs: number): Promise<void> {
  const row = await db
    .selectFrom("setup_link")
    .select("hash")
    .where("hash", "=", hashOf(text))
    .where("expires_at", ">", nowMs)
    .executeTakeFirst()
  if (!row || (await hasOwner(db))) throw new Refusal("not_found", detail("accounts.deadSetupLink"))
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url")
}
