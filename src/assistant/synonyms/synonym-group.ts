import type { Project } from "../../accounts/project.ts"
import { type Detail, detail, Refusal } from "../../base/errors.ts"
import { newId } from "../../base/ids.ts"
import { isLongerThan, normalised } from "../../base/text.ts"
import { alone } from "../../db/alone.ts"
import type { Db } from "../../db/connection.ts"
import { lookup } from "../../db/lookup.ts"
import type { Row } from "../../db/schema.ts"
import { analyse } from "../text/analyse.ts"

/** Words or short phrases that mean the same in the questions of a project. */
export interface SynonymGroup {
  id: string
  words: string[]
  createdAt: number
}

/** Limits of one project. The messages `assistant.synonym…` name the same numbers. */
export const synonymLimits = { groups: 200, leastWords: 2, words: 10, wordLength: 60 } as const

/**
 * Adds a group; questions obey it at once. Throws Refusal: `invalid_request` with the field `words`, or
 * `conflict` for one group too many.
 */
export async function addSynonymGroup(
  db: Db,
  { id: projectId, language }: Pick<Project, "id" | "language">,
  typed: readonly string[],
  nowMs: number,
): Promise<SynonymGroup> {
  const words = checkedWords(typed, language)
  const id = newId("syn", nowMs)
  await alone(db, `synonyms:${projectId}`, async (transaction) => {
    const { count } = await transaction
      .selectFrom("synonym_group")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("project_id", "=", projectId)
      .executeTakeFirstOrThrow()
    if (count >= synonymLimits.groups)
      throw new Refusal("conflict", detail("assistant.tooManySynonyms"), {
        reason: `a project has ${synonymLimits.groups} groups of synonyms at most`,
      })
    await transaction
      .insertInto("synonym_group")
      .values({ id, project_id: projectId, words: JSON.stringify(words), created_at: nowMs })
      .execute()
  })
  return { id, words, createdAt: nowMs }
}

/** All groups of a project, newest first: every question reads them. */
export async function allSynonymGroups(db: Db, projectId: string): Promise<SynonymGroup[]> {
  return (await groupsOf(db, projectId)).map(groupOf)
}

const groupsOf = lookup<Row<"synonym_group">>((isWanted, db) =>
  db
    .selectFrom("synonym_group")
    .selectAll()
    .select("project_id as key")
    .where(isWanted("project_id"))
    .orderBy("id", "desc")
    .compile(),
)

/** Newest first. */
export async function listSynonymGroups(
  db: Db,
  projectId: string,
  part: { atMost: number; after: string | undefined },
): Promise<SynonymGroup[]> {
  const rows = await db
    .selectFrom("synonym_group")
    .selectAll()
    .where("project_id", "=", projectId)
    .$if(part.after !== undefined, (query) => query.where("id", "<", part.after as string))
    .orderBy("id", "desc")
    .limit(part.atMost)
    .execute()
  return rows.map(groupOf)
}

/** Throws Refusal `not_found`, also for a group of another project. */
export async function removeSynonymGroup(db: Db, projectId: string, id: string): Promise<SynonymGroup> {
  const removed = await db
    .deleteFrom("synonym_group")
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .returningAll()
    .executeTakeFirst()
  if (!removed)
    throw new Refusal("not_found", detail("assistant.synonymNotFound"), {
      reason: `project ${projectId} has no group of synonyms ${id}`,
    })
  return groupOf(removed)
}

function checkedWords(typed: readonly string[], language: Project["language"]): string[] {
  const tooLong = typed.some((word) => isLongerThan(word.trim(), synonymLimits.wordLength))
  if (tooLong) throw invalid(detail("assistant.synonymLength"), "a word is longer than 60 characters")
  const words = [...new Set(typed.map((word) => normalised(word, "NFC").replace(/\s+/g, " ").trim()))]
  if (words.includes("")) throw invalid(detail("assistant.synonymLength"), "a word is empty")
  if (words.length < synonymLimits.leastWords || words.length > synonymLimits.words)
    throw invalid(detail("assistant.synonymCount"), "a group has 2 to 10 different words")
  const meaningless = words.find((word) => analyse(word, language).length === 0)
  if (meaningless !== undefined)
    throw invalid(
      detail("assistant.synonymMeaningless", { word: meaningless }),
      `${JSON.stringify(meaningless)} holds no word that is searched`,
    )
  return words
}

function invalid(words: Detail, reason: string): Refusal {
  return new Refusal("invalid_request", detail("assistant.invalidSynonym"), { fields: { words }, reason })
}

function groupOf(row: Row<"synonym_group">): SynonymGroup {
  return { id: row.id, words: JSON.parse(row.words), createdAt: row.created_at }
}
