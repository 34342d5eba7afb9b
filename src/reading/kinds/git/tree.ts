import { mkdirSync, writeFileSync } from "node:fs"
import { join, posix } from "node:path"
import type { GitObject } from "./pack.ts"
import { isPlainName } from "./repository-url.ts"

export interface TreeLimits {
  /** Names in all folders: one folder that stands in itself many times is short, and has no end. */
  names: number
  files: number
  /** Largest file; larger ones are not written. */
  fileBytes: number
  totalBytes: number
  depth: number
}

/** Thrown for a tree that exceeds a limit. */
export class TreeTooLarge extends Error {}

interface Place {
  /** An empty folder to write into. */
  into: string
  /** The wanted one; empty: all. */
  folder: string
}

const folderMode = "40000"
const fileModes = new Set(["100644", "100755", "100664"])

/**
 * Writes the files of a commit that a documentation may be made of: the ones of the wanted folder, and the
 * ones that stand beside the folders above it, where generators have their settings. Links, other
 * repositories and names that could lead elsewhere stay away, and so does what the pack does not hold.
 * Returns whether there is such a folder. Throws TreeTooLarge, and Error for a commit without its tree.
 */
export function writeTree(
  objects: ReadonlyMap<string, GitObject>,
  commit: string,
  { into, folder }: Place,
  limits: TreeLimits,
): boolean {
  const left = { names: limits.names, files: limits.files, bytes: limits.totalBytes }
  const made = new Set<string>()
  let isFound = folder === ""

  function write(id: string, at: string, depth: number): void {
    if (depth > limits.depth) throw new TreeTooLarge()
    for (const entry of treeEntries(objectContent(objects, id, "tree"), id.length / 2)) {
      if (--left.names < 0) throw new TreeTooLarge()
      const path = at === "" ? entry.name : `${at}/${entry.name}`
      if (!isPlainName(entry.name)) continue
      if (fileModes.has(entry.mode)) writeOne(path, entry.id)
      if (entry.mode !== folderMode) continue
      isFound ||= path === folder
      if (isOnTheWay(path, folder)) write(entry.id, path, depth + 1)
    }
  }

  function writeOne(path: string, id: string): void {
    const object = objects.get(id)
    if (object?.type !== "blob") return
    const content = object.content()
    if (content.length > limits.fileBytes || !isReadable(path, content)) return
    left.files -= 1
    left.bytes -= content.length
    if (left.files < 0 || left.bytes < 0) throw new TreeTooLarge()
    const parent = posix.dirname(path)
    if (!made.has(parent)) mkdirSync(join(into, parent), { recursive: true })
    made.add(parent)
    writeFileSync(join(into, path), content)
  }

  write(firstName(objectContent(objects, commit, "commit"), /^tree ([\da-f]{40,64})\n/), "", 0)
  return isFound
}

/** The commit that a tag leads to, by further tags or at once; a commit is its own. */
export function targetCommit(objects: ReadonlyMap<string, GitObject>, id: string): string {
  return objects.get(id)?.type === "tag"
    ? targetCommit(objects, firstName(objectContent(objects, id, "tag"), /^object ([\da-f]{40,64})\n/))
    : id
}

/** The name in the first line of a commit or a tag. */
function firstName(content: Buffer, line: RegExp): string {
  const [, name] = line.exec(content.toString("latin1", 0, 80)) ?? []
  if (name === undefined) throw new Error("a commit or tag without its first line")
  return name
}

function objectContent(objects: ReadonlyMap<string, GitObject>, id: string, type: GitObject["type"]): Buffer {
  const object = objects.get(id)
  if (object?.type !== type) throw new Error(`no ${type} ${id}`)
  return object.content()
}

function* treeEntries(tree: Buffer, nameBytes: number) {
  for (let at = 0; at < tree.length; ) {
    const space = tree.indexOf(0x20, at)
    const end = tree.indexOf(0, space)
    if (space < 0 || end < 0 || end + 1 + nameBytes > tree.length) throw new Error("a broken tree")
    yield {
      mode: tree.toString("latin1", at, space),
      name: tree.toString("utf8", space + 1, end),
      id: tree.toString("hex", end + 1, end + 1 + nameBytes),
    }
    at = end + 1 + nameBytes
  }
}

/** Whether the folder is the wanted one, in it, above it, or one of a tool beside those above. */
function isOnTheWay(path: string, wanted: string): boolean {
  const isWithin = (inner: string, outer: string) => outer === "" || `${inner}/`.startsWith(`${outer}/`)
  if (isWithin(path, wanted) || isWithin(wanted, path)) return true
  const above = posix.dirname(path)
  return posix.basename(path).startsWith(".") && isWithin(wanted, above === "." ? "" : above)
}

/** Texts by Git's own rule, and the documents that are read though they are no text, by name. */
function isReadable(path: string, content: Buffer): boolean {
  return /\.(?:mdx?|markdown|html?|pdf|docx|odt)$/i.test(path) || !content.subarray(0, 8000).includes(0)
}
