import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { secondMs } from "../base/clock.ts"
import { listOf, oneOf } from "../http/schemas.ts"
import { allowSlowReply } from "../http/slow.ts"
import { type Check, checkNames, checkStates } from "../ops/checks/check.ts"
import { runChecks } from "../ops/checks/checks.ts"
import type { Services } from "../ops/checks/services.ts"
import { bearer } from "./kit/bearer.ts"
import { operation } from "./kit/operation.ts"

const checkAnswer = Type.Object(
  { name: oneOf(checkNames), state: oneOf(checkStates), detail: Type.String() },
  { $id: "Check" },
)

/**
 * A look calls the model and the mail server: whoever asks again within these gets what was seen, so that a
 * token costs no more.
 */
const lookAgainAfterMs = 20 * secondMs

/** `/api/v1/checks`: what `guichet check` finds, but for reading the whole database. */
export function checkRoutes(parts: Services) {
  const looks = new Map<string, { atMs: number; seen: Promise<Check[]> }>()

  function look(workspaceId: string): Promise<Check[]> {
    const nowMs = parts.clock.now()
    const last = looks.get(workspaceId)
    if (last && Math.abs(nowMs - last.atMs) < lookAgainAfterMs) return last.seen
    const seen = runChecks(parts, { wholeDatabase: false, workspaceId })
    looks.set(workspaceId, { atMs: nowMs, seen })
    return seen
  }

  return new Elysia({ name: "checks", prefix: "/api/v1" }).use(bearer(parts, "workspace")).get(
    "/checks",
    async ({ request, workspaceId }) => {
      allowSlowReply(request)
      return { items: await look(workspaceId), next_cursor: null }
    },
    operation({
      summary: "Looks at every part of the service at this moment",
      answers: { 200: listOf(checkAnswer) },
    }),
  )
}
