import type { Db } from "../../db/connection.ts"
import type { AttemptKind, EndpointKind, Outcome } from "../../db/tables/webhooks.ts"
import type { FailureCause } from "../../outbound/failure.ts"
import type { Priority } from "./in-flight.ts"
import type { Capacity } from "./limiter.ts"

/**
 * The deliveries that are due, shared by every process on the same database. A claim is due now and held by
 * one process. The database holds everything, so a crash at any point loses nothing: what the process held is
 * claimed again by another one, or by its next start.
 */
export interface DeliveryQueue {
  /**
   * One transaction: stores the results, re-reads the held claims if needed, claims what is due, and renews
   * the lease on everything held. A rejected turn stored nothing; the caller still has its results, and may
   * take the turn again.
   */
  turn(turn: Turn): Promise<TurnResult>
  /** The payload of a claim that holds none; undefined once it was erased. */
  readPayload(claim: Claim): Promise<Uint8Array | undefined>
}

export interface Turn {
  nowMs: number
  results: readonly AttemptResult[]
  /**
   * The claims this process keeps, without those of `results`. Attempts start and end while the transaction
   * runs, so the queue asks at each step.
   */
  held(): readonly Claim[]
  /** How much may be claimed; undefined: nothing. Asked once the results are stored. */
  capacity(): Capacity | undefined
  /** A delivery or an endpoint may have changed: held claims are compared with the database. */
  invalidated: boolean
}

export interface TurnResult {
  /** In the order in which they should start. */
  claims: readonly Claim[]
  /**
   * The held claims that must not start any more: those that others may have taken over, because this process was
   * frozen, and where the turn was `invalidated`, those that were cancelled, erased or purged. The others were
   * brought up to date in place.
   */
  ended: readonly Claim[]
  /** When others that wait for their turn may be claimed, unless something happens before. */
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
  /** Automatic attempts before this one. */
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
  /** The HTTP status; null: no answer. */
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
