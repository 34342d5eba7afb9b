import { Elysia } from "elysia"
import { projectOf } from "../accounts/projects/operations.ts"
import { shown } from "../http/record/json.ts"
import { addSynonyms, removeSynonyms } from "../index/synonyms/operations.ts"
import { synonymsRecord } from "../index/synonyms/record.ts"
import { listSynonymGroups } from "../index/synonyms/synonym-group.ts"
import { area, type KitDeps } from "./kit/area.ts"

const synonyms = shown(synonymsRecord)

/** `/api/v1/projects/:id/synonyms`: the groups of words that mean the same in a project's questions. */
export function synonymRoutes(deps: KitDeps) {
  const { bearer, performs, lists } = area(deps, "projects")

  return new Elysia({ name: "synonyms", prefix: "/api/v1/projects/:id/synonyms" })
    .use(bearer)
    .get(
      "",
      ...lists(synonyms, async (call, part) =>
        listSynonymGroups(deps.db, (await projectOf(deps, call)).id, part),
      ),
    )
    .post("", ...performs(addSynonyms, { status: 201, ...synonyms, refuses: [409] }))
    .delete("/:synonymId", ...performs(removeSynonyms))
}
