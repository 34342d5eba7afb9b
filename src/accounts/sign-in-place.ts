import { dayMs } from "../base/clock.ts"
import type { Db } from "../db/sqlite/connection.ts"

/**
 * Browsers and networks from where an operator has signed in: enough for a traveller, and a bound for what is
 * kept.
 */
const mostOfOperator = 40
const keptMs = 180 * dayMs

/** Which of the places are known. */
export async function knownPlaces(db: Db, places: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom("sign_in_place").select("place").where("place", "in", places).execute()
  return new Set(rows.map(({ place }) => place))
}

/** From now on nobody else's tries at the account slow whoever comes from one of these. */
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
    .limit(-1)
    .offset(mostOfOperator)
  await transaction.deleteFrom("sign_in_place").where("place", "in", tooMany).execute()
}

/** Forgets from where nobody has come for long. */
export async function purgePlaces(db: Db, nowMs: number): Promise<void> {
  await db
    .deleteFrom("sign_in_place")
    .where("seen_at", "<=", nowMs - keptMs)
    .execute()
}
