import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { applyProjectChange, type Project, removeProject } from "../../src/accounts/project.ts"
import { type App, openApp } from "../../src/app.ts"
import { detail, Refusal } from "../../src/base/errors.ts"
import { analyse } from "../../src/index/text/analyse.ts"
import { type LiveGeneration, liveGeneration, replacedKeptMs } from "../../src/indexing/generation.ts"
import { lastRun } from "../../src/indexing/indexing-run.ts"
import { listIndexedPages } from "../../src/indexing/page-state.ts"
import { dropUnusedTables } from "../../src/indexing/unused-tables.ts"
import type { Document } from "../../src/reading/formats/document.ts"
import type { PageReading } from "../../src/reading/kinds/page-reading.ts"
import type { Feed } from "../../src/reading/kinds/table.ts"
import { type MovableClock, movableClock } from "../support/clock.ts"
import {
  baseUrl,
  type Documentation,
  dirFeed,
  documentation,
  found,
  indexFeeds,
  manyPages,
  newProject,
} from "../support/documentation.ts"
import { failWrites } from "../support/failing-writes.ts"
import { configOf, type TemporaryFolder, temporaryFolder } from "../support/service.ts"

let folder: TemporaryFolder
let app: App
let clock: MovableClock
let project: Project
let docs: Documentation
let feed: Feed

beforeEach(async () => {
  folder = temporaryFolder()
  clock = movableClock()
  app = await openApp(
    await configOf({ GUICHET_DATA_DIR: folder.path, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: "none" }),
    { clock },
  )
  project = await newProject(app)
  docs = documentation({
    "a.md": "Le mot est abricot.",
    "b.md": "Le mot est banane.",
    "c.md": "Le mot est cerise.",
  })
  feed = await dirFeed(app, project, docs)
})

afterEach(async () => {
  await app[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
  docs[Symbol.dispose]()
})

const generation = async () => (await liveGeneration(app.db, project.id))?.number
const tables = () =>
  readdirSync(app.indexing.indexDir)
    .filter((entry) => entry.endsWith(".lance"))
    .sort()
const leftOut = () => app.db.selectFrom("left_out_page").select(["page", "reason"]).orderBy("page").execute()

function read(page: string, text: string): PageReading {
  const sections: Document["sections"] = [{ headings: [], anchor: null, markdown: text }]
  return { page, outcome: "read", document: { path: page, url: `${baseUrl}/${page}`, title: page, sections } }
}

/** One reading in which the feed says this. */
function reads(...pages: PageReading[]) {
  app.indexing.readerFor = () =>
    async function* () {
      yield* pages
    }
  return indexFeeds(app, project, [feed])
}

/** `expect(…).rejects` waits in a loop of its own, in which a whole reading may not get to its end. */
const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error)

