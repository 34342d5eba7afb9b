import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/sqlite/connection.ts"

/** Throws Refusal `not_found` for a stranger's endpoint, `conflict` for one to which nothing may be sent. */
export async function activeEndpoint(db: Db, workspaceId: string, endpointId: string): Promise<void> {
  const endpoint = await db
    .selectFrom("endpoint")
    .select("active")
    .where("id", "=", endpointId)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst()
  if (!endpoint)
    throw new Refusal("not_found", detail("webhooks.unknownEndpoint"), { reason: "no such endpoint" })
  if (endpoint.active === 0)
    throw new Refusal("conflict", detail("webhooks.inactiveEndpoint"), { reason: "the endpoint is inactive" })
}
