import type { Dirent } from "node:fs"
import { opendir, realpath, stat } from "node:fs/promises"
import { join, relative, sep } from "node:path"
import type { PageReading } from "../feed.ts"
import { openWithin } from "./within.ts"

export interface FoundFile {
  /** Path in the folder, with extension, `/` between names: how its owner knows it. */
  page: string
  /** The same without extension: the document's. */
  path: string
  /** Where it is. */
  file: string
}

/** Folders of tools, and of parts that generators put into other pages. */
const skippedFolders = new Set(["node_modules", "_includes", "_layouts", "_partials"])

/**
 * Every page file of a folder with one of the extensions, and a reading at once for what has the name of a
 * page and is none. Memory: names of the folders on the way down, never the whole tree.
 */
export async function* pageFiles(
  folder: string,
  extensions: string[],
): AsyncGenerator<FoundFile | PageReading> {
  const waiting = [folder]
  while (true) {
    const current = waiting.pop()
    if (current === undefined) return
    let names: Awaited<ReturnType<typeof entriesOf>>
    try {
      names = await entriesOf(folder, current)
    } catch (error) {
      // What it holds is unknown, so nothing of it may be taken for removed.
      yield {
        page: inFolder(folder, current),
        outcome: "failed",
        detail: (error as Error).message,
        listIncomplete: true,
      }
      continue
    }
    waiting.push(...names.folders.map((name) => join(current, name)).reverse())
    yield* filesOf(folder, current, names.files, extensions)
  }
}

async function* filesOf(
  folder: string,
  current: string,
  entries: Dirent[],
  extensions: string[],
): AsyncGenerator<FoundFile | PageReading> {
  const taken = new Set<string>()
  for (const entry of entries) {
    const extension = extensions.find((ending) => entry.name.toLowerCase().endsWith(ending))
    const file = join(current, entry.name)
    const page = inFolder(folder, file)
    if (!extension) {
      if (entry.isSymbolicLink() && (await isFolder(file)))
        yield { page, outcome: "left_out", ...linkedFolder }
      continue
    }
    const stem = entry.name.slice(0, -extension.length)
    const unwanted =
      notAPage(stem) ??
      (taken.has(pageName(stem)) ? twice : undefined) ??
      (await notRegular(folder, file, entry))
    if (unwanted) yield { page, outcome: "left_out", ...unwanted }
    else {
      taken.add(pageName(stem))
      yield { page, path: page.slice(0, -extension.length), file }
    }
  }
}

async function entriesOf(folder: string, current: string): Promise<{ files: Dirent[]; folders: string[] }> {
  const files: Dirent[] = []
  const folders: string[] = []
  await using opened = await openWithin(folder, current)
  if (!opened) throw new Error("it is no longer in the folder")
  for await (const entry of await opendir(opened.path, { bufferSize: 256 })) {
    if (entry.name.startsWith(".")) continue
    if (!entry.isDirectory()) files.push(entry)
    else if (!skippedFolders.has(entry.name)) folders.push(entry.name)
  }
  return { files: files.sort(byRank), folders: folders.sort() }
}

/** An index before a README: the later of two pages with one name is left out. */
function byRank(one: Dirent, other: Dirent): number {
  const rank = ({ name }: Dirent) => (/^readme\./i.test(name) ? 1 : 0)
  return rank(one) - rank(other) || (one.name < other.name ? -1 : 1)
}

/** An index and a README are both their folder's page. */
function pageName(stem: string): string {
  return /^(?:_?index|readme)$/i.test(stem) ? "index" : stem
}

type Unwanted = Pick<Extract<PageReading, { outcome: "left_out" }>, "reason" | "detail">

const twice: Unwanted = { reason: "duplicate", detail: "another file of the same page was read" }
const linkedFolder: Unwanted = { reason: "unreadable", detail: "a symbolic link to a folder: not followed" }

function notAPage(stem: string): Unwanted | undefined {
  if (/[[\]]/.test(stem)) return { reason: "empty", detail: "a template for other pages" }
  if (stem.startsWith("_") && stem !== "_index") return { reason: "empty", detail: "a part of other pages" }
  if (stem === "SUMMARY" || stem === "404")
    return { reason: "empty", detail: "a table of contents or an error page" }
  return undefined
}

/** A link is read when it leads to a file of the folder; a pipe or a device would never end. */
async function notRegular(folder: string, file: string, entry: Dirent): Promise<Unwanted | undefined> {
  if (entry.isFile()) return undefined
  if (!entry.isSymbolicLink()) return { reason: "unreadable", detail: "not a regular file" }
  try {
    const target = await realpath(file)
    if (!target.startsWith(folder.endsWith(sep) ? folder : folder + sep))
      return { reason: "unreadable", detail: "a symbolic link out of the folder" }
    return (await stat(target)).isFile() ? undefined : { reason: "unreadable", detail: "not a regular file" }
  } catch {
    return { reason: "unreadable", detail: "a symbolic link that leads nowhere" }
  }
}

async function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

function inFolder(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/") || "."
}
