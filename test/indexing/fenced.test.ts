import { afterEach, test as anyTest, beforeEach, expect } from "bun:test"
import type { Project } from "../../src/accounts/project.ts"
import { type App, openApp } from "../../src/app.ts"
import { liveGeneration } from "../../src/indexing/generation.ts"
import { indexProject } from "../../src/indexing/indexing.ts"
import { lastRun } from "../../src/indexing/indexing-run.ts"
import { countDocuments } from "../../src/indexing/stored-document.ts"
import type { Document } from "../../src/reading/formats/document.ts"
import type { PageReading } from "../../src/reading/kinds/page-reading.ts"
import type { Feed } from "../../src/reading/kinds/table.ts"
import { baseUrl, dirFeed, documentation, found, newProject } from "../support/documentation.ts"
import { createDatabase, serverSettings } from "../support/postgres.ts"
import { noPostgres } from "../support/postgres-server.ts"
import { configOf, type TemporaryFolder, temporaryFolder } from "../support/service.ts"

/*
 * A builder that is frozen or cut off for longer than the project's lock outlives it, and goes on without knowing that
 * another one has begun. Both hold the lock here, as each of them believes.
 */

const test = anyTest.skipIf(noPostgres())

let folder: TemporaryFolder
let app: App
let project: Project
let feed: Feed

beforeEach(async () => {
  if (noPostgres()) return
  folder = temporaryFolder()
  const settings = { GUICHET_DATA_DIR: folder.path, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: "none" }
  app = await openApp(await configOf({ ...settings, ...serverSettings(await createDatabase()) }))
  project = await newProject(app)
  using docs = documentation()
  feed = await dirFeed(app, project, docs)
})

afterEach(async () => {
  if (noPostgres()) return
  await app[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** More than are stored at once, so that some are while the builder stands still. */
const pageCount = 110
const stopsAfter = 105

interface Builder {
  /** Resolves when it stands still: some pages are stored, and some are read. */
  standing: Promise<void>
  goOn(): void
  /** `done`, or the code of its refusal. */
  ended: Promise<string>
}

/** Reads pages that all hold `word`, and stands still in the middle. */
function build(word: string, { resumable = false, signal = new AbortController().signal } = {}): Builder {
  const standing = Promise.withResolvers<void>()
  const frozen = Promise.withResolvers<void>()
  const deps = {
    ...app.indexing,
    takeLock: async () => ({ lost: new AbortController().signal, async [Symbol.asyncDispose]() {} }),
    readerFor: () =>
      async function* (_feed: Feed, _signal: AbortSignal, before?: ReadonlyMap<string, unknown>) {
        for (let index = 0; index < pageCount; index++) {
          if (index === stopsAfter) {
            standing.resolve()
            await frozen.promise
          }
          if (!before?.has(`page${index}`)) yield page(index, word)
        }
      },
  }
  const options = { feeds: [feed], force: false, signal, resumable, onProgress() {} }
  const ended = indexProject(deps, project, options).then(
    () => "done",
    (error) => error.code ?? error.message,
  )
  return { standing: standing.promise, goOn: frozen.resolve, ended }
}

function page(index: number, word: string): PageReading {
  const path = `page${index}`
  const sections: Document["sections"] = [{ headings: [], anchor: null, markdown: `Le mot est ${word}.` }]
  return {
    page: path,
    outcome: "read",
    document: { path, url: `${baseUrl}/${path}`, title: path, sections },
  }
}

async function expectLive(word: string): Promise<void> {
  const live = await liveGeneration(app.db, project.id)
  expect(await countDocuments(app.db, project.id, live?.number as number)).toBe(pageCount)
  expect(await found(app, project, word)).toHaveLength(10)
  const run = await lastRun(app.db, project.id, app.clock.now())
  expect(run?.outcome).toMatchObject({ documents: pageCount })
}

for (const resumable of [false, true])
  test(`a builder that comes back ${resumable ? "to a reading that another one resumed" : "after another one"} changes nothing`, async () => {
    const lost = build("abricot", { resumable })
    await lost.standing
    const next = build("cerise", { resumable })
    await next.standing
    next.goOn()
    expect(await next.ended).toBe("done")
    const live = await liveGeneration(app.db, project.id)
    lost.goOn()
    expect(await lost.ended).toBe("conflict")
    expect(await liveGeneration(app.db, project.id)).toEqual(live)
    await expectLive(resumable ? "abricot" : "cerise")
  })

for (const resumable of [false, true])
  test(`its end leaves ${resumable ? "the reading that another one resumed" : "what another one has read"}`, async () => {
    const lost = build("abricot", { resumable })
    await lost.standing
    const next = build("cerise", { resumable })
    await next.standing
    lost.goOn()
    expect(await lost.ended).toBe("conflict")
    next.goOn()
    expect(await next.ended).toBe("done")
    await expectLive(resumable ? "abricot" : "cerise")
  })

test("pages that it has still read when it is told to end are left to the reading of the other one", async () => {
  const stop = new AbortController()
  const lost = build("abricot", { resumable: true, signal: stop.signal })
  await lost.standing
  const next = build("cerise", { resumable: false })
  await next.standing
  stop.abort(new Error("the lock was lost"))
  lost.goOn()
  expect(await lost.ended).toBe("conflict")
  next.goOn()
  expect(await next.ended).toBe("done")
  await expectLive("cerise")
})

test("no number is used again: not that of a generation that was abandoned, nor that of an unchanged one", async () => {
  const numbers = async () =>
    (await app.db.selectFrom("generation").select("number").orderBy("number").execute()).map(
      ({ number }) => number,
    )
  const first = build("abricot")
  await first.standing
  for (const word of ["cerise", "cerise", "datte"]) {
    const next = build(word)
    next.goOn()
    expect(await next.ended).toBe("done")
  }
  expect(await numbers()).toEqual([1, 2, 3, 4])
  expect(await liveGeneration(app.db, project.id)).toMatchObject({ number: 4 })
  first.goOn()
  await first.ended
})
