import { Type } from "@sinclair/typebox"
import { isDefaultWorkspace } from "../accounts/workspace.ts"
import { secondMs } from "../base/clock.ts"
import { listOf, oneOf } from "../http/record/schemas.ts"
import { type Check, checkNames, checkStates } from "../ops/checks/check.ts"
import { runChecks, runOwnChecks } from "../ops/checks/checks.ts"
import { inEnglish } from "../wording/english.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers } from "./kit/handlers.ts"

const checkRecord = Type.Object(
  { name: oneOf(checkNames), state: oneOf(checkStates), detail: Type.String() },
  { $id: "Check" },
)

const checks = {
  schema: listOf(checkRecord),
  json: (found: Check[]) => ({
    items: found.map((check) => ({ ...check, detail: inEnglish(check.detail) })),
    next_cursor: null,
  }),
}

/** Checks call the model and the mail server, so a workspace gets the same results for this long. */
const resultsKeptMs = 20 * secondMs

/**
 * `/api/v1/checks`: the checks of `guichet check`, except the one that reads the whole database. A token of the
 * default workspace reads all of them; any other one those about its own projects.
 */
export function checkHandlers(deps: ApiDeps) {
  const lastRuns = new Map<string, { atMs: number; results: Promise<Check[]> }>()

  function resultsFor(workspaceId: string): Promise<Check[]> {
    const nowMs = deps.clock.now()
    const last = lastRuns.get(workspaceId)
    if (last && Math.abs(nowMs - last.atMs) < resultsKeptMs) return last.results
    const results = run(workspaceId)
    lastRuns.set(workspaceId, { atMs: nowMs, results })
    return results
  }

  async function run(workspaceId: string): Promise<Check[]> {
    return (await isDefaultWorkspace(deps.db, workspaceId))
      ? runChecks(deps, { wholeDatabase: false, workspaceId })
      : runOwnChecks(deps, workspaceId)
  }

  const { shows } = handlers(deps)

  return {
    show: shows(checks, ({ workspaceId }) => resultsFor(workspaceId)),
  }
}
