import { hourMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { changeRows, findRow } from "../db/store.ts"
import { normaliseEmail } from "./operator.ts"

/** For how long the machine's owner lets an account sign in by password where that is off. */
const windowHours = 1

export async function openPasswordWindow(db: Db, operatorId: string, nowMs: number): Promise<void> {
  await changeRows(db, "operator", { id: operatorId }, { password_until: nowMs + windowHours * hourMs })
}

/** Throws Refusal `forbidden`, alike for an address that has no account. */
export async function requirePasswordWindow(db: Db, email: string, nowMs: number): Promise<void> {
  const operator = await findRow(db, "operator", { email: normaliseEmail(email) })
  if (!operator || (operator.password_until ?? 0) <= nowMs)
    throw new Refusal("forbidden", detail("accounts.passwordsOff"))
}
