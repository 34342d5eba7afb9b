import { expect, test } from "bun:test"
import { openWakeLoop } from "../../../src/webhooks/delivery/wake-loop.ts"

/** A loop whose rounds last until the test ends them. */
function startLoop() {
  const rounds: PromiseWithResolvers<void>[] = []
  const errors: unknown[] = []
  const rests: boolean[] = []
  const loop = openWakeLoop({
    round() {
      const round = Promise.withResolvers<void>()
      rounds.push(round)
      return round.promise
    },
    onError: (error) => errors.push(error),
    onRest: (hasFailed) => rests.push(hasFailed),
  })
  const tick = async () => {
    for (let rounds = 0; rounds < 3; rounds++) await new Promise(setImmediate)
  }
  return { loop, rounds, errors, rests, tick }
}

test("wakes of one tick lead to one round, and those that come during it to one more", async () => {
  const { loop, rounds, rests, tick } = startLoop()
  loop.wake()
  loop.wake()
  await tick()
  expect([rounds.length, loop.isRunning]).toEqual([1, true])
  loop.wake()
  loop.wake()
  await tick()
  expect(rounds).toHaveLength(1)
  rounds[0]?.resolve()
  await tick()
  expect([rounds.length, rests]).toEqual([2, []])
  rounds[1]?.resolve()
  await tick()
  expect([rounds.length, rests, loop.isRunning]).toEqual([2, [false], false])
})

test("a loop whose round fails goes on with the next wake, and tells of a series of failures once", async () => {
  const { loop, rounds, errors, rests, tick } = startLoop()
  for (const [index, outcome] of ["full", "full", "done", "full"].entries()) {
    loop.wake()
    await tick()
    if (outcome === "full") rounds[index]?.reject(new Error("full"))
    else rounds[index]?.resolve()
    await tick()
  }
  expect(rests).toEqual([true, true, false, true])
  expect(errors).toHaveLength(2)
})
