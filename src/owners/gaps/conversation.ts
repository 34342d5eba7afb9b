import { sql } from "kysely"
import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { bytesOf } from "../../db/delete-in-steps.ts"
import { rowsOfPage } from "../../db/search.ts"
import { type AskedQuestion, findAskedQuestion, shownColumns, toAskedQuestion } from "./asked-questions.ts"

/** Questions of one conversation that are shown: a visitor who knows an id may go on for ever. */
const maxShown = 100

/**
 * The questions of the conversation that an answer belongs to, oldest first; the answer alone where nothing follows or
 * precedes it. undefined for an answer that the project does not have.
 */
export async function conversationWith(
  db: Db,
  projectId: string,
  answerId: string,
): Promise<AskedQuestion[] | undefined> {
  const question = await findAskedQuestion(db, projectId, answerId)
  if (!question) return undefined
  const first = question.conversation ?? question.id
  const sizes = () =>
    db
      .selectFrom("answer")
      .select(["id", bytesOf("answer", "sources", "question").as("bytes")])
      .where("project_id", "=", projectId)
  // Each by its own index: for both together SQLite reads the whole project.
  const sized = [
    ...(await sizes().where("id", "=", first).execute()),
    ...(await sizes()
      .where("conversation", "=", first)
      .orderBy("id")
      .limit(maxShown - 1)
      .execute()),
  ]
  const page = sized.slice(0, rowsOfPage(sized, maxShown))
  const rows = await db
    .selectFrom("answer")
    .select(shownColumns)
    .where("id", "in", idsOf(page))
    .orderBy("id")
    .execute()
  return rows.map(toAskedQuestion)
}

/**
 * Number of questions in each conversation, by the id of its first question. Counts no more than are shown, and
 * leaves out conversations of a single question.
 */
export async function conversationSizes(
  db: Db,
  projectId: string,
  asked: readonly Pick<AskedQuestion, "id" | "conversation">[],
): Promise<Map<string, number>> {
  const firsts = [...new Set(asked.map(({ id, conversation }) => conversation ?? id))]
  if (firsts.length === 0) return new Map()
  const further = sql<number>`(SELECT count(*) FROM (
    SELECT 1 FROM answer AS later WHERE later.project_id = ${projectId} AND later.conversation = first.id
    LIMIT ${sql.lit(maxShown - 1)}
  ) AS counted)`
  const rows = await db
    .selectFrom("answer as first")
    .select(["first.id", further.as("further")])
    .where("first.project_id", "=", projectId)
    .where("first.id", "in", firsts)
    .execute()
  return new Map(rows.flatMap((row) => (row.further === 0 ? [] : [[row.id, row.further + 1]])))
}
