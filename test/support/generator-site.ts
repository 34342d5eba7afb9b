import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Document } from "../../src/reading/formats/document.ts"
import type { Generator } from "../../src/reading/generators/names.ts"
import { readGeneratorPage } from "../../src/reading/generators/read-page.ts"
import type { PageReading } from "../../src/reading/kinds/page-reading.ts"
import type { FolderFeed } from "../../src/reading/kinds/table.ts"
import { feedKinds } from "../../src/reading/kinds/table.ts"
import { inEnglish } from "../../src/wording/english.ts"
import { folderReadings } from "./feed.ts"
import { folderOf } from "./folder-of.ts"

export const siteUrl = "https://docs.example"

export interface ReadingOptions extends Partial<FolderFeed> {
  /** The feed's folder in the site. */
  dir?: string
  nowMs?: number
}

/** The readings of a site with these files, by their paths. */
export async function readSite(
  files: Record<string, string>,
  { dir = ".", nowMs = Date.parse("2026-11-26T12:00:00Z"), ...options }: ReadingOptions = {},
): Promise<PageReading[]> {
  using folder = folderOf(files)
  const feed = folderFeed(join(folder.path, dir), options)
  return await folderReadings(feed, { nowMs })
}

export function folderFeed(address: string, options: Partial<FolderFeed> = {}): FolderFeed {
  return {
    id: "feed_1",
    projectId: "project1",
    kind: "dir",
    address,
    baseUrl: siteUrl,
    urlStyle: "auto",
    ...options,
  }
}

/** By file, its address path; the reason of a file that is no page. */
export async function addresses(
  files: Record<string, string>,
  options?: ReadingOptions,
): Promise<Record<string, string>> {
  const found = await readSite(files, options)
  return Object.fromEntries(
    found.map((reading) => {
      if (reading.outcome === "read") return [reading.page, reading.document.url.replace(siteUrl, "")]
      if (reading.outcome !== "left_out") return [reading.page, reading.outcome]
      return [reading.page, reading.detail ? inEnglish(reading.detail) : reading.reason]
    }),
  )
}

/** The document that a page of the site becomes. */
export async function pageOf(
  files: Record<string, string>,
  page: string,
  options?: ReadingOptions,
): Promise<Document> {
  const reading = (await readSite(files, options)).find((each) => each.page === page)
  if (reading?.outcome !== "read") throw new Error(JSON.stringify(reading))
  return reading.document
}

/** The text of a page of the site. */
export async function pageText(
  files: Record<string, string>,
  page: string,
  options?: ReadingOptions,
): Promise<string> {
  const { sections } = await pageOf(files, page, options)
  return sections.map(({ markdown }) => markdown).join("\n\n")
}

/** The generator that a folder with these files is told to be of. */
export async function recognised(files: Record<string, string>, dir: string): Promise<Generator | undefined> {
  using folder = folderOf(files)
  mkdirSync(join(folder.path, dir), { recursive: true })
  return await feedKinds.dir.generatorOf?.(folderFeed(join(folder.path, dir)))
}

/** The text of a page in a generator's dialect, below its title. */
export function textIn(generator: Generator, source: string): string {
  return sectionsIn(generator, source)
    .map(({ markdown }) => markdown)
    .join("\n\n")
}

/** The anchors that a generator gives to these titles on one page, in a style of the settings. */
export function anchorsIn(
  generator: Generator,
  titles: string[],
  style?: string,
): (string | null | undefined)[] {
  const sections = sectionsIn(generator, titles.map((title) => `## ${title}\n\nTexte.`).join("\n\n"), style)
  return sections.map(({ anchor }) => anchor)
}

function sectionsIn(generator: Generator, source: string, anchors?: string): Document["sections"] {
  const place = { path: "01.guide/docs", url: `${siteUrl}/guide` }
  const read = readGeneratorPage(`# P\n\n${source}`, { ...place, generator, anchors })
  if ("leftOut" in read) throw new Error(read.leftOut)
  return read.sections
}
