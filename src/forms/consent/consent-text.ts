import { createHash } from "node:crypto"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/sqlite/connection.ts"

/** The consent box of a form. */
export interface Consent {
  /** What stands beside the box. */
  text: string
  /** Whether the person confirms it by a link sent by mail. */
  confirmation: boolean
}

/**
 * The value of a consent box in the HTML we give: names the wording that stands beside it. Pages are copied
 * once and a form may be reworded later; the proof must hold what the person read.
 */
export function markOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16)
}

/** Whether a checked box, by its value, stood beside another wording than this. */
export function namesAnother(posted: string, { text }: Consent): boolean {
  return /^[0-9a-f]{16}$/.test(posted) && posted !== markOf(text)
}

/** Each is kept as long as its form: a page may still show it. */
export const maxWordings = 200

/** Remembers a wording for as long as the form exists. Throws Refusal `conflict` for one too many. */
export async function keepWording(db: Db, formId: string, consent: Consent | null): Promise<void> {
  if (!consent) return
  const mark = markOf(consent.text)
  const others = await db
    .selectFrom("form_wording")
    .select("mark")
    .where("form_id", "=", formId)
    .where("mark", "!=", mark)
    .execute()
  if (others.length >= maxWordings)
    throw new Refusal("conflict", detail("forms.tooManyWordings", { maximum: maxWordings }), {
      fields: { "consent.text": detail("forms.tooManyWordings", { maximum: maxWordings }) },
    })
  await db
    .insertInto("form_wording")
    .values({ form_id: formId, mark, text: consent.text })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The wording that a checked box names; the present one when its page was written by hand and names none. */
export async function shownWording(
  db: Db,
  formId: string,
  consent: Consent,
  posted: string,
): Promise<string> {
  if (!namesAnother(posted, consent)) return consent.text
  const row = await db
    .selectFrom("form_wording")
    .select("text")
    .where("form_id", "=", formId)
    .where("mark", "=", posted)
    .executeTakeFirst()
  return row?.text ?? consent.text
}
