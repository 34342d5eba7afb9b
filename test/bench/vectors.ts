/**
 * Vector search in large documentations, with the vectors of the tests' embedder: recall of the twenty nearest
 * passages, and search times, one by one and sixteen at once.
 *
 *   bun test/bench/vectors.ts [--size 25000] [--size 100000]
 */
import { parseArgs } from "node:util"
import { cosine } from "../../src/index/embedding/embedder.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../src/index/lance/lance.ts"
import { temporaryFolder } from "../support/service.ts"
import { stemEmbedder, stemVector, wordyPassages } from "../support/vectors.ts"
import { described, say } from "./figures.ts"

const { values } = parseArgs({
  options: { size: { type: "string", multiple: true, default: ["25000", "100000"] } },
})
/** The size that is requested of Gemini. */
const dimensions = 768
const limit = 20
const atOnce = 16

for (const size of values.size.map(Number)) {
  using folder = temporaryFolder()
  const passages = wordyPassages(size)
  const startedAt = performance.now()
  await buildIndex(folder.path, "large_1", "fr", passages, stemEmbedder("stems", dimensions))
  const builtMs = performance.now() - startedAt
  using index = (await openIndex(folder.path, "large_1")) as PassageIndex
  const asked = passages
    .filter((_, at) => at % Math.floor(size / 60) === 0)
    .map(({ markdown }) => stemVector(markdown.split(" ").slice(0, 8).join(" "), dimensions))
  const took: number[] = []
  const found: number[][] = []
  for (const vector of asked) {
    const askedAt = performance.now()
    const nearest = await index.nearest(vector, limit)
    took.push(performance.now() - askedAt)
    found.push(nearest.map(({ score }) => score))
  }
  const crowd: number[] = []
  for (let round = 0; round < 5; round++)
    await Promise.all(
      asked.slice(0, atOnce).map(async (vector) => {
        const askedAt = performance.now()
        await index.nearest(vector, limit)
        crowd.push(performance.now() - askedAt)
      }),
    )
  say(
    `${size} passages of ${dimensions} dimensions: built in ${(builtMs / 1000).toFixed(1)} s with words, recall@${limit} ${recall(
      passages.map(({ markdown }) => markdown),
      asked,
      found,
    ).toFixed(3)}; one by one ${described(took)}; ${atOnce} at once ${described(crowd)}`,
  )
}

/** Share of the nearest passages that were found. Passages at the same distance are equally right. */
function recall(texts: string[], asked: Float32Array[], found: number[][]): number {
  const cosines = asked.map((): number[] => [])
  for (const text of texts) {
    const vector = stemVector(text, dimensions)
    for (const [at, question] of asked.entries()) cosines[at]?.push(cosine(question, vector))
  }
  const right = found.map((scores, at) => {
    const least = cosines[at]?.sort((one, other) => other - one)[limit - 1] as number
    return scores.filter((score) => score >= least - 1e-5).length
  })
  return right.reduce((sum, each) => sum + each, 0) / (asked.length * limit)
}
