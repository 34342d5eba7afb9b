import { type RawBuilder, sql } from "kysely"
import type { Db } from "../../db/connection.ts"
import type { AttemptKind, Late } from "../../db/tables/webhooks.ts"
import type { Priority } from "./in-flight.ts"
import { type HeldByOthers, heldDeliveries } from "./lease.ts"
import type { Capacity } from "./limiter.ts"
import type { Claim, Complete } from "./queue.ts"

/** A claim without the address and the keys of its endpoint. */
export type DueAttempt = Omit<Claim, "recipient">

export interface ClaimRequest {
  capacity: Capacity
  held: readonly Claim[]
  heldByOthers: HeldByOthers
  nowMs: number
}

/**
 * Finds the attempts that are due and not leased: high priority first, and for each endpoint those due longest. The
 * caller takes the lease on them in the same transaction. The cost grows with the number of claims and of endpoints
 * that have something due, not with the number of deliveries stored or waiting: measured by `bun
 * test/bench/deliveries.ts --only claim`.
 */
export type FindDue = (transaction: Db, request: ClaimRequest) => Promise<DueAttempt[]>

/** A larger payload is read when its attempt starts: hundreds of claims wait in memory. */
export const largePayloadBytes = 16 * 1024

/** A manual attempt goes first: a person waits for it. */
const kinds: readonly AttemptKind[] = ["manual", "automatic"]

export function openFindDue(db: Db, engine: ClaimStatements): FindDue {
  const statements = {
    automatic: statementsOn(db, engine, { dueAt: "due_at", isLate: "due_is_late" }),
    manual: statementsOn(db, engine, { dueAt: "resend_at", isLate: "resend_is_late" }),
  }
  /** Each search begins with the endpoint after this one, so that no endpoint is always last. */
  let lastEndpointId = ""

  /** Claims one kind and priority, up to `bound` attempts in all and `perEndpoint` of each endpoint. */
  async function findKind(
    transaction: Db,
    search: Search,
    { kind, priority, bound, perEndpoint }: SearchBounds,
  ): Promise<void> {
    for (let isCutShort = true; isCutShort && search.found.length < bound; ) {
      const atMost = bound - search.found.length
      const { endpoints: ofOthers } = search.heldByOthers
      const endpointIds = [
        ...new Set([...search.heldByEndpoint.keys(), ...search.takenByEndpoint.keys(), ...ofOthers]),
      ]
      const heldEndpoints = endpointIds.length + search.heldByOthers[kind].length
      const { rows: queues } = await statements[kind].endpointQueues(transaction, {
        late: priority === "low" ? 1 : 0,
        nowMs: search.nowMs,
        after: lastEndpointId,
        full: endpointIds.filter((id) => isFull(search, id)).join(" "),
        atMost,
        perEndpoint,
        heldEndpoints,
        heldOfOne:
          most(search.heldByEndpoint) + most(search.takenByEndpoint) + search.heldByOthers[kind].length,
      })
      const isMine = shareOfEndpoint(search, queues)
      const taken = new Map<number, string>()
      let isExhausted = queues.length < atMost + heldEndpoints
      for (const queue of queues) {
        if (taken.size === atMost) break
        if (!isMine(queue.endpoint_id)) continue
        const numbers = takeFree(search, queue, kind, atMost - taken.size)
        for (const number of numbers) taken.set(number, queue.endpoint_id)
        if (numbers.length === queue.quota) isExhausted = false
        lastEndpointId = queue.endpoint_id
      }
      if (taken.size === 0) return
      // Endpoints that were full, or had little due, took the places of others in this search.
      isCutShort = !isExhausted && taken.size < atMost / 2
      const { rows } = await statements[kind].deliveries(transaction, {
        numbers: JSON.stringify([...taken.keys()]),
      })
      for (const row of rows.sort(byNumber)) {
        const endpointId = taken.get(row.number) as string
        search.found.push(dueAttempt(row, endpointId, kind, priority, search.nowMs))
      }
    }
  }

  return async (transaction, request) => {
    const { capacity } = request
    const search = startSearch(request)
    for (const priority of ["high", "low"] as const) {
      const before = search.found.length
      const left = Math.min(capacity.total - before, priority === "low" ? capacity.lowPriority : Infinity)
      const bound = before + left
      const shared = Math.min(bound, capacity.shared)
      for (const kind of kinds)
        await findKind(transaction, search, { kind, priority, bound: shared, perEndpoint: capacity.perKey })
      // The places that are not shared are for endpoints that got none of the others.
      if (search.found.length > before || bound <= capacity.shared) continue
      for (const kind of kinds) await findKind(transaction, search, { kind, priority, bound, perEndpoint: 1 })
    }
    return search.found
  }
}

interface Search {
  capacity: Capacity
  nowMs: number
  found: DueAttempt[]
  /** Deliveries that are leased or that this search took, by the kind of attempt. */
  unavailable: Record<AttemptKind, Set<number>>
  heldByOthers: HeldByOthers
  /** How many deliveries of each endpoint this process held before. */
  heldByEndpoint: ReadonlyMap<string, number>
  /** How many deliveries of each endpoint this search took. */
  takenByEndpoint: Map<string, number>
  takenCount: number
}

interface SearchBounds {
  kind: AttemptKind
  priority: Priority
  bound: number
  perEndpoint: number
}

