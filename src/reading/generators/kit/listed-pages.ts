import { posix } from "node:path"
import { decodedUri } from "../../../base/text.ts"

/**
 * The pages that a `SUMMARY.md` links to, from the folder of pages: GitBook and mdBook publish no others. Undefined
 * when the contents cannot be read or link to no page.
 */
export function listedPages(text: string, folder: string): Set<string> | undefined {
  const listed = new Set<string>()
  for (const [, angled, plain] of text.matchAll(
    /\]\((?:<([^<>\n]*)>|([^()\s]*(?:\([^()\s]*\)[^()\s]*)*))/g,
  )) {
    const [address = ""] = (angled ?? plain ?? "").split(/[?#]/, 1)
    if (!/\.(?:md|markdown)$/i.test(address) || address.includes("://")) continue
    listed.add(posix.join(folder, decodedUri(address)))
  }
  return listed.size > 0 ? listed : undefined
}
