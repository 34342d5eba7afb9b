import { expect, test } from "bun:test"
import { applyProjectChange } from "../../src/accounts/project.ts"
import type { Overrides } from "../../src/app-parts.ts"
import { guichet } from "../support/cli.ts"
import { bottomless, preloadEndlessPages } from "../support/endless-page.ts"
import { eventually, freeze, isAlive, processesOf } from "../support/processes.ts"
import { type Service, temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { html, markdown, page } from "../support/site.ts"
import { openTenant, type TenantSite } from "../support/tenant.ts"

const oneAtOnce: Overrides = { freeMemory: () => 0 }

function start(environment: Record<string, string> = {}, overrides: Overrides = {}): Promise<Service> {
  return aService()
    .withSettings({ GUICHET_FEED_ALLOW_PRIVATE: "true", ...environment })
    .withOverrides({ ...oneAtOnce, ...overrides })
    .started()
}

const tenant = (service: Service, site: TenantSite) => openTenant(service.app, service.url, site)

/** How often each page was asked for. */
function asked(log: string[]): number[] {
  const counts = new Map<string, number>()
  for (const entry of log.filter((entry) => entry.includes("/page-")))
    counts.set(entry, (counts.get(entry) ?? 0) + 1)
  return [...counts.values()]
}

test("a reading that takes long gives way to others, and goes on without asking for a page again", async () => {
  await using service = await start({ GUICHET_INDEXING_TURN_SECONDS: "2" })
  await using slow = await tenant(service, { pages: 5, crawlDelay: 1 })
  // So long that even on a busy machine the quick one is done within its time.
  await using slower = await tenant(service, { pages: 12, crawlDelay: 1 })
  await using quick = await tenant(service, { pages: 3 })
  for (const each of [slow, slower]) await each.read()
  await eventually(() => slow.site.log.includes("GET /page-1"))
  await quick.read()
  await eventually(() => quick.site.log.includes("GET /page-2"))
  expect(slower.site.log).not.toContain("GET /page-11")
  expect((await quick.ended()).outcome).toMatchObject({ documents: 3 })
  for (const [each, pages] of [
    [slow, 5],
    [slower, 12],
  ] as const) {
    expect((await each.ended()).outcome).toMatchObject({ documents: pages, unchanged: 0, skipped: 0 })
    expect(asked(each.site.log)).toEqual(Array(pages).fill(1))
    // It was not done in one go.
    expect(each.site.log.filter((entry) => entry === "GET /sitemap.xml").length).toBeGreaterThan(1)
  }
  expect(await service.app.db.selectFrom("unfinished_page").selectAll().execute()).toEqual([])
  expect(await service.app.db.selectFrom("unfinished_reading").selectAll().execute()).toEqual([])
})

test("a page that is on the wire when the turn ends is read, with the redirects on the way, and not asked for again", async () => {
  await using service = await start({ GUICHET_INDEXING_TURN_SECONDS: "1" })
  const answer = ({ pathname }: URL) => {
    if (!pathname.startsWith("/page-")) return undefined
    return async () => {
      await Bun.sleep(1200)
      return pathname.endsWith("/") ? html(page(pathname)) : Response.redirect(`${pathname}/`, 301)
    }
  }
  await using slow = await tenant(service, { pages: 8, answer })
  await using other = await tenant(service, { pages: 2 })
  await slow.read()
  await eventually(() => slow.site.log.includes("GET /page-0"))
  await other.read()
  expect((await other.ended()).outcome).toMatchObject({ documents: 2 })
  expect((await slow.ended()).outcome).toMatchObject({ documents: 8, skipped: 0 })
  expect(asked(slow.site.log)).toEqual(Array(16).fill(1))
  expect(slow.site.log.filter((entry) => entry === "GET /sitemap.xml").length).toBeGreaterThan(1)
})

test("a page that does not come keeps the others waiting for a bounded time", async () => {
  await using service = await start(
    { GUICHET_INDEXING_TURN_SECONDS: "1" },
    // So long that on a busy machine the other one, asked in its turn, writes down what it has read.
    { turnLimits: { givingWayMs: 10_000 } },
  )
  const held = Promise.withResolvers<void>()
  const answer = ({ pathname }: URL) =>
    pathname === "/page-3" ? () => held.promise.then(() => html(page("late"))) : undefined
  await using slow = await tenant(service, { pages: 4, answer })
  await using other = await tenant(service, { pages: 2 })
  await slow.read()
  await eventually(() => slow.site.log.includes("GET /page-2"))
  await other.read()
  expect((await other.ended()).outcome).toMatchObject({ documents: 2 })
  held.resolve()
  expect((await slow.ended()).outcome).toMatchObject({ documents: 4, skipped: 0 })
  // What had come was kept although the process was ended.
  expect(asked(slow.site.log).slice(0, 3)).toEqual([1, 1, 1])
})

test("what is due is begun although another project's reading goes on for days", async () => {
  await using service = await start({}, { freeMemory: () => 2 * 1024 ** 3 })
  const { db, reindexing } = service.app
  await using slow = await tenant(service, { pages: 50, crawlDelay: 10 })
  await applyProjectChange(db, slow.projectId, { every_hours: 1 / 12 })
  await reindexing.readDue()
  await eventually(() => slow.site.log.includes("GET /page-0"))
  await using other = await tenant(service, { pages: 2 })
  await applyProjectChange(db, other.projectId, { every_hours: 1 / 12 })
  await reindexing.readDue()
  expect((await other.ended()).outcome).toMatchObject({ documents: 2 })
  expect((await slow.run())?.state).toBe("running")
})

test("where memory allows it two workspaces are read at once, of one workspace never two projects", async () => {
  await using service = await start({}, { freeMemory: () => 2 * 1024 ** 3 })
  const held = Promise.withResolvers<void>()
  const answer = ({ pathname }: URL) =>
    pathname === "/page-0" ? () => held.promise.then(() => new Response("", { status: 404 })) : undefined
  await using endless = await tenant(service, { pages: 2, answer })
  await using other = await tenant(service, { pages: 2 })
  await endless.read()
  await eventually(() => endless.site.log.includes("GET /page-0"))
  await other.read()
  expect((await other.ended()).outcome).toMatchObject({ documents: 2 })
  expect((await endless.run())?.state).toBe("running")
  held.resolve()
  await endless.ended()
})

test("a reading that no longer lives is ended, said to be, and the others are done", async () => {
  await using service = await start({}, { turnLimits: { silentMs: 10_000 } })
  await using stuck = await tenant(service, { pages: 20, crawlDelay: 1 })
  await using other = await tenant(service, { pages: 2 })
  await stuck.read()
  await eventually(() => stuck.site.log.includes("GET /page-0"))
  const reader = await stuck.reader()
  await freeze(reader)
  await other.read()
  expect((await other.ended()).outcome).toMatchObject({ documents: 2 })
  expect(isAlive(reader)).toBe(false)
  expect((await stuck.ended()).outcome).toMatchObject({
    trouble: { sentence: expect.stringContaining("n’avançait plus"), isForcible: false },
  })
})

test("a reading that takes too much memory is ended, and said to be", async () => {
  await using service = await start({ ...preloadEndlessPages, GUICHET_INDEXING_MEMORY_MB: "500" })
  await using greedy = await tenant(service, {
    pages: 2,
    answer: ({ pathname }) => (pathname === "/page-1" ? markdown(`# Titre\n\n${bottomless}`) : undefined),
  })
  await greedy.read()
  expect((await greedy.ended()).outcome).toMatchObject({
    trouble: {
      sentence: expect.stringContaining("trop de mémoire"),
      reason: "it took more than 500 MB of memory (GUICHET_INDEXING_MEMORY_MB)",
    },
  })
  await eventually(() => processesOf("index", greedy.projectId).length === 0)
})

test.each(["the API", "a command"])("a project that is removed by %s takes its reading along", async (by) => {
  using folder = temporaryFolder()
  await using service = await start({ GUICHET_DATA_DIR: folder.path })
  await using removed = await tenant(service, { pages: 50, crawlDelay: 10 })
  await removed.read()
  await eventually(() => removed.site.log.includes("GET /page-0"))
  const reader = await removed.reader()
  await freeze(reader)
  if (by === "the API") await removed.remove()
  else await guichet(["project", "remove", removed.projectId, "--yes"], { GUICHET_DATA_DIR: folder.path })
  await eventually(() => !isAlive(reader))
  await eventually(async () => !(await service.app.reindexing.isBusy(removed.projectId)))
})

test("a stop of the service does not wait for a reading that is stuck, and nothing of it stays", async () => {
  const service = await start()
  await using stuck = await tenant(service, { pages: 50, crawlDelay: 10 })
  await using waiting = await tenant(service, { pages: 2 })
  await stuck.read()
  await waiting.read()
  const reader = await stuck.reader()
  await freeze(reader)
  await service[Symbol.asyncDispose]()
  expect(isAlive(reader)).toBe(false)
  expect(processesOf("index", waiting.projectId)).toEqual([])
})
