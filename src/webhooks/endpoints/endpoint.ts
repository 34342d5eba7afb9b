import { sleep } from "../../base/async.ts"
import { secondMs } from "../../base/clock.ts"
import { type Detail, detail, Refusal, required, requireRoom } from "../../base/errors.ts"
import { newId } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import type { Row } from "../../db/schema.ts"
import type { PageRequest } from "../../db/search.ts"
import { changeRows, countOf, findRow, insertRows, rowsOf } from "../../db/store.ts"
import type { EndpointKind, TestAnswer } from "../../db/tables/webhooks.ts"
import type { Vault } from "../../db/vault.ts"
import { withLock } from "../../db/with-lock.ts"
import { eachOf } from "../../db/words.ts"
import { type GivenHeader, headerNames, sealHeaders } from "../../http/record/own-headers.ts"
import type { AcceptedAddress, AddressRule } from "../../outbound/address-text.ts"
import type { Resolution } from "../../outbound/resolve.ts"
import type { StopSignal } from "../../outbound/time-limit.ts"
import { type Condition, conditionsIn, storedConditions } from "./conditions.ts"
import { type EndpointFilter, isFiltered, isSameFilter, readFilter, setFilter } from "./endpoint-filter.ts"
import { type EventType, eventsIn, formEvent, storedEvents } from "./event-types.ts"
import { headerSeal, requireValuesFor } from "./own-headers.ts"
import { type Paced, pacedBy, type Rate } from "./pace.ts"
import { firstSecrets, rotatedSecrets } from "./secret.ts"
import { newSecret } from "./signature.ts"

export interface Endpoint extends EndpointFilter, Paced {
  id: string
  workspaceId: string
  kind: EndpointKind
  /** Answer of the receiver within the program, for kind `test`. */
  testAnswer: TestAnswer | null
  url: string
  description: string
  active: boolean
  /** False: every form of its workspace. True even once all of `projects` and `forms` are removed. */
  filtered: boolean
  events: EventType[]
  conditions: Condition[]
  /** The owner's own, whose values are never shown. */
  headers: { name: string }[]
  createdAt: number
}

/** `url` is the one that `acceptableUrl` returned. */
export interface NewEndpoint extends EndpointFilter {
  kind?: EndpointKind
  url: string
  description: string
  active: boolean
  conditions?: readonly Condition[] | undefined
  headers?: readonly GivenHeader[] | undefined
  events?: readonly EventType[] | undefined
  inOrder?: boolean | undefined
  rate?: Rate | null | undefined
}

export type EndpointChange = Partial<Omit<NewEndpoint, "kind">> & { testAnswer?: TestAnswer }

/** "Each workspace keeps at most 20 addresses." (specification, part 4 B); inactive ones count. */
export const maxEndpoints = 20
/** In code points. */
export const maxDescriptionLength = 200

/** Names the receiver within the program. No name server knows names under `.invalid` (RFC 6761). */
export const testReceiverName = "boite-d-essai.invalid"
/** The address that an endpoint of kind `test` shows. Nothing is ever sent to it. */
export const testReceiverUrl = `https://${testReceiverName}/`

/** The guard of every address that is called, as `delivery/outbound.ts` opens it. */
export interface AddressGuard {
  /** Judges the text of an address, without resolving its name. */
  checkAddress(text: string): AcceptedAddress | { refused: AddressRule }
  /** Resolves a name anew and judges every address it has. Never rejects; ends when `signal` does. */
  resolve(host: string, signal: StopSignal): Promise<Resolution>
}

/** Short, because a person waits for the answer. */
const resolutionTimeoutMs = 5 * secondMs
/** Late addresses get a little longer than at an attempt, so that a private one is told to the person. */
const lateAnswerMs = secondMs / 2

/**
 * Resolves to the address under which an endpoint may be stored. Throws Refusal `invalid_request` that names
 * the broken rule, or says that the name leads nowhere or to a private network, never to which one; throws
 * `unavailable` when the name cannot be resolved for the moment.
 */
