import { afterAll, beforeAll, expect, test } from "bun:test"
import { fuse, retrieve } from "../../../src/answering/retrieval/retrieve.ts"
import { measureCosineScale, questionVector, unitVector } from "../../../src/index/embedding/embedder.ts"
import { packPieces } from "../../../src/index/embedding/piece-vectors.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../../src/index/lance/lance.ts"
import { passage } from "../../support/passages.ts"
import { temporaryFolder } from "../../support/service.ts"

// Words and vectors are searched together, and a passage found by either is found.

const passages = Array.from({ length: 12 }, (_, at) =>
  passage(`page${at}`, `Page ${at}`, `Le mot est zorglub${at}.`),
)
/** Each passage has a direction of its own. */
const direction = (at: number) =>
  unitVector(passages.map((_, place) => (place === at ? 1 : 0.1))) as Float32Array
const folder = temporaryFolder()
let index: PassageIndex

beforeAll(async () => {
  const embedder = {
    name: "directions",
    vectorsOf: async () => passages.map((_, at) => ({ vector: direction(at), pieces: new Uint8Array(0) })),
  }
  await buildIndex(folder.path, "both_1", "fr", passages, embedder)
  index = (await openIndex(folder.path, "both_1")) as PassageIndex
})

afterAll(() => {
  index[Symbol.dispose]()
  folder[Symbol.dispose]()
})

const ask = (question: string, { vector, ...more }: { vector?: Float32Array; standalone?: string } = {}) =>
  retrieve(index, {
    question,
    previous: [],
    page: undefined,
    vector: vector && questionVector(vector, undefined),
    ...more,
  })

test("an index knows the model, the size and the cosine scale of its vectors", () => {
  expect(index.embedded).toMatchObject({ name: "directions", size: 12 })
  const { typical, nearness } = measureCosineScale(passages.map((_, at) => direction(at)))
  expect(index.embedded?.typical).toBeCloseTo(typical, 5)
  expect(index.embedded?.nearness).toBeCloseTo(nearness, 5)
})

test("a passage that shares no word with the question is found by its vector, and is near", async () => {
  const { ranked, decision } = await ask("Quelle couleur ?", { vector: direction(7) })
  expect(ranked[0]?.passage.document).toBe("page7")
  expect(decision.isNear).toBe(true)
  expect((await ask("Quelle couleur ?")).ranked).toEqual([])
})

test("words and meaning count half each as far as words tell passages apart, and a passage that both find comes first", async () => {
  const vector = unitVector(passages.map((_, at) => (at === 3 || at === 7 ? 1 : 0.1))) as Float32Array
  const { ranked } = await ask("le mot zorglub3", { vector })
  expect(ranked.slice(0, 2).map(({ passage }) => passage.document)).toEqual(["page3", "page7"])
  // « mot » stands in all twelve passages, « zorglub3 » in one.
  expect(ranked[0]?.score).toBeCloseTo(0.5 * ((1 / 12 + 1) / 2) + 0.5, 3)
  expect(ranked[1]).toMatchObject({
    score: expect.closeTo(0.5, 1),
    meaning: expect.closeTo(ranked[0]?.meaning as number, 3),
  })
})

test("a word that stands all over a site does not choose among its pages", async () => {
  const pages = ["club", "contact", ...Array.from({ length: 10 }, (_, at) => `page${at}`)]
  const site = pages.map((name) =>
    name === "club"
      ? passage(name, "Le club", "Le club, notre club : un club ouvert à qui aime le club.")
      : passage(name, name, `Le club joue au gymnase des Tilleuls chaque semaine, ${name}.`),
  )
  const towards = (near: Record<string, number>) =>
    unitVector(pages.map((name) => near[name] ?? 0.1)) as Float32Array
  const embedder = {
    name: "directions",
    vectorsOf: async () =>
      pages.map((name) => ({ vector: towards({ [name]: 1 }), pieces: new Uint8Array(0) })),
  }
  await buildIndex(folder.path, "club_1", "fr", site, embedder)
  using index = (await openIndex(folder.path, "club_1")) as PassageIndex
  const vector = questionVector(towards({ contact: 1, club: 0.9 }), undefined)
  const { ranked } = await retrieve(index, {
    question: "Où est le club ?",
    previous: [],
    page: undefined,
    vector,
  })
  expect(ranked.slice(0, 2).map(({ passage }) => passage.document)).toEqual(["contact", "club"])
})

test("a vector of another size is not compared", async () => {
  expect(await index.nearest(new Float32Array(5), 10)).toEqual([])
})

test("the standalone form finds what the question alone does not", async () => {
  const { ranked } = await ask("et lui ?", { standalone: "Quel est le mot zorglub5 ?" })
  expect(ranked[0]?.passage.document).toBe("page5")
})

test("a passage of two lists comes before those of one; weights count, and so does the lead of the first", () => {
  const [a, b, c] = passages as [never, never, never]
  const list = (scores: [passage: never, score: number][], weight = 1, baseline = 0) => ({
    ranked: scores.map(([passage, score]) => ({ passage, row: 0, score })),
    weight,
    baseline,
  })
  const order = (...lists: Parameters<typeof fuse>[0]) => fuse(lists, 3).map(({ passage }) => passage)
  const near: [never, number][] = [
    [c, 0.8],
    [b, 0.7],
  ]
  expect(
    order(
      list([
        [a, 9],
        [b, 8],
      ]),
      list(near),
    ),
  ).toEqual([b, a, c])
  expect(
    order(
      list([
        [a, 9],
        [b, 1],
      ]),
      list(near, 0.5),
    ),
  ).toEqual([a, b, c])
  // Above a baseline of 0.65, the second is far behind.
  expect(
    order(
      list(near, 1, 0.65),
      list(
        [
          [b, 5],
          [a, 4],
        ],
        0.5,
      ),
    ),
  ).toEqual([c, b, a])
  expect(order(list([[a, 1]], 0.1), list([[c, 1]]))).toEqual([c, a])
  expect(order(list([[a, -0.2]]), list([[c, 1]]))).toEqual([c, a])
})

test.each([1, 2])(
  "in a documentation of %d passages, nearness is a number of the usual size",
  async (count) => {
    const vectors = [direction(0), direction(1)].slice(0, count)
    await buildIndex(folder.path, `few_${count}`, "fr", passages.slice(0, count), {
      name: "directions",
      vectorsOf: async () => vectors.map((vector) => ({ vector, pieces: packPieces([vector], 12) })),
    })
    using few = (await openIndex(folder.path, `few_${count}`)) as PassageIndex
    const vector = questionVector(direction(0), undefined)
    const { ranked } = await retrieve(few, { question: "zorglub0", previous: [], page: undefined, vector })
    expect(ranked[0]?.unitNearness?.[0]).toBeCloseTo(1, 0)
  },
)
