import { atLeast, atMost, exactly, type Verdict } from "../../support/verdict.ts"
import { clockErrorMs, recordedWithinMs, repeatsOf, wasCutShort } from "./explain.ts"
import { clockTime, type Fault } from "./history.ts"
import type { Load } from "./load.ts"
import type { TakenMail } from "./mailboxes.ts"
import type { Reader } from "./manual.ts"
import type { Arrival, Receivers } from "./receivers.ts"
import type { Drain } from "./schedule.ts"
import type { Stored, StoredAttempt } from "./stored.ts"

/** Everything that was seen from outside, and what is stored at the end. */
export interface Records {
  load: Load
  faults: readonly Fault[]
  drains: readonly Drain[]
  receivers: Pick<Receivers, "arrivals" | "overlapping" | "mostInFlight">
  mails: readonly TakenMail[]
  readers: readonly Reader[]
  /** Nodes that answered from the last edition at the end. */
  nodesUpToDate: number
  stored: Stored
}

/** Each line with its figure. The run says something only when all of them are as they have to be. */
export function ledgerOf(records: Records): Verdict[] {
  return [
    ...postLines(records),
    ...deliveryLines(records),
    ...attemptLines(records),
    ...limitLines(records),
    ...questionLines(records),
    ...mailLines(records),
    ...indexingLines(records),
    ...nodeLines(records),
  ]
}

function postLines({ load, faults, stored }: Records): Verdict[] {
  const idOf = new Map(stored.responses.map(({ key, id }) => [key, id]))
  const acknowledged = load.posts.filter(({ id }) => id !== undefined)
  const failed = load.posts.filter(({ status }) => status >= 500)
  return [
    atLeast(`form posts acknowledged, of ${load.posts.length}`, 1, acknowledged.length),
    exactly("form posts acknowledged and lost", 0, acknowledged.filter(({ key }) => !idOf.has(key)).length),
    exactly(
      "form posts acknowledged as another response than the stored one",
      0,
      acknowledged.filter(({ key, id }) => idOf.has(key) && idOf.get(key) !== id).length,
    ),
    exactly("form posts stored twice", 0, stored.responses.length - idOf.size),
    noneWhilePostgresWasThere("form posts", failed, faults),
  ]
}

function deliveryLines({ load, receivers, stored }: Records): Verdict[] {
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

function attemptLines(records: Records): Verdict[] {
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
 * By how much attempts came before the wait after the last one that counts was over. A repeat that a fault explains
 * follows no schedule: what came before it was not known to its node.
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
    const explained = repeatsOf(receivers.arrivals.get(key) ?? [], faults).filter(
      ({ isExplained }) => isExplained,
    )
    for (const [index, attempt] of attempts.slice(1).entries()) {
      const before = attempts[index] as StoredAttempt
      const dueMs = before.atMs + (before.durationMs ?? 0) + (waitsMs[index + 1] ?? 0) - clockErrorMs
      const isRepeat = explained.some(
        ({ arrival }) => Math.abs(arrival.atMs - attempt.atMs) < recordedWithinMs,
      )
      if (attempt.atMs < dueMs && !isRepeat)
        early.push(
          `${key}: ${attempts.map(logged).join(" · ")} — ${(receivers.arrivals.get(key) ?? []).map(line).join(" · ")}`,
        )
    }
  }
  return early
}

function logged({ atMs, durationMs, outcome, status }: StoredAttempt): string {
  return `${clockTime(atMs)}+${durationMs} ${outcome} ${status}`
}

function limitLines({ load: { bursts } }: Records): Verdict[] {
  const beyond = bursts.map(({ taken, limit }) => Math.max(taken - limit, 0))
  // A post that is sent again is the same one; a question that is sent again takes a second place for a minute.
  const short = bursts.filter(
    ({ kind, failed, hasRetried }) => failed === 0 && (kind === "posts" || !hasRetried),
  )
  return [
    exactly(`visitors' daily limits, of ${bursts.length} tried: let through beyond them`, 0, sum(beyond)),
    exactly(
      `visitors' daily limits, of ${short.length} tried without a failure: short of them`,
      0,
      sum(short.map(({ taken, limit }) => Math.max(limit - taken, 0))),
    ),
  ]
}

/** Where questions take longer while nothing is wrong, the machine cannot keep up with the rates that were asked for. */
const calmMedianMs = 500

