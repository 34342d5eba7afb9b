import { type RawBuilder, sql } from "kysely"

/** What the next attempt of a delivery is numbered, for the statement that writes it down. */
export function nextNumber(deliveryNumber: unknown): RawBuilder<number> {
  return sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM attempt WHERE delivery_number = ${deliveryNumber})`
}
