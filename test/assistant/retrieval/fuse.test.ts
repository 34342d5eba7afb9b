import { afterAll, beforeAll, expect, test } from "bun:test"
import { nearnessOf, normalised } from "../../../src/assistant/retrieval/embedder.ts"
import { fused } from "../../../src/assistant/retrieval/fuse.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../../src/assistant/retrieval/lance.ts"
import { retrieve } from "../../../src/assistant/retrieval/retrieve.ts"
import { passage } from "../../support/passages.ts"
import { temporaryFolder } from "../../support/service.ts"

// Words and meaning together: what either finds is found.

const passages = Array.from({ length: 12 }, (_, at) =>
  passage(`page${at}`, `Page ${at}`, `Le mot est zorglub${at}.`),
)
/** Each passage means a direction of its own. */
const direction = (at: number) =>
  normalised(passages.map((_, place) => (place === at ? 1 : 0.1))) as Float32Array
const folder = temporaryFolder()
let index: PassageIndex

beforeAll(async () => {
  const embedder = { name: "directions", vectorsOf: async () => passages.map((_, at) => direction(at)) }
  await buildIndex(folder.path, "both_1", "fr", passages, embedder)
  index = (await openIndex(folder.path, "both_1")) as PassageIndex
})

afterAll(() => {
  index[Symbol.dispose]()
  folder[Symbol.dispose]()
})

const ask = (question: string, more: { vector?: Float32Array; standalone?: string } = {}) =>
  retrieve(index, { question, previous: [], page: undefined, ...more })

test("an index knows what its vectors were made by, how long they are and how near they lie", () => {
  expect(index.embedded).toMatchObject({ name: "directions", size: 12 })
  expect(index.embedded?.nearness).toBeCloseTo(nearnessOf(passages.map((_, at) => direction(at))), 5)
})

test("a question that shares no word with its passage is found by meaning, and is near", async () => {
  const { ranked, decision } = await ask("Quelle couleur ?", { vector: direction(7) })
  expect(ranked[0]?.passage.document).toBe("page7")
  expect(decision.isNear).toBe(true)
  expect((await ask("Quelle couleur ?")).ranked).toEqual([])
})

test("what words are sure of stays first", async () => {
  const { ranked } = await ask("le mot zorglub3", { vector: direction(7) })
  expect(ranked[0]?.passage.document).toBe("page3")
  expect(ranked.some(({ passage }) => passage.document === "page7")).toBe(true)
})

test("a vector of another size is not compared", async () => {
  expect(await index.nearest(new Float32Array(5), 10)).toEqual([])
})

test("the standalone form finds what the question alone does not", async () => {
  const { ranked } = await ask("et lui ?", { standalone: "Quel est le mot zorglub5 ?" })
  expect(ranked[0]?.passage.document).toBe("page5")
})

test("a passage that two lists hold comes before those that one holds; weights count", () => {
  const [a, b, c] = passages as [never, never, never]
  const ranked = (...list: never[]) => list.map((passage) => ({ passage, score: 1 }))
  const order = (lists: Parameters<typeof fused>[0]) => fused(lists, 3).map(({ passage }) => passage)
  expect(
    order([
      { ranked: ranked(a, b), weight: 1 },
      { ranked: ranked(c, b), weight: 1 },
    ]),
  ).toEqual([b, a, c])
  expect(
    order([
      { ranked: ranked(a), weight: 0.1 },
      { ranked: ranked(c), weight: 1 },
    ]),
  ).toEqual([c, a])
})
