import { sql } from "kysely"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { parseObject } from "./ask-request.ts"
import { requireAnswerOfOrigin } from "./feedback.ts"
import { storedRelated } from "./related.ts"

/** Which of the passages beside an answer were opened, as the database has it. */
export type Opened = 1 | 2 | 3 | null

/**
 * Notes that a visitor opened the n-th passage beside an answer. Each counts once, so that an answer is written at most
 * twice. Throws Refusal: `invalid_request`, `not_found` also where there is no such passage, `origin_not_allowed`.
 */
export async function noteOpened(
  { db }: { db: Db },
  answerId: string,
  body: Uint8Array,
  origin: string | null,
): Promise<void> {
  const { n } = parseObject(body)
  if (n !== 1 && n !== 2) throw new Refusal("invalid_request", detail("assistant.opened"))
  const { status, related, opened } = await requireAnswerOfOrigin(db, answerId, origin)
  if (status !== "answered" || storedRelated(related).length < n)
    throw new Refusal("not_found", detail("assistant.openedNotFound"))
  if (placesOpened(opened).includes(n)) return
  await db
    .updateTable("answer")
    .set({ opened: sql<1 | 2 | 3>`coalesce(opened, 0) | ${sql.lit(n)}` })
    .where("id", "=", answerId)
    .execute()
}

/** Numbers of the passages that were opened, from 1 on. */
export function placesOpened(opened: Opened): number[] {
  return [1, 2].filter((n) => ((opened ?? 0) & n) > 0)
}
