import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { projectOf } from "../accounts/projects/operations.ts"
import { dayMs } from "../base/clock.ts"
import { idsOf } from "../base/ids.ts"
import { shown } from "../http/record/json.ts"
import { listGapMailOperators } from "../owners/gaps/gap-mails.ts"
import { type Gap, listGaps } from "../owners/gaps/gaps.ts"
import { changeGapMails, markGap } from "../owners/gaps/operations.ts"
import { gapMails, gapRecord, sinceQuery } from "../owners/gaps/record.ts"
import { area, type KitDeps } from "./kit/area.ts"

const maxGaps = 100
const defaultDays = 90

const shownGap = shown(gapRecord)
const gaps = {
  schema: Type.Object({ items: Type.Array(gapRecord) }),
  json: (found: Gap[]) => ({ items: found.slice(0, maxGaps).map(shownGap.json) }),
}
const mails = {
  schema: gapMails,
  json: ({ operators }: { operators: readonly { id: string }[] }) => ({
    operators: idsOf(operators),
  }),
}

/** `/api/v1/projects/:id/gaps`: what visitors asked and the documentation does not answer. */
export function gapRoutes(deps: KitDeps) {
  const { db, clock } = deps
  const { bearer, performs, shows } = area(deps, "answers")

  return new Elysia({ name: "gaps", prefix: "/api/v1/projects/:id" })
    .use(bearer)
    .get(
      "/gaps",
      ...shows(
        gaps,
        async ({ query: { since = clock.now() - defaultDays * dayMs }, ...call }) =>
          listGaps(db, await projectOf(deps, call), since),
        sinceQuery,
      ),
    )
    .patch("/gaps/:gapId", ...performs(markGap, { status: 200, ...shownGap }))
    .get(
      "/gap-mails",
      ...shows(mails, async (call) => ({
        operators: await listGapMailOperators(db, await projectOf(deps, call)),
      })),
    )
    .put("/gap-mails", ...performs(changeGapMails, { status: 200, ...mails }))
}
