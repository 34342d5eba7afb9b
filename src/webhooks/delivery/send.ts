import { LRUCache } from "lru-cache"
import packageFile from "../../../package.json" with { type: "json" }
import { type Clock, secondMs } from "../../base/clock.ts"
import type { Outcome } from "../../db/tables/webhooks.ts"
import { type Answered, type Destination, openClient } from "../../outbound/client.ts"
import { type Aborted, causeOfNoTarget, type SendFailure } from "../../outbound/failure.ts"
import type { OutboundProxy } from "../../outbound/proxy.ts"
import type { Reply } from "../../outbound/reply.ts"
import { type ResolutionFailure, type ResolvedTargets, socketAddress } from "../../outbound/resolve.ts"
import { openTimeLimit, type StopSignal } from "../../outbound/time-limit.ts"
import type { AddressGuard } from "../endpoints/endpoint.ts"
import { sign } from "../endpoints/signature.ts"
import { bodyExcerpt, headersExcerpt, maxExcerptBytes } from "./excerpt.ts"
import type { AttemptResult, Recipient } from "./queue.ts"
import type { TestReceiver } from "./test-receiver.ts"

export type SendResult = Pick<
  AttemptResult,
  "outcome" | "status" | "durationMs" | "cause" | "address" | "responseExcerpt" | "responseHeaders"
>

/** Makes one attempt: signs exactly these bytes and sends them. Never rejects: a failure is an outcome. */
export type Send = (recipient: Recipient, messageId: string, body: Uint8Array) => Promise<SendResult>

export interface Sender extends Disposable {
  send: Send
  abortSends(): void
}

export interface SendOptions {
  clock: Clock
  guard: AddressGuard
  /** Takes what endpoints of kind `test` get. */
  testReceiver: Pick<TestReceiver, "findPlace">
  /** PEM of the only authority to trust, instead of the system's: for tests and demonstrations. */
  ca: string | undefined
  proxy: OutboundProxy | undefined
  timeoutMs: number | undefined
}

/** Specification, part 4 B: "Any 2xx status within 10 seconds", from resolution to status. */
export const answerTimeoutMs = 10 * secondMs

export const userAgent = `Guichet/${packageFile.version}`

/** The status has already decided the outcome: slow headers or a slow body keep their place no longer than this. */
const restWithinMs = secondMs

const maxRemembered = 10_000

const commonHeaders = { accept: "*/*", "content-type": "application/json", "user-agent": userAgent }
const withOwn = new WeakMap<Readonly<Record<string, string>>, Readonly<Record<string, string>>>()

/** Headers that are the same for every message: one object for as long as the owner's own are the same. */
function headersTo({ headers: own }: Recipient): Readonly<Record<string, string>> {
  if (!own) return commonHeaders
  const known = withOwn.get(own) ?? { ...own, ...commonHeaders }
  withOwn.set(own, known)
  return known
}

type Ending = Omit<SendResult, "outcome" | "durationMs">
const noAnswer: Ending = {
  status: null,
  cause: null,
  address: null,
  responseExcerpt: null,
  responseHeaders: null,
}

/** Where an attempt connects to, or why it may not. */
type Place = { destination: Destination; found: ResolvedTargets } | ResolutionFailure

/**
 * Every attempt judges the text of the address, resolves the name, judges every address it has, and connects
 * to one of these, with the certificate checked against the name.
 */
