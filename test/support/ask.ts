import { cpSync } from "node:fs"
import { join } from "node:path"
import {
  addProject,
  changeProject,
  findProject,
  type NewProject,
  type Project,
} from "../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { type App, type Overrides, openApp } from "../../src/app.ts"
import { saveFeed } from "../../src/assistant/feeds/feed.ts"
import { indexProject } from "../../src/assistant/indexing/indexing.ts"
import { readConfig } from "../../src/config/config.ts"
import { type MovableClock, movableClock } from "./clock.ts"
import { type Service, startService, temporaryFolder } from "./service.ts"
import { shared } from "./shared.ts"

/** A service with one project, whose index holds Guichet's own documentation, asked over a real socket. */
export interface Site extends AsyncDisposable {
  service: Service
  clock: MovableClock
  project: Project
  /** Asks as a page of the site does. */
  ask(fields?: Record<string, unknown>, headers?: Record<string, string>): Promise<Reply>
  /** Sends exactly this. */
  send(init: RequestInit, path?: string): Promise<Reply>
}

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what came over HTTP has whatever shape the test asserts
  body: any
}

export const origin = "https://docs.exemple.fr"
export const answerable = "Comment vérifier la signature d’un webhook ?"
export const foreign = "Quelle est la recette de la tarte aux pommes ?"

/** Guichet's own documentation. */
export const demo = join(import.meta.dir, "../../data/demo")

/**
 * `wanted` changes the project before it is asked; `existing` is one of a former service on the same data
 * folder.
 */
export async function startSite(
  environment: Record<string, string> = {},
  wanted: Partial<NewProject> = {},
  overrides: Overrides = {},
  existing?: Project,
): Promise<Site> {
  const folder = temporaryFolder()
  const { GUICHET_DATA_DIR: path = folder.path } = environment
  const prepared = await demoSite()
  if (!existing) cpSync(prepared.path, path, { recursive: true, preserveTimestamps: true })
  const clock = movableClock()
  const service = await startService({ ...environment, GUICHET_DATA_DIR: path }, { clock, ...overrides })
  const { db } = service.app
  const { id } = existing ?? prepared.project
  await changeProject(db, id, wanted)
  const project = (await findProject(db, id)) as Project

  async function send(init: RequestInit, path = "/api/v1/ask"): Promise<Reply> {
    const response = await fetch(`${service.url}${path}`, { method: "POST", ...init })
    const text = await response.text()
    const json = response.headers.get("content-type")?.includes("json") ?? false
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text }
  }

  return {
    service,
    clock,
    project,
    send,
    ask: (fields = {}, headers = {}) =>
      send({
        headers: { "content-type": "application/json", origin, ...headers },
        body: JSON.stringify({ project: project.id, question: answerable, ...fields }),
      }),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

/** Another project of the same workspace and site, indexed as well. */
export async function addIndexedProject({ service, project, clock }: Site): Promise<Project> {
  const wanted = { name: "Autre", site: project.site }
  const other = await addProject(service.app.db, project.workspaceId, wanted, clock.now())
  await indexFolder(service.app, other, demo)
  return other
}

let prepared: Promise<{ path: string; project: Project }> | undefined

/**
 * A data folder with the project, indexed once for all tests of a process: each site begins with a copy of
 * it.
 */
function demoSite() {
  prepared ??= (async () => {
    const folder = shared(temporaryFolder())
    await using app = await openApp(
      readConfig({ GUICHET_DATA_DIR: folder.path, GUICHET_LOG_LEVEL: "error" }),
      {
        clock: movableClock(),
      },
    )
    const wanted = { name: "Guide", site: origin }
    const project = await addProject(app.db, await defaultWorkspaceId(app.db), wanted, app.clock.now())
    await indexFolder(app, project, demo)
    return { path: folder.path, project }
  })()
  return prepared
}

/** Places are given back without waiting for the disk. */
export async function noPlaceHeld({ service }: { service: Pick<Service, "app"> }): Promise<void> {
  const held = () => service.app.db.selectFrom("recent_ask").selectAll().execute()
  while ((await held()).length > 0) await Bun.sleep(1)
}

/** Reads a folder of Markdown and switches the project's index to it, as `guichet index` does. */
export async function indexFolder(app: App, project: Project, address: string): Promise<void> {
  const source = { kind: "dir", address, baseUrl: project.origins[0] as string, urlStyle: "clean" } as const
  const { feed } = await saveFeed(app.db, project.id, source, app.clock.now())
  await indexProject(app.indexing, project, {
    feeds: [feed],
    force: false,
    signal: new AbortController().signal,
    onProgress() {},
  })
}
