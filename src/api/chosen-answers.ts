import type { Project } from "../accounts/project.ts"
import { projectOf } from "../accounts/projects/operations.ts"
import { sourcesAt } from "../answering/chosen/chosen-sources.ts"
import { shown } from "../http/record/json.ts"
import { idOf } from "../operations/operation.ts"
import { type ChosenAnswer, listChosenAnswers, requireChosenAnswer } from "../owners/chosen/chosen-answer.ts"
import { addChosen, changeChosen, removeChosen } from "../owners/chosen/operations.ts"
import { chosenAnswerRecord } from "../owners/chosen/record.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers } from "./kit/handlers.ts"

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
export function chosenAnswerHandlers(deps: ApiDeps) {
  const { db } = deps
  const { performs, shows, lists } = handlers(deps)
  const answer = {
    schema: chosenAnswerRecord,
    json: async ({ project, chosen }: Shown) =>
      shownAnswer.json({ ...chosen, found: await sourcesAt(db, project.id, chosen.sources) }),
  }
  const reply = { ...answer, refuses: [409], maxBodyBytes: 256 * 1024 } as const

  return {
    list: lists(
      answer,
      async (call, part) => {
        const project = await projectOf(deps, call)
        return (await listChosenAnswers(db, project.id, part)).map((chosen) => ({ project, chosen }))
      },
      { keyOf: ({ chosen }) => chosen.id },
    ),
    add: performs(addChosen, { status: 201, ...reply }),
    show: shows(answer, async (call) => {
      const project = await projectOf(deps, call)
      return { project, chosen: await requireChosenAnswer(db, project.id, idOf(call, "answer")) }
    }),
    change: performs(changeChosen, { status: 200, ...reply }),
    remove: performs(removeChosen),
  }
}
