import { maxProjects } from "../../../src/accounts/project.ts"
import { maxWorkspaces } from "../../../src/accounts/workspace.ts"
import { firstIdAt, type IdPrefix } from "../../../src/base/ids.ts"
import { maxForms } from "../../../src/forms/definition/form.ts"
import { chosenLimits } from "../../../src/owners/chosen/chosen-answer.ts"
import { maxFeeds } from "../../../src/reading/feed.ts"
import { maxEndpoints } from "../../../src/webhooks/endpoints/endpoint.ts"
import type { World } from "../world.ts"

/** The things of a workspace that has as much of everything as it may have, oldest first. */
export type WorstIds = ReturnType<typeof worstIds>

/** Everybody who ever wrote. */
export const writer = "camille@exemple.fr"

/** `many`: how many there are of what has no largest number. */
export function worstIds({ ids, app }: World, many: number) {
  const nowMs = app.clock.now()
  const named = (prefix: string, rows: number) =>
    Array.from({ length: rows }, (_, at) => `${prefix}_worst${at}`)
  /** All of the last minutes. */
  const dated = (prefix: IdPrefix, rows: number) =>
    Array.from({ length: rows }, (_, at) => `${firstIdAt(prefix, nowMs - rows + at)}${"0".repeat(20)}`)
  return {
    nowMs,
    project: ids["projects"] as string,
    workspace: ids["workspaces"] as string,
    feed: ids["feeds"] as string,
    form: ids["forms"] as string,
    endpoint: ids["endpoints"] as string,
    workspaces: named("ws", maxWorkspaces - 2),
    operators: named("opr", Math.min(many, 1000)),
    projects: Array.from({ length: maxProjects - 1 }, (_, at) => `worstproject${at}`),
    feeds: named("feed", maxFeeds - 1),
    forms: named("form", maxForms - 1),
    endpoints: named("ep", maxEndpoints - 1),
    chosens: named("cho", chosenLimits.answers - 1),
    entries: dated("jrn", many),
    pages: dated("doc", Math.ceil(many / 3)),
    questions: dated("ans", many),
    messages: dated("msg", many),
    deliveries: dated("dlv", many),
    responses: dated("resp", Math.ceil(many / 3)),
  }
}

/** Whether a row is one of the last `count`. */
export function isAmongLast(at: number, rows: readonly unknown[], count: number): boolean {
  return at >= rows.length - count
}
