import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { bearer } from "../http/bearer.ts"
import { operation } from "../http/operation.ts"
import { listOf, oneOf } from "../http/schemas.ts"
import { allowSlowReply } from "../http/slow.ts"
import { checkNames, checkStates } from "./check.ts"
import { runChecks } from "./checks.ts"
import type { Services } from "./services.ts"

const checkAnswer = Type.Object(
  { name: oneOf(checkNames), state: oneOf(checkStates), detail: Type.String() },
  { $id: "Check" },
)

/** `/api/v1/checks`: what `guichet check` finds, but for reading the whole database. */
export function checkRoutes(parts: Services) {
  return new Elysia({ name: "checks", prefix: "/api/v1" }).use(bearer(parts, "workspace")).get(
    "/checks",
    async ({ request, workspaceId }) => {
      allowSlowReply(request)
      return { items: await runChecks(parts, { wholeDatabase: false, workspaceId }), next_cursor: null }
    },
    operation({
      summary: "Looks at every part of the service at this moment",
      answers: { 200: listOf(checkAnswer) },
    }),
  )
}