describe("what a reading changes", () => {
  test("the first reading makes the documentation answer", async () => {
    expect(await found(app, project, "banane")).toBeUndefined()
    const indexed = await indexFeeds(app, project, [feed])
    expect(indexed).toMatchObject({ documents: 3, passages: 3, unchanged: 0, removed: 0, skipped: [] })
    expect(await found(app, project, "banane")).toEqual(["b"])
  })

  test("nothing changed: the live generation stays", async () => {
    await indexFeeds(app, project, [feed])
    expect(await indexFeeds(app, project, [feed])).toMatchObject({
      documents: 3,
      passages: 3,
      unchanged: 3,
      removed: 0,
    })
    expect(await generation()).toBe(1)
    expect(tables()).toEqual([`${project.id}_1.lance`])
  })

  test("what changed, came and went is found as it is now", async () => {
    await indexFeeds(app, project, [feed])
    docs.write({ "a.md": "Le mot est ananas.", "d.md": "Le mot est datte." })
    docs.remove("b.md")
    expect(await indexFeeds(app, project, [feed])).toMatchObject({ documents: 3, unchanged: 1, removed: 1 })
    expect(await found(app, project, "abricot")).toEqual([])
    expect(await found(app, project, "banane")).toEqual([])
    expect(await found(app, project, "ananas")).toEqual(["a"])
    expect(await found(app, project, "datte")).toEqual(["d"])
    expect(await app.db.selectFrom("document").select("path").orderBy("path").execute()).toHaveLength(3)
  })

  test("a page that failed keeps its last version; one that is gone or left out goes", async () => {
    await reads(
      read("a", "Le mot est abricot."),
      read("b", "Le mot est banane."),
      read("c", "Le mot est cerise."),
      read("d", "Le mot est datte."),
      read("e", "Le mot est endive."),
    )
    const indexed = await reads(
      { page: "a", outcome: "failed", detail: "answered 500" },
      { page: "b", outcome: "gone" },
      { page: "c", outcome: "left_out", reason: "noindex" },
      read("d", "Le mot est datte."),
      read("e", "Le mot est endive."),
    )
    expect(indexed).toMatchObject({ documents: 3, unchanged: 2, removed: 2 })
    expect(await found(app, project, "abricot")).toEqual(["a"])
    expect(await found(app, project, "banane")).toEqual([])
    expect(await found(app, project, "cerise")).toEqual([])
    expect(await leftOut()).toEqual([
      { page: "a", reason: "failed" },
      { page: "b", reason: "not_found" },
      { page: "c", reason: "noindex" },
    ])
  })

  test("pages absent from a list that could not be read whole stay", async () => {
    await reads(read("a", "Le mot est abricot."), read("b", "Le mot est banane."))
    const indexed = await reads(
      { page: "more.xml", outcome: "failed", detail: "answered 500", listIncomplete: true },
      { page: "b", outcome: "gone" },
    )
    expect(indexed).toMatchObject({ documents: 1, removed: 1 })
    expect(await found(app, project, "abricot")).toEqual(["a"])
  })

  test("of two pages with one path, the first stands and the second is listed", async () => {
    const first = read("a.md", "Le mot est abricot.")
    const second = {
      ...read("a.mdx", "Le mot est banane."),
      document: { ...(first as { document: Document }).document },
    }
    expect((await reads(first, second as PageReading)).skipped).toEqual([
      { page: "a.mdx", reason: "duplicate", detail: "a.md" },
    ])
  })

  test("another language of the project, and the index is built again from the stored documents", async () => {
    await indexFeeds(app, project, [feed])
    await applyProjectChange(app.db, project.id, { language: "en" })
    expect(await app.indexes.staleIndexes({ files: false })).toEqual([project.id])
    expect(await indexFeeds(app, project, [])).toMatchObject({ documents: 3, passages: 3 })
    expect(await generation()).toBe(2)
    expect(await app.indexes.staleIndexes({ files: true })).toEqual([])
  })
})

test("another way to split documents, and the index is built again from the stored ones", async () => {
  await indexFeeds(app, project, [feed])
  const { indexFormat } = (await liveGeneration(app.db, project.id)) as LiveGeneration
  const former = indexFormat.replace(/splitter-\S+/, "splitter-0")
  await app.db.updateTable("generation").set({ index_format: former }).execute()
  await indexFeeds(app, project, [])
  expect(await generation()).toBe(2)
})

