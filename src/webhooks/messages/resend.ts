import { detail, Refusal, type Told } from "../../base/errors.ts"
import type { Db } from "../../db/sqlite/connection.ts"

/**
 * One more attempt at once, by hand, whatever the state of the delivery: same message, own signature. The
 * automatic schedule goes on beside it unless this one succeeds. The dispatcher is to be woken afterwards.
 * Throws Refusal `not_found` for a stranger's delivery, `conflict` when there is nothing to send or nowhere
 * to send it.
 */
export async function resend(db: Db, workspaceId: string, deliveryId: string, nowMs: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const delivery = await sendable(transaction, workspaceId, deliveryId)
    if (delivery.obstacle) throw delivery.obstacle
    await transaction
      .updateTable("delivery")
      .set({ resend_at: nowMs, resend_late: 0 })
      .where("id", "=", deliveryId)
      // Asked for twice before it was made: once is enough.
      .where("resend_at", "is", null)
      .execute()
  })
}

/** Why a delivery cannot be sent again; undefined when it can. Throws Refusal `not_found`. */
export async function obstacleToResend(
  db: Db,
  workspaceId: string,
  deliveryId: string,
): Promise<Told | undefined> {
  return (await sendable(db, workspaceId, deliveryId)).obstacle?.detail
}

async function sendable(db: Db, workspaceId: string, deliveryId: string) {
  const delivery = await db
    .selectFrom("delivery")
    .innerJoin("message", "message.id", "delivery.message_id")
    .leftJoin("endpoint", "endpoint.id", "delivery.endpoint_id")
    .select("endpoint.active")
    .select((row) => row("message.payload", "is", null).as("erased"))
    .where("delivery.id", "=", deliveryId)
    .where("message.workspace_id", "=", workspaceId)
    .executeTakeFirst()
  if (!delivery)
    throw new Refusal("not_found", detail("webhooks.unknownDelivery"), { reason: "no such delivery" })
  return { ...delivery, obstacle: obstacleTo(delivery) }
}

function obstacleTo({ active, erased }: { active: 0 | 1 | null; erased: unknown }): Refusal | undefined {
  if (active === null)
    return new Refusal("conflict", detail("webhooks.deletedEndpoint"), { reason: "the endpoint was deleted" })
  if (active === 0)
    return new Refusal("conflict", detail("webhooks.inactiveEndpoint"), {
      reason: "the endpoint is inactive",
    })
  if (erased)
    return new Refusal("conflict", detail("webhooks.erasedPayload"), { reason: "the payload was erased" })
  return undefined
}
