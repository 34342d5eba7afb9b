import type { Dirent } from "node:fs"
import { opendir, realpath, stat } from "node:fs/promises"
import { join, relative, sep } from "node:path"
import { type Detail, detail, type Explanation } from "../../base/errors.ts"
import type { LeftOutReason } from "../formats/document.ts"
import { openWithin } from "./within.ts"

export interface FoundFile {
  /** Path in the folder, with `/` between names and with the extension: the name of the page in its feed. */
  page: string
  /** The same without extension: the path of the document. */
  path: string
  /** Path in the file system. */
  file: string
}

/** A file or folder that is no page, or could not be read, as a feed reports it. */
export type PassedOver = { page: string } & (
  | { outcome: "failed"; detail: Explanation; listIncomplete: true }
  | ({ outcome: "left_out" } & Reason)
)

interface Reason {
  reason: LeftOutReason
  detail: Detail
}

/** Folders of tools, and of partial pages that generators include in others. */
const skippedFolders = new Set(["node_modules", "_includes", "_layouts", "_partials"])

/**
 * Finds every page file of a folder with one of the extensions. For anything else with the name of a page, it
 * yields the finished reading. Memory holds one folder and the names of waiting ones, never the whole tree.
 */
export async function* pageFiles(
  folder: string,
  extensions: string[],
): AsyncGenerator<FoundFile | PassedOver> {
  const waiting = [folder]
  while (true) {
    const current = waiting.pop()
    if (current === undefined) return
    let names: Awaited<ReturnType<typeof listFolder>>
    try {
      names = await listFolder(folder, current)
    } catch (error) {
      yield unreadFolder(folder, current, (error as Error).message)
      continue
    }
    if (!names) {
      yield unreadFolder(folder, current, detail("reading.leftFolder"))
      continue
    }
    waiting.push(...names.folders.map((name) => join(current, name)).reverse())
    yield* pagesIn(folder, current, names.files, extensions)
  }
}

/** Its pages are unknown, so none of them may be taken for removed. */
function unreadFolder(folder: string, current: string, why: Explanation): PassedOver {
  return { page: inFolder(folder, current), outcome: "failed", detail: why, listIncomplete: true }
}

async function* pagesIn(
  folder: string,
  current: string,
  entries: Dirent[],
  extensions: string[],
): AsyncGenerator<FoundFile | PassedOver> {
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
    const leftOut = notAPage(stem) ?? (await notRegular(folder, file, entry))
    if (leftOut) yield { page, outcome: "left_out", ...leftOut }
    else yield { page, path: page.slice(0, -extension.length), file }
  }
}

/** Undefined when the folder is no longer where it was found. */
async function listFolder(
  folder: string,
  current: string,
): Promise<{ files: Dirent[]; folders: string[] } | undefined> {
  const files: Dirent[] = []
  const folders: string[] = []
  await using opened = await openWithin(folder, current)
  if (!opened) return undefined
  for await (const entry of await opendir(opened.path, { bufferSize: 256 })) {
    if (entry.name.startsWith(".")) continue
    if (!entry.isDirectory()) files.push(entry)
    else if (!skippedFolders.has(entry.name)) folders.push(entry.name)
  }
  return { files: files.sort(byRank), folders: folders.sort() }
}

/** An index comes before a README, because the second of two files with one address is left out. */
function byRank(one: Dirent, other: Dirent): number {
  const rank = ({ name }: Dirent) => (/^readme\./i.test(name) ? 1 : 0)
  return rank(one) - rank(other) || (one.name < other.name ? -1 : 1)
}

const linkedFolder: Reason = { reason: "unreadable", detail: detail("reading.linkToFolder") }
const notRegularFile: Reason = { reason: "unreadable", detail: detail("reading.notRegularFile") }

function notAPage(stem: string): Reason | undefined {
  if (/[[\]]/.test(stem)) return { reason: "empty", detail: detail("reading.pageTemplate") }
  if (/^_(?!index(?:\.[\w-]+)?$)/.test(stem)) return { reason: "empty", detail: detail("reading.pagePart") }
  if (stem === "SUMMARY" || stem === "404")
    return { reason: "empty", detail: detail("reading.contentsOrErrorPage") }
  return undefined
}

/** A symbolic link may lead to a file of the folder only. A pipe or a device would never end. */
async function notRegular(folder: string, file: string, entry: Dirent): Promise<Reason | undefined> {
  if (entry.isFile()) return undefined
  if (!entry.isSymbolicLink()) return notRegularFile
  try {
    const target = await realpath(file)
    if (!target.startsWith(folder.endsWith(sep) ? folder : folder + sep))
      return { reason: "unreadable", detail: detail("reading.linkOutOfFolder") }
    return (await stat(target)).isFile() ? undefined : notRegularFile
  } catch {
    return { reason: "unreadable", detail: detail("reading.linkToNowhere") }
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
