import { expect, test } from "bun:test"
import { signedIn } from "../support/operator.ts"
import { longestTurnMs, plainWorkMs } from "../support/processor.ts"
import { aService } from "../support/service-builder.ts"
import { fillWorst } from "../support/worst/fill.ts"
import { worstIds } from "../support/worst/ids.ts"
import { everyVisit, type Visited } from "../support/worst/visits.ts"

/** Enough for a list that reads all of them at once to be seen. `bun test/faults/run.ts --only rows` has more. */
const rows = 9000
/** The longest turn of the event loop, in pieces of plain work, of which each takes about 10 ms. */
const mostTurns = 6
/** The garbage of others may fall into a turn: what is not far beyond is looked at again. */
const farBeyond = 3 * mostTurns
/** Routes that take what a page sends along, or a thing that this world has not. */
const otherwise =
  /^API GET \/api\/v1\/projects\/\{id\}\/(widget|contact)|→|:endpoint\/requests|second-factor-removal|:form|:answer/

test("no list, search, filter or export of either face holds up the others, however much a workspace has", async () => {
  await using world = await aService().withOneOfEach().started()
  const ids = worstIds(world, rows)
  const owner = await signedIn(world, "owner", world.ids["workspaces"])
  // Compiles the code of every page, so that no turn is longer for it.
  await everyVisit(world, ids, owner, ({ go }) => go())
  await fillWorst(world, ids)
  const unit = await plainWorkMs()
  const slow: string[] = []
  const failed: string[] = []
  await everyVisit(world, ids, owner, async ({ name, go }) => {
    let reply: Visited = { status: 0, bytes: new ArrayBuffer() }
    let turns = Number.POSITIVE_INFINITY
    for (let tries = 0; tries === 0 || (tries < 3 && turns > mostTurns && turns < farBeyond); tries++) {
      const ms = await longestTurnMs(async () => {
        reply = await go()
      })
      turns = Math.min(turns, ms / unit)
    }
    if (turns > mostTurns) slow.push(`${name}: ${turns.toFixed(1)} pieces of plain work`)
    const isShown = reply.status === 200 || reply.status === 303
    if (reply.status >= 500 || (!isShown && !otherwise.test(name))) failed.push(`${name}: ${reply.status}`)
    return reply
  })
  expect({ slow, failed }).toEqual({ slow: [], failed: [] })
})
