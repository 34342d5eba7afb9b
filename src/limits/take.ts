import type { Detail } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { lockUntilCommit } from "../db/with-lock.ts"
import { type Counter, counterOf, isRolling, type Limit, type Moment, nextArrival, reached } from "./limit.ts"
import { readUses, type Uses } from "./uses.ts"

/** Alone on that counter from here on. Throws Refusal `rate_limited`, and takes none, when none is left. */
export async function take(transaction: Db, limit: Limit, on: string, at: Moment, told: Detail) {
  if (!(await takeIfLeft(transaction, limit, on, at))) throw reached(limit, told, at)
}

export async function takeIfLeft(transaction: Db, limit: Limit, on: string, at: Moment): Promise<boolean> {
  const counter = counterOf(limit, on, at)
  await lockUntilCommit(transaction, counter.subject)
  const uses = await readUses(transaction, [counter])
  const isLeft = takeFrom(uses, limit, counter, at.nowMs)
  await uses.write(transaction)
  return isLeft
}

/** Takes a point of a counter that was read; false: none is left. */
export function takeFrom(
  uses: Uses,
  { points, per }: Pick<Limit, "points" | "per">,
  counter: Counter,
  nowMs: number,
): boolean {
  const { used, until } = uses.of(counter)
  if (!isRolling(per)) {
    if (used >= points) return false
    uses.add(counter, 1)
    return true
  }
  const next = nextArrival(until, points, per, nowMs)
  if (next === undefined) return false
  uses.add(counter, 0, next)
  return true
}
