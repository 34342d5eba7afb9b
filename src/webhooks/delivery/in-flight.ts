/** Bounds on what is in flight at once. */
export const inFlightLimits = {
  /** Each has a connection, and the client keeps 256 of them. */
  total: 240,
  /** Specification, part 4 B: "at most a few attempts in flight per endpoint". */
  perKey: 5,
  /** Beyond these numbers in flight a key has one place, so that many slow keys cannot fill all places. */
  crowded: { proven: 208, unproven: 64 },
  /** Places for all hanging keys, and for all that are not proven: a proven key always finds a place. */
  hanging: 80,
  unproven: 160,
} as const

/** "proven": the key's last item ended in time. "hanging": it ran out of time. */
export type Standing = "proven" | "hanging" | "unknown"

export type Priority = "high" | "low"

/** Items of one key share a bound. */
export interface KeyInFlight {
  inFlight: number
  standing: Standing
}

/** The items in flight. */
export interface InFlight<Item> {
  readonly size: number
  items(): Iterable<Item>
  freePlaces(): number
  /** Whether an item of this key and priority may start, as long as a place is free. */
  mayStart(key: KeyInFlight, priority: Priority): boolean
  start(item: Item, key: KeyInFlight, priority: Priority): void
  /** False when the item was not in flight. */
  finish(item: Item): boolean
}

/** The key's standing is the one at the start: it may change while the item is in flight. */
interface Start {
  key: KeyInFlight
  priority: Priority
  standing: Standing
}

export function openInFlight<Item>(): InFlight<Item> {
  const starts = new Map<Item, Start>()
  const counts = { low: 0, hanging: 0, unproven: 0 }

  function count({ standing, priority }: Start, change: 1 | -1): void {
    if (priority === "low") counts.low += change
    if (standing !== "proven") counts.unproven += change
    if (standing === "hanging") counts.hanging += change
  }

  function placesOf({ standing }: KeyInFlight): number {
    const { proven, unproven } = inFlightLimits.crowded
    const isCrowded = starts.size > (standing === "proven" ? proven : unproven)
    return standing === "hanging" || isCrowded ? 1 : inFlightLimits.perKey
  }

  function hasQuota({ standing }: KeyInFlight): boolean {
    if (standing === "proven") return true
    if (standing === "hanging" && counts.hanging >= inFlightLimits.hanging) return false
    return counts.unproven < inFlightLimits.unproven
  }

  return {
    get size() {
      return starts.size
    },
    items: () => starts.keys(),
    freePlaces: () => inFlightLimits.total - starts.size,
    mayStart(key, priority) {
      // Half of the places stay for high priority.
      if (priority === "low" && counts.low >= inFlightLimits.total / 2) return false
      return key.inFlight < placesOf(key) && hasQuota(key)
    },
    start(item, key, priority) {
      const start: Start = { key, priority, standing: key.standing }
      starts.set(item, start)
      key.inFlight++
      count(start, 1)
    },
    finish(item) {
      const start = starts.get(item)
      if (!start) return false
      starts.delete(item)
      start.key.inFlight--
      count(start, -1)
      return true
    },
  }
}
