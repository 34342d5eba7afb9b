import type { Db } from "../../db/connection.ts"
import type { AttemptKind, EndpointKind, Outcome } from "../../db/tables/webhooks.ts"
import type { FailureCause } from "../../outbound/failure.ts"
import type { Priority } from "./in-flight.ts"
import type { Capacity } from "./limiter.ts"

/*
 * The words of the queue:
 *
 * recipient  an active endpoint as an attempt needs it: its address, signing keys and own headers
 * attempt    one HTTP request with one message to one endpoint. Automatic attempts follow the retry schedule; a manual
 *            one is asked for by a person (a resend), and changes nothing of the schedule
 * due        the next attempt of a delivery may start: its time (`due_at`, for a manual one `resend_at`) has come
 * turn       an endpoint in order, or with a rate, gets one delivery after the other. The others have no due time: they
 *            wait for their turn (`waits_since`) until `turns/release.ts` makes them due
 * claim      an attempt that is due, and that one process alone may make. Any change of the delivery ends the claim
 * lease      how long the claims of a process hold without a sign of life. Every process keeps one row with its claims
 *            and renews it; once the lease has run out, the claims are free for the others
 * round      one transaction of a process with the queue: results in, claims out. Rounds follow each other as long as
 *            there is something to write or to claim; the dispatcher starts them
 */

/**
 * The deliveries that are due, shared by every process on the same database. The database holds everything, so a crash
 * at any point loses nothing: the claims of the process are claimed again by another one, or by its next start.
 */
export interface DeliveryQueue {
  /**
   * One transaction: stores the results, re-reads the held claims if needed, claims what is due, and renews the lease
   * on everything held. A rejected round stored nothing; the caller still has its results, and may begin it again.
   */
  round(round: Round): Promise<RoundResult>
  /** The payload of a claim that holds none; undefined once it was erased. */
  readPayload(claim: Claim): Promise<Uint8Array | undefined>
}

export interface Round {
  nowMs: number
  results: readonly AttemptResult[]
  /** Asked at each step, since attempts start and end meanwhile. Without those of `results`. */
  held(): readonly Claim[]
  /** How much may be claimed; undefined: nothing. Asked once the results are stored. */
  capacity(): Capacity | undefined
  /** A delivery or an endpoint may have changed: held claims are compared with the database. */
  invalidated: boolean
}

export interface RoundResult {
  claims: readonly Claim[]
  /**
   * The held claims that must not start any more: another process may have taken them over while this one was frozen,
   * or the round was `invalidated` and they were cancelled, erased or purged. The others were updated in place.
   */
  ended: readonly Claim[]
  /** When further deliveries that wait for their turn may be claimed, unless something happens before. */
  nextAtMs?: number | undefined
}

/** An attempt that this process alone may make. */
export interface Claim {
  deliveryNumber: number
  kind: AttemptKind
  endpointId: string
  recipient: Recipient
  /** "high": a first attempt, or one that a person waits for. */
  priority: Priority
  messageId: string
  /** null: too large to wait in memory, see `readPayload`. */
  payload: Uint8Array | null
  attemptsMade: number
  /** The due time in the database, which identifies the claim: any change of the delivery changes it. */
  dueAtMs: number
  claimedAtMs: number
}

export interface Recipient {
  id: string
  kind: EndpointKind
  /** Without meaning for an endpoint of kind `test`. */
  url: string
  /** The current secret's key first, then those of rotated secrets as long as they sign too. */
  keys: Buffer[]
  /** The owner's own, by name. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Whether it gets one message after the other: then one attempt alone is in flight. */
  inOrder?: boolean
}

export interface AttemptResult {
  claim: Claim
  startedAtMs: number
  endedAtMs: number
  /** By a clock that does not leap. */
  durationMs: number
  outcome: Outcome
  status: number | null
  /** Why there was no answer, where that has a name. */
  cause: FailureCause | null
  /** Address and port that a failed attempt connected to, or tried to. None for an address that it may not. */
  address: string | null
  responseExcerpt: string | null
  /** JSON, as `headersExcerpt` of excerpt.ts makes it. */
  responseHeaders: string | null
}

/** Added by a batch of results to one hour of one endpoint, as the row of `endpoint_hour` names it. */
export interface HourCount {
  endpointId: string
  hourAtMs: number
  delivered: number
  failedAttempts: number
  givenUp: number
  lastDeliveredAtMs: number | null
}

/**
 * Stores results: the log, the state of each delivery, and when its next attempt is due. A success counts even
 * if the claim was lost. A failure changes only a delivery whose due time is still the claimed one: since then
 * it may have been cancelled, or taken over by another process. Resolves to what is to be counted.
 */
export type Complete = (transaction: Db, results: readonly AttemptResult[]) => Promise<HourCount[]>
