import type { Selectable } from "kysely"
import { detail, Refusal } from "../../base/errors.ts"
import { newId } from "../../base/ids.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { WebhookTables } from "../../db/tables/webhooks.ts"
import type { Vault } from "../../db/vault.ts"
import { areSame, isLimit, type Limits, limitsOf, limitTo } from "./limits.ts"
import { keptSecret, rotated } from "./secret.ts"
import { newSecret } from "./signature.ts"

/** A registered webhook address, without its secrets. */
export interface Endpoint extends Limits {
  id: string
  workspaceId: string
  url: string
  description: string
  active: boolean
  /** Whether it gets the forms of `projects` and `forms` alone; otherwise every form of its workspace. */
  limited: boolean
  createdAt: number
}

/** `url` as the address guard gave it. Lists that are both empty: every form of the workspace. */
export interface NewEndpoint extends Limits {
  url: string
  description: string
  active: boolean
}

export type EndpointChange = Partial<NewEndpoint>

/** "Each workspace keeps at most 20 addresses." (specification, part 4 B); inactive ones count. */
export const maxEndpoints = 20
/** In code points. */
export const maxDescriptionLength = 200

/** Throws Refusal `conflict` at the 21st, `invalid_request` for a project or form of somebody else. */
export async function addEndpoint(
  db: Db,
  vault: Vault,
  workspaceId: string,
  wanted: NewEndpoint,
  nowMs: number,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const id = newId("ep", nowMs)
  const secret = newSecret()
  // Transactions run one at a time: between the count and the insert nobody else adds one.
  await db.transaction().execute(async (transaction) => {
    if ((await countEndpoints(transaction, workspaceId)) >= maxEndpoints)
      throw new Refusal("conflict", detail("webhooks.tooManyEndpoints", { maximum: maxEndpoints }))
    await transaction
      .insertInto("endpoint")
      .values({
        id,
        workspace_id: workspaceId,
        url: wanted.url,
        description: wanted.description,
        active: wanted.active ? 1 : 0,
        limited: isLimit(wanted),
        secrets: keptSecret(vault, id, secret),
        created_at: nowMs,
      })
      .execute()
    await limitTo(transaction, id, workspaceId, wanted)
  })
  return { endpoint: (await findEndpoint(db, id, workspaceId)) as Endpoint, secret }
}

/** Undefined when the workspace has no such endpoint. Runs inside the caller's transaction. */
export async function changeEndpoint(
  transaction: Db,
  id: string,
  workspaceId: string,
  change: EndpointChange,
): Promise<Endpoint | undefined> {
  const endpoint = await findEndpoint(transaction, id, workspaceId)
  if (!endpoint) return undefined
  const limits = { projects: change.projects ?? endpoint.projects, forms: change.forms ?? endpoint.forms }
  // Both named, it is said to be so; half of it that says what was there frees no endpoint whose forms are
  // gone.
  const saysAll = change.projects !== undefined && change.forms !== undefined
  const relimited = saysAll || !areSame(limits, endpoint)
  const columns = {
    ...(change.url !== undefined && { url: change.url }),
    ...(change.description !== undefined && { description: change.description }),
    ...(change.active !== undefined && { active: change.active ? (1 as const) : (0 as const) }),
    ...(relimited && { limited: isLimit(limits) }),
  }
  if (Object.keys(columns).length > 0)
    await transaction.updateTable("endpoint").set(columns).where("id", "=", id).execute()
  if (relimited) await limitTo(transaction, id, workspaceId, limits)
  return findEndpoint(transaction, id, workspaceId)
}

/** False when the workspace has no such endpoint. */
export async function removeEndpoint(transaction: Db, id: string, workspaceId: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom("endpoint")
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * The new secret, which signs from now on; the one before it goes on signing beside it for 24 hours.
 * Undefined when the workspace has no such endpoint; throws Refusal `conflict` when too many secrets sign
 * already.
 */
export async function rotateSecret(
  transaction: Db,
  vault: Vault,
  id: string,
  workspaceId: string,
  nowMs: number,
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom("endpoint")
    .select("secrets")
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst()
  if (!row) return undefined
  const secret = newSecret()
  const secrets = rotated(row.secrets, vault, id, secret, nowMs)
  await transaction.updateTable("endpoint").set({ secrets }).where("id", "=", id).execute()
  return secret
}

export async function findEndpoint(db: Db, id: string, workspaceId: string): Promise<Endpoint | undefined> {
  const row = await db
    .selectFrom("endpoint")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst()
  return row && endpoint(db, row)
}

/** Newest first; at most `atMost`, those after the endpoint of id `after`. */
export async function listEndpoints(
  db: Db,
  workspaceId: string,
  part: { atMost: number; after: string | undefined },
): Promise<Endpoint[]> {
  const rows = await db
    .selectFrom("endpoint")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .$if(part.after !== undefined, (query) => query.where("id", "<", part.after as string))
    .orderBy("id", "desc")
    .limit(part.atMost)
    .execute()
  return Promise.all(rows.map((row) => endpoint(db, row)))
}

async function countEndpoints(db: Db, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom("endpoint")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirstOrThrow()
  return count
}

async function endpoint(db: Db, row: Selectable<WebhookTables["endpoint"]>): Promise<Endpoint> {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    url: row.url,
    description: row.description,
    active: row.active === 1,
    limited: row.limited === 1,
    ...(await limitsOf(db, row.id)),
    createdAt: row.created_at,
  }
}
