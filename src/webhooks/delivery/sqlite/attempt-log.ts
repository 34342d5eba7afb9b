import type { ExpressionBuilder } from "kysely"
import type { Db } from "../../../db/connection.ts"
import { preparedForEach } from "../../../db/prepared.ts"
import type { Schema } from "../../../db/schema.ts"
import type { LoggedAttempt } from "../complete.ts"
import { nextNumber } from "../interrupted.ts"

const columns = [
  "delivery_number",
  "number",
  "kind",
  "at",
  "outcome",
  "status",
  "duration_ms",
  "response_excerpt",
  "response_headers",
  "cause",
  "address",
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
        response_headers: value("responseHeaders"),
        cause: value("cause"),
        address: value("address"),
      })
      .compile(),
  )
}

/**
 * Logs an attempt whose claim was lost. Its delivery may have been purged: then nothing is logged. Its
 * payload may have been erased: then the excerpt and the headers, which may repeat it, are dropped.
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
            unlessErased(row, value("responseExcerpt")).as("response_excerpt"),
            unlessErased(row, value("responseHeaders")).as("response_headers"),
            row.val(value("cause")).as("cause"),
            row.val(value("address")).as("address"),
          ])
          .where("delivery.number", "=", value("deliveryNumber")),
      )
      .compile(),
  )
}

function unlessErased(row: ExpressionBuilder<Schema, "message">, text: string | null) {
  return row.case().when("message.payload", "is not", null).then(text).end()
}
