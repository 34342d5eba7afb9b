import { type Static, Type } from "@sinclair/typebox"
import { sql } from "kysely"
import { hourMs, minuteMs, secondMs } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { ratePeriods } from "../../db/tables/webhooks.ts"
import { told } from "../../http/record/rule.ts"
import { oneOf, orNull } from "../../http/record/schemas.ts"

/** How fast an endpoint is sent to: its attempts are spread evenly over the period (decision "turns"). */

export const maxRate = 1000

export const rate = orNull(
  Type.Object({
    messages: told(Type.Integer({ minimum: 1, maximum: maxRate }), "webhooks.rate", { max: maxRate }),
    per: oneOf(ratePeriods),
  }),
)

export type Rate = NonNullable<Static<typeof rate>>

/** The settings by which deliveries of an endpoint wait for their turn. */
export interface Paced {
  inOrder: boolean
  rate: Rate | null
}

export function isPaced({ inOrder, rate }: Paced): boolean {
  return inOrder || rate !== null
}

export function pacedBy(row: { in_order: 0 | 1; rate: number | null; rate_per: Rate["per"] | null }): Paced {
  const { in_order, rate, rate_per } = row
  return {
    inOrder: in_order === 1,
    rate: rate === null || rate_per === null ? null : { messages: rate, per: rate_per },
  }
}

const periodMs: Record<Rate["per"], number> = { second: secondMs, minute: minuteMs, hour: hourMs }

/** Attempts closer to each other than this go together: a turn for each would cost more than it spreads. */
export const leastGapMs = 100

/** `freeAtMs`: when the next attempt is due by the even spread of those before; 0 of an endpoint without any. */
interface Moment {
  freeAtMs: number
  nowMs: number
}

function attemptGap({ messages, per }: Rate) {
  const gapMs = periodMs[per] / messages
  return { gapMs, slackMs: Math.max(leastGapMs - gapMs, 0) }
}

/** When the next attempt is due; a time too far ahead is of a clock that was set back since. */
function startMs(rate: Rate, { freeAtMs, nowMs }: Moment): number {
  const { gapMs, slackMs } = attemptGap(rate)
  return freeAtMs > nowMs + slackMs + gapMs ? nowMs : Math.max(freeAtMs, nowMs)
}

export function mayStart(rate: Rate, moment: Moment): number {
  const { gapMs, slackMs } = attemptGap(rate)
  const aheadMs = startMs(rate, moment) - moment.nowMs
  return aheadMs > slackMs ? 0 : Math.floor((slackMs - aheadMs) / gapMs) + 1
}

/** `freeAtMs` once so many attempts have started. */
export function afterStart(rate: Rate, moment: Moment, count: number): number {
  return startMs(rate, moment) + count * attemptGap(rate).gapMs
}

export function mayStartAtMs(rate: Rate, moment: Moment): number {
  return startMs(rate, moment) - attemptGap(rate).slackMs
}

/** The numbers of deliveries of an endpoint that wait for their turn, in their order. */
export async function firstWaiting(db: Db, endpointId: string, atMost: number): Promise<number[]> {
  const rows = await db
    .selectFrom("delivery")
    .select("number")
    .where("waits_since", "is not", null)
    .where("endpoint_id", "=", endpointId)
    .orderBy("number")
    .limit(sql.lit(atMost))
    .execute()
  return rows.map(({ number }) => number)
}
