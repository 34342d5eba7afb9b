import type { Static } from "@sinclair/typebox"
import type { Project } from "../accounts/project.ts"
import { projectOf } from "../accounts/projects/operations.ts"
import type { AnsweredQuestion } from "../answering/ask/answer.ts"
import { shownReasons } from "../answering/retrieval/record.ts"
import { dayIn, dayMs } from "../base/clock.ts"
import { detail, required } from "../base/errors.ts"
import { fileName } from "../http/file-name.ts"
import { shown } from "../http/record/json.ts"
import { idOf } from "../operations/operation.ts"
import { tryQuestion } from "../owners/evaluation/operations.ts"
import { trialRecord } from "../owners/evaluation/record.ts"
import { type AskedQuestion, findAskedQuestion, listAskedQuestions } from "../owners/gaps/asked-questions.ts"
import { countAskedQuestions, sumOfQuestions } from "../owners/gaps/daily-questions.ts"
import { listGaps } from "../owners/gaps/gaps.ts"
import { exportQuestions, removeAnswer } from "../owners/gaps/operations.ts"
import { answerRecord, answerStatistics, answersQuery, sinceQuery } from "../owners/gaps/record.ts"
import { questionsCsv } from "../wording/questions-csv.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers } from "./kit/handlers.ts"

const defaultDays = 30
const maxGroups = 100

const answer = shown(answerRecord, ({ chosenId, reasons }: AskedQuestion) => ({
  chosen_answer: chosenId,
  reasons: shownReasons(reasons),
}))

const trial = shown(trialRecord, ({ result, retrieval }: AnsweredQuestion) => ({
  status: result.status,
  answer: result.answer,
  sources: result.sources,
  reasons: shownReasons(result.reasons),
  answerable: retrieval.decision.answerable,
  confidence: retrieval.decision.confidence,
  passages: retrieval.ranked.map(({ passage: { title, headings, url }, score }) => ({
    score,
    title,
    section: headings.at(-1) ?? null,
    url,
  })),
}))

/** The part of `/api/v1/projects/:id` about visitors' questions, and a way to try one. */
export function answerHandlers(deps: ApiDeps) {
  const { db, clock, exports, config } = deps
  const { performs, shows, lists, downloads } = handlers(deps)

  async function readStatistics(project: Project, sinceMs: number) {
    const unanswered = await listGaps(db, project, sinceMs)
    const counts = await countAskedQuestions(db, project.id, sinceMs)
    return { ...totals(counts, config.timezone), unanswered: unanswered.slice(0, maxGroups) }
  }

  return {
    list: lists(
      answer,
      async ({ query, ...call }, { after, atMost }) => {
        const { id } = await projectOf(deps, call)
        const page = await listAskedQuestions(db, id, answersFilter(query), { after, atMost: atMost - 1 })
        return { rows: page.asked, next: page.next }
      },
      { query: answersQuery },
    ),
    csv: downloads(exportQuestions, {
      type: "text/csv",
      query: answersQuery,
      file({ id, name }, { request, query, token }) {
        const table = questionsCsv(db, id, answersFilter(query), config.timezone)
        const at = { timezone: config.timezone, nowMs: clock.now() }
        return exports.reply(request, token.id, fileName(["questions", name], "csv", at), table)
      },
    }),
    show: shows(answer, async (call) => {
      const { id } = await projectOf(deps, call)
      return required(
        await findAskedQuestion(db, id, idOf(call, "answer")),
        detail("assistant.answerNotFound"),
      )
    }),
    remove: performs(removeAnswer),
    statistics: shows(
      shown(answerStatistics),
      async ({ query: { since = clock.now() - defaultDays * dayMs }, ...call }) =>
        readStatistics(await projectOf(deps, call), since),
      sinceQuery,
    ),
    trial: performs(tryQuestion, { status: 200, ...trial, refuses: [409] }),
  }
}

function totals(counts: Awaited<ReturnType<typeof countAskedQuestions>>, timezone: string) {
  const byDay = Map.groupBy(counts, ({ at }) => dayIn(timezone, at))
  const days = [...byDay].map(([day, ofDay]) => {
    const { asked, answered } = sumOfQuestions(ofDay)
    return { day, asked, answered }
  })
  return { ...sumOfQuestions(counts), days }
}

function answersFilter({ status, useful, opened, since = 0 }: Static<typeof answersQuery>) {
  return { status, useful: flagIn(useful), opened: flagIn(opened), sinceMs: since }
}

function flagIn(typed: "true" | "false" | undefined): boolean | undefined {
  return typed === undefined ? undefined : typed === "true"
}
