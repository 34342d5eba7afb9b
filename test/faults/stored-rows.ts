import { signedIn } from "../support/operator.ts"
import { longestTurnMs } from "../support/processor.ts"
import { aService } from "../support/service-builder.ts"
import { atMost, exactly, type Verdict } from "../support/verdict.ts"
import { fillWorst } from "../support/worst/fill.ts"
import { worstIds } from "../support/worst/ids.ts"
import { everyVisit, type Visited } from "../support/worst/visits.ts"

/** The longest that a list may keep the event loop from everybody else, in time of the processor. */
const markMs = 100
const rows = 60_000
/** Slowest visits that have a line of their own. */
const shown = 15

/** Everything that the two faces list, search and export, of a workspace that has as much of everything as it may. */
export async function storedRows(): Promise<Verdict[]> {
  await using world = await aService().withOneOfEach().started()
  const ids = worstIds(world, rows)
  const owner = await signedIn(world, "owner", world.ids["workspaces"])
  await everyVisit(world, ids, owner, ({ go }) => go())
  await fillWorst(world, ids)
  const found: { name: string; ms: number }[] = []
  let failed = 0
  await everyVisit(world, ids, owner, async ({ name, go }) => {
    let reply: Visited | undefined
    const ms = await longestTurnMs(async () => {
      reply = await go()
    })
    found.push({ name, ms })
    if ((reply?.status ?? 500) >= 500) failed++
    return reply as Visited
  })
  const slowest = found.sort((one, other) => other.ms - one.ms)
  const late = slowest.filter(({ ms }) => ms > markMs)
  return [
    exactly(`replies of 500 and more among ${found.length} lists, searches and exports`, 0, failed),
    ...slowest
      .slice(0, Math.max(shown, late.length))
      .map(({ name, ms }) => atMost(name, markMs, ms, " ms CPU")),
  ]
}
