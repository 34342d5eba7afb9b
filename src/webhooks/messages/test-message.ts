import { hourMs, isoTime, secondMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { newId, randomText } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { countUpTo } from "../../db/count.ts"
import { withLock } from "../../db/with-lock.ts"
import { requireActiveEndpoint } from "../endpoints/endpoint.ts"
import { openAddDelivery } from "./delivery.ts"
import { openAddMessage } from "./message.ts"

/** Test messages to one endpoint in a UTC day. Each one stays in the log for 30 days, as real ones do. */
export const maxTestsPerDay = 500

/** The invented values of the fields. A face gives them, since domains hold no sentences. */
export interface TestValues {
  formName: string
  name: string
  message: string
  consent: string
}

/**
 * Enqueues a message of the real type with invented data for one endpoint, on the path of real messages.
 * Resolves to the id of its delivery. The caller wakes the dispatcher afterwards. Throws Refusal as
 * `requireActiveEndpoint` does, `rate_limited` above `maxTestsPerDay`.
 */
export async function sendTest(
  db: Db,
  workspaceId: string,
  endpointId: string,
  values: TestValues,
  nowMs: number,
): Promise<string> {
  return withLock(db, `endpoint:${endpointId}`, async (transaction) => {
    await requireActiveEndpoint(transaction, workspaceId, endpointId)
    const counted = { subject: `endpoint-test:${endpointId}`, period: isoTime(nowMs).slice(0, 10) }
    if (!(await countUpTo(transaction, counted, maxTestsPerDay)))
      throw new Refusal("rate_limited", detail("webhooks.tooManyTests", { maximum: maxTestsPerDay }), {
        reason: "too many tests of this endpoint",
        retryAfterSeconds: hourMs / secondMs,
      })
    const data = inventedData(values, nowMs)
    const messageId = await openAddMessage(db)(transaction, {
      workspaceId,
      responseId: null,
      formId: null,
      data,
      now: nowMs,
    })
    return openAddDelivery(db)(transaction, { messageId, endpointId, active: true, now: nowMs })
  })
}

/** The `data` object of the specification (part 2 B1) with every field filled. Its ids exist nowhere. */
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