describe("a reading that would remove much", () => {
  test("more than half stops, and nothing has changed", async () => {
    await indexFeeds(app, project, [feed])
    docs.remove("a.md", "b.md")
    docs.write({ "c.md": "Le mot est citron." })
    expect(await failureOf(indexFeeds(app, project, [feed]))).toMatchObject({
      reason: detail("reading.tooMuchRemoved", { removed: 2, stored: 3 }),
    })
    expect(await generation()).toBe(1)
    expect(await found(app, project, "cerise")).toEqual(["c"])
    expect(
      await app.db.selectFrom("document").select("id").where("until", "is", null).execute(),
    ).toHaveLength(3)
    expect(tables()).toEqual([`${project.id}_1.lance`])
  })

  test("half goes", async () => {
    docs.write({ "d.md": "Le mot est datte." })
    await indexFeeds(app, project, [feed])
    docs.remove("a.md", "b.md")
    expect(await indexFeeds(app, project, [feed])).toMatchObject({ documents: 2, removed: 2 })
  })

  test("forced, it goes", async () => {
    await indexFeeds(app, project, [feed])
    docs.remove("a.md", "b.md")
    expect(await indexFeeds(app, project, [feed], { force: true })).toMatchObject({
      documents: 1,
      removed: 2,
    })
  })

  test("of two feeds, the one that is refused leaves the other's reading alone", async () => {
    using others = documentation({ "x.md": "Le mot est xylophone." })
    const other = await dirFeed(app, project, others)
    await indexFeeds(app, project, [feed, other])
    docs.remove("a.md", "b.md")
    others.write({ "y.md": "Le mot est yaourt." })
    const indexed = await indexFeeds(app, project, [feed, other])
    expect(indexed.refused.map(({ feed }) => feed.id)).toEqual([feed.id])
    expect(indexed).toMatchObject({ documents: 5, unchanged: 1, removed: 0 })
    expect(await found(app, project, "abricot")).toEqual(["a"])
    expect(await found(app, project, "yaourt")).toEqual(["y"])
  })

  test("a page that two feeds read is found once, as it last changed, and stays when one of them goes", async () => {
    using others = documentation({
      "a.md": "Le mot est abricot, ou ananas.",
      "x.md": "Le mot est xylophone.",
    })
    const other = await dirFeed(app, project, others)
    await indexFeeds(app, project, [feed])
    clock.move(1000)
    expect(await indexFeeds(app, project, [feed, other])).toMatchObject({ documents: 4, passages: 4 })
    expect(await found(app, project, "abricot")).toEqual(["a"])
    expect(await found(app, project, "ananas")).toEqual(["a"])
    const pages = await listIndexedPages(app.db, project.id, { search: "", after: undefined, atMost: 10 })
    const urls = pages.map(({ url }) => url.slice(baseUrl.length))
    // What changed last comes first.
    expect([urls.slice(0, 2).sort(), urls.slice(2).sort()]).toEqual([
      ["/a", "/x"],
      ["/b", "/c"],
    ])
    await indexFeeds(app, project, [], { removedFeed: other })
    expect(await found(app, project, "ananas")).toEqual([])
    expect(await found(app, project, "abricot")).toEqual(["a"])
  })

  test("a feed that is removed takes its documents with it; without any, the project is not indexed", async () => {
    using others = documentation({ "x.md": "Le mot est xylophone." })
    const other = await dirFeed(app, project, others)
    await indexFeeds(app, project, [feed, other])
    await indexFeeds(app, project, [], { removedFeed: other })
    expect(await found(app, project, "xylophone")).toEqual([])
    expect(await found(app, project, "abricot")).toEqual(["a"])
    await indexFeeds(app, project, [], { removedFeed: feed })
    expect(await found(app, project, "abricot")).toBeUndefined()
    expect(await app.db.selectFrom("document").select("id").execute()).toEqual([])
  })
})

