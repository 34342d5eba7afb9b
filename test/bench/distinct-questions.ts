import { join } from "node:path"

/**
 * Makes distinct questions, so that no cache answers. Each has six words of the documentation: two runs of
 * three consecutive words.
 */
export async function distinctQuestions(folder: string, count: number): Promise<string[]> {
  const words: string[] = []
  for (const file of [...new Bun.Glob("**/*.md").scanSync(folder)].sort())
    words.push(...((await Bun.file(join(folder, file)).text()).match(/\p{L}{2,}/gu) ?? []))
  // Lehmer random number generator with a fixed seed: the same questions in every run.
  let seed = 42
  const threeWords = () => {
    seed = (seed * 48_271) % 2_147_483_647
    const start = seed % (words.length - 3)
    return words.slice(start, start + 3).join(" ")
  }
  return [...new Set(Array.from({ length: count }, () => `${threeWords()} ${threeWords()} ?`))]
}
