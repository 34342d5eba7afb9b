import { afterEach, beforeEach, expect, test } from "bun:test"
import { insertProject, type Project } from "../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { type App, openApp } from "../../src/app.ts"
import { dayMs } from "../../src/base/clock.ts"
import { saveFeed } from "../../src/reading/feed.ts"
import { usualCrawl } from "../../src/reading/kinds/crawl/visits.ts"
import type { Feed } from "../../src/reading/kinds/table.ts"
import { localParser } from "../../src/reading/parser.ts"
import { feedReader } from "../../src/reading/reader.ts"
import { type MovableClock, movableClock } from "../support/clock.ts"
import { found, indexFeeds } from "../support/documentation.ts"
import { reasonOf } from "../support/feed.ts"
import { configOf, type TemporaryFolder, temporaryFolder } from "../support/service.ts"
import { html, page, type Site, startSite, testNetwork } from "../support/site.ts"

let folder: TemporaryFolder
let clock: MovableClock
let app: App
let site: Site
let project: Project
let feed: Feed
/** The pages of the site: the pages that each leads to. */
let links: Record<string, string[]>
let words: Record<string, string>
/** What else they hold. */
let inside: Record<string, string>

beforeEach(async () => {
  folder = temporaryFolder()
  clock = movableClock()
  const environment = { GUICHET_DATA_DIR: folder.path, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: "none" }
  app = await openApp(await configOf(environment), { clock })
  links = { "/": ["/a", "/b"], "/a": ["/c"], "/b": ["/c"], "/c": [] }
  words = { "/": "accueil", "/a": "abricot", "/b": "banane", "/c": "cerise" }
  inside = {}
  site = startSite(({ pathname }) => {
    const leads = links[pathname]
    if (!leads) return undefined
    const text = `${words[pathname]} ${leads.map((to) => `<a href="${to}">vers ${to}</a>`).join(" ")}`
    const body = page(words[pathname] as string).replace(
      "</main>",
      `<p>Il dit ${text} ici.</p>${inside[pathname] ?? ""}</main>`,
    )
    const etag = `"${Bun.hash(body)}"`
    return (request) =>
      request.headers.get("if-none-match") === etag
        ? new Response(null, { status: 304 })
        : html(body, { etag })
  })
  const workspace = await defaultWorkspaceId(app.db)
  project = await insertProject(app.db, workspace, { name: "Guide", site: site.url }, clock.now())
  const source = { kind: "crawl", address: `${site.url}/`, crawl: usualCrawl } as const
  feed = (await saveFeed(app.db, project.id, source, clock.now())).feed
  app.indexing.readerFor = () => feedReader([site.url], { ...testNetwork(), clock }, localParser)
})

afterEach(async () => {
  await site[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** The pages that the site sent whole in the last reading. */
function asked(): string[] {
  const lines = site.log.splice(0).filter((line) => !line.endsWith("robots.txt"))
  return lines.map((line) => line.replace("GET ", ""))
}

function conditional(): boolean {
  return site.headers.some((headers) => headers.has("if-none-match"))
}

test("pages that did not change are not sent again, and lead where they led", async () => {
  expect(await indexFeeds(app, project, [feed])).toMatchObject({ documents: 4, unchanged: 0 })
  asked()
  words["/c"] = "citron"
  expect(await indexFeeds(app, project, [feed])).toMatchObject({ documents: 4, unchanged: 3, removed: 0 })
  expect(conditional()).toBe(true)
  expect(asked().sort()).toEqual(["/", "/a", "/b", "/c"])
  expect(await found(app, project, "citron")).toEqual(["c"])
  expect(await found(app, project, "abricot")).toEqual(["a"])
})

test("a page that no page leads to any more leaves, one that two led to stays", async () => {
  await indexFeeds(app, project, [feed])
  links["/"] = ["/b"]
  expect(await indexFeeds(app, project, [feed])).toMatchObject({ documents: 3, removed: 1 })
  expect(await found(app, project, "cerise")).toEqual(["c"])
})

test("after a week pages are read whole", async () => {
  await indexFeeds(app, project, [feed])
  clock.move(8 * dayMs)
  site.headers.length = 0
  expect(await indexFeeds(app, project, [feed])).toMatchObject({ documents: 4, unchanged: 4 })
  expect(conditional()).toBe(false)
})

test("a reading that is cut off goes on where it was, by what pages led to", async () => {
  const stop = new AbortController()
  const reader = feedReader([site.url], { ...testNetwork(), clock }, localParser)
  app.indexing.readerFor = () =>
    async function* (feed, signal, before, visits) {
      for await (const reading of reader(feed, signal, before, visits)) {
        yield reading
        stop.abort(new Error("called off"))
      }
    }
  const cut = indexFeeds(app, project, [feed], { resumable: true, signal: stop.signal }).catch(reasonOf)
  expect(await cut).toBe("called off")
  asked()
  app.indexing.readerFor = () => reader
  expect(await indexFeeds(app, project, [feed], { resumable: true })).toMatchObject({ documents: 4 })
  expect(asked()).not.toContain("/")
})

test("a refused reading leaves no page for unchanged that is not in the index", async () => {
  await indexFeeds(app, project, [feed])
  links = { "/": [], "/a": ["/c"], "/b": ["/c"], "/c": [] }
  words["/"] = "entrée"
  expect(await indexFeeds(app, project, [feed]).catch(reasonOf)).toMatch("would remove 3 of 4")
  links["/"] = ["/a", "/b"]
  await indexFeeds(app, project, [feed])
  expect(await found(app, project, "entrée")).toEqual(["index"])
})

/** Pages that repeat others, some of them for printing. */
function addTwins() {
  const twins = ["/a/print", "/copie", "/print", "/named"]
  links = { "/": ["/a", "/b", ...twins], "/a": [], "/b": ["/c"], "/c": [] }
  for (const twin of twins) links[twin] = []
  Object.assign(words, { "/a/print": "abricot", "/copie": "abricot", "/print": "tout", "/named": "abricot" })
  const whole = ["abricot", "banane", "cerise"].map((title) => `<h2>${title}</h2><p>Du texte.</p>`)
  inside = { "/print": whole.join(""), "/named": '<link rel="canonical" href="/a">' }
}

test("pages that repeat others stay left out where those did not change", async () => {
  addTwins()
  expect(await indexFeeds(app, project, [feed])).toMatchObject({ documents: 4 })
  for (let again = 0; again < 3; again++)
    expect(await indexFeeds(app, project, [feed])).toMatchObject({ documents: 4, unchanged: 4 })
})

test("and where those were read before the reading was cut off", async () => {
  addTwins()
  const stop = new AbortController()
  const reader = feedReader([site.url], { ...testNetwork(), clock }, localParser)
  app.indexing.readerFor = () =>
    async function* (feed, signal, before, visits) {
      for await (const reading of reader(feed, signal, before, visits)) {
        yield reading
        if (reading.page.endsWith("/b")) stop.abort(new Error("called off"))
      }
    }
  const cut = indexFeeds(app, project, [feed], { resumable: true, signal: stop.signal }).catch(reasonOf)
  expect(await cut).toBe("called off")
  app.indexing.readerFor = () => reader
  expect(await indexFeeds(app, project, [feed], { resumable: true })).toMatchObject({ documents: 4 })
})
