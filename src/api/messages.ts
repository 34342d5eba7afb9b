import { endOfMessages, pollMessages } from "../webhooks/messages/message-order.ts"
import { maxPolled, messageQuery, polledMessages } from "../webhooks/messages/record.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers } from "./kit/handlers.ts"

type Polled = Awaited<ReturnType<typeof pollMessages>>

/** `/api/v1/messages`: for those who cannot receive, and for `guichet listen`. */
export function messageHandlers(deps: ApiDeps) {
  const { db, clock } = deps
  const { shows } = handlers(deps)

  return {
    poll: shows(
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
  }
}
