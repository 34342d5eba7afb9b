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

/** What is not known: Zola writes emojis by their English names. */
const unknown: Record<string, string[]> = { zola: ["Étape 1 🚀 : partir"] }

test.each(Object.entries(tools))("%s: each title has the anchor that the tool gives it", (row, { ids }) => {
  const [generator, style] = row.split(" ")
  const anchors = anchorsIn(generator as Generator, titles, style)
  const shown = (list: (string | null | undefined)[]) =>
    titles
      .map((title, at) => [title, list[at] ?? null])
      .filter(([title]) => !unknown[row]?.includes(title as string))
  expect(shown(anchors)).toEqual(shown(ids))
})
