import { Elysia } from "elysia"
import { endOfMessages, pollMessages } from "../webhooks/messages/message-order.ts"
import { maxPolled, messageQuery, polledMessages } from "../webhooks/messages/record.ts"
import { area, type KitDeps } from "./kit/area.ts"

type Polled = Awaited<ReturnType<typeof pollMessages>>

/** `/api/v1/messages`: for those who cannot receive, and for `guichet listen`. */
export function messageRoutes(deps: KitDeps) {
  const { db, clock } = deps
  const { bearer, shows } = area(deps, "messages")

  return new Elysia({ name: "messages", prefix: "/api/v1/messages" }).use(bearer).get(
    "",
    ...shows(
      {
        schema: polledMessages,
        json: ({ next, ...polled }: Polled) => ({ ...polled, next_cursor: String(next) }),
      },
      async ({ query: { after = 0, limit = maxPolled }, workspaceId }): Promise<Polled> => {
        const nowMs = clock.now()
        if (after !== "end") return pollMessages(db, workspaceId, { after, atMost: limit, nowMs })
        return { items: [], next: await endOfMessages(db, workspaceId, nowMs), more: false }
      },
      messageQuery,
    ),
  )
}
