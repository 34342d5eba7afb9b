import { readdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import type { Project } from "../../src/accounts/project.ts"
import type { App } from "../../src/app.ts"
import type { Overrides } from "../../src/app-parts.ts"
import { dropUnusedArchives } from "../../src/indexing/archives/unused-archives.ts"
import { liveGeneration } from "../../src/indexing/generation.ts"
import { type MovableClock, movableClock } from "./clock.ts"
import {
  baseUrl,
  type Documentation,
  dirFeed,
  documentation,
  indexFeeds,
  newProject,
} from "./documentation.ts"
import { databaseSettings } from "./postgres.ts"
import { eventually } from "./processes.ts"
import { type Service, temporaryFolder } from "./service.ts"
import { aService } from "./service-builder.ts"

/** Two services with a data folder each, on one database, and a project of which nothing is indexed yet. */
export interface Nodes extends AsyncDisposable {
  project: Project
  docs: Documentation
  clock: MovableClock
  app(node: number): App
  service(node: number): Service
  indexDir(node: number): string
  stop(node: number): Promise<void>
  start(node: number): Promise<void>
  /** Writes the pages and indexes the documentation, in the process of a node. */
  indexOn(node: number, pages?: Record<string, string>): Promise<void>
  ask(node: number): Promise<{ status: number; text: string }>
  /** Whether a node's answer to « Quel est le mot secret ? » holds a word. */
  answers(node: number, word: string): Promise<boolean>
  /** Waits until a node has opened a generation of the project. */
  opened(node: number, generation?: number): Promise<boolean>
  /** Number of the project's live generation. */
  live(): Promise<number | undefined>
  dropArchives(): Promise<void>
}

interface NodesPlan {
  /** Address of a PostgreSQL database; otherwise that of the engine of this run. */
  database?: string
  settings?(node: number): Record<string, string>
  overrides?(node: number): Overrides
}

export async function twoNodes({ database, settings, overrides }: NodesPlan): Promise<Nodes> {
  await using resources = new AsyncDisposableStack()
  const folders = [0, 1].map(() => resources.use(temporaryFolder()).path) as [string, string]
  const shared = database ? { GUICHET_DATABASE_URL: database } : await databaseSettings(folders[0])
  // SQLite follows the link, and so do both names of its log.
  if (!("GUICHET_DATABASE_URL" in shared))
    symlinkSync(join(folders[0], "guichet.db"), join(folders[1], "guichet.db"))
  const key = Buffer.alloc(32, 7).toString("base64")
  const running = new Map<number, Service>()
  const clock = movableClock()
  resources.defer(async () => {
    for (const node of [...running.keys()]) await stop(node)
  })

  async function start(node: number): Promise<void> {
    const started = await aService()
      .withClock(clock)
      .withSettings({
        ...shared,
        GUICHET_SECRET_KEY: key,
        GUICHET_DATA_DIR: folders[node] as string,
        ...settings?.(node),
      })
      .withOverrides(overrides?.(node) ?? {})
      .started()
    running.set(node, started)
  }

  async function stop(node: number): Promise<void> {
    await running.get(node)?.[Symbol.asyncDispose]()
    running.delete(node)
  }

  const app = (node: number) => (running.get(node) as Service).app
  const anyApp = () => app([...running.keys()][0] as number)

  async function ask(node: number): Promise<{ status: number; text: string }> {
    const response = await fetch(`${running.get(node)?.url}/api/v1/ask`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: baseUrl },
      body: JSON.stringify({ project: project.id, question: "Quel est le mot secret ?" }),
    })
    return { status: response.status, text: await response.text() }
  }

  for (const node of [0, 1]) await start(node)
  const project = await newProject(app(0))
  const docs = resources.use(
    documentation({ "a.md": "Le mot secret est abricot.", "b.md": "Le mot public est banane." }),
  )
  const kept = resources.move()
  return {
    project,
    docs,
    clock,
    app,
    service: (node) => running.get(node) as Service,
    indexDir: (node) => join(folders[node] as string, "index"),
    stop,
    start,
    async indexOn(node, pages = {}) {
      docs.write(pages)
      await indexFeeds(app(node), project, [await dirFeed(app(node), project, docs)])
    },
    ask,
    answers: async (node, word) => (await ask(node)).text.includes(word),
    opened: (node, generation = 1) =>
      eventually(async () => {
        const { indexes } = app(node)
        return (await indexes.liveIndex(project.id).catch(() => undefined))?.generation === generation
      }),
    live: async () => (await liveGeneration(anyApp().db, project.id))?.number,
    async dropArchives() {
      const { db, indexing } = anyApp()
      if (!indexing.archives) throw new Error("these nodes share no store")
      const { store } = indexing.archives
      await dropUnusedArchives({ db, clock, store }, new AbortController().signal)
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Names of the tables in the index folder of a node. */
export function tablesOn(nodes: Nodes, node: number): string[] {
  return readdirSync(nodes.indexDir(node))
    .filter((entry) => entry.endsWith(".lance"))
    .sort()
}
