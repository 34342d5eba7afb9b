import { expect, test } from "bun:test"
import { openWakeLoop } from "../../../src/webhooks/delivery/wake-loop.ts"

/** A loop whose turns last until the test ends them. */
function startLoop() {
  const turns: PromiseWithResolvers<void>[] = []
  const errors: unknown[] = []
  const rests: boolean[] = []
  const loop = openWakeLoop({
    turn() {
      const turn = Promise.withResolvers<void>()
      turns.push(turn)
      return turn.promise
    },
    onError: (error) => errors.push(error),
    onRest: (hasFailed) => rests.push(hasFailed),
  })
  const round = async () => {
    for (let rounds = 0; rounds < 3; rounds++) await new Promise(setImmediate)
  }
  return { loop, turns, errors, rests, round }
}

test("wakes of one round lead to one turn, and those that come during it to one more", async () => {
  const { loop, turns, rests, round } = startLoop()
  loop.wake()
  loop.wake()
  await round()
  expect([turns.length, loop.isRunning]).toEqual([1, true])
  loop.wake()
  loop.wake()
  await round()
  expect(turns).toHaveLength(1)
  turns[0]?.resolve()
  await round()
  expect([turns.length, rests]).toEqual([2, []])
  turns[1]?.resolve()
  await round()
  expect([turns.length, rests, loop.isRunning]).toEqual([2, [false], false])
})

test("a loop whose turn fails goes on with the next wake, and tells of a series of failures once", async () => {
  const { loop, turns, errors, rests, round } = startLoop()
  for (const [index, outcome] of ["full", "full", "done", "full"].entries()) {
    loop.wake()
    await round()
    if (outcome === "full") turns[index]?.reject(new Error("full"))
    else turns[index]?.resolve()
    await round()
  }
  expect(rests).toEqual([true, true, false, true])
  expect(errors).toHaveLength(2)
})
