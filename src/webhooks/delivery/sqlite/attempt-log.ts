import { type RawBuilder, sql } from "kysely"
import type { Db } from "../../../db/connection.ts"
import { preparedForEach } from "../../../db/prepared.ts"
import type { AttemptKind, Outcome } from "../../../db/tables/webhooks.ts"

/** An attempt as its row holds it. */
export interface LoggedAttempt {
  deliveryNumber: number
  kind: AttemptKind
  startedAtMs: number
  outcome: Outcome
  status: number | null
  durationMs: number
  responseExcerpt: string | null
}

const columns = [
  "delivery_number",
  "number",
  "kind",
  "at",
  "outcome",
  "status",
  "duration_ms",
  "response_excerpt",
] as const

export function logStatement(db: Db) {
  return preparedForEach<LoggedAttempt>((value) =>
    db
      .insertInto("attempt")
      .values({
        delivery_number: value("deliveryNumber"),
        number: nextNumber(value("deliveryNumber")),
        kind: value("kind"),
        at: value("startedAtMs"),
        outcome: value("outcome"),
        status: value("status"),
        duration_ms: value("durationMs"),
        response_excerpt: value("responseExcerpt"),
      })
      .compile(),
  )
}

/**
 * Logs an attempt whose claim was lost. Its delivery may have been purged: then nothing is logged. Its
 * payload may have been erased: then the excerpt, which may repeat it, is dropped.
 */
export function logLostStatement(db: Db) {
  return preparedForEach<LoggedAttempt>((value) =>
    db
      .insertInto("attempt")
      .columns(columns)
      .expression(
        db
          .selectFrom("delivery")
          .innerJoin("message", "message.id", "delivery.message_id")
          .select((row) => [
            "delivery.number as delivery_number",
            nextNumber(value("deliveryNumber")).as("number"),
            row.val(value("kind")).as("kind"),
            row.val(value("startedAtMs")).as("at"),
            row.val(value("outcome")).as("outcome"),
            row.val(value("status")).as("status"),
            row.val(value("durationMs")).as("duration_ms"),
            row
              .case()
              .when("message.payload", "is not", null)
              .then(value("responseExcerpt"))
              .end()
              .as("response_excerpt"),
          ])
          .where("delivery.number", "=", value("deliveryNumber")),
      )
      .compile(),
  )
}

/** Logs an interrupted attempt for each of these deliveries of which an attempt of this kind is still due. */
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
function nextNumber(deliveryNumber: unknown): RawBuilder<number> {
  return sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM attempt WHERE delivery_number = ${deliveryNumber})`
}
