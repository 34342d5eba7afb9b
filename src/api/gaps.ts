import { Elysia } from "elysia"
import { requireProject } from "../accounts/project.ts"
import { listGapMailOperators } from "../assistant/insights/gap-mails.ts"
import { type Gap, listGaps } from "../assistant/insights/gaps.ts"
import { changeGapMails, gapMails, markGap } from "../assistant/insights/operations.ts"
import { type Clock, dayMs, isoTime } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import { sinceIn } from "./answers.ts"
import { area } from "./kit/area.ts"
import { type GapAnswer, gapAnswer, gapsAnswer, gapsQuery } from "./schemas/questions.ts"

const maxGaps = 100
const defaultDays = 90

/** `/api/v1/projects/:id/gaps`: what visitors asked and the documentation does not answer. */
export function gapRoutes({ db, clock }: { db: Db; clock: Clock }) {
  const { bearer, operation, performs } = area({ db, clock }, "answers")

  return new Elysia({ name: "gaps", prefix: "/api/v1/projects/:id" })
    .use(bearer)
    .get(
      "/gaps",
      async ({ params, query, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        const sinceMs = sinceIn(query["since"]) ?? clock.now() - defaultDays * dayMs
        return { items: (await listGaps(db, project, sinceMs)).slice(0, maxGaps).map(toJson) }
      },
      operation({
        query: gapsQuery,
        answers: { 200: gapsAnswer },
      }),
    )
    .patch(
      "/gaps/:gapId",
      ...performs(markGap, { status: 200, schema: gapAnswer, json: ({ gap }) => toJson(gap) }),
    )
    .get(
      "/gap-mails",
      async ({ params, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        return mailsJson({ operators: await listGapMailOperators(db, project) })
      },
      operation({ answers: { 200: gapMails } }),
    )
    .put("/gap-mails", ...performs(changeGapMails, { status: 200, schema: gapMails, json: mailsJson }))
}

function mailsJson({ operators }: { operators: readonly { id: string }[] }) {
  return { operators: operators.map(({ id }) => id) }
}

function toJson({ id, question, others, times, lastAt, state, nearest }: Gap): GapAnswer {
  return { id, question, others, times, last_at: isoTime(lastAt), state, nearest }
}
