import {
  dayIn,
  dayMs,
  hourMs,
  minuteMs,
  monthIn,
  secondMs,
  untilNextDayMs,
  untilNextMonthMs,
} from "../base/clock.ts"
import { type Detail, type ErrorCode, Refusal } from "../base/errors.ts"
import type { Vault } from "../db/vault.ts"

export interface Limit {
  /** Begins the name of each counter, and names in the refusal what there is no more of. */
  key: string
  points: number
  /** Days and months are the owner's. The others roll on: all points at once, then one at a time. */
  per: keyof typeof rollingMs | "day" | "month"
  /** Each has a counter of its own. */
  on:
    | "visitor"
    | "mailbox"
    | "answer"
    | "project"
    | "form"
    | "page"
    | "endpoint"
    | "operator"
    | "sign-in"
    | "workspace"
    | "organisation"
  /** `Retry-After`, where it is not the time until there may be a point again. */
  retryAfterSeconds?: number
}

export interface Counter {
  /** `2026-11-20` or `2026-11`; empty for a limit that rolls on. */
  period: string
  subject: string
}

/** The time at which something is counted, and the zone whose days and months count. */
export interface Moment {
  nowMs: number
  timezone: string
}

const rollingMs = { minute: minuteMs, hour: hourMs, "24 hours": dayMs } as const

export function counterOf({ key, per }: Pick<Limit, "key" | "per">, on: string, at: Moment): Counter {
  return { period: periodName(per, at), subject: `${key}:${on}` }
}

export function periodName(per: Limit["per"], { timezone, nowMs }: Moment): string {
  if (per === "day") return dayIn(timezone, nowMs)
  return per === "month" ? monthIn(timezone, nowMs) : ""
}

/** Recognises a network address for one day: a keyed hash, so that no address is stored and no visitor followed. */
export function visitorOn(vault: Vault, address: string, at: Moment): string {
  return vault.fingerprint(`${periodName("day", at)} ${address}`, "visitor")
}

export function reached(limit: Limit, told: Detail, at: Moment): Refusal {
  const { points, per, retryAfterSeconds } = limit
  const waitMs =
    retryAfterSeconds !== undefined
      ? retryAfterSeconds * secondMs
      : isRolling(per)
        ? rollingMs[per] / points
        : untilNextMs(per, at)
  return tooMany(told, waitMs, `no more ${limit.key} per ${limit.on} and ${per}`)
}

/** Every refusal of a limit, with the time to wait. */
export function tooMany(
  told: Detail,
  waitMs: number,
  reason?: string,
  code: ErrorCode = "rate_limited",
): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / secondMs))
  return new Refusal(code, told, { retryAfterSeconds, ...(reason !== undefined && { reason }) })
}

export function untilNextMs(per: "day" | "month", { timezone, nowMs }: Moment): number {
  return per === "day" ? untilNextDayMs(timezone, nowMs) : untilNextMonthMs(timezone, nowMs)
}

export function isRolling(per: Limit["per"]): per is keyof typeof rollingMs {
  return per in rollingMs
}

/**
 * The generic cell rate algorithm (GCRA; ITU-T I.371, ATM Forum Traffic Management 4.0, in its "virtual scheduling"
 * form), whose only state is the theoretical arrival time: when all points are there again. Returns that time after one
 * more point, in milliseconds and fractions, or undefined when none is left.
 */
export function nextArrival(
  arrivalMs: number,
  points: number,
  per: keyof typeof rollingMs,
  nowMs: number,
): number | undefined {
  const windowMs = rollingMs[per]
  // The margin absorbs rounding: intervals such as a seventh of a minute may add up to more than the whole.
  const latestMs = nowMs + windowMs + 0.01
  // An arrival beyond that was stored before the clock was set back, so counting starts afresh.
  const currentMs = arrivalMs <= latestMs ? Math.max(arrivalMs, nowMs) : nowMs
  const nextMs = currentMs + windowMs / points
  return nextMs > latestMs ? undefined : nextMs
}
