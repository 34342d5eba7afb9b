import { Elysia } from "elysia"
import { projectOf } from "../accounts/projects/operations.ts"
import { shown } from "../http/record/json.ts"
import { idOf } from "../operations/operation.ts"
import {
  acceptRun,
  addQuestion,
  type EvaluationDeps,
  removeQuestion,
  startRun,
} from "../owners/evaluation/operations.ts"
import { listSetQuestions } from "../owners/evaluation/question-set.ts"
import {
  evaluationQuestionRecord,
  evaluationRunRecord,
  startedEvaluation,
} from "../owners/evaluation/record.ts"
import { listSetRuns, requireSetRun, type SetRun } from "../owners/evaluation/set-run.ts"
import { area, type KitDeps } from "./kit/area.ts"

const shownQuestion = shown(evaluationQuestionRecord)
const shownRun = shown(evaluationRunRecord, ({ isAccepted, results }: SetRun) => ({
  accepted: isAccepted,
  results: results.map(({ id, outcome }) => ({ question: id, outcome })),
}))

/** The part of `/api/v1/projects/:id` about its evaluation set: the questions, and the runs of all of them. */
export function evaluationRoutes(deps: EvaluationDeps & KitDeps) {
  const { db } = deps
  const { bearer, performs, shows, lists } = area(deps, "answers")

  return new Elysia({ name: "evaluation", prefix: "/api/v1/projects/:id" })
    .use(bearer)
    .get(
      "/evaluation-questions",
      ...lists(shownQuestion, async (call, part) =>
        listSetQuestions(db, (await projectOf(deps, call)).id, part),
      ),
    )
    .post(
      "/evaluation-questions",
      ...performs(addQuestion, { status: 201, ...shownQuestion, refuses: [409] }),
    )
    .delete("/evaluation-questions/:questionId", ...performs(removeQuestion))
    .get(
      "/evaluation-runs",
      ...lists(shownRun, async (call, part) => listSetRuns(db, (await projectOf(deps, call)).id, part)),
    )
    .post(
      "/evaluation-runs",
      ...performs(startRun, { status: 202, schema: startedEvaluation, refuses: [409] }),
    )
    .get(
      "/evaluation-runs/:runId",
      ...shows(shownRun, async (call) =>
        requireSetRun(db, (await projectOf(deps, call)).id, idOf(call, "run")),
      ),
    )
    .patch("/evaluation-runs/:runId", ...performs(acceptRun, { status: 200, ...shownRun }))
}
