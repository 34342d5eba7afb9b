import { atLeast, exactly, type Verdict } from "../../../support/verdict.ts"
import { clockTime } from "../history.ts"
import type { Records } from "./records.ts"
import { shown } from "./shown.ts"

/** A reading that lost its connection, and with it the lock, goes on for a moment beside the next one. */
const lockLost = ["terminate", "postgres away", "cut"]
const noticesWithinMs = 30_000

export function indexingLines({ load, faults, readers, nodesUpToDate, stored }: Records): Verdict[] {
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

export function nodeLines({ drains, stored }: Records): Verdict[] {
  return [
    exactly("nodes at the end", 3, stored.nodes),
    exactly(
      `stops by a signal, of ${drains.length}: not clean within 15 s`,
      0,
      drains.filter(({ exitCode, tookMs }) => exitCode !== 0 || tookMs > 15_000).length,
    ),
  ]
}
