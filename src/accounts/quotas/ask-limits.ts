import { minuteMs, secondMs, untilNextDayMs, untilNextMonthMs } from "../../base/clock.ts"
import { type Detail, detail, Refusal } from "../../base/errors.ts"
import type { CounterKey } from "../../db/count.ts"
import type { Project } from "../project.ts"
import { leftOf, type MonthShare } from "./month-shares.ts"

/** How many questions are answered. A project's own limits override these. */
export interface AskLimits {
  perMinute: number
  perVisitorDay: number
  perProjectDay: number
  perOrganisationMonth: number
}

/** One question's place within every limit, which is later counted or given back. */
export interface Reservation {
  id: string
  /** Counter and period (day or month) of each limit. */
  subjects: { visitor: CounterKey; project: CounterKey; workspace: CounterKey; organisation: CounterKey }
}

/** A place that is asked for. */
export interface WantedPlace extends Reservation {
  project: Pick<Project, "id" | "workspaceId" | "organisationId">
  /** Keyed hash that recognises a visitor within one day. */
  visitor: string
  /** With the project's own. */
  limits: AskLimits
  timezone: string
  nowMs: number
}

/** Usage of the limits, counted questions and reservations together. */
export interface AskUsage {
  visitor: number
  project: number
  organisation: number
  /** How the month is divided; undefined while the common half covers all of it. */
  month: MonthShare | undefined
  /**
   * Time of the `perMinute`-th most recent question, if it is within the window: as long as it is, the minute is full.
   */
  blockingAtMs: number | undefined
}

/** The sliding window, and the lifetime of a reservation: longer than any answer may take. */
export const windowMs = minuteMs

/** Refusal `rate_limited` or `quota_exceeded`, with the time to wait; undefined: there is a place. */
export function limitRefusal(used: AskUsage, { limits, timezone, nowMs }: WantedPlace): Refusal | undefined {
  if (used.blockingAtMs !== undefined) {
    const waitMs = used.blockingAtMs + windowMs - nowMs
    return limited("project and minute", detail("accounts.minute", { waitMs }), waitMs)
  }
  const untilDayMs = () => untilNextDayMs(timezone, nowMs)
  if (used.visitor >= limits.perVisitorDay)
    return limited("visitor and day", detail("accounts.visitorDay", { waitMs: untilDayMs() }), untilDayMs())
  if (used.project >= limits.perProjectDay)
    return limited("project and day", detail("accounts.projectDay", { waitMs: untilDayMs() }), untilDayMs())
  if (used.organisation < limits.perOrganisationMonth && (!used.month || leftOf(used.month) > 0))
    return undefined
  const waitMs = untilNextMonthMs(timezone, nowMs)
  const told = detail("accounts.organisationMonth", { againAtMs: nowMs + waitMs, timezone })
  return new Refusal("quota_exceeded", told, { retryAfterSeconds: seconds(waitMs) })
}

function limited(per: string, told: Detail, waitMs: number): Refusal {
  const reason = `no more questions per ${per}`
  return new Refusal("rate_limited", told, { reason, retryAfterSeconds: seconds(waitMs) })
}

function seconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / secondMs))
}
