import { atMost, exactly, type Verdict } from "../../../support/verdict.ts"
import { clockTime } from "../history.ts"
import type { Arrival } from "../receivers.ts"
import type { StoredAttempt } from "../stored.ts"
import { clockErrorMs, recordedWithinMs, repeatsOf, wasCutShort } from "./explain.ts"
import type { Records } from "./records.ts"
import { shown } from "./shown.ts"

export function deliveryLines({ load, receivers, stored }: Records): Verdict[] {
  const { deliveries, responses } = stored
  const count = (state: string) => deliveries.filter((delivery) => delivery.state === state).length
  const [delivered, pending, failed] = [count("delivered"), count("pending"), count("failed")]
  // A form of the load has two endpoints, that of the newsletter one.
  const published = responses.reduce((sum, { email }) => sum + (email === null ? 2 : 1), 0)
  const published_ = exactly(
    `published = delivered ${delivered} + pending ${pending} + failed ${failed}`,
    published,
    delivered + pending + failed,
  )
  const isTaken = (key: string) => receivers.arrivals.get(key)?.some(({ status }) => status === 200) ?? false
  const withDelivery = new Set(deliveries.map(({ responseId }) => responseId))
  const lost = [
    ...deliveries.filter(({ state, key }) => state === "delivered" && !isTaken(key)),
    ...deliveries.filter(({ state, key }) => state === "pending" && isTaken(key)),
    ...load.posts.filter(({ id }) => id !== undefined && !withDelivery.has(id)),
  ]
  return [
    published_,
    exactly("deliveries lost, or stored otherwise than the receivers know it", 0, lost.length),
  ]
}

export function attemptLines(records: Records): Verdict[] {
  const { faults, receivers, stored } = records
  const all = [...receivers.arrivals.entries()]
  const repeats = all.flatMap(([key, arrivals]) =>
    repeatsOf(arrivals, faults).map((each) => ({ key, ...each })),
  )
  const unexplained = repeats.filter(({ isExplained }) => !isExplained)
  const differing = all.filter(([, arrivals]) => new Set(arrivals.map(({ hash }) => hash)).size > 1)
  const early = earlyAttempts(records)
  const logs = new Set(
    stored.attempts.map(({ deliveryNumber, kind, atMs, outcome }) =>
      [deliveryNumber, kind, atMs, outcome].join(" "),
    ),
  )
  return [
    {
      ...exactly(`repeats unexplained, of ${repeats.length}`, 0, unexplained.length),
      found: shown(unexplained, ({ key, before, arrival }) =>
        [key, line(before), "then", line(arrival)].join(" "),
      ),
    },
    exactly("repeats of other bytes", 0, differing.length),
    exactly("attempts logged twice", 0, stored.attempts.length - logs.size),
    {
      ...exactly(`attempts earlier than their schedule, of ${stored.attempts.length}`, 0, early.length),
      found: shown(early, String),
    },
    {
      ...exactly("attempts of one delivery that overlapped", 0, receivers.overlapping.length),
      found: shown(receivers.overlapping, String),
    },
    atMost("attempts in flight at one endpoint, at most", 5, receivers.mostInFlight),
  ]
}

function line({ node, atMs, endMs, status, sentAtSeconds }: Arrival): string {
  return `${clockTime(atMs)}–${endMs === undefined ? "" : clockTime(endMs)} ${status} by ${node} (signed ${clockTime(sentAtSeconds * 1000)})`
}

const waitsMs = [0, 5000, 300_000, 1_800_000]

/**
 * Attempts that came before the wait after the last one was over. One that a fault cut short may be made again at any
 * time, and is not known to whoever makes the next ones: it counts nowhere.
 */
function earlyAttempts({ stored, receivers, faults }: Records): string[] {
  const keyOf = new Map(stored.deliveries.map(({ number, key }) => [number, key]))
  const early: string[] = []
  const counted = stored.attempts.filter(
    ({ kind, outcome }) => kind === "automatic" && outcome !== "interrupted",
  )
  for (const [number, unordered] of Map.groupBy(counted, ({ deliveryNumber }) => deliveryNumber)) {
    if (unordered.length === 1) continue
    const attempts = unordered.toSorted((one, other) => one.atMs - other.atMs)
    const key = keyOf.get(number) ?? ""
    const arrivals = receivers.arrivals.get(key) ?? []
    const isEarly = attempts.some((attempt, index) => {
      const known = attempts.slice(0, index).filter((before) => !isCutShort(before, arrivals, faults))
      const before = known.at(-1)
      if (!before || before !== attempts[index - 1]) return false
      return attempt.atMs < endOf(before) + (waitsMs[known.length] ?? 0) - clockErrorMs
    })
    if (isEarly) early.push(`${key}: ${attempts.map(logged).join(" · ")} — ${arrivals.map(line).join(" · ")}`)
  }
  return early
}

function isCutShort(
  attempt: StoredAttempt,
  arrivals: readonly Arrival[],
  faults: Records["faults"],
): boolean {
  const sent = arrivals.find(({ atMs }) => Math.abs(atMs - attempt.atMs) < recordedWithinMs)
  if (!sent) return false
  return wasCutShort(faults, { node: sent.node, fromMs: attempt.atMs, toMs: endOf(attempt) })
}

function endOf({ atMs, durationMs }: StoredAttempt): number {
  return atMs + (durationMs ?? 0)
}

function logged({ atMs, durationMs, outcome, status }: StoredAttempt): string {
  return `${clockTime(atMs)}+${durationMs} ${outcome} ${status}`
}
