import { cpSync } from "node:fs"
import { join } from "node:path"
import { applyProjectChange, findProject, insertProject, type Project } from "../../src/accounts/project.ts"
import { type NewProject, projectChange } from "../../src/accounts/projects/record.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { type App, openApp } from "../../src/app.ts"
import { fieldsOf } from "../../src/http/record/fields.ts"
import { indexProject } from "../../src/indexing/indexing.ts"
import { saveFeed } from "../../src/reading/feed.ts"
import { type MovableClock, movableClock } from "./clock.ts"
import { copyDatabase } from "./postgres.ts"
import { configOf, type Part, type Service, temporaryFolder } from "./service.ts"
import { shared } from "./shared.ts"

/** A service with one project, whose index holds Guichet's own documentation, asked over a real socket. */
export interface Site extends Service {
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

/** A copy of a project that was indexed before. */
interface PreparedSite {
  path: string
  project: Project
}

/** For `aService().withIndexedProject()`. */
export function indexedProject(
  changes: Partial<NewProject> = {},
  existing?: Project,
  prepared: Promise<PreparedSite> = demoSite(),
): Part<Site> {
  return async (plan) => {
    const { path, project: copied } = await prepared
    if (!existing) {
      cpSync(path, plan.dataDir, { recursive: true, preserveTimestamps: true })
      await copyDatabase(path, plan.dataDir)
    }
    plan.clock ??= movableClock()
    const { clock } = plan
    return async ({ app, url }) => {
      const { id } = existing ?? copied
      await applyProjectChange(app.db, id, fieldsOf(changes, projectChange))
      const project = (await findProject(app.db, id)) as Project

      async function send(init: RequestInit, path = "/api/v1/ask"): Promise<Reply> {
        const response = await fetch(`${url}${path}`, { method: "POST", ...init })
        const text = await response.text()
        const json = response.headers.get("content-type")?.includes("json") ?? false
        return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text }
      }

      return {
        clock,
        project,
        send,
        ask: (fields = {}, headers = {}) =>
          send({
            headers: { "content-type": "application/json", origin, ...headers },
            body: JSON.stringify({ project: project.id, question: answerable, ...fields }),
          }),
      }
    }
  }
}

/** Another project of the same workspace and site, indexed as well: a folder with a single page costs least. */
export async function addIndexedProject(
  { service, project, clock }: Site,
  folder: string = demo,
): Promise<Project> {
  const wanted = { name: "Autre", site: project.site }
  const other = await insertProject(service.app.db, project.workspaceId, wanted, clock.now())
  await indexFolder(service.app, other, folder)
  return other
}

let preparedDemo: Promise<PreparedSite> | undefined

/**
 * A data folder with the project, indexed once for all tests of a process: each site begins with a copy of
 * it.
 */
function demoSite(): Promise<PreparedSite> {
  preparedDemo ??= (async () => {
    const folder = shared(temporaryFolder)
    await using app = await openApp(
      await configOf({
        GUICHET_DATA_DIR: folder.path,
        GUICHET_LOG_LEVEL: "error",
        GUICHET_EMBEDDING: "none",
      }),
      {
        clock: movableClock(),
      },
    )
    const wanted = { name: "Guide", site: origin }
    const project = await insertProject(app.db, await defaultWorkspaceId(app.db), wanted, app.clock.now())
    await indexFolder(app, project, demo)
    return { path: folder.path, project }
  })()
  return preparedDemo
}

/** Places are given back without waiting for the disk. */
export async function noPlaceHeld({ service }: { service: Pick<Service, "app"> }): Promise<void> {
  const held = () => service.app.db.selectFrom("recent_ask").selectAll().execute()
  while ((await held()).length > 0) await Bun.sleep(1)
}

/** Reads a folder of Markdown and switches the project's index to it, as `guichet index` does. */
export async function indexFolder(
  app: App,
  project: Project,
  address: string,
  urlStyle: "clean" | "auto" = "clean",
): Promise<void> {
  const source = { kind: "dir", address, baseUrl: project.origins[0] as string, urlStyle } as const
  const { feed } = await saveFeed(app.db, project.id, source, app.clock.now())
  await indexProject(app.indexing, project, {
    feeds: [feed],
    force: false,
    signal: new AbortController().signal,
    onProgress() {},
  })
}
