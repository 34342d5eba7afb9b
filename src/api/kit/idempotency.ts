import {
  type KeptReply,
  type KeyedRequest,
  keepReply,
  releaseKey,
  takeKey,
} from "../../accounts/tokens/idempotency-keys.ts"
import type { Clock } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import type { Vault } from "../../db/vault.ts"

/** Named by draft-ietf-httpapi-idempotency-key-header. */
export const keyHeader = "idempotency-key"
/** Marks a reply that is given again. The draft names none; this is the usual one. */
export const replayHeader = "idempotent-replayed"

export const maxKeyLength = 255

interface OnceDeps {
  db: Db
  clock: Clock
  vault: Vault
}

interface Sent {
  request: Request
  tokenId: string
  /** The fields of its body; undefined where it takes none. */
  given: object | undefined
  keepsReply: boolean
}

/**
 * Does the work of a request once for its `Idempotency-Key`, if it has one: a repeat within 24 hours gets the
 * earlier reply. A request that fails gives its key back. A crash in the middle keeps the key: what was done
 * is unknown.
 */
export async function once(
  deps: OnceDeps,
  { request, tokenId, given, keepsReply }: Sent,
  work: () => Promise<{ status: number; body: unknown }>,
): Promise<{ status: number; body: unknown; isReplay?: true }> {
  const header = request.headers.get(keyHeader)
  if (header === null) return work()
  const keyed: KeyedRequest = { tokenId, key: keyIn(header), request: requestText(request, given) }
  const earlier = await takeKey(deps, keyed, deps.clock.now())
  if (earlier) return { ...replyIn(earlier), isReplay: true }
  let reply: Awaited<ReturnType<typeof work>>
  try {
    reply = await work()
  } catch (error) {
    await releaseKey(deps, keyed).catch(() => {})
    throw error
  }
  const text = reply.body === undefined ? "" : JSON.stringify(reply.body)
  const body = keepsReply ? text : undefined
  // The work is done: its reply is sent even where it can no longer be kept.
  await keepReply(deps, keyed, { status: reply.status, body }).catch(() => {})
  return reply
}

/** A string of structured fields (RFC 8941, 3.3.3), as the draft asks for, or the bare text that many clients send. */
function keyIn(header: string): string {
  const [, quoted] = /^"((?:[ !#-[\]-~]|\\["\\]){1,255})"$/.exec(header) ?? []
  const key = quoted?.replace(/\\(["\\])/g, "$1") ?? header
  if (quoted === undefined && !/^[!#-~]{1,255}$/.test(key))
    throw new Refusal("invalid_request", detail("requests.idempotencyKey", { maximum: maxKeyLength }))
  return key
}

/** Equal for equal requests, whatever white space their bodies hold. */
function requestText({ method, url }: Request, given: object | undefined): string {
  return [method, new URL(url).pathname.replace(/\/$/, ""), given && JSON.stringify(given)].join("\n")
}

function replyIn({ status, body }: KeptReply) {
  return { status, body: body === "" ? undefined : JSON.parse(body) }
}