export async function acceptableUrl(outbound: AddressGuard, text: string): Promise<string> {
  const address = outbound.checkAddress(text)
  if ("refused" in address) throw urlRefusal("invalid_request", detail(`webhooks.rules.${address.refused}`))
  const resolution = await outbound.resolve(address.host, AbortSignal.timeout(resolutionTimeoutMs))
  if ("targets" in resolution) {
    const { late } = resolution
    const isFit =
      !late ||
      (await sleep(lateAnswerMs, late).then(
        () => true,
        () => false,
      ))
    if (isFit) return address.href
    throw urlRefusal("invalid_request", detail("webhooks.privateAddress"))
  }
  if (resolution.temporary) throw urlRefusal("unavailable", detail("webhooks.unresolvedNow"))
  throw urlRefusal(
    "invalid_request",
    resolution.outcome === "private_address"
      ? detail("webhooks.privateAddress")
      : detail("webhooks.unresolved"),
  )
}

function urlRefusal(code: "invalid_request" | "unavailable", told: Detail): Refusal {
  return new Refusal(code, detail("webhooks.invalidEndpoint"), { fields: { url: told } })
}

/**
 * Throws Refusal `conflict` at the 21st and at a second one of kind `test`, `invalid_request` for a project or form
 * of another workspace.
 */
export async function insertEndpoint(
  db: Db,
  vault: Vault,
  workspaceId: string,
  added: NewEndpoint,
  nowMs: number,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const id = newId("ep", nowMs)
  const secret = newSecret()
  await withLock(db, `endpoints:${workspaceId}`, async (transaction) => {
    const count = await countOf(transaction, "endpoint", { workspace_id: workspaceId })
    requireRoom(count, maxEndpoints, "webhooks.tooManyEndpoints")
    const { kind = "https" } = added
    if (kind === "test" && (await findRow(transaction, "endpoint", { workspace_id: workspaceId, kind })))
      throw new Refusal("conflict", detail("webhooks.oneTestEndpoint"))
    await insertRows(transaction, "endpoint", {
      id,
      kind,
      test_answer: kind === "test" ? "ok" : null,
      workspace_id: workspaceId,
      url: added.url,
      description: added.description,
      active: added.active ? 1 : 0,
      filtered: isFiltered(added),
      secrets: firstSecrets(vault, id, secret),
      headers: sealHeaders(vault, headerSeal(id), added.headers ?? [], null),
      conditions: await storedConditions(transaction, workspaceId, added.conditions ?? []),
      events: storedEvents(added.events ?? [formEvent]),
      ...paceColumns({ inOrder: added.inOrder ?? false, rate: added.rate ?? null }),
      created_at: nowMs,
    })
    await setFilter(transaction, id, workspaceId, added)
  })
  return { endpoint: (await findEndpoint(db, id, workspaceId)) as Endpoint, secret }
}

/** Runs inside the caller's transaction. Throws Refusal `not_found`. */
export async function applyEndpointChange(
  transaction: Db,
  vault: Vault,
  id: string,
  workspaceId: string,
  change: EndpointChange,
): Promise<Endpoint> {
  const endpoint = await requireEndpoint(transaction, workspaceId, id)
  // Headers may have been given while the new address was resolved.
  requireValuesFor(change.url ?? endpoint.url, endpoint, change.headers)
  const filter = { projects: change.projects ?? endpoint.projects, forms: change.forms ?? endpoint.forms }
  // The forms of a filtered endpoint may all have been removed, which leaves its two lists empty. Only a
  // change that gives both lists opens such an endpoint to every form; repeating one empty list does not.
  const isWholeFilter = change.projects !== undefined && change.forms !== undefined
  const hasNewFilter = isWholeFilter || !isSameFilter(filter, endpoint)
  const columns = {
    ...(change.url !== undefined && { url: change.url }),
    ...(change.description !== undefined && { description: change.description }),
    ...(change.testAnswer !== undefined && { test_answer: change.testAnswer }),
    ...(change.active !== undefined && { active: change.active ? (1 as const) : (0 as const) }),
    ...(hasNewFilter && { filtered: isFiltered(filter) }),
    ...paceColumns(change),
    ...(change.events && { events: storedEvents(change.events) }),
    ...(change.conditions && {
      conditions: await storedConditions(transaction, workspaceId, change.conditions),
    }),
    ...(change.headers && {
      headers: sealHeaders(vault, headerSeal(id), change.headers, await storedHeaders(transaction, id)),
    }),
  }
  if (Object.keys(columns).length > 0) await changeRows(transaction, "endpoint", { id }, columns)
  if (hasNewFilter) await setFilter(transaction, id, workspaceId, filter)
  return requireEndpoint(transaction, workspaceId, id)
}

