import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { findProject, type Project } from "../../src/accounts/project.ts"
import { minuteMs } from "../../src/base/clock.ts"
import { indexProject } from "../../src/indexing/indexing.ts"
import { dirFeed } from "../support/documentation.ts"
import { type Nodes, twoNodes } from "../support/nodes.ts"
import { createDatabase } from "../support/postgres.ts"
import { noPostgres } from "../support/postgres-server.ts"
import { eventually } from "../support/processes.ts"

describe.skipIf(noPostgres())("without an object store, nodes share indexes by PostgreSQL", () => {
  let nodes: Nodes

  beforeEach(async () => {
    nodes = await twoNodes({ database: await createDatabase() })
  })
  afterEach(() => nodes[Symbol.asyncDispose]())

  test("one builds, the other answers, and takes over the next", async () => {
    await nodes.indexOn(0)
    await nodes.opened(1)
    expect(await nodes.answers(1, "abricot")).toBe(true)
    await nodes.indexOn(1, { "a.md": "Le mot secret est ananas." })
    for (const node of [0, 1]) {
      await nodes.opened(node, 2)
      expect(await nodes.answers(node, "ananas")).toBe(true)
    }
    expect(await nodes.live()).toBe(2)
  })

  test("a node that starts with an empty folder answers", async () => {
    await nodes.indexOn(0)
    await nodes.stop(1)
    rmSync(nodes.indexDir(1), { recursive: true, force: true })
    await nodes.start(1)
    expect(await nodes.answers(1, "abricot")).toBe(true)
  })

  test("archives that were replaced, and those of a removed project, leave the database", async () => {
    const keys = () => nodes.app(0).db.selectFrom("archive_part").select("key").distinct().execute()
    await nodes.indexOn(0)
    await nodes.indexOn(0, { "a.md": "Le mot secret est ananas." })
    expect(await keys()).toHaveLength(2)
    nodes.clock.move(10 * minuteMs)
    await nodes.dropArchives()
    expect((await keys()).map(({ key }) => key)).toEqual([
      expect.stringContaining(`index/${nodes.project.id}/2-`),
    ])
    await nodes.app(1).removeProject(nodes.project.id)
    nodes.clock.move(30 * minuteMs)
    await nodes.dropArchives()
    expect(await keys()).toEqual([])
  })

  const losses: Record<string, () => Promise<unknown>> = {
    missing: () => nodes.app(0).db.deleteFrom("archive_part").execute(),
    damaged: () =>
      nodes
        .app(0)
        .db.updateTable("archive_part")
        .set({ bytes: Buffer.from("damaged") })
        .execute(),
  }
  for (const [loss, inflict] of Object.entries(losses))
    test(`one that is ${loss} is built again, by one node`, async () => {
      await nodes.stop(1)
      await nodes.indexOn(0)
      await inflict()
      await nodes.start(1)
      for (const node of [1, 0]) await nodes.opened(node, 2)
      for (const node of [0, 1]) {
        await eventually(async () => !(await nodes.app(node).reindexing.isBusy(nodes.project.id)))
        expect(await nodes.app(node).indexes.staleIndexes({ files: true })).toEqual([])
      }
      expect(await nodes.live()).toBe(2)
    })

  test("two nodes never build the index of one project at once", async () => {
    const feed = await dirFeed(nodes.app(0), nodes.project, nodes.docs)
    const build = async (node: number) => {
      const { db, indexing } = nodes.app(node)
      const project = (await findProject(db, nodes.project.id)) as Project
      const { signal } = new AbortController()
      return indexProject(indexing, project, { feeds: [feed], force: false, signal, onProgress() {} })
    }
    const [first, second] = await Promise.allSettled([build(0), build(1)])
    expect([first?.status, second?.status].sort()).toEqual(["fulfilled", "rejected"])
    const refused = [first, second].find((one) => one?.status === "rejected") as PromiseRejectedResult
    expect(refused.reason).toMatchObject({ code: "conflict", detail: { code: "assistant.beingIndexed" } })
    expect(await nodes.live()).toBe(1)
  })
})