function startSearch({ capacity, held, heldByOthers, nowMs }: ClaimRequest): Search {
  const own = heldDeliveries(held)
  const heldByEndpoint = new Map<string, number>()
  for (const { endpointId } of held) heldByEndpoint.set(endpointId, (heldByEndpoint.get(endpointId) ?? 0) + 1)
  return {
    capacity,
    nowMs,
    found: [],
    unavailable: {
      automatic: new Set([...own.automatic, ...heldByOthers.automatic]),
      manual: new Set([...own.manual, ...heldByOthers.manual]),
    },
    heldByOthers,
    heldByEndpoint,
    takenByEndpoint: new Map(),
    takenCount: 0,
  }
}

/** Takes deliveries without a lease, up to the quota of the endpoint and while it may hold more. */
function takeFree(
  search: Search,
  { endpoint_id: endpointId, quota, numbers }: EndpointQueue,
  kind: AttemptKind,
  atMost: number,
): number[] {
  const taken: number[] = []
  for (const number of JSON.parse(numbers) as number[]) {
    if (search.unavailable[kind].has(number)) continue
    if (taken.length === Math.min(quota, atMost) || isFull(search, endpointId)) break
    search.unavailable[kind].add(number)
    search.takenByEndpoint.set(endpointId, (search.takenByEndpoint.get(endpointId) ?? 0) + 1)
    search.takenCount++
    taken.push(number)
  }
  return taken
}

/** Other processes leave an endpoint to the one that sends to it, so that its five in flight are all there are. */
function isFull({ capacity, heldByOthers, takenByEndpoint, takenCount }: Search, endpointId: string) {
  return (
    heldByOthers.endpoints.has(endpointId) ||
    (takenByEndpoint.get(endpointId) ?? 0) >= capacity.of(endpointId, takenCount)
  )
}

/** A process may always have this many endpoints, however many other processes there are. */
const leastEndpoints = 16

/**
 * Which endpoints this process may send to, so that each process gets its part of the endpoints with something due. A
 * process with more than its part lets some endpoints run dry, the same ones each time: others then find them free.
 */
function shareOfEndpoint(
  { heldByOthers, heldByEndpoint, takenByEndpoint }: Search,
  queues: readonly EndpointQueue[],
): (endpointId: string) => boolean {
  const { endpoints, senders } = heldByOthers
  if (senders === 1) return () => true
  const own = new Set([...heldByEndpoint.keys(), ...takenByEndpoint.keys()])
  const due = queues.filter(({ endpoint_id }) => !own.has(endpoint_id)).length
  const most = Math.max(leastEndpoints, Math.ceil((own.size + endpoints.size + due) / senders))
  const mine = new Set([...own].sort().slice(0, most))
  return (endpointId) => {
    if (mine.size < most) mine.add(endpointId)
    return mine.has(endpointId)
  }
}

function most(counts: ReadonlyMap<string, number>): number {
  return Math.max(0, ...counts.values())
}

function dueAttempt(
  row: DeliveryRow,
  endpointId: string,
  kind: AttemptKind,
  priority: Priority,
  nowMs: number,
): DueAttempt {
  return {
    deliveryNumber: row.number,
    kind,
    endpointId,
    priority,
    messageId: row.message_id,
    payload: row.payload,
    attemptsMade: row.attempts_made,
    dueAtMs: row.due_at,
    claimedAtMs: nowMs,
  }
}

/** Results of neighbours in the table are written in one commit, which then changes fewer pages. */
function byNumber(one: DeliveryRow, other: DeliveryRow): number {
  return one.number - other.number
}

export interface EndpointQueuesQuery {
  late: Late
  nowMs: number
  after: string
  /** Ids of endpoints to leave out, separated by spaces. */
  full: string
  atMost: number
  perEndpoint: number
  /** How many endpoints may turn out to have nothing due but what is held. */
  heldEndpoints: number
  heldOfOne: number
}

export interface EndpointQueue {
  endpoint_id: string
  quota: number
  /** JSON: the numbers of those due longest, enough to find the quota among them whatever is held. */
  numbers: string
}

export interface DeliveryRow {
  number: number
  message_id: string
  due_at: number
  attempts_made: number
  payload: Uint8Array | null
}

/** The two statements of a search, for one kind of attempt. */
export interface ClaimStatements {
  endpointQueues(db: Db, columns: DueColumns): Statement<EndpointQueuesQuery, EndpointQueue>
  deliveries(db: Db, columns: DueColumns): Statement<{ numbers: string }, DeliveryRow>
}

type Statement<Query, Row> = (transaction: Db, query: Query) => Promise<{ rows: Row[] }>

/** Columns of the time at which a delivery is due, and of its low priority. */
export type DueColumns = Record<"dueAt" | "isLate", RawBuilder<unknown>>

function statementsOn(db: Db, engine: ClaimStatements, names: Record<keyof DueColumns, string>) {
  const columns = { dueAt: sql.ref(names.dueAt), isLate: sql.ref(names.isLate) }
  return { endpointQueues: engine.endpointQueues(db, columns), deliveries: engine.deliveries(db, columns) }
}

/** The parts of a queue that are written for one engine. */
export interface QueueEngine {
  openComplete(db: Db, random: () => number): Complete
  claimStatements: ClaimStatements
  /** Whether this transaction may claim. It then does so alone until its end, among all processes. */
  mayClaim(transaction: Db, mayWait: boolean): Promise<boolean>
}
