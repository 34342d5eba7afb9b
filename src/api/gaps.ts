import { Type } from "@sinclair/typebox"
import { projectOf } from "../accounts/projects/operations.ts"
import { dayMs } from "../base/clock.ts"
import { idsOf } from "../base/ids.ts"
import { shown } from "../http/record/json.ts"
import { listGapMailOperators } from "../owners/gaps/gap-mails.ts"
import { type Gap, listGaps } from "../owners/gaps/gaps.ts"
import { changeGapMails, markGap } from "../owners/gaps/operations.ts"
import { gapMails, gapRecord, sinceQuery } from "../owners/gaps/record.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers } from "./kit/handlers.ts"

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
export function gapHandlers(deps: ApiDeps) {
  const { db, clock } = deps
  const { performs, shows } = handlers(deps)

  return {
    list: shows(
      gaps,
      async ({ query: { since = clock.now() - defaultDays * dayMs }, ...call }) =>
        listGaps(db, await projectOf(deps, call), since),
      sinceQuery,
    ),
    mark: performs(markGap, { status: 200, ...shownGap }),
    mails: shows(mails, async (call) => ({
      operators: await listGapMailOperators(db, await projectOf(deps, call)),
    })),
    changeMails: performs(changeGapMails, { status: 200, ...mails }),
  }
}
