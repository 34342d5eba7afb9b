import { minuteMs } from "../../base/clock.ts"
import { detail, type Refusal } from "../../base/errors.ts"
import { type Counter, counterOf, type Moment, tooMany, untilNextMs } from "../../limits/limit.ts"
import type { Project } from "../project.ts"
import { type MonthShare, questionsLeft } from "./month-shares.ts"

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
  counters: { visitor: Counter; project: Counter; workspace: Counter; organisation: Counter }
}

export function projectCounter(projectId: string, at: Moment): Counter {
  return counterOf({ key: "project", per: "day" }, projectId, at)
}

export function organisationCounter(organisationId: string, at: Moment): Counter {
  return counterOf({ key: "organisation", per: "month" }, organisationId, at)
}

export interface WantedPlace extends Reservation, Moment {
  project: Pick<Project, "id" | "workspaceId" | "organisationId">
  /** Keyed hash that recognises a visitor within one day. */
  visitor: string
  limits: AskLimits
}

/** Usage of the limits, counted questions and reservations together. */
export interface AskUsage {
  visitor: number
  project: number
  organisation: number
  /** How the month is divided; undefined while the common half covers all of it. */
  month: MonthShare | undefined
  /** The `perMinute`-th most recent question, while it keeps the minute full. */
  blockingAtMs: number | undefined
}

/** The sliding window, and the lifetime of a reservation: longer than any answer may take. */
export const windowMs = minuteMs

/** Refusal `rate_limited` or `quota_exceeded`, with the time to wait; undefined: there is a place. */
export function limitRefusal(used: AskUsage, limits: AskLimits, at: Moment): Refusal | undefined {
  const refused = (per: string, code: string, waitMs: number) =>
    tooMany(detail(code, { waitMs }), waitMs, `no more questions per ${per}`)
  if (used.blockingAtMs !== undefined)
    return refused("project and minute", "accounts.minute", used.blockingAtMs + windowMs - at.nowMs)
  if (used.visitor >= limits.perVisitorDay)
    return refused("visitor and day", "accounts.visitorDay", untilNextMs("day", at))
  if (used.project >= limits.perProjectDay)
    return refused("project and day", "accounts.projectDay", untilNextMs("day", at))
  if (used.organisation < limits.perOrganisationMonth && (!used.month || questionsLeft(used.month) > 0))
    return undefined
  const waitMs = untilNextMs("month", at)
  const explanation = detail("accounts.organisationMonth", {
    againAtMs: at.nowMs + waitMs,
    timezone: at.timezone,
  })
  return tooMany(explanation, waitMs, undefined, "quota_exceeded")
}
