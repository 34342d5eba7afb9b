import { detail, Refusal } from "../../base/errors.ts"
import { sha256 } from "../../base/hash.ts"
import type { Db } from "../../db/connection.ts"
import { findRow } from "../../db/store.ts"

export interface Consent {
  text: string
  /** Whether the person confirms it by a link sent by mail. */
  confirmation: boolean
}

/**
 * The value of the consent box in the HTML we generate: it identifies the text beside the box by 16
 * hexadecimal digits of its SHA-256. Pages copy the HTML once and the owner may reword the consent later; the
 * proof must hold what the person read.
 */
export function consentTextHash(text: string): string {
  return sha256(text, "hex").slice(0, 16)
}

/** Whether the value of a checked box identifies another text than the consent's current one. */
export function namesOtherText(posted: string, { text }: Consent): boolean {
  return /^[0-9a-f]{16}$/.test(posted) && posted !== consentTextHash(text)
}

/** Most texts of one form. Each is kept as long as its form, because a page may still show it. */
export const maxConsentTexts = 200

/** Stores a text for as long as the form exists. Throws Refusal `conflict` beyond `maxConsentTexts`. */
export async function keepConsentText(db: Db, formId: string, consent: Consent | null): Promise<void> {
  if (!consent) return
  const hash = consentTextHash(consent.text)
  const others = await db
    .selectFrom("form_wording")
    .select("mark")
    .where("form_id", "=", formId)
    .where("mark", "!=", hash)
    .execute()
  const fault = detail("forms.tooManyWordings", { maximum: maxConsentTexts })
  if (others.length >= maxConsentTexts)
    throw new Refusal("conflict", fault, { fields: { "consent.text": fault } })
  await db
    .insertInto("form_wording")
    .values({ form_id: formId, mark: hash, text: consent.text })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A page written by hand may identify none; then the current text. */
export async function shownConsentText(db: Db, formId: string, consent: Consent, posted: string) {
  if (!namesOtherText(posted, consent)) return consent.text
  const row = await findRow(db, "form_wording", { form_id: formId, mark: posted })
  return row?.text ?? consent.text
}
