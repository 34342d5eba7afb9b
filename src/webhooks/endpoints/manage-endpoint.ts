import type { Clock } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { isLine } from "../../base/text.ts"
import { alone } from "../../db/alone.ts"
import type { Db } from "../../db/connection.ts"
import type { TestAnswer } from "../../db/tables/webhooks.ts"
import type { Vault } from "../../db/vault.ts"
import { testReceiverUrl } from "../test-receiver/receiver.ts"
import { cancelBacklog, cancelExcludedBacklog, cancelExcludedBatch, cancelPending } from "./cancel.ts"
import {
  type AddressGuard,
  acceptableUrl,
  applyEndpointChange,
  deleteEndpointRow,
  type Endpoint,
  findEndpoint,
  insertEndpoint,
  maxDescriptionLength,
  storeNewSecret,
  unknownEndpoint,
} from "./endpoint.ts"
import { forgetFailures } from "./failing.ts"

/**
 * The actions of an owner on endpoints, for the API and the console alike. An action on an endpoint of
 * another workspace throws Refusal `not_found`, as if the endpoint did not exist.
 */

export interface EndpointDeps {
  db: Db
  clock: Clock
  vault: Vault
  outbound: AddressGuard
  /** The dispatcher claims ahead: it re-reads its claims when an endpoint changes. */
  messageQueue: { invalidateClaims(): void }
}

/** An endpoint as its owner describes it. */
export interface EndpointRequest {
  url: string
  description?: string
  active?: boolean
  /** The endpoint gets the forms of these projects; with `forms` empty too: every form of the workspace. */
  projects?: string[]
  forms?: string[]
  /** For an endpoint of kind `test` alone. */
  testAnswer?: TestAnswer
}

/** The secret is shown this once. Throws Refusal as `acceptableUrl` and `insertEndpoint` do. */
export async function createEndpoint(
  { db, clock, vault, outbound }: EndpointDeps,
  workspaceId: string,
  request: EndpointRequest,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const { description = "", active = true, projects = [], forms = [] } = request
  const url = await acceptableUrl(outbound, request.url)
  const endpoint = { url, description: checkedDescription(description), active, projects, forms }
  return insertEndpoint(db, vault, workspaceId, endpoint, clock.now())
}

/** The receiver within the program, for one workspace. Throws Refusal as `insertEndpoint` does. */
export async function createTestEndpoint(
  { db, clock, vault }: EndpointDeps,
  workspaceId: string,
  request: Omit<EndpointRequest, "url">,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const { description = "", active = true, projects = [], forms = [] } = request
  const endpoint = {
    url: testReceiverUrl,
    description: checkedDescription(description),
    active,
    projects,
    forms,
  }
  return insertEndpoint(db, vault, workspaceId, { kind: "test", ...endpoint }, clock.now())
}

/**
 * Making an endpoint inactive cancels its pending deliveries; a new filter cancels those that it excludes; a
 * new address forgets the failures. Throws Refusal `invalid_request` for what the kind of the endpoint does not have.
 */
export async function updateEndpoint(
  deps: EndpointDeps,
  workspaceId: string,
  id: string,
  request: Partial<EndpointRequest>,
): Promise<Endpoint> {
  const { db, clock, outbound, messageQueue } = deps
  const before = await requireEndpoint(db, workspaceId, id)
  requireKind(before, request)
  const hasNewUrl = request.url !== undefined && request.url !== before.url
  const change = {
    ...request,
    ...(request.url !== undefined && {
      url: hasNewUrl ? await acceptableUrl(outbound, request.url) : before.url,
    }),
    ...(request.description !== undefined && { description: checkedDescription(request.description) }),
  }
  const mayExclude = request.projects !== undefined || request.forms !== undefined
  const updated = await alone(db, `endpoint:${id}`, async (transaction) => {
    const endpoint = existing(await applyEndpointChange(transaction, id, workspaceId, change))
    // The dispatcher has already claimed the first deliveries. They are cancelled in this transaction: by the
    // time the backlog's batches reach them, they would have been sent.
    if (!endpoint.active) await cancelPending(transaction, id, clock.now())
    else if (mayExclude) await cancelExcludedBatch(transaction, id, clock.now())
    if (hasNewUrl) await forgetFailures(transaction, [id])
    return endpoint
  })
  messageQueue.invalidateClaims()
  if (!updated.active) await cancelBacklog(deps, id, clock.now())
  else if (mayExclude) await cancelExcludedBacklog(deps, id, clock.now())
  return updated
}

function requireKind({ kind, url }: Endpoint, request: Partial<EndpointRequest>): void {
  const fields = {
    ...(kind === "test" &&
      request.url !== undefined &&
      request.url !== url && { url: detail("webhooks.testEndpointUrl") }),
    ...(kind !== "test" && request.testAnswer !== undefined && { test_answer: detail("webhooks.testOnly") }),
  }
  if (Object.keys(fields).length > 0)
    throw new Refusal("invalid_request", detail("webhooks.invalidEndpoint"), { fields })
}

/** Lists, mails and the audit log show it as the endpoint's name. */
function checkedDescription(description: string): string {
  const trimmed = description.trim()
  if (isLine(trimmed, maxDescriptionLength)) return trimmed
  throw new Refusal("invalid_request", detail("webhooks.invalidEndpoint"), {
    fields: { description: detail("webhooks.description", { max: maxDescriptionLength }) },
  })
}

export async function deleteEndpoint(deps: EndpointDeps, workspaceId: string, id: string): Promise<void> {
  await alone(deps.db, `endpoint:${id}`, async (transaction) => {
    await requireEndpoint(transaction, workspaceId, id)
    // In the order of `lockDeliveries`: the endpoint itself comes last.
    await cancelPending(transaction, id, deps.clock.now())
    await deleteEndpointRow(transaction, id)
  })
  deps.messageQueue.invalidateClaims()
  await cancelBacklog(deps, id, deps.clock.now())
}

/** Resolves to the new secret, which is shown this once. Throws Refusal as `storeNewSecret` does. */
export async function rotateSecret(
  { db, clock, vault, messageQueue }: EndpointDeps,
  workspaceId: string,
  id: string,
): Promise<string> {
  const secret = await alone(db, `endpoint:${id}`, async (transaction) =>
    existing(await storeNewSecret(transaction, vault, id, workspaceId, clock.now())),
  )
  messageQueue.invalidateClaims()
  return secret
}

/** Throws Refusal `not_found`. */
export async function requireEndpoint(db: Db, workspaceId: string, id: string): Promise<Endpoint> {
  return existing(await findEndpoint(db, id, workspaceId))
}

function existing<Found>(found: Found | undefined | false): Found {
  if (!found) throw unknownEndpoint()
  return found
}
