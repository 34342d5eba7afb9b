import type { Clock } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { Vault } from "../../db/vault.ts"
import { cancelBacklog, cancelFirstUntaken, cancelPending, cancelUntaken } from "./cancel.ts"
import {
  addEndpoint,
  changeEndpoint,
  type Endpoint,
  findEndpoint,
  removeEndpoint,
  rotateSecret,
} from "./endpoint.ts"
import { forgetFailures } from "./failing.ts"
import { type AddressGuard, acceptableUrl } from "./registration.ts"

/**
 * What an owner does with endpoints, by the API and the console alike. A stranger's endpoint is one that does
 * not exist.
 */

export interface EndpointParts {
  db: Db
  clock: Clock
  vault: Vault
  outbound: AddressGuard
  /** `reconsider` tells the dispatcher, which claims ahead, that an endpoint has changed. */
  messages: { reconsider(): void }
}

/** An endpoint as its owner describes it. */
export interface NewEndpoint {
  url: string
  description?: string
  active?: boolean
  /** Gets the forms of these projects; with `forms` empty too: every form of the workspace. */
  projects?: string[]
  forms?: string[]
}

/** The secret is to be shown, this once. Throws Refusal as `acceptableUrl` and `addEndpoint` do. */
export async function registerEndpoint(
  { db, clock, vault, outbound }: EndpointParts,
  workspaceId: string,
  wanted: NewEndpoint,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const { description = "", active = true, projects = [], forms = [] } = wanted
  const url = await acceptableUrl(outbound, wanted.url)
  const fresh = { url, description: description.trim(), active, projects, forms }
  return addEndpoint(db, vault, workspaceId, fresh, clock.now())
}

/**
 * Made inactive, what is pending is cancelled; with other limits, what it gets no more; with another address,
 * its failures are forgotten.
 */
export async function alterEndpoint(
  parts: EndpointParts,
  workspaceId: string,
  id: string,
  change: Partial<NewEndpoint>,
): Promise<Endpoint> {
  const { db, clock, outbound, messages } = parts
  const present = await ownEndpoint(db, workspaceId, id)
  const moved = change.url !== undefined && change.url !== present.url
  const wanted = {
    ...change,
    ...(change.url !== undefined && { url: moved ? await acceptableUrl(outbound, change.url) : present.url }),
    ...(change.description !== undefined && { description: change.description.trim() }),
  }
  const limits = change.projects !== undefined || change.forms !== undefined
  const altered = await db.transaction().execute(async (transaction) => {
    if (moved) await forgetFailures(transaction, [id])
    const endpoint = known(await changeEndpoint(transaction, id, workspaceId, wanted))
    // What the dispatcher has claimed already goes together with the change: it would send it until its batch
    // comes.
    if (!endpoint.active) await cancelPending(transaction, id, clock.now())
    else if (limits) await cancelFirstUntaken(transaction, id, clock.now())
    return endpoint
  })
  messages.reconsider()
  if (!altered.active) await cancelBacklog(parts, id, clock.now())
  else if (limits) await cancelUntaken(parts, id, clock.now())
  return altered
}

export async function deleteEndpoint(parts: EndpointParts, workspaceId: string, id: string): Promise<void> {
  await parts.db.transaction().execute(async (transaction) => {
    known(await removeEndpoint(transaction, id, workspaceId))
    await cancelPending(transaction, id, parts.clock.now())
  })
  parts.messages.reconsider()
  await cancelBacklog(parts, id, parts.clock.now())
}

/** The new secret, to be shown this once. Throws Refusal as `rotateSecret` does. */
export async function renewSecret(
  { db, clock, vault, messages }: EndpointParts,
  workspaceId: string,
  id: string,
): Promise<string> {
  const secret = await db
    .transaction()
    .execute(async (transaction) =>
      known(await rotateSecret(transaction, vault, id, workspaceId, clock.now())),
    )
  messages.reconsider()
  return secret
}

/** Throws Refusal `not_found`. */
export async function ownEndpoint(db: Db, workspaceId: string, id: string): Promise<Endpoint> {
  return known(await findEndpoint(db, id, workspaceId))
}

function known<Found>(found: Found | undefined | false): Found {
  if (!found)
    throw new Refusal("not_found", detail("webhooks.unknownEndpoint"), { reason: "no such endpoint" })
  return found
}
