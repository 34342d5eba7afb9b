import { LRUCache } from "lru-cache"
import type { Db } from "../../db/connection.ts"
import { prepared } from "../../db/prepared.ts"
import type { Row } from "../../db/schema.ts"
import type { Vault } from "../../db/vault.ts"
import { eachOf } from "../../db/words.ts"
import { openHeaders } from "../../http/record/own-headers.ts"
import { headerSeal } from "../endpoints/own-headers.ts"
import { type Paced, pacedBy } from "../endpoints/pace.ts"
import { type SigningKey, signingAt, signingKeys } from "../endpoints/secret.ts"
import type { Recipient } from "./queue.ts"

export interface FilteredRecipient extends Recipient {
  isFiltered: boolean
  paced: Paced
}

/** The active endpoints of these ids as they are now, by id. Deleted and inactive ones are missing. */
export type ReadRecipients = (
  transaction: Db,
  endpointIds: Iterable<string>,
  nowMs: number,
) => Promise<Map<string, FilteredRecipient>>

const maxUnsealed = 10_000
/** Own headers of an endpoint have up to 40 kB. */
const maxUnsealedBytes = 16 * 1024 * 1024

export function openRecipients(db: Db, vault: Vault): ReadRecipients {
  const activeEndpoints = activeEndpointsStatement(db)
  const unsealedSecrets = new LRUCache<string, SigningKey[]>({ max: maxUnsealed })
  const unsealedHeaders = new LRUCache<string, Readonly<Record<string, string>>>({
    maxSize: maxUnsealedBytes,
    sizeCalculation: (_, stored) => stored.length,
  })

  /** Unseals a stored value once: a drain reads the same endpoints many times a second. */
  function unsealKeys(secrets: string, endpointId: string, nowMs: number): SigningKey[] {
    const unsealed = unsealedSecrets.get(secrets)
    if (unsealed) return unsealed
    const keys = signingKeys(secrets, vault, endpointId, nowMs)
    unsealedSecrets.set(secrets, keys)
    return keys
  }

  function unsealHeaders(stored: string, endpointId: string): Readonly<Record<string, string>> {
    const unsealed = unsealedHeaders.get(stored)
    if (unsealed) return unsealed
    const headers = openHeaders(vault, headerSeal(endpointId), stored)
    unsealedHeaders.set(stored, headers)
    return headers
  }

  return async (transaction, endpointIds, nowMs) => {
    const ids = [...new Set(endpointIds)]
    if (ids.length === 0) return new Map()
    const { rows } = await activeEndpoints(transaction, { ids: JSON.stringify(ids) })
    return new Map(
      rows.map(({ id, kind, url, secrets, filtered, headers: stored, ...row }) => {
        const keys = signingAt(unsealKeys(secrets, id, nowMs), nowMs).map(({ key }) => key)
        const headers = stored === null ? undefined : unsealHeaders(stored, id)
        const paced = pacedBy(row)
        const { inOrder } = paced
        return [id, { id, kind, url, keys, headers, inOrder, paced, isFiltered: filtered === 1 }]
      }),
    )
  }
}

type EndpointRow = Pick<
  Row<"endpoint">,
  "id" | "kind" | "url" | "secrets" | "filtered" | "headers" | "in_order" | "rate" | "rate_per"
>

function activeEndpointsStatement(db: Db) {
  return prepared<{ ids: string }, EndpointRow>((value) =>
    db
      .selectFrom("endpoint")
      .select(["id", "kind", "url", "secrets", "filtered", "headers", "in_order", "rate", "rate_per"])
      .where("id", "in", eachOf(db, value("ids")))
      .where("active", "=", 1)
      .compile(),
  )
}