function questionLines({ load, faults }: Records): Verdict[] {
  const { questions, visits } = load
  const failed = questions.filter(({ status }) => status !== 200 && status !== 429)
  const firstFaultMs = Math.min(...faults.map(({ fromMs }) => fromMs))
  const calmMs = questions
    .filter(({ toMs }) => toMs < firstFaultMs)
    .map(({ fromMs, toMs }) => toMs - fromMs)
    .sort((one, other) => one - other)
  const medianMs = calmMs[Math.floor(calmMs.length / 2)] ?? Number.POSITIVE_INFINITY
  return [
    atMost("median of a question before the first fault", calmMedianMs, medianMs, " ms"),
    atLeast(
      `questions answered, of ${questions.length}`,
      1,
      questions.filter(({ isAnswered }) => isAnswered).length,
    ),
    noneWhilePostgresWasThere("questions", failed, faults),
    exactly(
      `looks at the console as the operator of the start, of ${visits.length}: signed out`,
      0,
      visits.filter(({ status }) => status < 500 && status !== 200).length,
    ),
    noneWhilePostgresWasThere(
      "looks at the console",
      visits.filter(({ status }) => status >= 500),
      faults,
    ),
  ]
}

function mailLines({ load, faults, mails, stored }: Records): Verdict[] {
  const asked = load.posts.flatMap(({ id, email }) => (id && email ? [email] : []))
  const sentTo = new Set(mails.map(({ to }) => to))
  const byId = Map.groupBy(mails, ({ id }) => id)
  const unexplained = [...byId.values()].flatMap((sent) =>
    sent.slice(1).flatMap((mail, index) => {
      const before = sent[index] as TakenMail
      const { node, atMs } = before
      const wasFrozen = faults.some(
        (fault) =>
          fault.kind === "freeze" &&
          fault.node === mail.node &&
          mail.atMs >= fault.toMs &&
          mail.atMs < fault.toMs + recordedWithinMs,
      )
      return wasFrozen || wasCutShort(faults, { node, fromMs: atMs, toMs: atMs }) ? [] : [[before, mail]]
    }),
  )
  return [
    exactly(`mails lost, of ${asked.length}`, 0, asked.filter((to) => !sentTo.has(to)).length),
    {
      ...exactly(
        `mails sent twice without a reason, of ${mails.length - byId.size} sent twice`,
        0,
        unexplained.length,
      ),
      found: shown(unexplained, (sent) =>
        sent.map(({ id, node, atMs }) => `${id} by ${node} at ${clockTime(atMs)}`).join(", then "),
      ),
    },
    exactly("mails that wait at the end", 0, stored.mailsLeft),
  ]
}

/** A reading that lost its connection, and with it the lock, goes on for a moment beside the next one. */
const lockLost = ["terminate", "postgres away", "cut"]
const noticesWithinMs = 30_000

function indexingLines({ load, faults, readers, nodesUpToDate, stored }: Records): Verdict[] {
  const known = readers.filter(({ pid }) => pid !== 0)
  const beside = known.filter((reader, index) =>
    known
      .slice(0, index)
      .some(
        (before) =>
          reader.fromMs < before.toMs &&
          !faults.some(
            ({ kind, fromMs }) =>
              lockLost.includes(kind) && fromMs <= reader.fromMs && fromMs >= reader.fromMs - noticesWithinMs,
          ),
      ),
  )
  return [
    atLeast(
      `processes that read the documentation, for ${load.readings} readings asked for`,
      1,
      known.length,
    ),
    {
      ...exactly("of them, processes that read beside another one", 0, beside.length),
      found: shown(beside, ({ pid, fromMs, toMs }) => `${pid} ${clockTime(fromMs)}–${clockTime(toMs)}`),
    },
    exactly("live generations of the project", 1, stored.liveGenerations),
    exactly("nodes that answer from the last edition", 3, nodesUpToDate),
  ]
}

function nodeLines({ drains, stored }: Records): Verdict[] {
  return [
    exactly("nodes at the end", 3, stored.nodes),
    exactly(
      `stops by a signal, of ${drains.length}: not clean within 15 s`,
      0,
      drains.filter(({ exitCode, tookMs }) => exitCode !== 0 || tookMs > 15_000).length,
    ),
  ]
}

/** The balancer needs some time to find the nodes again. */
const foundAgainWithinMs = 3000

function noneWhilePostgresWasThere(
  name: string,
  failed: readonly { status: number; fromMs: number; toMs: number; text?: string }[],
  faults: readonly Fault[],
): Verdict {
  const unexplained = failed.filter(
    ({ fromMs, toMs }) =>
      !faults.some(
        (fault) =>
          fault.kind === "postgres away" && toMs >= fault.fromMs && fromMs <= fault.toMs + foundAgainWithinMs,
      ),
  )
  return {
    ...exactly(
      `${name} failed while PostgreSQL was there, of ${failed.length} failed`,
      0,
      unexplained.length,
    ),
    found: shown(
      unexplained,
      ({ status, fromMs, toMs, text = "" }) => `${clockTime(fromMs)}–${clockTime(toMs)} ${status} ${text}`,
    ),
  }
}

const mostShown = 5

/** How many, and what the first ones are. */
function shown<Item>(items: readonly Item[], say: (item: Item) => string): string {
  return [String(items.length), ...items.slice(0, mostShown).map(say)].join("\n           ")
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
