import { parsedUrl } from "../../../base/text.ts"
import { withoutFinalSlashes } from "../../generators/kit/address.ts"

/** The part of a repository that is read, as Docker names it: `https://git.example/docs.git#branch:folder`. */
export interface RepositoryPlace {
  /** Without fragment and final slash: the paths of the protocol are appended to it. */
  url: string
  /** A branch or a tag; undefined: the one that the server shows first. */
  branch: string | undefined
  /** With `/` between names; empty: all of it. */
  folder: string
}

/** By git-check-ref-format. Nothing of it could end a line of the protocol. */
const branchName = /^[^\s~^:?*[\\\p{Cc}]{1,200}$/u
const maxFolderCharacters = 500

/** Undefined for what names no repository: https alone, and no folder but one below it. */
export function repositoryPlace(address: string): RepositoryPlace | undefined {
  const url = parsedUrl(address)
  if (url?.protocol !== "https:" || url.username || url.password || url.search) return undefined
  const [, branch = "", folder = ""] = /^#?([^:]*):?(.*)$/s.exec(decoded(url.hash)) ?? []
  const names = folder.split("/").filter((name) => name !== "")
  if (branch !== "" && !branchName.test(branch)) return undefined
  if (folder.length > maxFolderCharacters || !names.every(isPlainName)) return undefined
  url.hash = ""
  return { url: withoutFinalSlashes(url.href), branch: branch || undefined, folder: names.join("/") }
}

/**
 * Whether a file may have this name in a folder of ours. Case and what some file systems ignore make no other `.git`
 * of it, where a generator's signs are looked for.
 */
export function isPlainName(name: string): boolean {
  if (name === "" || name === "." || name === ".." || Buffer.byteLength(name) > 255) return false
  if (/[/\\\p{Cc}\p{Cf}\ufffd]/u.test(name)) return false
  return name.toLowerCase().replace(/(?<![. ])[. ]+$/, "") !== ".git"
}

function decoded(hash: string): string {
  try {
    return decodeURIComponent(hash)
  } catch {
    return hash
  }
}
