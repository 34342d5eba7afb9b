import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { findProject, insertProject, type Project } from "../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import type { App } from "../../src/app.ts"
import { analyse } from "../../src/index/text/analyse.ts"
import { liveGeneration } from "../../src/indexing/generation.ts"
import { type IndexingOptions, indexProject } from "../../src/indexing/indexing.ts"
import type { IndexingResult } from "../../src/indexing/indexing-run.ts"
import { saveFeed } from "../../src/reading/feed.ts"
import type { Feed } from "../../src/reading/kinds/table.ts"
import { type Ended, guichet } from "./cli.ts"
import { eventually } from "./processes.ts"
import { temporaryFolder } from "./service.ts"

/** A folder of Markdown pages, to be read as a feed. */
export interface Documentation extends Disposable {
  path: string
  /** Writes pages, each with its text under a title. */
  write(pages: Record<string, string>): void
  remove(...pages: string[]): void
}

export const baseUrl = "https://docs.exemple.fr"

export function documentation(pages: Record<string, string> = {}): Documentation {
  const folder = temporaryFolder()
  const written: Documentation = {
    path: folder.path,
    write(pages) {
      for (const [page, text] of Object.entries(pages)) {
        mkdirSync(dirname(join(folder.path, page)), { recursive: true })
        writeFileSync(join(folder.path, page), text.startsWith("#") ? text : `# ${page}\n\n${text}\n`)
      }
    },
    remove(...pages) {
      for (const page of pages) rmSync(join(folder.path, page))
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
  written.write(pages)
  return written
}

/** So many pages, each about a word of its own. */
export function manyPages(count: number, from = 0): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `page${from + index}.md`,
      `Le mot est zorglub${from + index}.`,
    ]),
  )
}

export async function newProject(app: App): Promise<Project> {
  const workspace = await defaultWorkspaceId(app.db)
  return insertProject(app.db, workspace, { name: "Guide", site: baseUrl }, app.clock.now())
}

export async function dirFeed(app: App, project: Project, { path }: Documentation): Promise<Feed> {
  const source = { kind: "dir", address: path, baseUrl, urlStyle: "clean" } as const
  return (await saveFeed(app.db, project.id, source, app.clock.now())).feed
}

/** Indexes in this process. */
export async function indexFeeds(
  app: App,
  project: Project,
  feeds: Feed[],
  options: Partial<IndexingOptions> = {},
): Promise<IndexingResult> {
  const current = (await findProject(app.db, project.id)) as Project
  const signal = new AbortController().signal
  return indexProject(app.indexing, current, { feeds, force: false, signal, onProgress() {}, ...options })
}

/**
 * Paths of the documents that the live index finds for a word; undefined when the project is not indexed. Where nodes
 * share indexes, the one before answers until the live one is open: this waits for the live one.
 */
export async function found(app: App, project: Project, word: string): Promise<string[] | undefined> {
  const { live } = await eventually(async () => {
    const live = await app.indexes.liveIndex(project.id)
    return live?.generation === (await liveGeneration(app.db, project.id))?.number && { live }
  })
  const hits = await live?.index.search([{ terms: analyse(word, project.language), weight: 1 }], 10)
  return hits?.map(({ passage }) => passage.document)
}

/** `guichet index PROJECT --dir …` in the data folder of an application. */
export function indexByCommand(
  app: App,
  project: Project,
  { path }: Documentation,
  settings: Record<string, string> = {},
): Promise<Ended> {
  return guichet(["index", project.id, "--dir", path, "--base-url", baseUrl, "--json"], {
    GUICHET_DATA_DIR: app.config.dataDir,
    ...settings,
  })
}
