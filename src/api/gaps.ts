import { Elysia } from "elysia"
import { requireProject } from "../accounts/project.ts"
import { chooseGapMailOperators, listGapMailOperators } from "../assistant/insights/gap-mails.ts"
import { type Gap, listGaps, markGap } from "../assistant/insights/gaps.ts"
import { type Clock, dayMs, isoTime } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { bodyOf } from "../http/fields.ts"
import { sinceIn } from "./answers.ts"
import { area } from "./kit/area.ts"
import { type GapAnswer, gapAnswer, gapChange, gapMails, gapsAnswer, gapsQuery } from "./schemas/questions.ts"

const maxBodyBytes = 32 * 1024
const maxGaps = 100
const defaultDays = 90

/** `/api/v1/projects/:id/gaps`: what visitors asked and the documentation does not answer. */
export function gapRoutes({ db, clock }: { db: Db; clock: Clock }) {
  const { bearer, operation } = area({ db, clock }, "answers")

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
      async ({ request, params, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        const { state } = await bodyOf(request, maxBodyBytes, gapChange)
        const find = async () =>
          (await listGaps(db, project, 0)).find(({ asked }) => asked.some(({ id }) => id === params.gapId))
        const gap = await find()
        if (!gap) throw new Refusal("not_found", detail("assistant.answerNotFound"))
        await markGap(db, project.id, gap, state === "open" ? null : state)
        return toJson((await find()) ?? gap)
      },
      operation({
        body: gapChange,
        answers: { 200: gapAnswer },
        audit: "gap.marked",
      }),
    )
    .get(
      "/gap-mails",
      async ({ params, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        return { operators: (await listGapMailOperators(db, project)).map(({ id }) => id) }
      },
      operation({ answers: { 200: gapMails } }),
    )
    .put(
      "/gap-mails",
      async ({ request, params, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        const { operators } = await bodyOf(request, maxBodyBytes, gapMails)
        await chooseGapMailOperators(db, project, operators, clock.now())
        return { operators: (await listGapMailOperators(db, project)).map(({ id }) => id) }
      },
      operation({
        body: gapMails,
        answers: { 200: gapMails },
        audit: "gap_mails.changed",
      }),
    )
}

function toJson({ id, question, others, times, lastAt, state, nearest }: Gap): GapAnswer {
  return { id, question, others, times, last_at: isoTime(lastAt), state, nearest }
}
