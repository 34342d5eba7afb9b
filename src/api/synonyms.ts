import { Elysia } from "elysia"
import { requireProject } from "../accounts/project.ts"
import {
  addSynonymGroup,
  listSynonymGroups,
  removeSynonymGroup,
  type SynonymGroup,
} from "../assistant/synonyms/synonym-group.ts"
import { type Clock, isoTime } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import { bodyOf } from "../http/fields.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { area } from "./kit/area.ts"
import { newSynonyms, type SynonymsAnswer, synonymsAnswer } from "./schemas/assistant.ts"

const maxBodyBytes = 64 * 1024

/** `/api/v1/projects/:id/synonyms`: the groups of words that mean the same in a project's questions. */
export function synonymRoutes({ db, clock }: { db: Db; clock: Clock }) {
  const { bearer, operation } = area({ db, clock }, "projects")
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
    .post(
      "",
      async ({ request, params, workspaceId, set }) => {
        const project = await requireProject(db, params.id, workspaceId)
        const { words } = await bodyOf(request, maxBodyBytes, newSynonyms)
        const group = await addSynonymGroup(db, project, words, clock.now())
        set.status = 201
        return toJson(group)
      },
      operation({
        body: newSynonyms,
        answers: { 201: synonymsAnswer },
        refuses: [409],
        audit: "synonym.added",
      }),
    )
    .delete(
      "/:synonymId",
      async ({ params, workspaceId, set }) => {
        const project = await requireProject(db, params.id, workspaceId)
        await removeSynonymGroup(db, project.id, params.synonymId)
        set.status = 204
      },
      operation({
        answers: { 204: null },
        audit: "synonym.removed",
      }),
    )
}

function toJson({ id, words, createdAt }: SynonymGroup): SynonymsAnswer {
  return { id, words, created_at: isoTime(createdAt) }
}
