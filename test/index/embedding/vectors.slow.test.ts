import { expect, test } from "bun:test"
import { cosine } from "../../../src/index/embedding/embedder.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../../src/index/lance/lance.ts"
import { temporaryFolder } from "../../support/service.ts"
import { stemEmbedder, stemVector, wordyPassages } from "../../support/vectors.ts"

// A large documentation has its vectors in partitions; the nearest are found all the same.

const count = 6000
const limit = 20

test("the nearest of thousands of passages are found, also after a rebuild with another model", async () => {
  using folder = temporaryFolder()
  const passages = wordyPassages(count)
  const build = (name: string, size: number) =>
    buildIndex(folder.path, "large_1", "fr", passages, stemEmbedder(name, size))
  await build("first", 256)
  await build("first", 256)
  expect(await recall(folder.path, 256)).toBeGreaterThanOrEqual(0.95)
  await build("second", 128)
  expect(await recall(folder.path, 128)).toBeGreaterThanOrEqual(0.95)
  using index = (await openIndex(folder.path, "large_1")) as PassageIndex
  expect(index.embedded).toMatchObject({ name: "second", size: 128 })
  expect(await index.nearest(stemVector("mot", 256), limit)).toEqual([])
})

/** Share of the truly nearest that are found. */
async function recall(folder: string, size: number): Promise<number> {
  using index = (await openIndex(folder, "large_1")) as PassageIndex
  const passages = wordyPassages(count)
  const vectors = passages.map(({ markdown }) => stemVector(markdown, size))
  let found = 0
  const questions = passages
    .filter((_, at) => at % 600 === 7)
    .map(({ markdown }) => markdown.split(" ").slice(0, 6).join(" "))
  for (const question of questions) {
    const asked = stemVector(question, size)
    const cosines = vectors.map((vector) => cosine(asked, vector))
    const least = cosines.toSorted((one, other) => other - one)[limit - 1] as number
    const nearest = await index.nearest(asked, limit)
    expect(nearest).toHaveLength(limit)
    // Passages at the same distance are equally right.
    found += nearest.filter(({ score }) => score >= least - 1e-5).length
  }
  return found / (questions.length * limit)
}
