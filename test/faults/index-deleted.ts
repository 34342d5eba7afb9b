import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../support/service.ts"
import { atLeast, atMost, exactly, type Verdict } from "../support/verdict.ts"
import { startServedSite } from "./served-site.ts"

const builtAgainWithinMs = 90_000

/**
 * Somebody deletes the index folder while questions are asked: they are answered on, and it is built again by
 * itself.
 */
export async function indexDeleted(): Promise<Verdict[]> {
  using folder = temporaryFolder()
  await using site = await startServedSite(folder.path)
  const indexDir = join(folder.path, "index")
  const statuses: number[] = []
  const ask = async (forMs: number) => {
    const endsAt = performance.now() + forMs
    const loop = async () => {
      while (performance.now() < endsAt) {
        // The cache would answer without the index.
        statuses.push((await site.ask()).status)
        await Bun.sleep(20)
      }
    }
    await Promise.all([loop(), loop(), loop(), loop()])
  }
  await ask(500)
  const deletedAt = performance.now()
  rmSync(indexDir, { recursive: true })
  const isBack = () =>
    existsSync(indexDir) && readdirSync(indexDir).some((entry) => entry.endsWith(".vocabulary"))
  while (!isBack() && performance.now() - deletedAt < builtAgainWithinMs) await ask(300)
  const builtAgainMs = isBack() ? performance.now() - deletedAt : Number.POSITIVE_INFINITY
  await ask(2000)
  const count = (status: number) => statuses.filter((one) => one === status).length
  return [
    atLeast("index deleted: questions answered", 1, count(200)),
    exactly("index deleted: replies that are no answer", 0, statuses.length - count(200)),
    atMost("index deleted: until it is built again", builtAgainWithinMs, builtAgainMs, " ms"),
    exactly("index deleted: status at the end", 200, statuses.at(-1) ?? 0),
  ]
}
