import { afterEach, beforeEach, expect, test } from "bun:test"
import type { Project } from "../../src/accounts/project.ts"
import { type App, openApp } from "../../src/app.ts"
import { dayMs } from "../../src/base/clock.ts"
import { detail } from "../../src/base/errors.ts"
import { lastRun } from "../../src/indexing/indexing-run.ts"
import { listLeftOutPages } from "../../src/indexing/page-state.ts"
import type { Document } from "../../src/reading/formats/document.ts"
import type { PageReading } from "../../src/reading/kinds/page-reading.ts"
import type { Feed } from "../../src/reading/kinds/table.ts"
import { type MovableClock, movableClock } from "../support/clock.ts"
import { baseUrl, dirFeed, documentation, found, indexFeeds, newProject } from "../support/documentation.ts"
import { reasonOf } from "../support/feed.ts"
import { configOf, type TemporaryFolder, temporaryFolder } from "../support/service.ts"

let folder: TemporaryFolder
let clock: MovableClock
let app: App
let project: Project
let feed: Feed
/** The pages that the feed was asked for in each reading. */
let asked: string[][]

beforeEach(async () => {
  folder = temporaryFolder()
  clock = movableClock()
  const environment = { GUICHET_DATA_DIR: folder.path, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: "none" }
  app = await openApp(await configOf(environment), { clock })
  project = await newProject(app)
  using docs = documentation()
  feed = await dirFeed(app, project, docs)
  asked = []
})

afterEach(async () => {
  await app[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** One reading of these pages, called off once `until` of them have been asked for. */
async function read(
  pages: PageReading[],
  { until = pages.length + 1, resumable = true, force = false } = {},
) {
  const stop = new AbortController()
  const mine: string[] = []
  asked.push(mine)
  app.indexing.readerFor = () =>
    async function* (_feed, signal, before) {
      for (const reading of pages) {
        if (before?.has(reading.page)) continue
        if (mine.length === until) stop.abort(new Error("called off"))
        signal.throwIfAborted()
        mine.push(reading.page)
        yield reading
      }
    }
  return indexFeeds(app, project, [feed], { resumable, force, signal: stop.signal }).catch(reasonOf)
}

function of(page: string, text = `Le mot est ${page}.`): PageReading {
  const sections: Document["sections"] = [{ headings: [], anchor: null, markdown: text }]
  return { page, outcome: "read", document: { path: page, url: `${baseUrl}/${page}`, title: page, sections } }
}

const gone = (page: string): PageReading => ({ page, outcome: "gone" })
const answered500 = detail("reading.answered", { status: 500 })
const failed = (page: string): PageReading => ({ page, outcome: "failed", detail: answered500 })
const pages = [of("abricot"), gone("b"), of("cerise"), failed("datte"), of("estragon"), of("figue")]

test("what was read stays while a reading waits, and the next one goes on from there", async () => {
  await read([of("ancien"), of("b"), of("datte")])
  expect(await read(pages, { until: 4 })).toBe("called off")
  // The index before it answers on.
  expect(await found(app, project, "ancien")).toEqual(["ancien"])
  expect(await found(app, project, "cerise")).toEqual([])
  expect(await lastRun(app.db, project.id, clock.now())).toMatchObject({
    state: "interrupted",
    phase: "reading",
    done: 4,
    outcome: null,
  })
  expect(await read(pages, { until: 1 })).toBe("called off")
  expect(await read(pages, { force: true })).toMatchObject({
    documents: 5,
    unchanged: 0,
    removed: 2,
    skipped: [
      { page: "b", reason: "not_found", detail: null },
      { page: "datte", reason: "failed", detail: answered500 },
    ],
  })
  expect(asked.slice(1)).toEqual([["abricot", "b", "cerise", "datte"], ["estragon"], ["figue"]])
  for (const word of ["cerise", "figue", "datte"]) expect(await found(app, project, word)).toEqual([word])
  expect(await found(app, project, "ancien")).toEqual([])
  const leftOut = await listLeftOutPages(app.db, project.id, { search: "", after: undefined, atMost: 10 })
  expect(leftOut.map(({ page }) => page)).toEqual(["b", "datte"])
  expect(await app.db.selectFrom("unfinished_page").selectAll().execute()).toEqual([])
})

test("one that is called off while the index is built has read everything", async () => {
  const stop = new AbortController()
  app.indexing.readerFor = () =>
    async function* () {
      yield* pages
      asked.push([])
    }
  const building = indexFeeds(app, project, [feed], {
    resumable: true,
    signal: stop.signal,
    onProgress: ({ phase }) => phase === "building" && stop.abort(new Error("called off")),
  })
  await expect(building).rejects.toThrow("called off")
  expect(await read(pages)).toMatchObject({ documents: 4 })
  expect(asked.at(-1)).toEqual([])
})

test("a reading that is not resumable begins anew, and so does one after a day", async () => {
  await read(pages, { until: 3 })
  await read(pages, { resumable: false })
  await read(pages, { until: 3 })
  clock.move(dayMs + 1)
  await read(pages)
  expect(asked.map((mine) => mine.length)).toEqual([3, 6, 3, 6])
  expect(await found(app, project, "figue")).toEqual(["figue"])
})

test("a reading that is refused leaves nothing to go on with", async () => {
  await read(pages)
  await read([of("abricot")], { until: 1 })
  expect(await read([of("abricot")])).toContain("more than half")
  expect(await app.db.selectFrom("unfinished_page").selectAll().execute()).toEqual([])
  expect(await read(pages)).toMatchObject({ documents: 4, unchanged: 4 })
  expect(asked.at(-1)).toHaveLength(6)
})
