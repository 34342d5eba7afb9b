import { Elysia } from "elysia"
import { requireProject } from "../accounts/project.ts"
import type { Assistant } from "../assistant/ask/ask.ts"
import {
  addSetQuestions,
  listSetQuestions,
  removeSetQuestion,
  type SetQuestion,
} from "../assistant/evaluation/question-set.ts"
import {
  acceptSetRun,
  listSetRuns,
  requireSetRun,
  type SetRun,
  startSetRun,
} from "../assistant/evaluation/set-run.ts"
import { type Clock, isoTime } from "../base/clock.ts"
import type { Log } from "../base/log.ts"
import type { Db } from "../db/connection.ts"
import { bodyOf } from "../http/fields.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { area } from "./kit/area.ts"
import {
  type EvaluationRunAnswer,
  evaluationQuestionAnswer,
  evaluationRunAnswer,
  evaluationRunChange,
  newEvaluationQuestion,
  startedEvaluation,
} from "./schemas/questions.ts"

const maxBodyBytes = 32 * 1024

interface EvaluationDeps {
  db: Db
  clock: Clock
  assistant: Assistant
  log: Log
}

/** The part of `/api/v1/projects/:id` about its evaluation set: the questions, and the runs of all of them. */
export function evaluationRoutes({ db, clock, assistant, log }: EvaluationDeps) {
  const { bearer, operation } = area({ db, clock }, "answers")

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
      async ({ request, params, workspaceId, set }) => {
        const { id } = await requireProject(db, params.id, workspaceId)
        const typed = await bodyOf(request, maxBodyBytes, newEvaluationQuestion)
        const [added] = await addSetQuestions(db, id, [typed], clock.now())
        set.status = 201
        return questionJson(added as SetQuestion)
      },
      operation({
        body: newEvaluationQuestion,
        answers: { 201: evaluationQuestionAnswer },
        refuses: [409],
        audit: "evaluation.changed",
      }),
    )
    .delete(
      "/evaluation-questions/:questionId",
      async ({ params, workspaceId, set }) => {
        const { id } = await requireProject(db, params.id, workspaceId)
        await removeSetQuestion(db, id, params.questionId)
        set.status = 204
      },
      operation({
        answers: { 204: null },
        audit: "evaluation.changed",
      }),
    )
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
      async ({ params, workspaceId, set }) => {
        const project = await requireProject(db, params.id, workspaceId)
        const { id, done } = await startSetRun(assistant, project)
        done.catch((error) => log.error("evaluation failed", { project: project.id, error }))
        set.status = 202
        return { id }
      },
      operation({
        answers: { 202: startedEvaluation },
        refuses: [409],
        audit: "evaluation.run",
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
      async ({ request, params, workspaceId }) => {
        const { id } = await requireProject(db, params.id, workspaceId)
        const { accepted } = await bodyOf(request, maxBodyBytes, evaluationRunChange)
        await acceptSetRun(db, id, params.runId, accepted)
        return runJson(await requireSetRun(db, id, params.runId))
      },
      operation({
        body: evaluationRunChange,
        answers: { 200: evaluationRunAnswer },
        audit: "evaluation.changed",
      }),
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
