import { atLeast, atMost, exactly, type Verdict } from "../../../support/verdict.ts"
import { clockTime, type Fault } from "../history.ts"
import type { Records } from "./records.ts"
import { shown } from "./shown.ts"

export function postLines({ load, faults, stored }: Records): Verdict[] {
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

export function limitLines({ load: { bursts } }: Records): Verdict[] {
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
const calmMedianMs = 2000

export function questionLines({ load, faults }: Records): Verdict[] {
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
