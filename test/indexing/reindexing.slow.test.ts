import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { insertProject, type Project } from "../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import type { Lock } from "../../src/db/connection.ts"
import { listFeeds, saveFeed } from "../../src/reading/feed.ts"
import { guichet, program } from "../support/cli.ts"
import { type Service, type TemporaryFolder, temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { html, page, type Site, sitemap, startSite } from "../support/site.ts"

const main = await program()

let folder: TemporaryFolder
let service: Service
let site: Site
let project: Project
/** How often each sitemap was read. */
let readings: Record<string, number>
/** Pages that are answered when the test says so. */
let held: Map<string, { asked: PromiseWithResolvers<void>; answered: PromiseWithResolvers<void> }>

beforeEach(async () => {
  folder = temporaryFolder()
  readings = {}
  held = new Map()
  site = startSite(({ pathname, origin }) => {
    const name = pathname.split(/[/.]/)[1] as string
    if (name !== "first" && name !== "second") return undefined
    if (pathname.endsWith(".xml")) {
      readings[name] = (readings[name] ?? 0) + 1
      return sitemap(`${origin}/${name}/page`)
    }
    const hold = held.get(name)
    if (!hold) return page(name)
    hold.asked.resolve()
    return () => hold.answered.promise.then(() => html(page(name)))
  })
  await start()
  const { db, clock } = service.app
  const workspace = await defaultWorkspaceId(db)
  project = await insertProject(db, workspace, { name: "Guide", site: site.url }, clock.now())
})

afterEach(async () => {
  await service[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function start() {
  service = await aService()
    .withSettings({ GUICHET_DATA_DIR: folder.path, GUICHET_FEED_ALLOW_PRIVATE: "true" })
    .started()
}

function hold(name: string) {
  const hold = { asked: Promise.withResolvers<void>(), answered: Promise.withResolvers<void>() }
  held.set(name, hold)
  return hold
}

async function addFeed(name: string) {
  const { db, clock } = service.app
  const source = { kind: "sitemap", address: `${site.url}/${name}.xml` } as const
  return (await saveFeed(db, project.id, source, clock.now())).feed
}

const readNow = () => service.app.reindexing.readNow(project.id, { force: false })
const asked = () => service.app.db.selectFrom("indexing_request").select("request").execute()
const unread = async () =>
  (await listFeeds(service.app.db, project.id)).filter(({ lastReadAt }) => lastReadAt === null)

test("a feed that is added while a reading goes on is read by one more, however often that is asked for", async () => {
  const first = hold("first")
  await addFeed("first")
  const begun = await readNow()
  await first.asked.promise
  await addFeed("second")
  const more = [await readNow(), await readNow()]
  first.answered.resolve()
  await begun.done
  expect(await asked()).toHaveLength(1)
  expect(await service.app.reindexing.isBusy(project.id)).toBe(true)
  await Promise.all(more.map(({ done }) => done))
  expect(await unread()).toEqual([])
  expect(readings).toEqual({ first: 2, second: 1 })
  expect(await asked()).toEqual([])
  expect(await service.app.reindexing.isBusy(project.id)).toBe(false)
})

test("a reading that was asked for during another is done after a stop of the service", async () => {
  const [first, second] = [hold("first"), hold("second")]
  await addFeed("first")
  const begun = await readNow()
  await first.asked.promise
  await addFeed("second")
  await readNow()
  first.answered.resolve()
  await begun.done
  expect(await asked()).toHaveLength(1)
  await second.asked.promise
  await service[Symbol.asyncDispose]()
  second.answered.resolve()
  await start()
  while ((await asked()).length > 0) await Bun.sleep(5)
  expect(await unread()).toEqual([])
})

describe("while somebody indexes the project from the command line", () => {
  /** As slow as a child of the service: when it was refused, so would a child be that began before. */
  const command = (...argv: string[]) =>
    guichet(argv, { GUICHET_DATA_DIR: folder.path }, "", ["nice", "-n", "10", process.execPath, main])
  const indexing = async () => (await service.app.indexing.takeLock(`index-${project.id}`)) as Lock

  test("what the service accepted waits until that has ended; a command is refused at once", async () => {
    const feed = await addFeed("first")
    const other = await addFeed("second")
    const held = await indexing()
    const removed = await service.app.reindexing.removeFeed(project.id, feed.id)
    const read = await readNow()
    for (const argv of [
      ["index", project.id],
      ["feed", "remove", project.id, feed.id],
    ])
      expect(await command(...argv)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining("is being indexed by another process"),
      })
    expect(await asked()).toHaveLength(2)
    await held[Symbol.asyncDispose]()
    await Promise.all([removed.done, read.done])
    const feeds = await listFeeds(service.app.db, project.id)
    expect(feeds.map(({ id, lastReadAt }) => [id, lastReadAt !== null])).toEqual([[other.id, true]])
    expect(await asked()).toEqual([])
  })

  test("a stop of the service does not wait for it, and what was accepted is done at the next start", async () => {
    const feed = await addFeed("first")
    {
      await using _held = await indexing()
      await service.app.reindexing.removeFeed(project.id, feed.id)
      await command("feed", "remove", project.id, feed.id)
      await command("index", project.id, "--stored")
      await service[Symbol.asyncDispose]()
    }
    await start()
    while ((await asked()).length > 0) await Bun.sleep(5)
    expect(await listFeeds(service.app.db, project.id)).toEqual([])
  })
})
