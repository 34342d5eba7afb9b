import {
  inFlightLimits,
  type KeyInFlight,
  openInFlight,
  type Priority,
  type TrackRecord,
} from "./in-flight.ts"

/** Bounds on what is held, waiting and in flight together: decision "claim ahead". */
export const heldLimits = {
  total: 1200,
  /** Only a key with a good track record holds more than its places in flight. */
  perKey: 48,
  /** Beyond these numbers held a key may hold one item. */
  crowded: { good: 1080, notGood: 64 },
  /** So many keys that hold nothing are remembered, the ones that ended last. */
  rememberedKeys: 10_000,
} as const

export interface Capacity {
  total: number
  /** Part of `total` that is open to every key; the rest is for keys that hold nothing. */
  shared: number
  lowPriority: number
  perKey: number
  /** Free places of `key` after `claimedSince` further claims in all. */
  of(key: string, claimedSince: number): number
}

/**
 * Which items this process may claim and start, fairly between their keys. An item waits for a place, is in
 * flight, and ends. The limiter knows nothing else of it.
 */
export interface Limiter<Item> {
  items(): Item[]
  readonly size: number
  readonly waiting: number
  capacity(): Capacity
  add(items: readonly Item[]): void
  /** Takes the waiting items that may start now: by priority, then in the order of `add`. */
  start(): Item[]
  /** Whether places are left after `start`, which none of the waiting items may take. */
  hasFreePlace(): boolean
  /** The item ended; false when it was not in flight. `trackRecord`: what its end says of the key. */
  finish(item: Item, trackRecord?: TrackRecord): boolean
  release(items: readonly Item[]): void
  /** Forgets the waiting items that have expired. Their keys lose a good track record. */
  expire(hasExpired: (item: Item) => boolean): void
}

export interface LimiterOptions<Item> {
  keyOf(item: Item): string
  priorityOf(item: Item): Priority
  /** Whether the item is in flight without others of its key. */
  isAlone(item: Item): boolean
}

interface Key<Item> extends KeyInFlight {
  name: string
  held: number
  /** The items that wait, by priority, in the order of `add`. */
  waiting: Record<Priority, Waiting<Item>[]>
}

interface Waiting<Item> {
  item: Item
  /** Counts what was added, so that items of different keys start in the order of `add`. */
  order: number
}

const priorities = ["high", "low"] as const

export function openLimiter<Item>(options: LimiterOptions<Item>): Limiter<Item> {
  const { keyOf, priorityOf, isAlone } = options
  /** The keys with items that wait. A thousand items of few keys wait, and places are filled after each tick. */
  const waiting: Record<Priority, Set<Key<Item>>> = { high: new Set(), low: new Set() }
  const inFlight = openInFlight<Item>()
  const keys = openKeys<Item>()
  let order = 0
  let held = 0
  let heldLow = 0

  function placesToHold(name: string, claimedSince: number): number {
    const { trackRecord, held: heldOfKey } = keys.find(name) ?? { trackRecord: "new", held: 0 }
    const { good, notGood } = heldLimits.crowded
    const isCrowded = held + claimedSince >= (trackRecord === "good" ? good : notGood)
    const most = trackRecord === "good" ? heldLimits.perKey : inFlightLimits.perKey
    return (trackRecord === "timing out" || isCrowded ? 1 : most) - heldOfKey
  }

  function end(item: Item, recordAfter: (before: TrackRecord) => TrackRecord): void {
    held--
    if (priorityOf(item) === "low") heldLow--
    keys.end(keyOf(item), recordAfter)
  }

  function endWaiting(
    isOver: (item: Item) => boolean,
    recordAfter: (before: TrackRecord) => TrackRecord,
  ): void {
    for (const priority of priorities)
      for (const key of waiting[priority]) {
        const all = key.waiting[priority]
        if (!all.some(({ item }) => isOver(item))) continue
        const { over = [], left = [] } = Object.groupBy(all, ({ item }) => (isOver(item) ? "over" : "left"))
        key.waiting[priority] = left
        if (left.length === 0) waiting[priority].delete(key)
        for (const { item } of over) end(item, recordAfter)
      }
  }

  /** The waiting items of the keys that have a place, in the order of `add`: those beyond it stay. */
  function nextItems(priority: Priority): Waiting<Item>[] {
    const next: Waiting<Item>[] = []
    if (inFlight.freePlaces() === 0) return next
    for (const key of waiting[priority])
      if (inFlight.mayStart(key, priority))
        next.push(...key.waiting[priority].slice(0, inFlightLimits.perKey - key.inFlight))
    return next.sort((one, other) => one.order - other.order)
  }

  return {
    items: () => [
      ...priorities.flatMap((priority) =>
        [...waiting[priority]].flatMap((key) => key.waiting[priority].map(({ item }) => item)),
      ),
      ...inFlight.items(),
    ],
    get size() {
      return held
    },
    get waiting() {
      return held - inFlight.size
    },
    capacity: () => ({
      total: heldLimits.total - held,
      shared: heldLimits.crowded.good - held,
      lowPriority: heldLimits.total / 2 - heldLow,
      perKey: heldLimits.perKey,
      of: placesToHold,
    }),
    add(items) {
      for (const item of items) {
        held++
        if (priorityOf(item) === "low") heldLow++
        const key = keys.get(keyOf(item))
        key.held++
        key.waiting[priorityOf(item)].push({ item, order: order++ })
        waiting[priorityOf(item)].add(key)
      }
    },
    start() {
      const started: Item[] = []
      for (const priority of priorities)
        for (const next of nextItems(priority)) {
          if (inFlight.freePlaces() === 0) return started
          const { item } = next
          const key = keys.get(keyOf(item))
          if (!inFlight.mayStart(key, priority) || (key.inFlight > 0 && isAlone(item))) continue
          key.waiting[priority].splice(key.waiting[priority].indexOf(next), 1)
          if (key.waiting[priority].length === 0) waiting[priority].delete(key)
          inFlight.start(item, key, priority)
          started.push(item)
        }
      return started
    },
    hasFreePlace: () => inFlight.freePlaces() > 0,
    finish(item, trackRecord) {
      if (!inFlight.finish(item)) return false
      end(item, (before) => trackRecord ?? before)
      return true
    },
    release(items) {
      const released = new Set(items)
      endWaiting(
        (item) => released.has(item),
        (before) => before,
      )
    },
    expire: (hasExpired) => endWaiting(hasExpired, (before) => (before === "good" ? "new" : before)),
  }
}

/** The keys that hold items, and the track records of keys that held some before. */
function openKeys<Item>() {
  /** Keys that hold nothing stand in the order in which they ended. */
  const keys = new Map<string, Key<Item>>()

  function forgetOldest(): void {
    const oldest = keys.values().find(({ held }) => held === 0)
    if (oldest) keys.delete(oldest.name)
  }

  return {
    find: (name: string) => keys.get(name),
    get(name: string): Key<Item> {
      const existing = keys.get(name)
      if (existing) return existing
      const key: Key<Item> = {
        name,
        held: 0,
        inFlight: 0,
        trackRecord: "new",
        waiting: { high: [], low: [] },
      }
      keys.set(name, key)
      return key
    },
    end(name: string, recordAfter: (before: TrackRecord) => TrackRecord): void {
      const key = keys.get(name)
      if (!key) return
      key.held--
      key.trackRecord = recordAfter(key.trackRecord)
      if (key.held > 0) return
      keys.delete(name)
      if (key.trackRecord !== "new") keys.set(name, key)
      if (keys.size > heldLimits.rememberedKeys) forgetOldest()
    },
  }
}
