import { Elysia } from "elysia"
import { requireProject } from "../accounts/project.ts"
import type { Assistant } from "../assistant/ask/ask.ts"
import {
  addChosenAnswer,
  type ChosenAnswer,
  changeChosenAnswer,
  listChosenAnswers,
  removeChosenAnswer,
  requireChosenAnswer,
} from "../assistant/chosen/chosen-answer.ts"
import { sourcesOf } from "../assistant/chosen/chosen-sources.ts"
import { type Clock, isoTime } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import { bodyOf } from "../http/fields.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { area } from "./kit/area.ts"
import {
  type ChosenAnswerAnswer,
  chosenAnswerAnswer,
  chosenAnswerChange,
  newChosenAnswer,
} from "./schemas/assistant.ts"

const maxBodyBytes = 256 * 1024

interface ChosenAnswerDeps {
  db: Db
  clock: Clock
  assistant: Pick<Assistant, "chosen">
}

/** `/api/v1/projects/:id/chosen-answers`: the answers that an owner wrote for a question. */
export function chosenAnswerRoutes({ db, clock, assistant }: ChosenAnswerDeps) {
  async function toJson(projectId: string, chosen: ChosenAnswer): Promise<ChosenAnswerAnswer> {
    const sources = await sourcesOf(db, projectId, chosen.sources)
    return {
      id: chosen.id,
      questions: chosen.questions,
      answer: chosen.answer,
      sources: sources.map(({ address, found }) => ({
        url: found?.url ?? address,
        title: found?.title ?? null,
        section: found?.section ?? null,
        found: found !== undefined,
      })),
      given: sources.some(({ found }) => found),
      created_at: isoTime(chosen.createdAt),
      changed_at: isoTime(chosen.changedAt),
    }
  }

  const { bearer, operation } = area({ db, clock }, "answers")

  return new Elysia({ name: "chosen-answers", prefix: "/api/v1/projects/:id/chosen-answers" })
    .use(bearer)
    .get(
      "",
      async ({ params, query, workspaceId }) => {
        const { id } = await requireProject(db, params.id, workspaceId)
        const { items: chosen, next_cursor } = await listPage(query, (part) =>
          listChosenAnswers(db, id, part),
        )
        const items: ChosenAnswerAnswer[] = []
        for (const each of chosen) items.push(await toJson(id, each))
        return { items, next_cursor }
      },
      operation({
        query: pageQuery,
        answers: { 200: listOf(chosenAnswerAnswer) },
      }),
    )
    .post(
      "",
      async ({ request, params, workspaceId, set }) => {
        const project = await requireProject(db, params.id, workspaceId)
        const body = await bodyOf(request, maxBodyBytes, newChosenAnswer)
        const chosen = await addChosenAnswer(db, project, body, clock.now())
        await assistant.chosen?.prepare(project.id, project.language)
        set.status = 201
        return toJson(project.id, chosen)
      },
      operation({
        body: newChosenAnswer,
        answers: { 201: chosenAnswerAnswer },
        refuses: [409],
        audit: "chosen_answer.added",
      }),
    )
    .get(
      "/:chosenId",
      async ({ params, workspaceId }) => {
        const { id } = await requireProject(db, params.id, workspaceId)
        return toJson(id, await requireChosenAnswer(db, id, params.chosenId))
      },
      operation({ answers: { 200: chosenAnswerAnswer } }),
    )
    .patch(
      "/:chosenId",
      async ({ request, params, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        const change = await bodyOf(request, maxBodyBytes, chosenAnswerChange)
        const changed = await changeChosenAnswer(db, project, params.chosenId, change, clock.now())
        await assistant.chosen?.prepare(project.id, project.language)
        return toJson(project.id, changed)
      },
      operation({
        body: chosenAnswerChange,
        answers: { 200: chosenAnswerAnswer },
        refuses: [409],
        audit: "chosen_answer.changed",
      }),
    )
    .delete(
      "/:chosenId",
      async ({ params, workspaceId, set }) => {
        const { id } = await requireProject(db, params.id, workspaceId)
        await removeChosenAnswer(db, id, params.chosenId)
        set.status = 204
      },
      operation({
        answers: { 204: null },
        audit: "chosen_answer.removed",
      }),
    )
}
