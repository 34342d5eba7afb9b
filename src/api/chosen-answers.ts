import { Elysia } from "elysia"
import { type Project, requireProject } from "../accounts/project.ts"
import {
  type ChosenAnswer,
  listChosenAnswers,
  requireChosenAnswer,
} from "../assistant/chosen/chosen-answer.ts"
import { sourcesOf } from "../assistant/chosen/chosen-sources.ts"
import { addChosen, type ChosenDeps, changeChosen, removeChosen } from "../assistant/chosen/operations.ts"
import { isoTime } from "../base/clock.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { area } from "./kit/area.ts"
import { type ChosenAnswerAnswer, chosenAnswerAnswer } from "./schemas/assistant.ts"

const maxBodyBytes = 256 * 1024

/** `/api/v1/projects/:id/chosen-answers`: the answers that an owner wrote for a question. */
export function chosenAnswerRoutes(deps: ChosenDeps) {
  const { db } = deps

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

  const { bearer, operation, performs } = area(deps, "answers")
  const reply = {
    schema: chosenAnswerAnswer,
    json: ({ project, chosen }: { project: Project; chosen: ChosenAnswer }) => toJson(project.id, chosen),
    refuses: [409],
    maxBodyBytes,
  } as const

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
    .post("", ...performs(addChosen, { status: 201, ...reply }))
    .get(
      "/:chosenId",
      async ({ params, workspaceId }) => {
        const { id } = await requireProject(db, params.id, workspaceId)
        return toJson(id, await requireChosenAnswer(db, id, params.chosenId))
      },
      operation({ answers: { 200: chosenAnswerAnswer } }),
    )
    .patch("/:chosenId", ...performs(changeChosen, { status: 200, ...reply }))
    .delete("/:chosenId", ...performs(removeChosen))
}
