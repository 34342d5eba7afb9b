import { expect, test } from "bun:test"
import { openBatcher } from "../../../src/webhooks/delivery/batcher.ts"

/** A batcher of at most three, whose timers ring when the test says so. */
function startBatcher() {
  const written: number[][] = []
  const delays: number[] = []
  let ring: (() => void) | undefined
  const batcher = openBatcher<number>(
    3,
    () => written.push(batcher.take()),
    (run, delayMs) => {
      delays.push(delayMs)
      ring = run
      return () => {
        ring = undefined
      }
    },
  )
  return { batcher, written, delays, ring: () => ring?.() }
}

test("a batch waits for more, and is written when its delay is over", () => {
  const { batcher, written, delays, ring } = startBatcher()
  batcher.add(1)
  batcher.schedule(40)
  batcher.add(2)
  batcher.schedule(40)
  expect([delays, written]).toEqual([[40], []])
  ring()
  expect(written).toEqual([[1, 2]])
})

test("a full batch, and one that may not wait, are written at once", () => {
  const { batcher, written, ring } = startBatcher()
  for (const item of [1, 2]) batcher.add(item)
  batcher.schedule(40)
  batcher.add(3)
  batcher.schedule(40)
  expect(written).toEqual([[1, 2, 3]])
  batcher.add(4)
  batcher.schedule(0)
  expect(written).toEqual([[1, 2, 3], [4]])
  ring()
  expect(written).toHaveLength(2)
})

test("an empty batch is not written", () => {
  const { batcher, written, delays } = startBatcher()
  batcher.schedule(0)
  batcher.schedule(40)
  expect([delays, written]).toEqual([[], []])
})

test("a batch that is taken does not ring any more, and the next one waits for its own time", () => {
  const { batcher, written, delays, ring } = startBatcher()
  batcher.add(1)
  batcher.schedule(40)
  expect(batcher.take()).toEqual([1])
  ring()
  expect(written).toEqual([])
  batcher.add(2)
  batcher.schedule(5)
  expect(delays).toEqual([40, 5])
  ring()
  expect(written).toEqual([[2]])
})

test("a batch that could not be written stands before what was added meanwhile", () => {
  const { batcher } = startBatcher()
  for (const item of [1, 2]) batcher.add(item)
  const taken = batcher.take()
  batcher.add(3)
  batcher.putBack(taken)
  expect(batcher.items).toEqual([1, 2, 3])
})

test("a batcher that is disposed of leaves no timer behind", () => {
  const { batcher, written, ring } = startBatcher()
  batcher.add(1)
  batcher.schedule(40)
  batcher[Symbol.dispose]()
  ring()
  expect([batcher.items, written]).toEqual([[1], []])
})
