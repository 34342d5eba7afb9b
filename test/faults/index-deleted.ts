import { rmSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../support/service.ts"
import { atLeast, atMost, exactly, type Verdict } from "../support/verdict.ts"
import { startServedSite } from "./served-site.ts"

/** Somebody deletes the index folder while questions are asked: 409 until it is built again, by itself. */
export async function indexDeleted(): Promise<Verdict[]> {
  using folder = temporaryFolder()
  await using site = await startServedSite(folder.path)
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
  rmSync(join(folder.path, "index"), { recursive: true })
  let answeredAgainMs = Number.POSITIVE_INFINITY
  while (performance.now() - deletedAt < 60_000) {
    await ask(300)
    if (statuses.at(-1) !== 200) continue
    answeredAgainMs = performance.now() - deletedAt
    break
  }
  await ask(2000)
  const count = (status: number) => statuses.filter((one) => one === status).length
  return [
    atLeast("index deleted: questions answered", 1, count(200)),
    exactly(
      "index deleted: replies that are neither an answer nor 409",
      0,
      statuses.length - count(200) - count(409),
    ),
    atMost("index deleted: until questions are answered again", 60_000, answeredAgainMs, " ms"),
    exactly("index deleted: status at the end", 200, statuses.at(-1) ?? 0),
  ]
}
