export const inFlightLimits = {
  /** Each has a connection, and the client keeps 256 of them. */
  total: 240,
  /** Specification, part 4 B: "at most a few attempts in flight per endpoint". */
  perKey: 5,
  /** Beyond these numbers in flight a key has one place, so that many slow keys cannot fill all places. */
  crowded: { good: 208, notGood: 64 },
  /** Places for all keys that time out, and for all without a good record: a key with one always finds a place. */
  timingOut: 80,
  notGood: 160,
} as const

/** Track record of a key: its last item ended in time ("good"), ran out of time, or none is remembered ("new"). */
export type TrackRecord = "good" | "timing out" | "new"

export type Priority = "high" | "low"

/** Items of one key share a bound. */
export interface KeyInFlight {
  inFlight: number
  trackRecord: TrackRecord
}

export interface InFlight<Item> {
  readonly size: number
  items(): Iterable<Item>
  freePlaces(): number
  /** Whether an item of this key and priority may start, as long as a place is free. */
  mayStart(key: KeyInFlight, priority: Priority): boolean
  start(item: Item, key: KeyInFlight, priority: Priority): void
  finish(item: Item): boolean
}

/** The track record at the start: it may change while the item is in flight. */
interface Start {
  key: KeyInFlight
  priority: Priority
  trackRecord: TrackRecord
}

export function openInFlight<Item>(): InFlight<Item> {
  const starts = new Map<Item, Start>()
  const counts = { low: 0, timingOut: 0, notGood: 0 }

  function count({ trackRecord, priority }: Start, change: 1 | -1): void {
    if (priority === "low") counts.low += change
    if (trackRecord !== "good") counts.notGood += change
    if (trackRecord === "timing out") counts.timingOut += change
  }

  function allowedPlaces({ trackRecord }: KeyInFlight): number {
    const { good, notGood } = inFlightLimits.crowded
    const isCrowded = starts.size > (trackRecord === "good" ? good : notGood)
    return trackRecord === "timing out" || isCrowded ? 1 : inFlightLimits.perKey
  }

  function hasQuota({ trackRecord }: KeyInFlight): boolean {
    if (trackRecord === "good") return true
    if (trackRecord === "timing out" && counts.timingOut >= inFlightLimits.timingOut) return false
    return counts.notGood < inFlightLimits.notGood
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
      return key.inFlight < allowedPlaces(key) && hasQuota(key)
    },
    start(item, key, priority) {
      const start: Start = { key, priority, trackRecord: key.trackRecord }
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
