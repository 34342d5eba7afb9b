import { isoTime } from "../../../base/clock.ts"
import type { Db } from "../../../db/connection.ts"
import { type FailingEndpoint, lastAnswer } from "../../endpoints/failing.ts"
import { announce } from "./announce.ts"

export function announceFailing(nowMs: number) {
  return (transaction: Db, workspaceId: string, failing: FailingEndpoint): Promise<void> => {
    const { endpointId, url, description, sinceMs, lastAtMs, cause } = failing
    const data = {
      endpoint_id: endpointId,
      url,
      description,
      since: isoTime(sinceMs),
      last_at: isoTime(lastAtMs),
      answer: lastAnswer(failing),
      cause,
    }
    return announce(
      transaction,
      { type: "endpoint.failing", workspaceId, about: { endpointId }, data },
      nowMs,
    )
  }
}
