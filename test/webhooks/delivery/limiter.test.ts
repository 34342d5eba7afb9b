import { expect, test } from "bun:test"
import { inFlightLimits, type TrackRecord } from "../../../src/webhooks/delivery/in-flight.ts"
import { heldLimits, openLimiter } from "../../../src/webhooks/delivery/limiter.ts"

interface Item {
  key: string
  priority: "high" | "low"
}

/** A limiter of items that are a key and a priority. */
function limiterOfItems() {
  const limiter = openLimiter<Item>({
    keyOf: ({ key }) => key,
    priorityOf: ({ priority }) => priority,
    isAlone: ({ key }) => key.startsWith("in order"),
  })
  return {
    ...limiter,
    get size() {
      return limiter.size
    },
    get waiting() {
      return limiter.waiting
    },
    /** So many items of a key begin to wait. */
    hold(key: string, count = 1, priority: Item["priority"] = "high"): Item[] {
      const items = Array.from({ length: count }, () => ({ key, priority }))
      limiter.add(items)
      return items
    },
    /** One item of each of these keys starts and ends. */
    end(trackRecord: TrackRecord, ...keys: string[]) {
      for (const key of keys) {
        limiter.add([{ key, priority: "high" }])
        for (const item of limiter.start()) limiter.finish(item, trackRecord)
      }
    },
  }
}

function keys(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => `key ${from + index}`)
}

test("a key has five items in flight, and one once an item of it ran out of time", () => {
  const limiter = limiterOfItems()
  limiter.end("timing out", "b")
  limiter.hold("a", 7)
  expect(limiter.start()).toHaveLength(inFlightLimits.perKey)
  limiter.hold("b", 3)
  expect(limiter.start()).toHaveLength(1)
})

test("a new key may hold as many as it may have in flight, one that times out a single one", () => {
  const limiter = limiterOfItems()
  expect(limiter.capacity().of("a", 0)).toBe(5)
  limiter.hold("a")
  expect(limiter.capacity().of("a", 0)).toBe(4)
  limiter.end("timing out", "b")
  expect(limiter.capacity().of("b", 0)).toBe(1)
  limiter.hold("b")
  expect(limiter.capacity().of("b", 0)).toBe(0)
})

test("a key with a good record holds more than its places, and items start as others end", () => {
  const limiter = limiterOfItems()
  limiter.end("good", "a")
  expect(limiter.capacity().of("a", 0)).toBe(heldLimits.perKey)
  limiter.hold("a", 6)
  const [first, ...others] = limiter.start()
  expect(others).toHaveLength(4)
  expect(limiter.start()).toEqual([])
  limiter.finish(first as Item, "good")
  expect(limiter.start()).toHaveLength(1)
})

test("an expired item is forgotten, and its key loses its good record; a released one says nothing of its key", () => {
  const limiter = limiterOfItems()
  limiter.end("good", "a", "b")
  limiter.hold("a", 6)
  limiter.start()
  limiter.expire(({ key }) => key === "a")
  expect([limiter.size, limiter.waiting]).toEqual([5, 0])
  expect(limiter.capacity().of("a", 0)).toBe(0)
  limiter.release(limiter.hold("b", 3))
  expect(limiter.size).toBe(5)
  expect(limiter.capacity().of("b", 0)).toBe(heldLimits.perKey)
})

test("an item that is in flight is neither released nor expired, and ends once", () => {
  const limiter = limiterOfItems()
  const [item] = limiter.hold("a") as [Item]
  expect(limiter.finish(item)).toBe(false)
  limiter.start()
  limiter.release([item])
  limiter.expire(() => true)
  expect(limiter.items()).toEqual([item])
  expect(limiter.finish(item)).toBe(true)
  expect(limiter.finish(item)).toBe(false)
  expect(limiter.items()).toEqual([])
})

test("240 items are in flight, and no more until one ends", () => {
  const limiter = limiterOfItems()
  limiter.end("good", ...keys(0, 300))
  for (const key of keys(0, 300)) limiter.hold(key)
  const started = limiter.start()
  expect(started).toHaveLength(inFlightLimits.total)
  expect(limiter.hasFreePlace()).toBe(false)
  limiter.finish(started[0] as Item)
  expect(limiter.hasFreePlace()).toBe(true)
  expect(limiter.start()).toHaveLength(1)
})

test("high priority starts first, and low priority leaves half of the places to it", () => {
  const limiter = limiterOfItems()
  limiter.end("good", ...keys(0, 200))
  for (const key of keys(0, 200)) limiter.hold(key, 1, "low")
  limiter.hold("key 0", 1, "high")
  const started = limiter.start()
  expect(started[0]).toEqual({ key: "key 0", priority: "high" })
  expect(started).toHaveLength(1 + inFlightLimits.total / 2)
  limiter.hold("key 199")
  expect(limiter.start()).toHaveLength(1)
  for (const key of keys(200, 600)) limiter.hold(key, 1, "low")
  expect(limiter.capacity()).toMatchObject({ lowPriority: 0, total: 598 })
})

test("once many items are held a new key may hold one, once most are held one with a good record too", () => {
  const limiter = limiterOfItems()
  limiter.end("good", "good")
  for (const key of keys(0, heldLimits.crowded.notGood)) limiter.hold(key)
  expect(limiter.capacity().of("new", 0)).toBe(1)
  expect(limiter.capacity().of("key 1", 0)).toBe(0)
  expect(limiter.capacity().of("good", 0)).toBe(heldLimits.perKey)
  for (const key of keys(heldLimits.crowded.notGood, heldLimits.crowded.good)) limiter.hold(key)
  expect(limiter.capacity().of("good", 0)).toBe(1)
})

test("once many items are in flight a new key has one place, once most are in flight one with a good record too", () => {
  const limiter = limiterOfItems()
  const { notGood, good } = inFlightLimits.crowded
  limiter.end("good", ...keys(0, good))
  const started = (key: string) => {
    limiter.hold(key)
    const { length } = limiter.start()
    return length === 1
  }
  for (const key of keys(1, notGood)) expect(started(key)).toBe(true)
  expect([started("new"), started("new"), started("new")]).toEqual([true, true, false])
  expect(started("key 1")).toBe(true)
  for (const key of keys(notGood, good - 2)) expect(started(key)).toBe(true)
  expect([started("key 2"), started("key 2")]).toEqual([true, false])
})

test("keys that time out have 80 places, and all without a good record 160: one with a good record always finds one", () => {
  const limiter = limiterOfItems()
  limiter.end("good", "good")
  limiter.end("timing out", ...keys(0, 120))
  for (const key of keys(0, 120)) limiter.hold(key)
  expect(limiter.start()).toHaveLength(inFlightLimits.timingOut)
  for (const key of keys(120, 300)) limiter.hold(key)
  expect(limiter.start()).toHaveLength(inFlightLimits.notGood - inFlightLimits.timingOut)
  limiter.hold("good")
  expect(limiter.start()).toEqual([{ key: "good", priority: "high" }])
})

test("keys are remembered up to a bound, and the one that ended longest ago is forgotten first", () => {
  const limiter = limiterOfItems()
  for (const key of keys(0, heldLimits.rememberedKeys + 1)) limiter.end("timing out", key)
  expect(limiter.capacity().of("key 0", 0)).toBe(5)
  expect(limiter.capacity().of("key 1", 0)).toBe(1)
})
