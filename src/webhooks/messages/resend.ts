import { detail, type Explanation, Refusal, required } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { withLock } from "../../db/with-lock.ts"
import { lockingRows } from "../../db/words.ts"
import { exhausted, maxAttempts } from "../endpoints/replayable.ts"

/**
 * Adds one attempt by hand, due at once, whatever the state of the delivery: the same message with a new
 * signature. The automatic schedule goes on beside it unless this attempt succeeds. The caller wakes the
 * dispatcher afterwards. Throws Refusal `not_found` for a delivery of another workspace, `conflict` when the
 * payload was erased, the endpoint is inactive or deleted, or after `maxAttempts`.
 */
export async function resend(db: Db, workspaceId: string, deliveryId: string, nowMs: number): Promise<void> {
  await withLock(db, `delivery:${deliveryId}`, async (transaction) => {
    // An erasure that is under way is waited for.
    await transaction
      .selectFrom("delivery")
      .innerJoin("message", "message.id", "delivery.message_id")
      .select("delivery.number")
      .where("delivery.id", "=", deliveryId)
      .$call(lockingRows(transaction))
      .execute()
    const delivery = await sendable(transaction, workspaceId, deliveryId)
    if (delivery.obstacle) throw delivery.obstacle
    await transaction
      .updateTable("delivery")
      .set({ resend_at: nowMs, resend_is_late: 0 })
      .where("id", "=", deliveryId)
      // A second request before the attempt starts adds nothing.
      .where("resend_at", "is", null)
      .execute()
  })
}

/** Tells why a delivery cannot be sent again; undefined when it can. Throws Refusal `not_found`. */
export async function obstacleToResend(
  db: Db,
  workspaceId: string,
  deliveryId: string,
): Promise<Explanation | undefined> {
  return (await sendable(db, workspaceId, deliveryId)).obstacle?.detail
}

async function sendable(db: Db, workspaceId: string, deliveryId: string) {
  const delivery = await db
    .selectFrom("delivery")
    .innerJoin("message", "message.id", "delivery.message_id")
    .leftJoin("endpoint", "endpoint.id", "delivery.endpoint_id")
    .select("endpoint.active")
    .select((row) => [row("message.payload", "is", null).as("erased"), "delivery.number"])
    .where("delivery.id", "=", deliveryId)
    .where("message.workspace_id", "=", workspaceId)
    .executeTakeFirst()
  const { active, erased, number } = required(delivery, detail("webhooks.unknownDelivery"))
  const isExhausted = (await exhausted(db, [number])).size > 0
  return { obstacle: obstacleTo({ active, erased, isExhausted }) }
}

interface Sendable {
  active: 0 | 1 | null
  erased: unknown
  isExhausted: boolean
}

function obstacleTo({ active, erased, isExhausted }: Sendable): Refusal | undefined {
  if (active === null) return new Refusal("conflict", detail("webhooks.deletedEndpoint"))
  if (active === 0) return new Refusal("conflict", detail("webhooks.inactiveEndpoint"))
  if (erased) return new Refusal("conflict", detail("webhooks.erasedPayload"))
  if (isExhausted)
    return new Refusal("conflict", detail("webhooks.tooManyAttempts", { maximum: maxAttempts }))
  return undefined
}
