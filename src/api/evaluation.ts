import { projectOf } from "../accounts/projects/operations.ts"
import { shown } from "../http/record/json.ts"
import { idOf } from "../operations/operation.ts"
import { acceptRun, addQuestion, removeQuestion, startRun } from "../owners/evaluation/operations.ts"
import { listSetQuestions } from "../owners/evaluation/question-set.ts"
import {
  evaluationQuestionRecord,
  evaluationRunRecord,
  startedEvaluation,
} from "../owners/evaluation/record.ts"
import { listSetRuns, requireSetRun, type SetRun } from "../owners/evaluation/set-run.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers } from "./kit/handlers.ts"

const shownQuestion = shown(evaluationQuestionRecord)
const shownRun = shown(evaluationRunRecord, ({ isAccepted, results }: SetRun) => ({
  accepted: isAccepted,
  results: results.map(({ id, outcome }) => ({ question: id, outcome })),
}))

/** The part of `/api/v1/projects/:id` about its evaluation set: the questions, and the runs of all of them. */
export function evaluationHandlers(deps: ApiDeps) {
  const { db } = deps
  const { performs, shows, lists } = handlers(deps)

  return {
    listQuestions: lists(shownQuestion, async (call, part) =>
      listSetQuestions(db, (await projectOf(deps, call)).id, part),
    ),
    addQuestion: performs(addQuestion, { status: 201, ...shownQuestion, refuses: [409] }),
    removeQuestion: performs(removeQuestion),
    listRuns: lists(shownRun, async (call, part) => listSetRuns(db, (await projectOf(deps, call)).id, part)),
    startRun: performs(startRun, { status: 202, schema: startedEvaluation, refuses: [409] }),
    showRun: shows(shownRun, async (call) =>
      requireSetRun(db, (await projectOf(deps, call)).id, idOf(call, "run")),
    ),
    acceptRun: performs(acceptRun, { status: 200, ...shownRun }),
  }
}