function paceColumns({ inOrder, rate }: Pick<EndpointChange, "inOrder" | "rate">) {
  return {
    ...(inOrder !== undefined && { in_order: inOrder ? (1 as const) : (0 as const) }),
    ...(rate !== undefined && { rate: rate?.messages ?? null, rate_per: rate?.per ?? null }),
  }
}

async function storedHeaders(transaction: Db, id: string): Promise<string | null> {
  return (await findRow(transaction, "endpoint", { id }))?.headers ?? null
}

export async function deleteEndpointRow(transaction: Db, id: string): Promise<void> {
  await transaction.deleteFrom("endpoint").where("id", "=", id).execute()
}

/** The previous secret signs beside it for 24 hours. Throws Refusal `conflict` when too many sign already. */
export async function storeNewSecret(transaction: Db, vault: Vault, id: string, nowMs: number) {
  const row = await transaction
    .selectFrom("endpoint")
    .select("secrets")
    .where("id", "=", id)
    .executeTakeFirstOrThrow()
  const secret = newSecret()
  const secrets = rotatedSecrets(row.secrets, vault, id, secret, nowMs)
  await changeRows(transaction, "endpoint", { id }, { secrets })
  return secret
}

export async function findEndpoint(db: Db, id: string, workspaceId: string): Promise<Endpoint | undefined> {
  const row = await findRow(db, "endpoint", { id, workspace_id: workspaceId })
  return row && endpoint(db, row)
}

export async function workspaceOfEndpoint(db: Db, id: string): Promise<string | undefined> {
  return (await findRow(db, "endpoint", { id }))?.workspace_id
}

/** Throws Refusal `not_found`, for an endpoint of another workspace as if it did not exist. */
export async function requireEndpoint(db: Db, workspaceId: string, id: string): Promise<Endpoint> {
  return required(await findEndpoint(db, id, workspaceId), detail("webhooks.unknownEndpoint"))
}

/** The active endpoints of several workspaces, without test receivers: these stay out of figures. */
export async function activeEndpointsIn(
  db: Db,
  workspaceIds: readonly string[],
): Promise<{ id: string; workspaceId: string }[]> {
  if (workspaceIds.length === 0) return []
  return db
    .selectFrom("endpoint")
    .select(["id", "workspace_id as workspaceId"])
    .where("workspace_id", "in", eachOf(db, JSON.stringify(workspaceIds)))
    .where("active", "=", 1)
    .where("kind", "!=", "test")
    .execute()
}

/** Newest first: all, or at most `atMost` endpoints, older than the id `after`. */
export async function listEndpoints(db: Db, workspaceId: string, page?: PageRequest): Promise<Endpoint[]> {
  const rows = await rowsOf(db, "endpoint", { workspace_id: workspaceId }, page)
  return Promise.all(rows.map((row) => endpoint(db, row)))
}

/**
 * Resolves to how deliveries wait for their turn there. Throws Refusal `not_found` for an endpoint of another
 * workspace, `conflict` for an inactive one.
 */
export async function requireActiveEndpoint(db: Db, workspaceId: string, endpointId: string): Promise<Paced> {
  const endpoint = await findRow(db, "endpoint", { id: endpointId, workspace_id: workspaceId })
  const row = required(endpoint, detail("webhooks.unknownEndpoint"))
  if (row.active === 0) throw new Refusal("conflict", detail("webhooks.inactiveEndpoint"))
  return pacedBy(row)
}

async function endpoint(db: Db, row: Row<"endpoint">): Promise<Endpoint> {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    kind: row.kind,
    testAnswer: row.test_answer,
    url: row.url,
    description: row.description,
    active: row.active === 1,
    filtered: row.filtered === 1,
    ...(await readFilter(db, row.id)),
    conditions: await conditionsIn(db, row.workspace_id, row.conditions),
    headers: headerNames(row.headers),
    ...pacedBy(row),
    events: eventsIn(row.events),
    createdAt: row.created_at,
  }
}
