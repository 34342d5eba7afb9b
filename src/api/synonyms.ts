import { projectOf } from "../accounts/projects/operations.ts"
import { shown } from "../http/record/json.ts"
import { addSynonyms, removeSynonyms } from "../index/synonyms/operations.ts"
import { synonymsRecord } from "../index/synonyms/record.ts"
import { listSynonymGroups } from "../index/synonyms/synonym-group.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers } from "./kit/handlers.ts"

const synonyms = shown(synonymsRecord)

/** `/api/v1/projects/:id/synonyms`: the groups of words that mean the same in a project's questions. */
export function synonymHandlers(deps: ApiDeps) {
  const { performs, lists } = handlers(deps)

  return {
    list: lists(synonyms, async (call, part) =>
      listSynonymGroups(deps.db, (await projectOf(deps, call)).id, part),
    ),
    add: performs(addSynonyms, { status: 201, ...synonyms, refuses: [409] }),
    remove: performs(removeSynonyms),
  }
}
