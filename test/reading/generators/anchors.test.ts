import { expect, test } from "bun:test"
import { join } from "node:path"
import type { Generator } from "../../../src/reading/generators/names.ts"
import { anchorsIn } from "../../support/generator-site.ts"

/** What the tools themselves make of these titles: `bun test/bench/anchors.ts` asks them. */
const {
  titles,
  tools,
}: { titles: string[]; tools: Record<string, { made: string; ids: (string | null)[] }> } = await Bun.file(
  join(import.meta.dir, "anchors.json"),
).json()

test.each(Object.entries(tools))("%s: each title has the anchor that the tool gives it", (row, { ids }) => {
  const [generator, style] = row.split(" ")
  const anchors = anchorsIn(generator as Generator, titles, style)
  expect(titles.map((title, at) => [title, anchors[at]])).toEqual(
    titles.map((title, at) => [title, ids[at] || null]),
  )
})
