import { answerTimeoutMs } from "../../../../src/webhooks/delivery/send.ts"
import type { Fault } from "../history.ts"
import type { Arrival } from "../receivers.ts"

/** An attempt's result is in the database so long after its end, on a busy machine too. */
export const recordedWithinMs = 2000
/** A node that is frozen may hold row locks for 5 seconds, which the others wait for before they record anything. */
const heldUpMs = 7000
/** A node that was cut off starts no attempt any more after that time. */
const noticedWithinMs = 1500
/** PostgreSQL away is none of them: every node keeps its results until they are in the database. */
const losing = ["kill", "freeze", "cut"]

/** Whether something that a node was doing between two moments may be done again by another one because of a fault. */
export function wasCutShort(
  faults: readonly Fault[],
  { node, fromMs, toMs }: { node: number; fromMs: number; toMs: number },
): boolean {
  const recordedMs = recordedBy(faults, fromMs, toMs)
  return faults.some(
    (fault) =>
      losing.includes(fault.kind) &&
      (fault.node === undefined || fault.node === node) &&
      fromMs <= fault.fromMs + noticedWithinMs &&
      recordedMs >= fault.fromMs,
  )
}

/** When the result of what was done between two moments is in the database, unless its node is lost. */
function recordedBy(faults: readonly Fault[], fromMs: number, toMs: number): number {
  const recordedMs = toMs + recordedWithinMs
  const ends = faults
    .filter((fault) => fromMs <= fault.toMs && recordedMs >= fault.fromMs)
    .map((fault) => {
      if (fault.kind === "freeze") return recordedMs + heldUpMs
      return fault.kind === "postgres away" ? fault.toMs + recordedWithinMs : recordedMs
    })
  return Math.max(recordedMs, ...ends)
}

/** Whether a node that was frozen had begun something before, which others saw only when it went on. */
export function cameLate(
  faults: readonly Fault[],
  { node, atMs, begunMs }: { node: number; atMs: number; begunMs: number },
): boolean {
  return faults.some(
    (fault) =>
      fault.kind === "freeze" &&
      fault.node === node &&
      begunMs <= fault.fromMs &&
      atMs >= fault.toMs - 100 &&
      atMs <= fault.toMs + recordedWithinMs,
  )
}

/** A stop by a signal waits for an attempt for some seconds, and then breaks it off. */
function wasBrokenOff(faults: readonly Fault[], { node, endMs, status }: Arrival): boolean {
  return faults.some(
    (fault) =>
      fault.kind === "drain" &&
      fault.node === node &&
      status === 0 &&
      endMs !== undefined &&
      endMs >= fault.fromMs &&
      endMs <= fault.toMs,
  )
}

/** The specification's second attempt comes 5 seconds after the first; the others later. */
const firstWaitMs = 5000
/** A node knows the clock of the database to half a round trip, of at most 200 ms. */
export const clockErrorMs = 100

/** Arrivals of one delivery that no schedule asked for, each with whether a fault explains it. */
export function repeatsOf(
  arrivals: readonly Arrival[],
  faults: readonly Fault[],
): { arrival: Arrival; before: Arrival; isExplained: boolean }[] {
  return arrivals.slice(1).flatMap((arrival, index) => {
    const before = arrivals[index] as Arrival
    const endMs = before.endMs ?? Number.POSITIVE_INFINITY
    const isTooLate = endMs - before.atMs >= answerTimeoutMs
    const hasFailed = before.status === 0 || before.status >= 300 || isTooLate
    if (hasFailed && arrival.atMs >= endMs + firstWaitMs - clockErrorMs) return []
    const isExplained =
      wasBrokenOff(faults, before) ||
      wasCutShort(faults, { node: before.node, fromMs: before.atMs, toMs: endMs }) ||
      cameLate(faults, { node: arrival.node, atMs: arrival.atMs, begunMs: arrival.sentAtSeconds * 1000 })
    return [{ arrival, before, isExplained }]
  })
}
