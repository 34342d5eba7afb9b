import { join } from "node:path"

/**
 * Six words of the documentation each, three and three in a row: nobody asks the same twice, so no cache
 * answers.
 */
export async function distinctQuestions(folder: string, count: number): Promise<string[]> {
  const words: string[] = []
  for (const file of [...new Bun.Glob("**/*.md").scanSync(folder)].sort())
    words.push(...((await Bun.file(join(folder, file)).text()).match(/\p{L}{2,}/gu) ?? []))
  // The generator of Lehmer: the same questions in every run.
  let seed = 42
  const three = () => {
    seed = (seed * 48_271) % 2_147_483_647
    const start = seed % (words.length - 3)
    return words.slice(start, start + 3).join(" ")
  }
  return [...new Set(Array.from({ length: count }, () => `${three()} ${three()} ?`))]
}
