import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { requireProject } from "../accounts/project.ts"
import type { AnsweredQuestion } from "../assistant/ask/answer.ts"
import type { Assistant } from "../assistant/ask/ask.ts"
import { tryQuestion } from "../assistant/evaluation/operations.ts"
import {
  type AskedQuestion,
  type AskedQuestionFilter,
  findAskedQuestion,
  listAskedQuestions,
} from "../assistant/insights/asked-questions.ts"
import { countAskedQuestions, sumOfQuestions } from "../assistant/insights/daily-questions.ts"
import { listGaps } from "../assistant/insights/gaps.ts"
import { exportQuestions, removeAnswer } from "../assistant/insights/operations.ts"
import { type Clock, dayIn, dayMs, isoTime } from "../base/clock.ts"
import { detail, Refusal, required } from "../base/errors.ts"
import { parseTime } from "../base/time.ts"
import type { Db } from "../db/connection.ts"
import type { PageRequest } from "../db/search.ts"
import type { Exports } from "../http/csv.ts"
import { fileName } from "../http/file-name.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { questionsCsv } from "../wording/questions-csv.ts"
import { area } from "./kit/area.ts"
import {
  answersQuery,
  type KeptAnswer,
  keptAnswer,
  statisticsAnswer,
  statisticsQuery,
  trialAnswer,
} from "./schemas/assistant.ts"

const defaultDays = 30
const maxGroups = 100

interface AnswerDeps {
  db: Db
  clock: Clock
  assistant: Assistant
  exports: Exports
  config: { timezone: string }
}

/** The part of `/api/v1/projects/:id` about visitors' questions, and a way to try one. */
export function answerRoutes(deps: AnswerDeps) {
  const { db, clock, exports, config } = deps

  async function requireAnswer(projectId: string, id: string): Promise<AskedQuestion> {
    return required(await findAskedQuestion(db, projectId, id), detail("assistant.answerNotFound"))
  }

  const { bearer, operation, performs, downloads } = area(deps, "answers")

  return new Elysia({ name: "answers", prefix: "/api/v1/projects/:id" })
    .use(bearer)
    .get(
      "/answers",
      async ({ params, query, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        const filter = filterOf(query)
        const read = async ({ after, atMost }: PageRequest) => {
          const found = await listAskedQuestions(db, project.id, filter, { after, atMost: atMost - 1 })
          return { rows: found.asked, next: found.next }
        }
        return listPage(query, read, toJson)
      },
      operation({
        query: Type.Composite([answersQuery, pageQuery]),
        answers: { 200: listOf(keptAnswer) },
      }),
    )
    .get(
      "/answers.csv",
      ...downloads(exportQuestions, {
        type: "text/csv",
        query: answersQuery,
        file({ id, name }, { request, query, token }) {
          const table = questionsCsv(db, id, filterOf(query), config.timezone)
          const at = { timezone: config.timezone, nowMs: clock.now() }
          return exports.reply(request, token.id, fileName(["questions", name], "csv", at), table)
        },
      }),
    )
    .get(
      "/answers/:answerId",
      async ({ params, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        return toJson(await requireAnswer(project.id, params.answerId))
      },
      operation({ answers: { 200: keptAnswer } }),
    )
    .delete("/answers/:answerId", ...performs(removeAnswer))
    .get(
      "/answer-statistics",
      async ({ params, query, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        const sinceMs = sinceIn(query["since"]) ?? clock.now() - defaultDays * dayMs
        const groups = (await listGaps(db, project, sinceMs)).slice(0, maxGroups)
        return {
          ...totals(await countAskedQuestions(db, project.id, sinceMs), config.timezone),
          unanswered: groups.map(({ question, state, times, lastAt, others }) => ({
            question,
            state,
            times,
            last_at: isoTime(lastAt),
            others,
          })),
        }
      },
      operation({
        query: statisticsQuery,
        answers: { 200: statisticsAnswer },
      }),
    )
    .post(
      "/trials",
      ...performs(tryQuestion, { status: 200, schema: trialAnswer, json: trialJson, refuses: [409] }),
    )
}

function trialJson({ result: { status, answer, sources }, retrieval }: AnsweredQuestion) {
  const { answerable, confidence } = retrieval.decision
  const passages = retrieval.ranked.map(({ passage: { title, headings, url }, score }) => ({
    score,
    title,
    section: headings.at(-1) ?? null,
    url,
  }))
  return { status, answer, sources, answerable, confidence, passages }
}

function toJson({ askedAt, courtesy: _, related: __, chosenId, ...asked }: AskedQuestion): KeptAnswer {
  return { ...asked, chosen_answer: chosenId, asked_at: isoTime(askedAt) }
}

function totals(counts: Awaited<ReturnType<typeof countAskedQuestions>>, timezone: string) {
  const byDay = Map.groupBy(counts, ({ at }) => dayIn(timezone, at))
  const days = [...byDay].map(([day, ofDay]) => {
    const { asked, answered } = sumOfQuestions(ofDay)
    return { day, asked, answered }
  })
  return { ...sumOfQuestions(counts), days }
}

function filterOf({ status, useful, since }: Record<string, string | undefined>): AskedQuestionFilter {
  const statuses = ["answered", "no_answer"] as const
  const known = statuses.find((value) => value === status)
  const fields = {
    ...(status !== undefined && !known && { status: detail("requests.oneOf", { choices: statuses }) }),
    ...(useful !== undefined &&
      !/^(true|false)$/.test(useful) && { useful: detail("requests.oneOf", { choices: ["true", "false"] }) }),
  }
  if (Object.keys(fields).length > 0)
    throw new Refusal("invalid_request", detail("requests.invalidRequest"), { fields })
  return {
    sinceMs: sinceIn(since) ?? 0,
    status: known,
    useful: useful === undefined ? undefined : useful === "true",
  }
}

/** Throws Refusal `invalid_request`. */
export function sinceIn(since: string | undefined): number | undefined {
  const sinceMs = since === undefined ? undefined : parseTime(since)
  if (since !== undefined && sinceMs === undefined)
    throw new Refusal("invalid_request", detail("requests.invalidRequest"), {
      fields: { since: detail("assistant.since") },
    })
  return sinceMs
}
