import type { Static } from "@sinclair/typebox"
import type { Clock } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import type { Vault } from "../../db/vault.ts"
import { withLock } from "../../db/with-lock.ts"
import { idOf, operation, operationsOf } from "../../operations/operation.ts"
import { cancelBacklog, cancelExcludedBacklog, cancelExcludedBatch, cancelPending } from "./cancel.ts"
import {
  type AddressGuard,
  acceptableUrl,
  applyEndpointChange,
  deleteEndpointRow,
  type Endpoint,
  insertEndpoint,
  requireEndpoint,
  storeNewSecret,
  testReceiverUrl,
} from "./endpoint.ts"
import { forgetFailures } from "./failing.ts"
import { endpointChange, newEndpoint, newEndpointOfKind } from "./record.ts"

export interface EndpointDeps {
  db: Db
  clock: Clock
  vault: Vault
  outbound: AddressGuard
  /** The dispatcher claims ahead: it re-reads its claims when an endpoint changes. */
  messageQueue: { invalidateClaims(): void }
}

/** An operation of the endpoint that the address names. Refuses `not_found`. */
export const endpointOperation = operationsOf(
  ({ db }, { workspaceId, ids }) => requireEndpoint(db, workspaceId, idOf({ ids }, "endpoint")),
  auditSubject,
)

/** The secret is shown this once. Refuses as `acceptableUrl` and `insertEndpoint` do. */
export const addEndpoint = operation({
  audit: "endpoint.added",
  needs: ["endpoints:write"],
  input: newEndpoint,
  inputFor: ({ kind }) => newEndpointOfKind[kind === "test" ? "test" : "https"],
  async run({ db, clock, vault, outbound }: EndpointDeps, { workspaceId, input }) {
    const {
      description = "",
      active = true,
      projects = [],
      forms = [],
      conditions,
      headers,
      rate,
      events,
    } = input
    const isTest = input.kind === "test"
    if (isTest && input.url !== undefined) throw wrong("url", "testEndpointUrl")
    const url = isTest ? testReceiverUrl : await acceptableUrl(outbound, input.url ?? "")
    if (isTest && headers?.length) throw wrong("headers", "testEndpointHeaders")
    const own = { conditions, headers, rate, events, inOrder: input.in_order }
    const described = { description, active, projects, forms, ...own }
    const endpoint = { kind: isTest ? ("test" as const) : ("https" as const), url, ...described }
    return insertEndpoint(db, vault, workspaceId, endpoint, clock.now())
  },
  subject: ({ endpoint }) => auditSubject(endpoint),
})

/**
 * Making an endpoint inactive cancels its pending deliveries; a new filter cancels the ones it excludes; a
 * new address forgets the failures. Refuses `invalid_request` for what the kind of the endpoint does not have.
 */
export const changeEndpoint = endpointOperation({
  audit: "endpoint.changed",
  needs: ["endpoints:write"],
  input: endpointChange,
  isLong: true,
  async run(deps: EndpointDeps, { workspaceId, input }, before) {
    const { db, clock, outbound, messageQueue, vault } = deps
    const { id } = before
    requireKind(before, input)
    const { test_answer: testAnswer, in_order: inOrder, url, ...rest } = input
    const hasNewUrl = url !== undefined && url !== before.url
    const accepted = hasNewUrl ? await acceptableUrl(outbound, url) : before.url
    const change = {
      ...rest,
      ...(testAnswer !== undefined && { testAnswer }),
      ...(inOrder !== undefined && { inOrder }),
      ...(hasNewUrl && { url: accepted }),
    }
    const mayExclude = input.projects !== undefined || input.forms !== undefined
    const changed = await withLock(db, `endpoint:${id}`, async (transaction) => {
      const endpoint = await applyEndpointChange(transaction, vault, id, workspaceId, change)
      // The dispatcher has already claimed the first deliveries. They are cancelled in this transaction: by the
      // time the backlog's batches reach them, they would have been sent.
      if (!endpoint.active) await cancelPending(transaction, id, clock.now())
      else if (mayExclude) await cancelExcludedBatch(transaction, id, clock.now())
      if (hasNewUrl) await forgetFailures(transaction, [id])
      return endpoint
    })
    messageQueue.invalidateClaims()
    if (!changed.active) await cancelBacklog(deps, id, clock.now())
    else if (mayExclude) await cancelExcludedBacklog(deps, id, clock.now())
    return changed
  },
  subject: auditSubject,
})

export const removeEndpoint = operation({
  audit: "endpoint.removed",
  needs: ["endpoints:write"],
  isLong: true,
  async run(deps: EndpointDeps, { workspaceId, ids }) {
    const id = idOf({ ids }, "endpoint")
    const endpoint = await withLock(deps.db, `endpoint:${id}`, async (transaction) => {
      const present = await requireEndpoint(transaction, workspaceId, id)
      // In the order of `lockDeliveries`: the endpoint itself comes last.
      await cancelPending(transaction, id, deps.clock.now())
      await deleteEndpointRow(transaction, id)
      return present
    })
    deps.messageQueue.invalidateClaims()
    await cancelBacklog(deps, id, deps.clock.now())
    return endpoint
  },
  subject: auditSubject,
})

/** The new secret is shown this once. Refuses as `storeNewSecret` does. */
export const rotateSecret = operation({
  audit: "secret.rotated",
  needs: ["endpoints:write"],
  async run({ db, clock, vault, messageQueue }: EndpointDeps, { workspaceId, ids }) {
    const id = idOf({ ids }, "endpoint")
    const rotated = await withLock(db, `endpoint:${id}`, async (transaction) => ({
      endpoint: await requireEndpoint(transaction, workspaceId, id),
      secret: await storeNewSecret(transaction, vault, id, clock.now()),
    }))
    messageQueue.invalidateClaims()
    return rotated
  },
  subject: ({ endpoint }) => auditSubject(endpoint),
})

function auditSubject({ id, description, url }: Endpoint) {
  return { id, name: description || url }
}

function requireKind({ kind, url }: Endpoint, change: Static<typeof endpointChange>): void {
  if (kind === "test" && change.url !== undefined && change.url !== url) throw wrong("url", "testEndpointUrl")
  if (kind === "test" && change.headers?.length) throw wrong("headers", "testEndpointHeaders")
  if (kind !== "test" && change.test_answer !== undefined) throw wrong("test_answer", "testOnly")
}

function wrong(field: keyof Static<typeof endpointChange>, rule: string, params?: { max: number }): Refusal {
  const fields = { [field]: detail(`webhooks.${rule}`, params) }
  return new Refusal("invalid_request", detail("webhooks.invalidEndpoint"), { fields })
}
