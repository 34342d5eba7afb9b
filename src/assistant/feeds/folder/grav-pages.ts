import { existsSync } from "node:fs"
import { dirname, extname, join } from "node:path"
import { detail } from "../../../base/errors.ts"
import type { LeftOut } from "../../documents/document.ts"
import { withoutFinalSlashes } from "../../documents/markdown/page-url.ts"
import type { Parser } from "../parser.ts"
import type { FoundFile } from "./files.ts"
import type { GravSettings } from "./grav-site.ts"

export interface GravPages {
  /** The address of a page, or why it is none. Pages of a folder have to be asked for before those below it. */
  urlOf(file: FoundFile, text: string): Promise<string | LeftOut>
}

interface GravPagesDeps {
  parser: Pick<Parser, "gravRoute">
  baseUrl: string
  settings: GravSettings
}

/**
 * The addresses of the pages of a Grav site. A folder is a page, and the name of the file in it that of a
 * template. The address of a page begins with that of the folder above, which the front matter there may set.
 * `default.fr.md` is the page in French: at `/fr/…`, or alone when the site's address ends with `/fr`.
 */
export function gravPages({ parser, baseUrl, settings }: GravPagesDeps): GravPages {
  const base = withoutFinalSlashes(baseUrl)
  const only = /\/([a-z]{2}(?:-[a-z]{2})?)$/i.exec(base)?.[1]?.toLowerCase()
  /** By folder, the routes of its page by language. */
  const routes = new Map<string, Map<string, string>>()

  function routeAbove(folder: string, language: string): string {
    const known = routes.get(folder)
    const route = known?.get(language) ?? known?.get("") ?? known?.values().next().value
    if (route !== undefined) return route
    return folder === "" ? "" : join(routeAbove(parentOf(folder), language), nameOf(folder))
  }

  return {
    async urlOf(file, text) {
      const { folder, language } = placeOf(file)
      if (folder === "") return { leftOut: "empty", detail: detail("reading.outsidePages") }
      if (only !== undefined && language !== only && (language !== "" || hasTranslation(file, only)))
        return { leftOut: "empty", detail: detail("reading.otherLanguage", { language: only }) }
      const own = routes.get(folder) ?? new Map<string, string>()
      routes.set(folder, own)
      if (own.has(language)) return { leftOut: "duplicate", detail: detail("reading.otherFileRead") }
      const { route, slug } = await parser.gravRoute(text)
      const found = route ?? join(routeAbove(parentOf(folder), language), slug ?? nameOf(folder))
      const path = `/${found.replace(/^\/+/, "")}`
      own.set(language, path)
      const prefix = only === undefined ? language || settings.defaultLanguage : ""
      return base + (prefix && `/${prefix}`) + (path === "/home" ? "/" : encodeURI(path))
    },
  }
}

/** `01.guide/docs.fr` is the page `01.guide` in French. */
function placeOf({ path }: FoundFile): { folder: string; language: string } {
  const language = /\.([a-z]{2,3}(?:-[a-z]{2,4})?)$/i.exec(path)?.[1]?.toLowerCase() ?? ""
  const parts = path.split("/").slice(0, -1)
  // A folder like `_features` is a part of the page above.
  const part = parts.findIndex((name) => name.startsWith("_"))
  return { folder: (part === -1 ? parts : parts.slice(0, part)).join("/"), language }
}

/** Whether the same page has a file in that language. */
function hasTranslation({ file }: FoundFile, language: string): boolean {
  const extension = extname(file)
  return existsSync(`${file.slice(0, -extension.length)}.${language}${extension}`)
}

function parentOf(folder: string): string {
  const parent = dirname(folder)
  return parent === "." ? "" : parent
}

/** `01.guide` → `guide`. */
function nameOf(folder: string): string {
  const name = folder.slice(folder.lastIndexOf("/") + 1)
  return name.replace(/^\d+\./, "").toLowerCase() || name
}
