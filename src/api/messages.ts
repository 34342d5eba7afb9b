import { Elysia } from "elysia"
import type { Clock } from "../base/clock.ts"
import { type Detail, detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { endOfMessages, maxPolled, pollMessages } from "../webhooks/messages/message-order.ts"
import { area } from "./kit/area.ts"
import { messageQuery, polledMessages } from "./schemas/webhooks.ts"

/** `/api/v1/messages`: for those who cannot receive, and for `guichet listen`. */
export function messageRoutes({ db, clock }: { db: Db; clock: Clock }) {
  const { bearer, operation } = area({ db, clock }, "messages")

  return new Elysia({ name: "messages", prefix: "/api/v1/messages" }).use(bearer).get(
    "",
    async ({ query, workspaceId }) => {
      const { after, limit } = pageIn(query)
      if (after === "end") {
        const end = await endOfMessages(db, workspaceId, clock.now())
        return { items: [], next_cursor: String(end), more: false }
      }
      const part = { after, atMost: limit, nowMs: clock.now() }
      const { items, next, more } = await pollMessages(db, workspaceId, part)
      return { items, next_cursor: String(next), more }
    },
    operation({
      query: messageQuery,
      answers: { 200: polledMessages },
    }),
  )
}

function pageIn(query: Record<string, string | undefined>): { after: number | "end"; limit: number } {
  const { after = "0", limit = String(maxPolled) } = query
  const fields: Record<string, Detail> = {
    ...(!/^(\d{1,15}|end)$/.test(after) && { after: detail("webhooks.after") }),
    ...(!(/^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= maxPolled) && {
      limit: detail("requests.limit", { maximum: maxPolled }),
    }),
  }
  if (Object.keys(fields).length > 0)
    throw new Refusal("invalid_request", detail("requests.invalidRequest"), { fields })
  return { after: after === "end" ? after : Number(after), limit: Number(limit) }
}
