import { expect, test } from "bun:test"
import { startLog } from "../../src/log.ts"
import { openAlarm } from "../../src/schedule/alarm.ts"

const log = startLog("fatal")

test("it rings at once when the time has come already", async () => {
  const { promise: rang, resolve } = Promise.withResolvers<void>()
  using alarm = openAlarm(resolve, log)
  alarm.setIn(-5000)
  await rang
})

test("it never rings before its time", async () => {
  const { promise: rang, resolve } = Promise.withResolvers<number>()
  using alarm = openAlarm(() => resolve(performance.now()), log)
  const from = performance.now()
  alarm.setIn(300)
  expect((await rang) - from).toBeGreaterThanOrEqual(300)
})

test("what was set before rings no more; it may be set again while it rings, and after a failure", async () => {
  const { promise: rang, resolve } = Promise.withResolvers<void>()
  let rings = 0
  using alarm = openAlarm(() => {
    rings++
    if (rings === 3) return resolve()
    alarm.setIn(0)
    throw new Error("no")
  }, log)
  alarm.setIn(0)
  alarm.setIn(0)
  await rang
  expect(rings).toBe(3)
})
