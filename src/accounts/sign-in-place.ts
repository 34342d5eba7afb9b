import { dayMs } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"

/** Browsers and networks remembered per operator: enough for a traveller, and a bound on storage. */
const maxPlacesPerOperator = 40
export const placeRetentionMs = 180 * dayMs

export async function knownPlaces(db: Db, places: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom("sign_in_place").select("place").where("place", "in", places).execute()
  return new Set(rows.map(({ place }) => place))
}

/** Remembers places of a successful sign-in: other people's tries at the account no longer slow them. */
export async function rememberPlaces(
  transaction: Db,
  operatorId: string,
  places: readonly string[],
  nowMs: number,
): Promise<void> {
  await transaction
    .insertInto("sign_in_place")
    .values(places.map((place) => ({ place, operator_id: operatorId, seen_at: nowMs })))
    .onConflict((conflict) =>
      conflict.column("place").doUpdateSet({ operator_id: operatorId, seen_at: nowMs }),
    )
    .execute()
  const tooMany = transaction
    .selectFrom("sign_in_place")
    .select("place")
    .where("operator_id", "=", operatorId)
    .orderBy("seen_at", "desc")
    .limit(Number.MAX_SAFE_INTEGER)
    .offset(maxPlacesPerOperator)
  await transaction.deleteFrom("sign_in_place").where("place", "in", tooMany).execute()
}
