import { expect, test } from "bun:test"
import { openApp } from "../../src/app.ts"
import { detail } from "../../src/base/errors.ts"
import { listLeftOutPages } from "../../src/indexing/page-state.ts"
import { dirFeed, documentation, found, indexFeeds, newProject } from "../support/documentation.ts"
import { bottomless, endless, preloadEndlessPages } from "../support/endless-page.ts"
import { parentOf, processesOf } from "../support/processes.ts"
import { configOf, temporaryFolder } from "../support/service.ts"

const parserLimits = { processorMs: 1000, memoryBytes: 400 * 1024 * 1024 }

async function open() {
  const folder = temporaryFolder()
  const environment = { ...process.env, ...preloadEndlessPages, GUICHET_LOG_LEVEL: "error" }
  const app = await openApp(
    await configOf({ ...environment, GUICHET_DATA_DIR: folder.path, GUICHET_EMBEDDING: "none" }),
    { parserLimits },
  )
  return {
    app,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

test("a page that keeps its reader busy for ever, or takes all memory, is left out with the reason; the others are read", async () => {
  await using opened = await open()
  const { app } = opened
  const project = await newProject(app)
  using docs = documentation({
    "a.md": "Le mot est abricot.",
    "b.md": endless,
    "c.md": bottomless,
    "d.md": "Le mot est datte.",
  })
  const indexed = await indexFeeds(app, project, [await dirFeed(app, project, docs)])
  expect(indexed.documents).toBe(2)
  expect(await found(app, project, "datte")).toEqual(["d"])
  expect(await listLeftOutPages(app.db, project.id, { search: "", after: undefined, atMost: 10 })).toEqual([
    expect.objectContaining({
      page: "b.md",
      reason: "too_complex",
      detail: detail("reading.processorTime", { seconds: 1 }),
    }),
    expect.objectContaining({
      page: "c.md",
      reason: "too_complex",
      detail: detail("reading.memory", { megabytes: 400 }),
    }),
  ])
  expect(processesOf("parse-for-parent").filter((pid) => parentOf(pid) === process.pid)).toEqual([])
})
