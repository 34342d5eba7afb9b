import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Project } from "../../src/accounts/project.ts"
import { minuteMs } from "../../src/base/clock.ts"
import { indexBytes } from "../../src/index/lance/index-files.ts"
import { liveGenerations } from "../../src/indexing/archives/archived.ts"
import { type IndexCache, openIndexCache } from "../../src/indexing/archives/index-cache.ts"
import { switchGeneration } from "../../src/indexing/generation.ts"
import { openLiveIndexes } from "../../src/indexing/live-index.ts"
import { dropUnusedTables } from "../../src/indexing/unused-tables.ts"
import { runChecks } from "../../src/ops/checks/checks.ts"
import { type ObjectStore, StorageError } from "../../src/storage/object-store.ts"
import { openS3 } from "../../src/storage/s3.ts"
import { guichet } from "../support/cli.ts"
import { dirFeed, indexByCommand, indexFeeds, newProject } from "../support/documentation.ts"
import { type Nodes, tablesOn, twoNodes } from "../support/nodes.ts"
import { eventually } from "../support/processes.ts"
import { type NetworkProxy, openProxy } from "../support/proxy.ts"
import { credentials, noS3Server, type S3Server, startS3Server } from "../support/s3-server.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"

/** Each node reaches the object store by a network of its own. */
describe.skipIf(noS3Server())("nodes share the indexes that any of them builds", () => {
  let server: S3Server
  let networks: [NetworkProxy, NetworkProxy]
  let nodes: Nodes
  let project: Project

  beforeAll(async () => {
    server = await startS3Server()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  beforeEach(async () => {
    networks = [openProxy(server.port), openProxy(server.port)]
    nodes = await twoNodes({
      settings: (node) => server.settings(networks[node]?.port),
      overrides: (node) => ({ objectStore: storeOf(node), storePatienceMs: 0 }),
    })
    project = nodes.project
  })

  afterEach(async () => {
    await nodes[Symbol.asyncDispose]()
    for (const network of networks) network[Symbol.dispose]()
    for (const file of server.objects().values()) rmSync(file)
  })

  /** As the settings say, but for the patience with a store that is silent. */
  function storeOf(node: number): ObjectStore {
    const endpoint = `http://127.0.0.1:${networks[node]?.port}`
    const place = { bucket: "indexes", prefix: "some/place", region: "us-east-1", endpoint }
    return openS3(place, credentials, { stallMs: 500, requestMs: 60_000 })
  }

  /** For a command on a node's data. */
  const environmentOf = (node: number) =>
    Object.fromEntries(
      Object.entries(nodes.app(node).config.secrets.environment).filter(([name]) =>
        /^GUICHET_(DATA_DIR|DATABASE_URL|SECRET_KEY)$/.test(name),
      ),
    ) as Record<string, string>

  const counts = (node: number) => nodes.app(node).indexCache?.counts()

  /** A cache and the indexes that are open from it, which holds hardly more than one. */
  function smallNode(
    folder: TemporaryFolder,
    maxBytes: number,
    seenBy: (cache: IndexCache) => IndexCache = (cache) => cache,
  ) {
    const { db, log, indexing } = nodes.app(0)
    const indexDir = folder.path
    const cache = openIndexCache({ db, log, indexDir, store: storeOf(1), maxBytes, onLost() {} })
    const indexes = openLiveIndexes({
      db,
      indexDir,
      cache: seenBy(cache),
      onUnreadable() {},
      embeddingNameFor: (one) => indexing.embeddingFor(one)?.name,
      closedAfterMs: 0,
    })
    return {
      cache,
      indexes,
      async [Symbol.asyncDispose]() {
        await cache[Symbol.asyncDispose]()
        indexes[Symbol.dispose]()
      },
    }
  }

  test("the other node answers from it, and has built nothing", async () => {
    await nodes.indexOn(0)
    await nodes.opened(1)
    expect(await nodes.answers(1, "abricot")).toBe(true)
    expect(counts(1)).toMatchObject({ fetched: 1, failed: 0 })
    expect(await nodes.live()).toBe(1)
  })

  test("a command at a shell builds for both", async () => {
    expect(
      (
        await indexByCommand(nodes.app(0), project, nodes.docs, {
          ...environmentOf(0),
          ...server.settings(),
        })
      ).exitCode,
    ).toBe(0)
    await nodes.opened(1)
    expect(await nodes.answers(1, "abricot")).toBe(true)
  })

  test("each node takes over the next one by itself, and keeps one index on its disk and one archive in the store", async () => {
    await nodes.indexOn(0)
    await nodes.opened(1)
    expect(await nodes.answers(1, "abricot")).toBe(true)
    await nodes.indexOn(1, { "a.md": "Le mot secret est ananas." })
    for (const node of [0, 1]) await nodes.opened(node, 2)
    for (const node of [0, 1]) expect(await nodes.answers(node, "ananas")).toBe(true)
    nodes.clock.move(10 * minuteMs)
    await nodes.dropArchives()
    expect([...server.objects().keys()].map((key) => key.split("-")[0])).toEqual([
      `some/place/index/${project.id}/2`,
    ])
    expect(await nodes.app(0).db.selectFrom("archive").select("number").execute()).toEqual([{ number: 2 }])
    for (const node of [0, 1]) {
      // An index that was replaced stays open for a moment, and is not dropped then.
      await dropUnusedTables(nodes.app(node).indexing, nodes.app(node).indexes.inUse())
      expect(tablesOn(nodes, node)).toHaveLength(2)
      await dropUnusedTables(nodes.app(node).indexing)
      expect(tablesOn(nodes, node)).toEqual([`${project.id}_2.lance`])
    }
  })

  test("a node that starts with an empty folder answers", async () => {
    await nodes.indexOn(0)
    await nodes.stop(1)
    rmSync(nodes.indexDir(1), { recursive: true, force: true })
    await nodes.start(1)
    expect(await nodes.answers(1, "abricot")).toBe(true)
  })

  test("while a node cannot fetch the new one, its old one answers, also after a restart", async () => {
    await nodes.indexOn(0)
    await nodes.opened(1)
    networks[1].silence()
    await nodes.indexOn(0, { "a.md": "Le mot secret est ananas." })
    await eventually(() => (counts(1)?.failed ?? 0) > 0)
    expect(await nodes.answers(1, "abricot")).toBe(true)
    await nodes.stop(1)
    await nodes.start(1)
    nodes.clock.move(10 * minuteMs)
    await dropUnusedTables(nodes.app(1).indexing, nodes.app(1).indexes.inUse())
    expect(await nodes.answers(1, "abricot")).toBe(true)
    networks[1].pass()
    await nodes.opened(1, 2)
    expect(await nodes.answers(1, "ananas")).toBe(true)
    expect(await nodes.live()).toBe(2)
  })

  test("a node that has none and cannot fetch one asks for patience, within bounded time", async () => {
    networks[1].silence()
    await nodes.indexOn(0)
    const { status, text } = await nodes.ask(1)
    expect([status, JSON.parse(text).error.code]).toEqual([503, "unavailable"])
    networks[1].pass()
    await nodes.opened(1)
    expect(await nodes.answers(1, "abricot")).toBe(true)
  })

  test("a store that is away stops no indexing when it is back in time", async () => {
    networks[0].refuse()
    const patient = { store: storeOf(0), patienceMs: 60_000 }
    const indexing = { ...nodes.app(0).indexing, archives: patient }
    const feed = await dirFeed(nodes.app(0), project, nodes.docs)
    const done = indexFeeds({ ...nodes.app(0), indexing }, project, [feed])
    await eventually(() => nodes.app(0).db.selectFrom("archive").select("key").executeTakeFirst())
    networks[0].pass()
    expect((await done).passages).toBe(2)
    await nodes.opened(1)
    expect(await nodes.answers(1, "abricot")).toBe(true)
  })

  test("when it stays away, the indexing fails with the reason, and the old index answers on both", async () => {
    await nodes.indexOn(0)
    await nodes.opened(1)
    expect(await nodes.answers(1, "abricot")).toBe(true)
    networks[0].refuse()
    const reason = { code: "reading.storeUnusable" }
    await expect(nodes.indexOn(0, { "a.md": "Le mot secret est ananas." })).rejects.toMatchObject({ reason })
    for (const node of [0, 1]) expect(await nodes.answers(node, "abricot")).toBe(true)
    expect(await nodes.live()).toBe(1)
    expect(readdirSync(nodes.indexDir(0)).filter((name) => name.startsWith("_archive"))).toEqual([])
    networks[0].pass()
    await nodes.indexOn(0)
    await nodes.opened(1, await nodes.live())
    expect(await nodes.answers(1, "ananas")).toBe(true)
  })

  const losses: Record<string, (file: string) => void> = {
    missing: (file) => rmSync(file),
    damaged: (file) => writeFileSync(file, Buffer.alloc(statSync(file).size)),
    "cut off": (file) => writeFileSync(file, ""),
  }
  for (const [loss, inflict] of Object.entries(losses))
    test(`an archive that is ${loss} is built again, by one node`, async () => {
      networks[1].silence()
      await nodes.indexOn(0)
      const [file] = server.objects().values()
      inflict(file as string)
      expect(await nodes.answers(0, "abricot")).toBe(true)
      networks[1].pass()
      for (const node of [1, 0]) await nodes.opened(node, 2)
      for (const node of [0, 1]) {
        expect(await nodes.answers(node, "abricot")).toBe(true)
        expect(await nodes.app(node).indexes.staleIndexes({ files: true })).toEqual([])
        await eventually(async () => !(await nodes.app(node).reindexing.isBusy(project.id)))
      }
      expect(await nodes.live()).toBe(2)
    })

  test("an index that was built before there was a store is built again, and stored", async () => {
    await indexFeeds(
      { ...nodes.app(0), indexing: { ...nodes.app(0).indexing, archives: undefined } },
      project,
      [await dirFeed(nodes.app(0), project, nodes.docs)],
    )
    expect(await nodes.app(1).indexes.staleIndexes({ files: false })).toEqual([project.id])
    await nodes.app(1).reindexing.rebuild(project.id)
    expect(await nodes.app(1).indexes.staleIndexes({ files: false })).toEqual([])
    await nodes.opened(0, 2)
    expect(await nodes.answers(0, "abricot")).toBe(true)
    expect(server.objects().size).toBe(1)
  })

  test("files of another build with the same number are not taken for it; neither are damaged ones", async () => {
    await nodes.indexOn(0)
    await nodes.opened(1)
    expect(await nodes.answers(1, "abricot")).toBe(true)
    await nodes.stop(1)
    const passages = join(nodes.indexDir(1), `${project.id}_1.passages`)
    writeFileSync(passages, Buffer.alloc(statSync(passages).size))
    await nodes.start(1)
    expect(await nodes.answers(1, "abricot")).toBe(true)
    expect(counts(1)).toMatchObject({ fetched: 1 })
  })

  test("an older program leaves the index of a newer one alone, and answers from its own until it is replaced", async () => {
    await nodes.indexOn(0)
    await nodes.opened(1)
    await nodes.stop(0)
    const { db } = nodes.app(1)
    const { index_format } = await db
      .selectFrom("generation")
      .select("index_format")
      .executeTakeFirstOrThrow()
    const newer = {
      number: 2,
      archive: "index/x",
      index_format: index_format.replace(/analyser-(\d+)/, "analyser-1$1"),
    }
    await db.transaction().execute(async (transaction) => {
      const row = await transaction.selectFrom("generation").selectAll().executeTakeFirstOrThrow()
      await transaction.updateTable("generation").set({ live: 0, replaced_at: nodes.clock.now() }).execute()
      await transaction
        .insertInto("generation")
        .values({ ...row, ...newer })
        .execute()
    })
    await nodes.app(1).indexes.follow()
    expect(await nodes.answers(1, "abricot")).toBe(true)
    expect(await nodes.app(1).indexes.staleIndexes({ files: true })).toEqual([])
    expect(counts(1)).toMatchObject({ fetched: 1, missing: 0, failed: 0 })
    await nodes.start(0)
  })

  test("an indexing that was overtaken switches to nothing", async () => {
    await nodes.indexOn(0)
    const change = {
      documents: 1,
      passages: 1,
      checksum: "x",
      archive: "y",
      read: [],
    }
    for (const number of [1, 7]) {
      const building = { projectId: project.id, number, since: nodes.clock.now() }
      await expect(
        switchGeneration(nodes.app(0).db, { building, ...change }, nodes.clock.now()),
      ).rejects.toMatchObject({ code: "conflict" })
    }
    expect(await nodes.answers(0, "abricot")).toBe(true)
  })

  test("what belongs to a project that was removed leaves the store", async () => {
    await nodes.indexOn(0)
    await nodes.app(0).removeProject(project.id)
    nodes.clock.move(30 * minuteMs)
    await nodes.dropArchives()
    expect(server.objects().size).toBe(0)
  })

  test("a store that is away keeps what is to be removed in mind", async () => {
    await nodes.indexOn(0)
    await nodes.app(0).removeProject(project.id)
    nodes.clock.move(30 * minuteMs)
    networks[0].refuse()
    await expect(nodes.dropArchives()).rejects.toThrow(StorageError)
    networks[0].pass()
    await nodes.dropArchives()
    expect(server.objects().size).toBe(0)
  })

  test("a small disk holds the indexes used last; the others are fetched when they are asked", async () => {
    await nodes.indexOn(0)
    const second = await newProject(nodes.app(0))
    await indexFeeds(nodes.app(0), second, [await dirFeed(nodes.app(0), second, nodes.docs)])
    const bytes = await indexBytes(nodes.indexDir(0), `${project.id}_1`)
    using folder = temporaryFolder()
    await using node = smallNode(folder, bytes * 1.5)
    const isThere = ({ id }: Project) => existsSync(join(folder.path, `${id}_1.lance`))
    for (const [asked, other] of [
      [project, second],
      [second, project],
      [project, second],
    ] as const) {
      expect((await node.indexes.liveIndex(asked.id))?.generation).toBe(1)
      await eventually(async () => {
        await node.indexes.follow()
        return !isThere(other)
      })
      expect(isThere(asked)).toBe(true)
    }
    expect(node.cache.counts()).toMatchObject({ fetched: 3, failed: 0 })
  })

  test("a small disk is filled ahead with no more than fits, and looked at once for all projects", async () => {
    await nodes.indexOn(0)
    for (let more = 0; more < 2; more++) {
      const other = await newProject(nodes.app(0))
      await indexFeeds(nodes.app(0), other, [await dirFeed(nodes.app(0), other, nodes.docs)])
    }
    const bytes = await indexBytes(nodes.indexDir(0), `${project.id}_1`)
    using folder = temporaryFolder()
    let looks = 0
    await using node = smallNode(folder, bytes * 1.5, (cache) => ({
      ...cache,
      look: (lives) => {
        looks++
        return cache.look(lives)
      },
    }))
    const turns = 5
    for (let turn = 0; turn < turns; turn++) {
      await node.indexes.follow()
      await eventually(() => node.cache.counts().fetched > 0)
    }
    // Those that were on their way are here.
    await node.cache[Symbol.asyncDispose]()
    expect(node.cache.counts()).toMatchObject({ fetched: 1, failed: 0 })
    expect(looks).toBe(turns)
  })

  test("files that were dropped and came back otherwise are not taken for those that were found whole", async () => {
    await nodes.indexOn(0)
    using folder = temporaryFolder()
    await using node = smallNode(folder, Number.MAX_SAFE_INTEGER)
    const [live] = await liveGenerations(nodes.app(0).db)
    if (!live) throw new Error("no live generation")
    await node.cache.fetch(live)
    expect(await node.cache.has(live)).toBe(true)
    // As the job that drops unused tables does.
    for (const entry of readdirSync(folder.path)) rmSync(join(folder.path, entry), { recursive: true })
    await node.cache.look([live])
    writeFileSync(join(folder.path, `${project.id}_1.vocabulary`), "of another build")
    expect(await node.cache.has(live)).toBe(false)
  })

  test("check finds a store that cannot be used, and /metrics counts what was fetched", async () => {
    await nodes.indexOn(0)
    await nodes.opened(1)
    const state = async () =>
      (await runChecks(nodes.app(1), { wholeDatabase: false })).find(({ name }) => name === "storage")
    expect((await state())?.state).toBe("ok")
    expect(server.objects().size).toBe(1)
    networks[1].refuse()
    expect(await state()).toMatchObject({ state: "failed", detail: expect.stringContaining("no connection") })
    const { body } = await nodes.app(1).metrics.text()
    expect(body).toMatch(/^guichet_index_fetches_total\{outcome="fetched"[^}]*\} 1$/m)
  })

  test("no credential is in what a node says about its store", async () => {
    const environment = { ...server.settings(), ...environmentOf(0) }
    const said = await Promise.all(["config", "check"].map((command) => guichet([command], environment)))
    for (const { stdout, stderr } of said) expect(stdout + stderr).not.toContain(credentials.secretAccessKey)
  })
})
