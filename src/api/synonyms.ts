import { Elysia } from "elysia"
import { requireProject } from "../accounts/project.ts"
import { addSynonyms, removeSynonyms } from "../assistant/synonyms/operations.ts"
import { listSynonymGroups, type SynonymGroup } from "../assistant/synonyms/synonym-group.ts"
import { type Clock, isoTime } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { area } from "./kit/area.ts"
import { type SynonymsAnswer, synonymsAnswer } from "./schemas/assistant.ts"

/** `/api/v1/projects/:id/synonyms`: the groups of words that mean the same in a project's questions. */
export function synonymRoutes({ db, clock }: { db: Db; clock: Clock }) {
  const { bearer, operation, performs } = area({ db, clock }, "projects")
  return new Elysia({ name: "synonyms", prefix: "/api/v1/projects/:id/synonyms" })
    .use(bearer)
    .get(
      "",
      async ({ params, query, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        return listPage(query, (part) => listSynonymGroups(db, project.id, part), toJson)
      },
      operation({
        query: pageQuery,
        answers: { 200: listOf(synonymsAnswer) },
      }),
    )
    .post("", ...performs(addSynonyms, { status: 201, schema: synonymsAnswer, json: toJson, refuses: [409] }))
    .delete("/:synonymId", ...performs(removeSynonyms))
}

function toJson({ id, words, createdAt }: SynonymGroup): SynonymsAnswer {
  return { id, words, created_at: isoTime(createdAt) }
}
