import { type RawBuilder, sql } from "kysely"
import type { Db } from "../../db/connection.ts"
import type { AttemptKind } from "../../db/tables/webhooks.ts"

/** Logs an interrupted attempt for each of these deliveries that still has a due attempt of this kind. */
export async function logInterrupted(
  transaction: Db,
  kind: AttemptKind,
  deliveryNumbers: readonly number[],
  atMs: number,
): Promise<void> {
  await transaction
    .insertInto("attempt")
    .columns(["delivery_number", "number", "kind", "at", "outcome"])
    .expression((query) =>
      query
        .selectFrom("delivery")
        .select(({ ref, val }) => [
          "delivery.number as delivery_number",
          nextNumber(ref("delivery.number")).as("number"),
          val(kind).as("kind"),
          val(atMs).as("at"),
          val("interrupted" as const).as("outcome"),
        ])
        .where("number", "in", deliveryNumbers)
        .where(kind === "automatic" ? "due_at" : "resend_at", "is not", null),
    )
    .execute()
}

/** Attempts of a delivery are numbered from 1, in the order in which they ended. */
export function nextNumber(deliveryNumber: unknown): RawBuilder<number> {
  return sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM attempt WHERE delivery_number = ${deliveryNumber})`
}
