import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { cpSync, existsSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Project } from "../../../src/accounts/project.ts"
import type { App } from "../../../src/app.ts"
import { sizeOf } from "../../../src/assistant/index/index-files.ts"
import { openIndexCache } from "../../../src/assistant/indexing/archives/index-cache.ts"
import { dropUnusedArchives } from "../../../src/assistant/indexing/archives/unused-archives.ts"
import { liveGeneration, switchGeneration } from "../../../src/assistant/indexing/generation.ts"
import { openLiveIndexes } from "../../../src/assistant/indexing/live-index.ts"
import { dropUnusedTables } from "../../../src/assistant/indexing/unused-tables.ts"
import { minuteMs } from "../../../src/base/clock.ts"
import { runChecks } from "../../../src/ops/checks/checks.ts"
import { type ObjectStore, StorageError } from "../../../src/storage/object-store.ts"
import { openS3 } from "../../../src/storage/s3.ts"
import { guichet } from "../../support/cli.ts"
import { movableClock } from "../../support/clock.ts"
import {
  baseUrl,
  type Documentation,
  dirFeed,
  documentation,
  indexByCommand,
  indexFeeds,
  newProject,
} from "../../support/documentation.ts"
import { eventually } from "../../support/processes.ts"
import { type NetworkProxy, openProxy } from "../../support/proxy.ts"
import { credentials, noS3Server, type S3Server, startS3Server } from "../../support/s3-server.ts"
import { type Service, type TemporaryFolder, temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

/**
 * Two nodes: services with a data folder each, on one database and one object store. Each reaches the store by a
 * network of its own.
 */
describe.skipIf(noS3Server !== undefined)("nodes share the indexes that any of them builds", () => {
  let server: S3Server
  let folders: TemporaryFolder[]
  let networks: NetworkProxy[]
  let nodes: Service[]
  let project: Project
  let docs: Documentation
  const clock = movableClock()

  beforeAll(async () => {
    server = await startS3Server()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  beforeEach(async () => {
    folders = [temporaryFolder(), temporaryFolder()]
    networks = [openProxy(server.port), openProxy(server.port)]
    nodes = []
    await startNode(0)
    const [first, second] = folders.map(({ path }) => path) as [string, string]
    symlinkSync(join(first, "guichet.db"), join(second, "guichet.db"))
    cpSync(join(first, "secret.key"), join(second, "secret.key"))
    await startNode(1)
    project = await newProject(app(0))
    docs = documentation({ "a.md": "Le mot secret est abricot.", "b.md": "Le mot public est banane." })
  })

  afterEach(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]()
    for (const one of [...networks, ...folders, docs]) one[Symbol.dispose]()
    for (const file of server.objects().values()) rmSync(file)
  })

  const app = (node: number): App => (nodes[node] as Service).app

  /** As the settings say, but for the patience with a store that is silent. */
  function storeOf(node: number): ObjectStore {
    const endpoint = `http://127.0.0.1:${networks[node]?.port}`
    const place = { bucket: "indexes", prefix: "some/place", region: "us-east-1", endpoint }
    return openS3(place, credentials, { stallMs: 500, requestMs: 60_000 })
  }

  async function startNode(node: number, settings: Record<string, string> = {}): Promise<void> {
    nodes[node] = await aService()
      .withClock(clock)
      .withSettings({
        ...server.settings(networks[node]?.port),
        GUICHET_DATA_DIR: folders[node]?.path as string,
        ...settings,
      })
      .withOverrides({ objectStore: storeOf(node), storePatienceMs: 0 })
      .started()
  }

  async function restartNode(node: number, settings?: Record<string, string>): Promise<void> {
    await nodes[node]?.[Symbol.asyncDispose]()
    await startNode(node, settings)
  }

  async function indexOn(node: number, pages: Record<string, string> = {}): Promise<void> {
    docs.write(pages)
    await indexFeeds(app(node), project, [await dirFeed(app(node), project, docs)])
  }

  /** A cache and the indexes that are open from it, which holds hardly more than one. */
  async function smallNode(maxBytes: number) {
    await nodes[1]?.[Symbol.asyncDispose]()
    const { db, log, indexing } = app(0)
    const indexDir = join(folders[1]?.path as string, "small")
    const cache = openIndexCache({ db, log, indexDir, store: storeOf(1), maxBytes, onLost() {} })
    const indexes = openLiveIndexes({
      db,
      indexDir,
      cache,
      onUnreadable() {},
      embeddingNameFor: (one) => indexing.embeddingFor(one)?.name,
      closedAfterMs: 0,
    })
    nodes.length = 1
    return {
      cache,
      indexes,
      indexDir,
      async [Symbol.asyncDispose]() {
        await cache[Symbol.asyncDispose]()
        indexes[Symbol.dispose]()
      },
    }
  }

  async function ask(node: number, question: string): Promise<{ status: number; text: string }> {
    const response = await fetch(`${nodes[node]?.url}/api/v1/ask`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: baseUrl },
      body: JSON.stringify({ project: project.id, question }),
    })
    return { status: response.status, text: await response.text() }
  }

  const answers = async (node: number, word: string) =>
    (await ask(node, "Quel est le mot secret ?")).text.includes(word)
  const dropArchives = () =>
    dropUnusedArchives({ db: app(0).db, clock, store: storeOf(0) }, new AbortController().signal)
  const live = async () => (await liveGeneration(app(0).db, project.id))?.number
  /** Waits until a node has opened a generation. */
  const opened = (node: number, generation = 1) =>
    eventually(async () => {
      const found = await app(node)
        .indexes.liveIndex(project.id)
        .catch(() => undefined)
      return found?.generation === generation
    })
  const counts = (node: number) => app(node).indexCache?.counts()
  const filesOn = (node: number) => readdirSync(join(folders[node]?.path as string, "index"))

  test("the other node answers from it, and has built nothing", async () => {
    await indexOn(0)
    await opened(1)
    expect(await answers(1, "abricot")).toBe(true)
    expect(counts(1)).toMatchObject({ fetched: 1, failed: 0 })
    expect(await live()).toBe(1)
  })

  test("a command at a shell builds for both", async () => {
    expect((await indexByCommand(app(0), project, docs, server.settings())).exitCode).toBe(0)
    await opened(1)
    expect(await answers(1, "abricot")).toBe(true)
  })

  test("each node takes over the next one by itself, and keeps one index on its disk and one archive in the store", async () => {
    await indexOn(0)
    await opened(1)
    expect(await answers(1, "abricot")).toBe(true)
    await indexOn(1, { "a.md": "Le mot secret est ananas." })
    for (const node of [0, 1]) await opened(node, 2)
    for (const node of [0, 1]) expect(await answers(node, "ananas")).toBe(true)
    clock.move(10 * minuteMs)
    await dropArchives()
    expect([...server.objects().keys()].map((key) => key.split("-")[0])).toEqual([
      `some/place/index/${project.id}/2`,
    ])
    expect(await app(0).db.selectFrom("archive").select("number").execute()).toEqual([{ number: 2 }])
    for (const node of [0, 1]) {
      // An index that was replaced stays open for a moment, and is not dropped then.
      await dropUnusedTables(app(node).indexing, app(node).indexes.inUse())
      expect(filesOn(node)).toContain(`${project.id}_1.lance`)
      await dropUnusedTables(app(node).indexing)
      expect(filesOn(node)).not.toContain(`${project.id}_1.lance`)
      expect(filesOn(node)).toContain(`${project.id}_2.lance`)
    }
  })

  test("a node that starts with an empty folder answers", async () => {
    await indexOn(0)
    await nodes[1]?.[Symbol.asyncDispose]()
    rmSync(join(folders[1]?.path as string, "index"), { recursive: true, force: true })
    await startNode(1)
    expect(await answers(1, "abricot")).toBe(true)
  })

  test("while a node cannot fetch the new one, its old one answers, also after a restart", async () => {
    await indexOn(0)
    await opened(1)
    networks[1]?.silence()
    await indexOn(0, { "a.md": "Le mot secret est ananas." })
    await eventually(() => (counts(1)?.failed ?? 0) > 0)
    expect(await answers(1, "abricot")).toBe(true)
    await restartNode(1)
    clock.move(10 * minuteMs)
    await dropUnusedTables(app(1).indexing, app(1).indexes.inUse())
    expect(await answers(1, "abricot")).toBe(true)
    networks[1]?.pass()
    await opened(1, 2)
    expect(await answers(1, "ananas")).toBe(true)
    expect(await live()).toBe(2)
  })

  test("a node that has none and cannot fetch one asks for patience, within bounded time", async () => {
    networks[1]?.silence()
    await indexOn(0)
    const { status, text } = await ask(1, "Quel est le mot secret ?")
    expect([status, JSON.parse(text).error.code]).toEqual([503, "unavailable"])
    networks[1]?.pass()
    await opened(1)
    expect(await answers(1, "abricot")).toBe(true)
  })

  test("a store that is away stops no indexing when it is back in time", async () => {
    networks[0]?.refuse()
    const patient = { store: storeOf(0), patienceMs: 60_000 }
    const indexing = { ...app(0).indexing, archives: patient }
    const feed = await dirFeed(app(0), project, docs)
    const done = indexFeeds({ ...app(0), indexing }, project, [feed])
    await eventually(() => app(0).db.selectFrom("archive").select("key").executeTakeFirst())
    networks[0]?.pass()
    expect((await done).passages).toBe(2)
    await opened(1)
    expect(await answers(1, "abricot")).toBe(true)
  })

  test("when it stays away, the indexing fails with the reason, and the old index answers on both", async () => {
    await indexOn(0)
    await opened(1)
    expect(await answers(1, "abricot")).toBe(true)
    networks[0]?.refuse()
    const reason = { code: "reading.storeUnusable" }
    await expect(indexOn(0, { "a.md": "Le mot secret est ananas." })).rejects.toMatchObject({ reason })
    for (const node of [0, 1]) expect(await answers(node, "abricot")).toBe(true)
    expect(await live()).toBe(1)
    expect(filesOn(0).filter((name) => name.startsWith("_archive"))).toEqual([])
    networks[0]?.pass()
    await indexOn(0)
    await opened(1, 2)
    expect(await answers(1, "ananas")).toBe(true)
  })

  const losses: Record<string, (file: string) => void> = {
    missing: (file) => rmSync(file),
    damaged: (file) => writeFileSync(file, Buffer.alloc(statSync(file).size)),
    "cut off": (file) => writeFileSync(file, ""),
  }
  for (const [loss, inflict] of Object.entries(losses))
    test(`an archive that is ${loss} is built again, by one node`, async () => {
      networks[1]?.silence()
      await indexOn(0)
      const [file] = server.objects().values()
      inflict(file as string)
      expect(await answers(0, "abricot")).toBe(true)
      networks[1]?.pass()
      for (const node of [1, 0]) await opened(node, 2)
      for (const node of [0, 1]) {
        expect(await answers(node, "abricot")).toBe(true)
        expect(await app(node).indexes.staleIndexes({ files: true })).toEqual([])
        await eventually(() => !app(node).reindexing.isBusy(project.id))
      }
      expect(await live()).toBe(2)
    })

  test("an index that was built before there was a store is built again, and stored", async () => {
    await indexFeeds({ ...app(0), indexing: { ...app(0).indexing, archives: undefined } }, project, [
      await dirFeed(app(0), project, docs),
    ])
    expect(await app(1).indexes.staleIndexes({ files: false })).toEqual([project.id])
    await app(1).reindexing.rebuild(project.id)
    expect(await app(1).indexes.staleIndexes({ files: false })).toEqual([])
    await opened(0)
    expect(await answers(0, "abricot")).toBe(true)
    expect(server.objects().size).toBe(1)
  })

  test("files of another build with the same number are not taken for it; neither are damaged ones", async () => {
    await indexOn(0)
    await opened(1)
    expect(await answers(1, "abricot")).toBe(true)
    await nodes[1]?.[Symbol.asyncDispose]()
    const passages = join(folders[1]?.path as string, "index", `${project.id}_1.passages`)
    writeFileSync(passages, Buffer.alloc(statSync(passages).size))
    await startNode(1)
    expect(await answers(1, "abricot")).toBe(true)
    expect(counts(1)).toMatchObject({ fetched: 1 })
  })

  test("an indexing that was overtaken switches to nothing", async () => {
    await indexOn(0)
    const change = {
      documents: 1,
      passages: 1,
      checksum: "x",
      archive: "y",
      read: [],
      removedFeedId: undefined,
    }
    for (const number of [1, 7])
      await expect(
        switchGeneration(app(0).db, { projectId: project.id, number, ...change }, clock.now()),
      ).rejects.toMatchObject({ code: "conflict" })
    expect(await answers(0, "abricot")).toBe(true)
  })

  test("what belongs to a project that was removed leaves the store", async () => {
    await indexOn(0)
    await app(0).removeProject(project.id)
    clock.move(30 * minuteMs)
    await dropArchives()
    expect(server.objects().size).toBe(0)
  })

  test("a store that is away keeps what is to be removed in mind", async () => {
    await indexOn(0)
    await app(0).removeProject(project.id)
    clock.move(30 * minuteMs)
    networks[0]?.refuse()
    await expect(dropArchives()).rejects.toThrow(StorageError)
    networks[0]?.pass()
    await dropArchives()
    expect(server.objects().size).toBe(0)
  })

  test("a small disk holds the indexes used last; the others are fetched when they are asked", async () => {
    await indexOn(0)
    const first = project
    project = await newProject(app(0))
    await indexOn(0)
    const bytes = await sizeOf(app(0).indexing.indexDir, `${project.id}_1`)
    await using node = await smallNode(bytes * 1.5)
    const isThere = ({ id }: Project) => existsSync(join(node.indexDir, `${id}_1.lance`))
    for (const [asked, other] of [
      [first, project],
      [project, first],
      [first, project],
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

  test("check finds a store that cannot be used, and /metrics counts what was fetched", async () => {
    await indexOn(0)
    await opened(1)
    const state = async () =>
      (await runChecks(app(1), { wholeDatabase: false })).find(({ name }) => name === "storage")
    expect((await state())?.state).toBe("ok")
    expect(server.objects().size).toBe(1)
    networks[1]?.refuse()
    expect(await state()).toMatchObject({ state: "failed", detail: expect.stringContaining("no connection") })
    expect((await app(1).metrics.text()).body).toContain('guichet_index_fetches_total{outcome="fetched"} 1')
  })

  test("no credential is in what a node says about its store", async () => {
    const environment = { ...server.settings(), GUICHET_DATA_DIR: app(0).config.dataDir }
    const said = await Promise.all(["config", "check"].map((command) => guichet([command], environment)))
    for (const { stdout, stderr } of said) expect(stdout + stderr).not.toContain(credentials.secretAccessKey)
  })
})
