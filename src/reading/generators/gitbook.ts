import { posix } from "node:path"
import { decodedUri } from "../../base/text.ts"
import { gitbookSlug } from "../formats/markdown/anchors.ts"
import type { SiteGenerator } from "./rules.ts"
import { asFolder, ended, nameOf, notInContents } from "./rules.ts"

/** https://gitbook.com/docs/getting-started/git-sync/content-configuration */
export const gitbook: SiteGenerator = {
  signs: [".gitbook.yaml", ".gitbook", "SUMMARY.md"],
  // Books of HonKit have a SUMMARY.md as well, there or a folder deeper, and the rules of GitHub.
  owns: (has) =>
    [".gitbook.yaml", ".gitbook"].some(has) ||
    !["book.toml", "book.json", "book.js"].some((name) => has(name) || has(`../${name}`)),
  async rules(site) {
    const text = await site.text(".gitbook.yaml")
    const folder = asFolder(/^root:\s*["']?([\w./-]+)/m.exec(text)?.[1] ?? "")
    const contents = /^[ \t]+summary:[ \t]*["']?([\w./-]+)/m.exec(text)?.[1] ?? "SUMMARY.md"
    const listed = listedPages(await site.text(folder + contents), posix.dirname(contents))

    return {
      roots: [{ folder, route: "/" }],
      folderPage: "README",
      routeOf(page) {
        if (listed && !listed.has(page.path + page.extension)) return notInContents
        const names = page.path.split("/").map((name) => gitbookSlug(name) || name)
        const isFolder = /^(?:index|readme)$/i.test(nameOf(page.path))
        const path = `/${(isFolder ? names.slice(0, -1) : names).join("/")}`
        return {
          path:
            path === "/"
              ? path
              : ended(path, isFolder && site.style === "html" ? "clean" : (site.style ?? "clean")),
        }
      },
    }
  },
}

/**
 * The pages that the contents link to, from the folder of pages: GitBook and mdBook publish no others. Undefined
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
