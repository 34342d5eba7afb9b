import { expect, test } from "bun:test"
import { type PageRequest, search } from "../../src/db/search.ts"

interface Row {
  id: string
  text: string
}

/** A list in memory that records the number of rows requested by each read. */
function listOf(rows: readonly Row[]) {
  const asked: number[] = []
  return {
    asked,
    search: (typed: string, part: PageRequest) =>
      search(
        typed,
        part,
        async ({ after, atMost }) => {
          asked.push(atMost)
          const from = after === undefined ? 0 : rows.findIndex(({ id }) => id === after) + 1
          return rows.slice(from, from + atMost)
        },
        ({ id }) => id,
        ({ text }) => [text],
      ),
  }
}

const rows = (count: number, text: (index: number) => string): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), text: text(index) }))

test("capitals, accents and the way they are encoded make no difference", async () => {
  const list = listOf(rows(3, (index) => ["Une ŒUVRE", "e\u0301le\u0300ve", "autre"][index] as string))
  const found = async (typed: string) =>
    (await list.search(typed, { after: undefined, atMost: 10 })).map(({ id }) => id)
  expect(await found("oeuvre")).toEqual(["0"])
  expect(await found("ÉLÈVE")).toEqual(["1"])
  expect(await found("\u0301")).toEqual(["0", "1", "2"])
  expect(await found("x".repeat(1001))).toEqual([])
})

test("a part of a list is what stands after a row, searched or not", async () => {
  const list = listOf(rows(1200, (index) => (index % 2 === 0 ? "pair" : "impair")))
  const all = await list.search("", { after: "99", atMost: 101 })
  expect([all.length, all[0]?.id, all.at(-1)?.id]).toEqual([101, "100", "200"])
  const odd = await list.search("impair", { after: "1000", atMost: 500 })
  expect([odd.length, odd[0]?.id, odd.at(-1)?.id]).toEqual([100, "1001", "1199"])
})

test("long texts are read few at a time, and others have their turn between them", async () => {
  const list = listOf(rows(24, () => "e\u0301\u0316".repeat(70_000)))
  let turns = 0
  let isOver = false
  const others = (async () => {
    for (; !isOver; turns++) await new Promise(setImmediate)
  })()
  expect(await list.search("zorglub", { after: undefined, atMost: 10 })).toEqual([])
  isOver = true
  await others
  expect(turns).toBeGreaterThanOrEqual(24)
  expect(Math.max(...list.asked.slice(1))).toBeLessThan(10)
})
