import { Elysia } from "elysia"
import { requireProject } from "../accounts/project.ts"
import {
  acceptRun,
  addQuestion,
  type EvaluationDeps,
  removeQuestion,
  startRun,
} from "../assistant/evaluation/operations.ts"
import { listSetQuestions, type SetQuestion } from "../assistant/evaluation/question-set.ts"
import { listSetRuns, requireSetRun, type SetRun } from "../assistant/evaluation/set-run.ts"
import { isoTime } from "../base/clock.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { area } from "./kit/area.ts"
import {
  type EvaluationRunAnswer,
  evaluationQuestionAnswer,
  evaluationRunAnswer,
  startedEvaluation,
} from "./schemas/questions.ts"

/** The part of `/api/v1/projects/:id` about its evaluation set: the questions, and the runs of all of them. */
export function evaluationRoutes(deps: EvaluationDeps) {
  const { db } = deps
  const { bearer, operation, performs } = area(deps, "answers")

  return new Elysia({ name: "evaluation", prefix: "/api/v1/projects/:id" })
    .use(bearer)
    .get(
      "/evaluation-questions",
      async ({ params, query, workspaceId }) => {
        const { id } = await requireProject(db, params.id, workspaceId)
        return listPage(query, (part) => listSetQuestions(db, id, part), questionJson)
      },
      operation({
        query: pageQuery,
        answers: { 200: listOf(evaluationQuestionAnswer) },
      }),
    )
    .post(
      "/evaluation-questions",
      ...performs(addQuestion, {
        status: 201,
        schema: evaluationQuestionAnswer,
        json: ({ question }) => questionJson(question),
        refuses: [409],
      }),
    )
    .delete("/evaluation-questions/:questionId", ...performs(removeQuestion))
    .get(
      "/evaluation-runs",
      async ({ params, query, workspaceId }) => {
        const { id } = await requireProject(db, params.id, workspaceId)
        return listPage(query, (part) => listSetRuns(db, id, part), runJson)
      },
      operation({
        query: pageQuery,
        answers: { 200: listOf(evaluationRunAnswer) },
      }),
    )
    .post(
      "/evaluation-runs",
      ...performs(startRun, {
        status: 202,
        schema: startedEvaluation,
        json: ({ id }) => ({ id }),
        refuses: [409],
      }),
    )
    .get(
      "/evaluation-runs/:runId",
      async ({ params, workspaceId }) => {
        const { id } = await requireProject(db, params.id, workspaceId)
        return runJson(await requireSetRun(db, id, params.runId))
      },
      operation({ answers: { 200: evaluationRunAnswer } }),
    )
    .patch(
      "/evaluation-runs/:runId",
      ...performs(acceptRun, { status: 200, schema: evaluationRunAnswer, json: ({ run }) => runJson(run) }),
    )
}

function questionJson({ createdAt, ...question }: SetQuestion) {
  return { ...question, created_at: isoTime(createdAt) }
}

function runJson(run: SetRun): EvaluationRunAnswer {
  return {
    id: run.id,
    started_at: isoTime(run.startedAt),
    ended_at: run.endedAt === null ? null : isoTime(run.endedAt),
    total: run.total,
    passed: run.passed,
    lost: run.lost,
    accepted: run.isAccepted,
    results: run.results.map(({ id, outcome }) => ({ question: id, outcome })),
  }
}
