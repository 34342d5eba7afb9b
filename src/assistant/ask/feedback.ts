import { findProject } from "../../accounts/project.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import { requireDeclaredOrigin } from "./admit.ts"
import { parseObject } from "./ask-request.ts"

/**
 * Stores whether an answer helped; a later feedback replaces an earlier one. Throws Refusal:
 * `invalid_request`, `not_found`, `origin_not_allowed`.
 */
export async function giveFeedback(
  { db }: { db: Db },
  answerId: string,
  body: Uint8Array,
  origin: string | null,
): Promise<void> {
  const { useful } = parseObject(body)
  if (typeof useful !== "boolean") throw new Refusal("invalid_request", detail("assistant.useful"))
  await requireAnswerOfOrigin(db, answerId, origin)
  await recordUseful(db, answerId, useful)
}

/**
 * The stored pages of an answer, for the visitor's page that received it. Throws Refusal: `not_found`,
 * `origin_not_allowed`.
 */
export async function requireAnswerOfOrigin(
  db: Db,
  answerId: string,
  origin: string | null,
): Promise<{ related: string | null }> {
  const row = await db
    .selectFrom("answer")
    .select(["project_id", "related"])
    .where("id", "=", answerId)
    .executeTakeFirst()
  const project = row && (await findProject(db, row.project_id))
  if (!project) throw new Refusal("not_found", detail("assistant.answerNotFound"))
  requireDeclaredOrigin(project, origin)
  return row
}

export async function recordUseful(db: Db, id: string, useful: boolean): Promise<void> {
  await db
    .updateTable("answer")
    .set({ useful: useful ? 1 : 0 })
    .where("id", "=", id)
    .execute()
}
