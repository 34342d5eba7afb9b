import { expect, test } from "bun:test"
import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import { newId } from "../../src/base/ids.ts"
import { dirFeed, documentation, indexFeeds, newProject } from "../support/documentation.ts"
import { aService } from "../support/service-builder.ts"

test("a removed feed goes with its pages in steps between which others write, and leaves nothing", async () => {
  await using service = await aService().withClock().started()
  const { app } = service
  const { db, clock } = app
  const project = await newProject(app)
  using docs = documentation({ "a.md": "Le mot est abricot." })
  using others = documentation({ "x.md": "Le mot est xylophone." })
  const [feed, other] = [await dirFeed(app, project, docs), await dirFeed(app, project, others)]
  await indexFeeds(app, project, [feed, other])
  const {
    id: _,
    page: __,
    ...row
  } = await db.selectFrom("document").selectAll().where("feed_id", "=", other.id).executeTakeFirstOrThrow()
  const many = 400
  const sections = JSON.stringify([{ heading: null, level: 0, anchor: null, markdown: "x ".repeat(10_000) }])
  for (let at = 0; at < many; at++)
    await db
      .insertInto("document")
      .values({ ...row, id: newId("doc", clock.now()), page: `p${at}`, url: `${row.url}${at}`, sections })
      .execute()
  const leftOut = Array.from({ length: many }, (_, at) => `q${at}`)
  await db
    .insertInto("left_out_page")
    .values(leftOut.map((page) => ({ feed_id: other.id, page, reason: "empty" as const })))
    .execute()
  const left = async () =>
    (await db.selectFrom("document").select("id").where("feed_id", "=", other.id).execute()).length
  const seen = new Set<number>()
  let isOver = false
  const watch = (async () => {
    for (; !isOver; await yieldToEventLoop()) seen.add(await left())
  })()
  await indexFeeds(app, project, [], { removedFeed: other })
  isOver = true
  await watch
  expect([...seen].filter((count) => count > 0 && count < many).length).toBeGreaterThan(2)
  expect(await left()).toBe(0)
  expect(await db.selectFrom("left_out_page").select("page").execute()).toEqual([])
  expect(await db.selectFrom("feed").select("id").execute()).toEqual([{ id: feed.id }])
})
