import type { Project } from "../../accounts/project.ts"
import { projectOperation } from "../../accounts/projects/operations.ts"
import type { Clock } from "../../base/clock.ts"
import { detail, Refusal, required, requireRoom } from "../../base/errors.ts"
import { newId } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { countOf, deleteRows, insertRows } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { idOf } from "../../operations/operation.ts"
import { analyse } from "../text/analyse.ts"
import { newSynonyms } from "./record.ts"
import { type SynonymGroup, synonymLimits, toSynonymGroup } from "./synonym-group.ts"

/**
 * Questions obey the group at once. Refuses `invalid_request` with the field `words`, and `conflict` for one group too
 * many.
 */
export const addSynonyms = projectOperation({
  audit: "synonym.added",
  needs: ["projects:write"],
  isOneTransaction: true,
  input: newSynonyms,
  async run({ db, clock }: { db: Db; clock: Clock }, call, project) {
    const { words } = call.input
    requireMeaning(words, project.language)
    const createdAt = clock.now()
    const id = newId("syn", createdAt)
    await withLock(db, `synonyms:${project.id}`, async (transaction) => {
      const count = await countOf(transaction, "synonym_group", { project_id: project.id })
      requireRoom(count, synonymLimits.groups, "assistant.tooManySynonyms")
      await insertRows(transaction, "synonym_group", {
        id,
        project_id: project.id,
        words: JSON.stringify(words),
        created_at: createdAt,
      })
    })
    return { id, words, createdAt }
  },
  subject: subjectOf,
})

/** Refuses `not_found`, also for a group of another project. */
export const removeSynonyms = projectOperation({
  audit: "synonym.removed",
  needs: ["projects:write"],
  isOneTransaction: true,
  async run({ db }: { db: Db }, call, project) {
    const id = idOf(call, "synonym")
    const [removed] = await deleteRows(db, "synonym_group", { id, project_id: project.id })
    return toSynonymGroup(required(removed, detail("assistant.synonymNotFound", { project: project.id, id })))
  },
  subject: subjectOf,
})

function subjectOf({ id, words }: SynonymGroup) {
  return { id, name: words.join(", ") }
}

function requireMeaning(words: readonly string[], language: Project["language"]): void {
  const word = words.find((each) => analyse(each, language).length === 0)
  if (word === undefined) return
  const fields = { words: detail("assistant.synonymMeaningless", { word }) }
  throw new Refusal("invalid_request", detail("assistant.invalidSynonym"), { fields })
}
