import { Type } from "@sinclair/typebox"
import type { Project } from "../../accounts/project.ts"
import { projectOf } from "../../accounts/projects/operations.ts"
import type { Clock } from "../../base/clock.ts"
import { type Detail, detail, Refusal } from "../../base/errors.ts"
import { newId } from "../../base/ids.ts"
import { isLongerThan, toUnicodeForm } from "../../base/text.ts"
import type { Db } from "../../db/connection.ts"
import { withLock } from "../../db/with-lock.ts"
import { text } from "../../http/schemas.ts"
import { idOf, operation } from "../../operations/operation.ts"
import { analyse } from "../text/analyse.ts"
import { groupOf, type SynonymGroup, synonymLimits } from "./synonym-group.ts"

const newSynonyms = Type.Object(
  {
    words: Type.Array(text(), {
      description: "2 to 10 words or short phrases that mean the same, each of at most 60 characters",
      minItems: 1,
      maxItems: 100,
    }),
  },
  { $id: "NewSynonyms" },
)

/**
 * Questions obey the group at once. Refuses `invalid_request` with the field `words`, and `conflict` for one group too
 * many.
 */
export const addSynonyms = operation({
  audit: "synonym.added",
  needs: ["projects:write"],
  input: newSynonyms,
  async run({ db, clock }: { db: Db; clock: Clock }, call) {
    const project = await projectOf({ db }, call)
    const words = checkedWords(call.input.words, project.language)
    const createdAt = clock.now()
    const id = newId("syn", createdAt)
    await withLock(db, `synonyms:${project.id}`, async (transaction) => {
      const { count } = await transaction
        .selectFrom("synonym_group")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("project_id", "=", project.id)
        .executeTakeFirstOrThrow()
      if (count >= synonymLimits.groups)
        throw new Refusal("conflict", detail("assistant.tooManySynonyms"), {
          reason: `a project has ${synonymLimits.groups} groups of synonyms at most`,
        })
      await transaction
        .insertInto("synonym_group")
        .values({ id, project_id: project.id, words: JSON.stringify(words), created_at: createdAt })
        .execute()
    })
    return { id, words, createdAt }
  },
  subject: subjectOf,
})

/** Refuses `not_found`, also for a group of another project. */
export const removeSynonyms = operation({
  audit: "synonym.removed",
  needs: ["projects:write"],
  async run({ db }: { db: Db }, call) {
    const project = await projectOf({ db }, call)
    const id = idOf(call, "synonym")
    const removed = await db
      .deleteFrom("synonym_group")
      .where("id", "=", id)
      .where("project_id", "=", project.id)
      .returningAll()
      .executeTakeFirst()
    if (!removed)
      throw new Refusal("not_found", detail("assistant.synonymNotFound"), {
        reason: `project ${project.id} has no group of synonyms ${id}`,
      })
    return groupOf(removed)
  },
  subject: subjectOf,
})

function subjectOf({ id, words }: SynonymGroup) {
  return { id, name: words.join(", ") }
}

function checkedWords(typed: readonly string[], language: Project["language"]): string[] {
  const tooLong = typed.some((word) => isLongerThan(word.trim(), synonymLimits.wordLength))
  if (tooLong) throw invalid(detail("assistant.synonymLength"), "a word is longer than 60 characters")
  const words = [...new Set(typed.map((word) => toUnicodeForm(word, "NFC").replace(/\s+/g, " ").trim()))]
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
