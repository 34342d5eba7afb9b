import type { Db } from "../../db/connection.ts"
import { type AskedQuestion, findAskedQuestion, questionOf, shownColumns } from "./asked-questions.ts"

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
  const asked = await findAskedQuestion(db, projectId, answerId)
  if (!asked) return undefined
  const first = asked.conversation ?? asked.id
  const rows = await db
    .selectFrom("answer")
    .select(shownColumns)
    .where("project_id", "=", projectId)
    .where((is) => is.or([is("id", "=", first), is("conversation", "=", first)]))
    .orderBy("id")
    .limit(maxShown)
    .execute()
  return rows.map(questionOf)
}

/** Number of questions in the conversation of each of these, by the id of its first; those of a single one left out. */
export async function conversationSizes(
  db: Db,
  projectId: string,
  asked: readonly Pick<AskedQuestion, "id" | "conversation">[],
): Promise<Map<string, number>> {
  const firsts = [...new Set(asked.map(({ id, conversation }) => conversation ?? id))]
  if (firsts.length === 0) return new Map()
  const rows = await db
    .selectFrom("answer")
    .select(({ fn }) => ["conversation", fn.countAll<number>().as("further")])
    .where("project_id", "=", projectId)
    .where("conversation", "in", firsts)
    .groupBy("conversation")
    .execute()
  return new Map(rows.map(({ conversation, further }) => [conversation as string, further + 1]))
}
