import { existsSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { detail } from "../../../../base/errors.ts"
import type { LeftOut } from "../../../documents/document.ts"
import { gitbookSlug } from "../../../documents/markdown/anchors.ts"
import type { Page, Route, SiteFolder, SiteGenerator, SiteRules } from "./rules.ts"
import { asFolder, ended, nameOf } from "./rules.ts"

/** https://gitbook.com/docs/getting-started/git-sync/content-configuration */
export const gitbook: SiteGenerator = {
  signs: [".gitbook.yaml", ".gitbook", "SUMMARY.md"],
  owns: (place) =>
    [".gitbook.yaml", ".gitbook"].some((name) => existsSync(join(place, name))) || !isOtherBook(place),
  rules,
}

/** Books of HonKit have a SUMMARY.md as well, there or a folder deeper, and the rules of GitHub. */
function isOtherBook(place: string): boolean {
  const files = ["book.toml", "book.json", "book.js"]
  return [place, dirname(place)].some((folder) => files.some((name) => existsSync(join(folder, name))))
}

async function rules(site: SiteFolder): Promise<SiteRules> {
  const text = await site.text(".gitbook.yaml")
  const folder = asFolder(/^root:\s*["']?([\w./-]+)/m.exec(text)?.[1] ?? "")
  const contents = /^[ \t]+summary:[ \t]*["']?([\w./-]+)/m.exec(text)?.[1] ?? "SUMMARY.md"
  const listed = listedPages(await site.text(folder + contents), posix.dirname(contents))

  function routeOf(page: Page): Route | LeftOut {
    if (listed && !listed.has(page.path + page.extension))
      return { leftOut: "empty", detail: detail("reading.notInContents") }
    const names = page.path.split("/").map((name) => gitbookSlug(name) || name)
    const isFolder = /^(?:index|readme)$/i.test(nameOf(page.path))
    const path = `/${(isFolder ? names.slice(0, -1) : names).join("/")}`
    return {
      path:
        path === "/"
          ? path
          : ended(path, isFolder && site.style === "html" ? "clean" : (site.style ?? "clean")),
    }
  }

  return { roots: [{ folder, route: "/" }], folderPage: "README", routeOf }
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
    listed.add(posix.join(folder, decoded(address)))
  }
  return listed.size > 0 ? listed : undefined
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
