import type { Fault } from "../history.ts"
import type { Load } from "../load.ts"
import type { TakenMail } from "../mailboxes.ts"
import type { Reader } from "../manual.ts"
import type { Receivers } from "../receivers.ts"
import type { Drain } from "../schedule.ts"
import type { Stored } from "../stored.ts"

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
