import { describe, expect, test } from "bun:test"
import { minuteMs, secondMs } from "../../src/base/clock.ts"
import {
  turnLimits as limits,
  nextStepOfTurn,
  type ObservedTurn,
  shareMs,
} from "../../src/indexing/turn-limits.ts"
import { openTurns } from "../../src/indexing/turns.ts"

describe("whose turn it is", () => {
  test("owners take turns, whoever has more waiting; the tasks of each in the order they came", () => {
    const turns = openTurns<string>()
    for (const task of ["a1", "a2", "a3"]) turns.add("a", task)
    turns.add("b", "b1")
    turns.add("c", "c1")
    const order: (string | undefined)[] = []
    for (let task = turns.next(1); task; task = turns.next(1)) {
      order.push(task)
      turns.end(task[0] as string)
    }
    expect(order).toEqual(["a1", "b1", "c1", "a2", "a3"])
  })

  test("what gives way goes on behind everything that waits", () => {
    const turns = openTurns<string>()
    turns.add("a", "endless")
    expect(turns.next(1)).toBe("endless")
    turns.add("a", "a2")
    turns.add("b", "b1")
    turns.end("a")
    turns.add("a", "endless")
    const order = [1, 2, 3].map(() => {
      const task = turns.next(1)
      turns.end(task === "b1" ? "b" : "a")
      return task
    })
    expect(order).toEqual(["b1", "a2", "endless"])
  })

  test("so many at once as there are places, and never two of one owner", () => {
    const turns = openTurns<string>()
    for (const task of ["a1", "a2", "b1", "c1"]) turns.add(task[0] as string, task)
    expect([turns.next(2), turns.next(2), turns.next(2)]).toEqual(["a1", "b1", undefined])
    turns.end("b")
    expect([turns.next(1), turns.next(2), turns.next(2)]).toEqual([undefined, "c1", undefined])
    turns.end("c")
    expect(turns.next(2)).toBeUndefined()
    turns.end("a")
    expect(turns.next(2)).toBe("a2")
  })

  test("a task is in the way of others, and of those of its own owner", () => {
    const turns = openTurns<string>()
    turns.add("a", "a1")
    turns.next(1)
    expect(turns.isInTheWay("a")).toBe(false)
    turns.add("a", "a2")
    expect(turns.isInTheWay("a")).toBe(true)
    turns.clear()
    turns.add("b", "b1")
    expect(turns.isInTheWay("a")).toBe(true)
    expect(turns.owners()).toBe(2)
    expect(turns.clear()).toEqual(["b1"])
  })
})

describe("how long a turn lasts", () => {
  const turn: ObservedTurn = {
    phase: "reading",
    isAtWork: true,
    sinceBeginMs: 0,
    sinceBeatMs: 0,
    sinceProgressMs: 0,
    isInTheWay: true,
    shareMs: 5 * minuteMs,
  }
  const judged = (changed: Partial<ObservedTurn>) => nextStepOfTurn({ ...turn, ...changed }, limits)

  test("a reading gives way after its turn when others wait; building has its share of the round", () => {
    expect(judged({ sinceBeginMs: limits.turnMs })).toBe("go_on")
    expect(judged({ sinceBeginMs: limits.turnMs + 1 })).toBe("give_way")
    for (const phase of ["building", "embedding"] as const) {
      expect(judged({ phase, sinceBeginMs: 5 * minuteMs })).toBe("go_on")
      expect(judged({ phase, sinceBeginMs: 5 * minuteMs + 1 })).toBe("give_way")
    }
  })

  test("a process that starts slowly is waited for, however short a turn is, and not for longer than the shortest share", () => {
    const short = { ...limits, turnMs: 2 * secondMs }
    const starting = { ...turn, isAtWork: false, sinceBeginMs: short.turnMs + 1 }
    expect(nextStepOfTurn(starting, short)).toBe("go_on")
    expect(nextStepOfTurn({ ...starting, isAtWork: true }, short)).toBe("give_way")
    expect(nextStepOfTurn({ ...starting, sinceBeginMs: limits.shortestMs + 1 }, short)).toBe("give_way")
  })

  test("while nobody waits, a reading has a deadline all the same, and building none", () => {
    expect(judged({ isInTheWay: false, sinceBeginMs: limits.roundMs })).toBe("go_on")
    expect(judged({ isInTheWay: false, sinceBeginMs: limits.roundMs + 1 })).toBe("give_way")
    expect(judged({ isInTheWay: false, phase: "embedding", sinceBeginMs: 1e9 })).toBe("go_on")
  })

  test("who does not live, or gets no further, is stuck", () => {
    expect(judged({ sinceBeatMs: limits.silentMs + 1 })).toBe("stuck")
    expect(judged({ isInTheWay: false, phase: "building", sinceProgressMs: limits.standstillMs + 1 })).toBe(
      "stuck",
    )
  })

  test("the turns of all make a round of 15 minutes, however many they are and whatever they do", () => {
    expect(limits.roundMs).toBe(15 * minuteMs)
    for (const places of [1, 2])
      for (let owners = 1; owners <= 45 * places; owners++) {
        const share = shareMs(owners, places, limits)
        expect((share * owners) / places).toBeLessThanOrEqual(limits.roundMs + 1)
        expect(judged({ phase: "building", shareMs: share, sinceBeginMs: share + 1 })).toBe("give_way")
      }
    expect(shareMs(1000, 1, limits)).toBe(20 * secondMs)
  })
})
