import type { Project } from "../../accounts/project.ts"
import { detail } from "../../base/errors.ts"
import { visitorAddress } from "../../http/client.ts"
import { type Limit, type Moment, visitorOn } from "../../limits/limit.ts"
import { take } from "../../limits/take.ts"
import type { AdmitDeps } from "./admit.ts"

/** Limits on programs that use the Model Context Protocol, beside those of every question. */

type LimitDeps = Pick<AdmitDeps, "relaxed" | "clock" | "vault" | "timezone" | "limits">

/** Requests of any kind: a program that lists, searches and reads makes some dozen in a row. */
export const ofAddress = { key: "mcp", points: 120, per: "minute", on: "visitor" } as const satisfies Limit
export const ofProject = { key: "mcp", points: 600, per: "minute", on: "project" } as const satisfies Limit

/** Readings of `llms.txt` and `llms-full.txt`, which may be some megabytes long. */
export const readings = { key: "llms", points: 60, per: "hour", on: "visitor" } as const satisfies Limit
const readingsOfProject = { key: "llms", points: 600, per: "hour", on: "project" } as const satisfies Limit

/** Programs get this part of a project's day and of its organisation's month; the rest stays for visitors. */
const share = 4

/** Throws Refusal `rate_limited`. */
export function admitProgram(deps: LimitDeps, project: Project, address: string): Promise<void> {
  return takeBoth(deps, project, address, [ofAddress, ofProject])
}

/** Throws Refusal `rate_limited`. */
export function admitReader(deps: LimitDeps, project: Project, address: string): Promise<void> {
  return takeBoth(deps, project, address, [readings, readingsOfProject])
}

async function takeBoth(
  deps: LimitDeps,
  project: Project,
  address: string,
  [onVisitor, onProject]: [Limit, Limit],
): Promise<void> {
  const at = currentMoment(deps)
  const visitor = visitorOn(deps.vault, `${project.id} ${visitorAddress(address)}`, at)
  const refusal = detail("assistant.tooManyRequests")
  await deps.relaxed.transaction().execute(async (transaction) => {
    await take(transaction, onVisitor, visitor, at, refusal)
    await take(transaction, onProject, project.id, at, refusal)
  })
}

/** Takes a place for a question, which counts although it may fail. Throws Refusal `rate_limited`. */
export async function admitProgramAsk(deps: LimitDeps, project: Project): Promise<void> {
  const { perProjectDay, perOrganisationMonth } = deps.limits
  const ofDay = programLimit("day", "project", project.limits.perDay ?? perProjectDay)
  const ofMonth = programLimit("month", "organisation", perOrganisationMonth)
  const at = currentMoment(deps)
  const refusal = detail("assistant.programsShare")
  await deps.relaxed.transaction().execute(async (transaction) => {
    await take(transaction, ofDay, project.id, at, refusal)
    await take(transaction, ofMonth, project.organisationId, at, refusal)
  })
}

function programLimit(per: "day" | "month", on: "project" | "organisation", whole: number): Limit {
  return { key: "mcp-ask", points: Math.ceil(whole / share), per, on }
}

function currentMoment({ clock, timezone }: LimitDeps): Moment {
  return { nowMs: clock.now(), timezone }
}
