import { Elysia } from "elysia"
import type { Project } from "../accounts/project.ts"
import { projectOf } from "../accounts/projects/operations.ts"
import { sourcesAt } from "../answering/chosen/chosen-sources.ts"
import { shown } from "../http/record/json.ts"
import { idOf } from "../operations/operation.ts"
import { type ChosenAnswer, listChosenAnswers, requireChosenAnswer } from "../owners/chosen/chosen-answer.ts"
import { addChosen, type ChosenDeps, changeChosen, removeChosen } from "../owners/chosen/operations.ts"
import { chosenAnswerRecord } from "../owners/chosen/record.ts"
import { area, type KitDeps } from "./kit/area.ts"

interface Shown {
  project: Project
  chosen: ChosenAnswer
}

const shownAnswer = shown(
  chosenAnswerRecord,
  ({ found }: Omit<ChosenAnswer, "sources"> & { found: Awaited<ReturnType<typeof sourcesAt>> }) => ({
    sources: found.map(({ address, found }) => ({
      url: found?.url ?? address,
      title: found?.title ?? null,
      section: found?.section ?? null,
      found: found !== undefined,
    })),
    given: found.length === 0 || found.some(({ found }) => found),
  }),
)

/** `/api/v1/projects/:id/chosen-answers`: the answers that an owner wrote for a question. */
export function chosenAnswerRoutes(deps: ChosenDeps & KitDeps) {
  const { db } = deps
  const { bearer, performs, shows, lists } = area(deps, "answers")
  const answer = {
    schema: chosenAnswerRecord,
    json: async ({ project, chosen }: Shown) =>
      shownAnswer.json({ ...chosen, found: await sourcesAt(db, project.id, chosen.sources) }),
  }
  const reply = { ...answer, refuses: [409], maxBodyBytes: 256 * 1024 } as const

  return new Elysia({ name: "chosen-answers", prefix: "/api/v1/projects/:id/chosen-answers" })
    .use(bearer)
    .get(
      "",
      ...lists(
        answer,
        async (call, part) => {
          const project = await projectOf(deps, call)
          return (await listChosenAnswers(db, project.id, part)).map((chosen) => ({ project, chosen }))
        },
        { keyOf: ({ chosen }) => chosen.id },
      ),
    )
    .post("", ...performs(addChosen, { status: 201, ...reply }))
    .get(
      "/:chosenId",
      ...shows(answer, async (call) => {
        const project = await projectOf(deps, call)
        return { project, chosen: await requireChosenAnswer(db, project.id, idOf(call, "answer")) }
      }),
    )
    .patch("/:chosenId", ...performs(changeChosen, { status: 200, ...reply }))
    .delete("/:chosenId", ...performs(removeChosen))
}