export function openSender({
  clock,
  guard,
  testReceiver,
  ca,
  proxy,
  timeoutMs = answerTimeoutMs,
}: SendOptions): Sender {
  const timeLimit = openTimeLimit(timeoutMs)
  const client = openClient(proxy)
  /** By address: the judgement of a text never changes. */
  const destinations = new LRUCache<string, Destination | "refused">({ max: maxRemembered })

  function chooseDestination(url: string): Destination | "refused" {
    const cached = destinations.get(url)
    if (cached) return cached
    const accepted = guard.checkAddress(url)
    const destination =
      "refused" in accepted
        ? "refused"
        : { scheme: "https:" as const, host: accepted.host, path: accepted.path, ca }
    destinations.set(url, destination)
    return destination
  }

  /** The headers of the Standard Webhooks specification, signed with the time of sending. */
  function signedHeaders(keys: readonly Uint8Array[], messageId: string, body: Uint8Array) {
    const sentAtSeconds = Math.floor(clock.now() / secondMs)
    return {
      "webhook-id": messageId,
      "webhook-timestamp": String(sentAtSeconds),
      "webhook-signature": sign(keys, messageId, sentAtSeconds, body),
    }
  }

  /** Only the kind of an endpoint leads to the receiver within this process. */
  async function findPlace({ id, kind, url }: Recipient, signal: StopSignal): Promise<Place> {
    if (kind === "test") return testReceiver.findPlace(id)
    const destination = chooseDestination(url)
    if (destination === "refused") return { outcome: "private_address", temporary: false }
    const resolution = await guard.resolve(destination.host, signal)
    return "outcome" in resolution ? resolution : { destination, found: resolution }
  }

  async function send(recipient: Recipient, messageId: string, body: Uint8Array): Promise<SendResult> {
    const startedMs = performance.now()
    const signal = timeLimit.start()
    function result(outcome: Outcome, ending: Partial<Ending>): SendResult {
      return { outcome, ...noAnswer, ...ending, durationMs: Math.round(performance.now() - startedMs) }
    }
    try {
      const place = await findPlace(recipient, signal)
      if ("outcome" in place) return result(place.outcome, { cause: causeOfNoTarget(place) ?? null })
      const reply = await client.request(place.found, place.destination, {
        method: "POST",
        headers: headersTo(recipient),
        newHeaders: () => signedHeaders(recipient.keys, messageId, body),
        body,
        wantedBytes: () => maxExcerptBytes,
        restWithinMs,
        signal,
      })
      if (!("outcome" in reply)) {
        const answer = answerExcerpt(recipient.headers ? withoutValues(reply, recipient.headers) : reply)
        return reply.status >= 200 && reply.status < 300
          ? result("delivered", answer)
          : result("http_status", { ...answer, address: addressTo(recipient, reply) })
      }
      if (reply.outcome === "private_address") return result("private_address", {})
      return result(reply.outcome === "aborted" ? "timeout" : reply.outcome, {
        cause: reply.cause ?? null,
        address: addressTo(recipient, reply),
      })
    } finally {
      timeLimit.end(signal)
    }
  }

  return { send, abortSends: timeLimit.abortAll, [Symbol.dispose]: client[Symbol.dispose] }
}

/** The receiver within this process has no address that concerns anybody. */
function addressTo({ kind }: Recipient, { target }: Answered | SendFailure | Aborted): string | null {
  return kind === "test" || !target ? null : socketAddress(target)
}

function answerExcerpt(reply: Reply): Pick<Ending, "status" | "responseExcerpt" | "responseHeaders"> {
  const { status, fields } = reply
  return { status, responseExcerpt: bodyExcerpt(reply), responseHeaders: headersExcerpt(fields) }
}

/** Shorter words of a value stand in any answer. */
const leastLength = 8
const mask = "***"

/** An answer may repeat the request: the log must not show the values of the owner's own headers. */
function withoutValues(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  // The longest first, since one may hold another.
  const secrets = [...new Set(Object.values(headers).flatMap(writtenForms))].sort(
    (one, other) => other.length - one.length,
  )
  // A value is ASCII, so that bytes are as good as characters.
  const body = reply.bytes.toString("latin1")
  const masked = withoutEnd(masking(body, secrets), secrets)
  return {
    ...reply,
    fields: reply.fields.map(([name, value]) => [name, masking(value, secrets)] as const),
    bytes: masked === body ? reply.bytes : Buffer.from(masked, "latin1"),
  }
}

/** As it is, as JSON writes it, and without the scheme before a token. */
function writtenForms(value: string): string[] {
  const words = value.split(/[\t ]+/)
  return [value, ...words]
    .flatMap((each) => [each, JSON.stringify(each).slice(1, -1)])
    .filter((each) => each.length >= leastLength)
}

function masking(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, mask), text)
}

/** The end of an answer that was cut off may be the beginning of a value. */
function withoutEnd(text: string, secrets: readonly string[]): string {
  for (const secret of secrets)
    for (let length = secret.length - 1; length >= leastLength; length--)
      if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + mask
  return text
}
