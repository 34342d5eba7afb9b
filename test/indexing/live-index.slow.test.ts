import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { applyProjectChange, type Project } from "../../src/accounts/project.ts"
import type { Overrides } from "../../src/app-parts.ts"
import { dayMs } from "../../src/base/clock.ts"
import { liveGeneration } from "../../src/indexing/generation.ts"
import { openLiveIndexes } from "../../src/indexing/live-index.ts"
import { movableClock } from "../support/clock.ts"
import {
  baseUrl,
  type Documentation,
  dirFeed,
  documentation,
  found,
  indexByCommand,
  indexFeeds,
  newProject,
} from "../support/documentation.ts"
import { engine, onSqlite } from "../support/postgres.ts"
import { eventually } from "../support/processes.ts"
import { type Service, type TemporaryFolder, temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

let folder: TemporaryFolder
let service: Service
let project: Project
let docs: Documentation

beforeEach(async () => {
  folder = temporaryFolder()
  await start()
  project = await newProject(service.app)
  docs = documentation({ "a.md": "Le mot secret est abricot.", "b.md": "Le mot public est banane." })
})

afterEach(async () => {
  await service[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
  docs[Symbol.dispose]()
})

async function start(overrides: Overrides = {}) {
  service = await aService()
    .withSettings({ GUICHET_DATA_DIR: folder.path })
    .withOverrides(overrides)
    .started()
}

async function ask(question: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${service.url}/api/v1/ask`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: baseUrl },
    body: JSON.stringify({ project: project.id, question }),
  })
  return { status: response.status, text: await response.text() }
}

/** Waits until the generation after `number` is live: a row of the database says so. */
async function generationAfter(number: number): Promise<void> {
  while (((await liveGeneration(service.app.db, project.id))?.number ?? 0) <= number) await Bun.sleep(5)
}

describe("the service sees what a command did, without a restart", () => {
  test("a first index, then another", async () => {
    expect((await ask("Quel est le mot secret ?")).status).toBe(409)
    expect((await indexByCommand(service.app, project, docs)).exitCode).toBe(0)
    expect((await ask("Quel est le mot secret ?")).text).toContain("abricot")
    docs.write({ "a.md": "Le mot secret est ananas." })
    expect((await indexByCommand(service.app, project, docs)).exitCode).toBe(0)
    // Where nodes share indexes, the older one answers until a node has opened the new one.
    await eventually(async () => (await ask("Quel est le mot secret ?")).text.includes("ananas"))
    expect((await ask("Quel est le mot secret ?")).text).not.toContain("abricot")
  })
})

describe("an index that cannot be read is mended", () => {
  beforeEach(async () => {
    await indexFeeds(service.app, project, [await dirFeed(service.app, project, docs)])
    // The documents are in the database: the files they were read from are not needed.
    docs.remove("a.md", "b.md")
  })

  const damages: Record<string, (indexDir: string) => void> = {
    "a deleted folder": (indexDir) => rmSync(indexDir, { recursive: true }),
    "a file that is missing": (indexDir) => rmSync(largestFile(indexDir)),
    "a file that was cut off": (indexDir) => writeFileSync(largestFile(indexDir), "x"),
    "a file with other bytes": (indexDir) =>
      writeFileSync(largestFile(indexDir), Buffer.alloc(statSync(largestFile(indexDir)).size)),
  }

  for (const [damage, inflict] of Object.entries(damages)) {
    test(`at start: ${damage}`, async () => {
      await service[Symbol.asyncDispose]()
      inflict(service.app.indexing.indexDir)
      await start()
      // Where nodes share archives, the index is fetched again instead, which may take longer than one question waits.
      if (engine === "sqlite") await generationAfter(1)
      await eventually(async () => (await ask("Quel est le mot secret ?")).text.includes("abricot"))
    })
  }

  onSqlite("while it is in use: it answers on, and the job of the next minute finds it", async () => {
    expect((await ask("Quel est le mot secret ?")).status).toBe(200)
    expect(await service.app.indexes.staleIndexes({ files: false })).toEqual([])
    rmSync(service.app.indexing.indexDir, { recursive: true })
    expect((await ask("Quel est le mot public ?")).text).toContain("banane")
    expect(await service.app.indexes.staleIndexes({ files: false })).toEqual([project.id])
    await service.app.reindexing.rebuild(project.id)
    await generationAfter(1)
    expect((await ask("Quel est le mot public ?")).text).toContain("banane")
  })

  test("its format is not that of this program", async () => {
    await service[Symbol.asyncDispose]()
    await start()
    await service.app.db.updateTable("generation").set({ index_format: "another" }).execute()
    await service[Symbol.asyncDispose]()
    await start()
    await generationAfter(1)
    expect(await found(service.app, project, "abricot")).toEqual(["a"])
  })
})

test("an index that answers no more is closed, also when nobody asks: its files would stay on the disk", async () => {
  const { db, indexing } = service.app
  const isHeld = () =>
    readdirSync("/proc/self/fd").some((name) => linkOf(`/proc/self/fd/${name}`).startsWith(indexing.indexDir))
  using indexes = openLiveIndexes({
    db,
    indexDir: indexing.indexDir,
    onUnreadable() {},
    embeddingNameFor: () => undefined,
    closedAfterMs: 0,
  })
  const feed = await dirFeed(service.app, project, docs)
  for (const change of [
    async () => {
      docs.write({ "c.md": "Le mot caché est cerise." })
      await indexFeeds(service.app, project, [feed])
    },
    () => service.app.removeProject(project.id),
  ]) {
    await indexFeeds(service.app, project, [feed])
    await indexes.liveIndex(project.id)
    await indexes.closeUnused()
    await Bun.sleep(0)
    expect(isHeld()).toBe(true)
    await change()
    await indexes.closeUnused()
    while (isHeld()) await Bun.sleep(5)
  }
})

test("a project is read again by itself when its time has come, also when that passed while stopped", async () => {
  await indexFeeds(service.app, project, [await dirFeed(service.app, project, docs)])
  await applyProjectChange(service.app.db, project.id, { every_hours: 1 })
  docs.write({ "c.md": "Le mot caché est cerise." })
  await service[Symbol.asyncDispose]()
  const clock = movableClock()
  clock.move(service.app.clock.now() - clock.now() + dayMs)
  await start({ clock })
  await generationAfter(1)
  expect((await ask("Quel est le mot caché ?")).text).toContain("cerise")
})

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ""
  }
}

function largestFile(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile() && file.includes(".lance"))
  return files.sort((one, other) => statSync(other).size - statSync(one).size)[0] as string
}
