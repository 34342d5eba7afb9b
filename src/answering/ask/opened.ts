import { sql } from "kysely"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { parseObject } from "./ask-request.ts"
import { requireAnswerOfOrigin } from "./feedback.ts"
import { storedRelated } from "./related.ts"

const numbers = [1, 2, 3] as const

/** Which of the passages that were offered were opened, as the database has it: a bit for each number. */
export type Opened = 1 | 2 | 3 | 4 | 5 | 6 | 7 | null

/**
 * Notes that a visitor opened the n-th passage beside an answer, or in its place. Each counts once, so that an
 * answer is written at most three times. Throws Refusal: `invalid_request`, `not_found` also where there is no such
 * passage, `origin_not_allowed`.
 */
export async function noteOpened(
  { db }: { db: Db },
  answerId: string,
  body: Uint8Array,
  origin: string | null,
): Promise<void> {
  const { n } = parseObject(body)
  const place = numbers.find((number) => number === n)
  if (place === undefined) throw new Refusal("invalid_request", detail("assistant.opened"))
  const { related, opened } = await requireAnswerOfOrigin(db, answerId, origin)
  if (storedRelated(related).length < place)
    throw new Refusal("not_found", detail("assistant.openedNotFound"))
  if (placesOpened(opened).includes(place)) return
  await db
    .updateTable("answer")
    .set({ opened: sql<Opened>`coalesce(opened, 0) | ${sql.lit(bitOf(place))}` })
    .where("id", "=", answerId)
    .execute()
}

/** Numbers of the passages that were opened, from 1 on. */
export function placesOpened(opened: Opened): number[] {
  return numbers.filter((n) => ((opened ?? 0) & bitOf(n)) > 0)
}

function bitOf(place: number): number {
  return 1 << (place - 1)
}
