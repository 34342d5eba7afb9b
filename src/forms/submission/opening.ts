import { type Detail, detail } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import type { Form } from "../definition/form.ts"
import { countPlacesTaken } from "../responses/count.ts"

/** When a form takes responses, in milliseconds, and how many; null where nothing is set. */
export type Opening = Pick<Form, "opensAt" | "closesAt" | "maxResponses">

interface Moment {
  /** The owner's, in which the sentence tells a time. */
  timezone: string
  nowMs: number
}

/** Why a form takes no response now: too early, too late, or `taken` are all that it takes. */
export function whyClosed(
  { opensAt, closesAt, maxResponses }: Opening,
  taken: number,
  { timezone, nowMs }: Moment,
): Detail | undefined {
  if (opensAt !== null && nowMs < opensAt) return detail("forms.notOpenYet", { atMs: opensAt, timezone })
  if (closesAt !== null && nowMs >= closesAt) return detail("forms.closed", { atMs: closesAt, timezone })
  return maxResponses !== null && taken >= maxResponses ? detail("forms.full") : undefined
}

/** As `whyClosed`, for a page that shows the form: a post that follows is judged by itself. */
export async function whyClosedNow(db: Db, form: Form, at: Moment): Promise<Detail | undefined> {
  return whyClosed(form, await placesTaken(db, form), at)
}

/** Counts nothing for a form that takes any number of responses. */
export async function placesTaken(db: Db, { id, maxResponses }: Pick<Form, "id" | "maxResponses">) {
  return maxResponses === null ? 0 : countPlacesTaken(db, id, maxResponses)
}