describe("generations", () => {
  test("an index that was replaced goes once nobody can be reading it, and its number never comes back", async () => {
    await indexFeeds(app, project, [feed])
    docs.write({ "d.md": "Le mot est datte." })
    await indexFeeds(app, project, [feed])
    expect(tables()).toEqual([`${project.id}_1.lance`, `${project.id}_2.lance`])
    clock.move(replacedKeptMs + 1)
    await dropUnusedTables(app.indexing)
    expect(tables()).toEqual([`${project.id}_2.lance`])
    await indexFeeds(app, project, [], { removedFeed: feed })
    clock.move(replacedKeptMs + 1)
    await indexFeeds(app, project, [await dirFeed(app, project, docs)])
    expect(await generation()).toBe(4)
    // Where nodes share indexes, a run leaves the tables to the service.
    if (app.indexing.archives) await dropUnusedTables(app.indexing)
    expect(tables()).toEqual([`${project.id}_4.lance`])
  })

  test("a question that holds the replaced index still gets its passages", async () => {
    await indexFeeds(app, project, [feed])
    const before = await app.indexes.liveIndex(project.id)
    docs.write({ "a.md": "Le mot est ananas." })
    await indexFeeds(app, project, [feed])
    expect(await found(app, project, "ananas")).toEqual(["a"])
    expect(await before?.index.search([{ terms: analyse("abricot", "fr"), weight: 1 }], 10)).toHaveLength(1)
  })

  test("the tables of a project that was removed go", async () => {
    await indexFeeds(app, project, [feed])
    await removeProject(app.db, project.id)
    await dropUnusedTables(app.indexing)
    expect(tables()).toEqual([])
  })

  test("two runs for one project never overlap", async () => {
    let overlapping: Promise<unknown> = Promise.resolve()
    const onProgress = () => {
      if (overlapping instanceof Promise)
        overlapping = indexFeeds(app, project, [feed]).catch((error) => error)
    }
    await indexFeeds(app, project, [feed], { onProgress })
    expect(await overlapping).toHaveProperty(
      "message",
      expect.stringContaining("is being indexed by another process"),
    )
  })

  test("documents that cannot be deleted after the switch take nothing from it, and the next run deletes them", async () => {
    await indexFeeds(app, project, [feed])
    docs.write({ "a.md": "Le mot est ananas." })
    const mend = await failWrites(app.db, "DELETE ON document", "OLD.until IS NOT NULL")
    expect(await indexFeeds(app, project, [feed])).toMatchObject({ documents: 3, unchanged: 2 })
    expect(await found(app, project, "ananas")).toEqual(["a"])
    expect(await app.db.selectFrom("document").select("id").execute()).toHaveLength(4)
    await mend()
    expect(await indexFeeds(app, project, [feed])).toMatchObject({ documents: 3, unchanged: 3 })
    expect(await app.db.selectFrom("document").select("id").execute()).toHaveLength(3)
  })

  test.each(["reading", "building"])(
    "a project that is removed during the %s is said to be removed",
    async (wanted) => {
      let isRemoved = false
      const onProgress = ({ phase }: { phase: string }) => {
        if (phase !== wanted || isRemoved) return
        isRemoved = true
        void removeProject(app.db, project.id)
      }
      const error = await indexFeeds(app, project, [feed], { onProgress }).catch((error) => error)
      expect(error).toMatchObject({
        code: "project_not_found",
        message: `project ${project.id} was removed while it was being indexed`,
      })
    },
  )

  test("a run that is stopped leaves nothing behind", async () => {
    await indexFeeds(app, project, [feed])
    docs.write(manyPages(300))
    const stop = new AbortController()
    const onProgress = ({ phase }: { phase: string }) =>
      phase === "building" && stop.abort(new Error("stopped"))
    const run = indexFeeds(app, project, [feed], { signal: stop.signal, onProgress })
    expect(await failureOf(run)).toMatchObject({ message: "stopped" })
    expect(tables()).toEqual([`${project.id}_1.lance`])
    expect(await app.db.selectFrom("document").select("id").execute()).toHaveLength(3)
    expect(await found(app, project, "abricot")).toEqual(["a"])
  })
})

describe("with an embedded model that does not work", () => {
  beforeEach(() => {
    app.indexing.embeddingFor = () => ({
      name: "broken",
      countMissing: async (_project, _language, passages) => passages.length,
      begin: () => ({
        name: "broken",
        spent: { embedded: 0, reused: 0, requests: 0, characters: 0 },
        vectorsOf: () => {
          throw new Refusal("unavailable", detail("assistant.embeddingFailed"), { reason: "no such library" })
        },
        settle: async () => {},
      }),
    })
  })

  test("words answer all the same, and the reason is told", async () => {
    const { missingVectors, vectorFailure } = await indexFeeds(app, project, [feed])
    expect({ missingVectors, reason: vectorFailure?.reason }).toEqual({
      missingVectors: 3,
      reason: "no such library",
    })
    expect(await found(app, project, "abricot")).toEqual(["a"])
  })

  test("so they do where many vectors are missing, and a further try fails without touching the index", async () => {
    using many = documentation(manyPages(100))
    const { missingVectors } = await indexFeeds(app, project, [await dirFeed(app, project, many)])
    expect(missingVectors).toBe(100)
    const before = await generation()
    expect(await failureOf(indexFeeds(app, project, []))).toMatchObject({ reason: "no such library" })
    expect(await generation()).toBe(before)
  })

  test("the outcome of the reading stays, with the reason why words alone find passages until they do not", async () => {
    using many = documentation({ ...manyPages(100), "perdu.md": "---\nnoindex: true\n---\n\n# Perdu\n" })
    const outcome = async () => (await lastRun(app.db, project.id, app.clock.now()))?.outcome
    await indexFeeds(app, project, [await dirFeed(app, project, many)])
    const read = { documents: 100, passages: 100, unchanged: 0, skipped: 1 }
    expect(await outcome()).toMatchObject({ ...read, vectorFailure: "no such library" })
    expect(await failureOf(indexFeeds(app, project, []))).toBeInstanceOf(Refusal)
    expect(await outcome()).toMatchObject({ ...read, vectorFailure: "no such library" })
    app.indexing.embeddingFor = () => undefined
    await indexFeeds(app, project, [])
    expect(await outcome()).toMatchObject(read)
    expect(await outcome()).not.toHaveProperty("vectorFailure")
  })
})
