import type { Static } from "@sinclair/typebox"
import type { Db } from "../../db/connection.ts"
import { findRow } from "../../db/store.ts"
import { dueColumns } from "../../db/tables/webhooks.ts"
import { pacedBy } from "../endpoints/pace.ts"
import type { deliveryRecord } from "./record.ts"

/** Why a delivery waits for its turn: `held_by` is the delivery before it, of an endpoint in order. */
export type Wait = Pick<Static<typeof deliveryRecord>, "waits_for" | "held_by">

interface Waiting {
  number: number
  endpoint_id: string
}

/** Why each of these waiting deliveries waits, by its number. */
export async function waitsByDelivery(db: Db, waiting: readonly Waiting[]): Promise<Map<number, Wait>> {
  const waits = new Map<number, Wait>()
  for (const endpointId of new Set(waiting.map(({ endpoint_id }) => endpoint_id))) {
    const first = await firstInOrder(db, endpointId)
    for (const { number } of waiting.filter(({ endpoint_id }) => endpoint_id === endpointId)) {
      const isHeld = first !== undefined && first.number !== number
      waits.set(number, { waits_for: isHeld ? "order" : "rate", held_by: isHeld ? first.id : null })
    }
  }
  return waits
}

/** The delivery that the others of an endpoint in order wait for; undefined where they wait for no other. */
export async function firstInOrder(
  db: Db,
  endpointId: string,
): Promise<{ number: number; id: string; attempts_made: number } | undefined> {
  const endpoint = await findRow(db, "endpoint", { id: endpointId })
  if (!endpoint || !pacedBy(endpoint).inOrder) return undefined
  const of = db
    .selectFrom("delivery")
    .select(["number", "id", "attempts_made"])
    .where("endpoint_id", "=", endpointId)
    .orderBy("number")
    .limit(1)
  for (const [dueAt, isLate] of dueColumns) {
    const due = await of.where(isLate, "in", [0, 1]).where(dueAt, "is not", null).executeTakeFirst()
    if (due) return due
  }
  return of.where("waits_since", "is not", null).executeTakeFirst()
}
