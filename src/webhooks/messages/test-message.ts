import { dayMs, isoTime } from "../../base/clock.ts"
import { detail } from "../../base/errors.ts"
import { newId, randomText } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { withLock } from "../../db/with-lock.ts"
import type { Limit, Moment } from "../../limits/limit.ts"
import { take } from "../../limits/take.ts"
import { requireActiveEndpoint } from "../endpoints/endpoint.ts"
import { type EventType, formEvent } from "../endpoints/event-types.ts"
import { isPaced } from "../endpoints/pace.ts"
import { openAddDelivery } from "./delivery.ts"
import type { AskedEvent, EventData } from "./events/event.ts"
import { envelope, openAddMessage } from "./message.ts"

/** Each test message stays in the log for 30 days, as real ones do. */
export const testLimit = {
  key: "test messages",
  points: 500,
  per: "day",
  on: "endpoint",
  retryAfterSeconds: 3600,
} as const satisfies Limit

/** The invented values of the fields. A face gives them, since domains hold no sentences. */
export interface TestValues {
  projectName: string
  question: string
  failure: string
  formName: string
  name: string
  message: string
  consent: string
}

/**
 * Enqueues a message of a real type with invented data for one endpoint, on the path of real messages.
 * Resolves to the id of its delivery. The caller wakes the dispatcher afterwards. Throws Refusal as
 * `requireActiveEndpoint` does, `rate_limited` above `testLimit`.
 */
export async function sendTest(
  db: Db,
  workspaceId: string,
  endpointId: string,
  values: TestValues,
  at: Moment,
  type: EventType = formEvent,
): Promise<string> {
  const { nowMs } = at
  return withLock(db, `endpoint:${endpointId}`, async (transaction) => {
    const paced = await requireActiveEndpoint(transaction, workspaceId, endpointId)
    await take(
      transaction,
      testLimit,
      endpointId,
      at,
      detail("webhooks.tooManyTests", { maximum: testLimit.points }),
    )
    const data = type === formEvent ? inventedData(values, nowMs) : inventedEvents(values, nowMs)[type]
    const messageId = await openAddMessage(db)(transaction, {
      workspaceId,
      responseId: null,
      formId: null,
      type,
      data,
      now: nowMs,
    })
    const delivery = { messageId, endpointId, active: true, waits: isPaced(paced), now: nowMs }
    return openAddDelivery(db)(transaction, delivery)
  })
}

/** A message of the same data, as the poll of messages gives one. It is stored nowhere. */
export function inventedMessage(values: TestValues, nowMs: number) {
  const body = Buffer.from(envelope(inventedData(values, nowMs), nowMs)).toString()
  return { id: newId("msg", nowMs), created_at: isoTime(nowMs), body }
}

function inventedEvents({ projectName, question, failure }: TestValues, nowMs: number) {
  const project = { project_id: "exempleexemple", project_name: projectName }
  const [now, before] = [isoTime(nowMs), isoTime(nowMs - dayMs)]
  return {
    "endpoint.failing": {
      endpoint_id: newId("ep", nowMs),
      url: "https://app.exemple.fr/guichet",
      description: failure,
      since: before,
      last_at: now,
      answer: "503",
      cause: null,
    },
    "project.index_failed": { ...project, failed_at: now, message: failure, reason: "" },
    "questions.unanswered": {
      ...project,
      day: before.slice(0, 10),
      questions: [{ id: newId("ans", nowMs), question, asked_at: before }],
      more: false,
    },
  } satisfies { [Type in AskedEvent]: EventData<Type> }
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
