import { hourMs, isoTime, secondMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { newId, randomText } from "../../base/ids.ts"
import { countUpTo } from "../../db/count.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import { activeEndpoint } from "../endpoints/active-endpoint.ts"
import { deliveryAdder } from "./delivery.ts"
import { messageAdder } from "./message.ts"

/** Of one endpoint, in UTC: each is kept for 30 days, as what it tries is. */
export const mostPerDay = 500

/** Invented by a face, which has the words. */
export interface TestValues {
  formName: string
  name: string
  message: string
  consent: string
}

/**
 * A message of the real type with invented data, for one endpoint, by the very same path as real ones.
 * Resolves to the id of its delivery. The dispatcher is to be woken afterwards. Throws Refusal as
 * `activeEndpoint` does, `rate_limited` for one too many that day.
 */
export async function sendTest(
  db: Db,
  workspaceId: string,
  endpointId: string,
  values: TestValues,
  nowMs: number,
): Promise<string> {
  return db.transaction().execute(async (transaction) => {
    await activeEndpoint(transaction, workspaceId, endpointId)
    const counted = { subject: `endpoint-test:${endpointId}`, period: isoTime(nowMs).slice(0, 10) }
    if (!(await countUpTo(transaction, counted, mostPerDay)))
      throw new Refusal("rate_limited", detail("webhooks.tooManyTests", { maximum: mostPerDay }), {
        reason: "too many tests of this endpoint",
        retryAfterSeconds: hourMs / secondMs,
      })
    const data = inventedData(values, nowMs)
    const messageId = await messageAdder(db)(transaction, { workspaceId, responseId: null, data, now: nowMs })
    return deliveryAdder(db)(transaction, { messageId, endpointId, active: true, now: nowMs })
  })
}

/** Every field of the specification's `data` object (part 2 B1), filled; its ids exist nowhere. */
function inventedData({ formName, name, message, consent }: TestValues, nowMs: number) {
  const email = "camille@exemple.fr"
  return {
    id: newId("resp", nowMs),
    form_id: newId("form", nowMs),
    form_public_id: randomText(12, "abcdefghijklmnopqrstuvwxyz0123456789"),
    form_name: formName,
    values: { nom: name, courriel: email, message, lettre: "oui" },
    email,
    consent: { status: "confirmed", text: consent, at: isoTime(nowMs) },
    page: "https://www.exemple.fr/contact",
    created_at: isoTime(nowMs),
  }
}
