import { posix } from "node:path"
import { detail } from "../../../base/errors.ts"
import { isObject } from "../../../base/names.ts"
import { pageFiles } from "../../files/files.ts"
import { readText } from "../../files/text.ts"
import type { FrontMatter } from "../../formats/markdown/front-matter.ts"
import { usablePath } from "../kit/address.ts"
import {
  lastName,
  outsidePages,
  type Page,
  parentFolder,
  record,
  type SiteFolder,
  type SiteGenerator,
} from "../kit/generator.ts"
import { rewritten, withoutMarks } from "../kit/slugs.ts"
import { gravMarkup } from "./markup.ts"

/**
 * https://learn.getgrav.org: a folder is a page, and the name of the file in it that of a template. The address of a
 * page begins with that of the folder above, which the front matter there may set. `default.fr.md` is the page in
 * French.
 */
export const grav: SiteGenerator = {
  name: "Grav",
  signs: ["user/pages", "pages"],
  owns: (has) => pagesFolder(has) !== "",
  ownsPages: hasGravPages,
  async rules(site) {
    const folder = pagesFolder(site.has)
    const user = folder === "user/pages/" ? "user/" : ""
    const system = await site.text(`${user}config/system.yaml`)
    const toc = await site.text(`${user}config/plugins/page-toc.yaml`)
    // Grav puts the default language into addresses unless told otherwise, but only on a site with languages.
    const isIncluded = !/^[ \t]+include_default_lang:[ \t]*false\b/m.test(system)
    const languages = system.slice(/^languages:/m.exec(system)?.index ?? system.length)
    const byDefault = /^[ \t]+default_lang:[ \t]*["']?([a-z]{2,3}(?:-[a-z]{2,4})?)\b/im.exec(languages)?.[1]

    /** The path of a folder's page in a language: as its front matter says, else below that of the folder above. */
    async function folderPath(folder: string, language: string, page: Page): Promise<string> {
      if (folder === "") return ""
      const { route, slug } = await ownPath(folder, language, page)
      if (route !== undefined) return `/${route.replace(/^\/+/, "")}`
      const above = posix.dirname(folder)
      return `${await folderPath(above === "." ? "" : above, language, page)}/${slug ?? shownName(folder)}`
    }

    async function ownPath(
      folder: string,
      language: string,
      page: Page,
    ): Promise<{ route?: string; slug?: string }> {
      const attributes =
        splitPath(page.path).folder === folder && splitPath(page.path).language === language
          ? await page.attributes()
          : await page.attributesOf(
              fileIn(site.list(page.root.folder + folder), language, page.root.folder + folder),
            )
      const route = usablePath(record(attributes["routes"])["default"])
      const slug = usablePath(attributes["slug"])
      return { ...(route && { route }), ...(slug && { slug }) }
    }

    return {
      roots: [{ folder, route: "/" }],
      languages: ["any"],
      async routeOf(page) {
        const { folder, language } = splitPath(page.path)
        if (folder === "") return outsidePages
        const { only } = page
        if (
          only !== undefined &&
          language !== only &&
          (language !== "" || page.has(`${page.path}.${only}${page.extension}`))
        )
          return { leftOut: "empty", detail: detail("reading.otherLanguage", { language: only }) }
        const within = page.root.folder + folder
        if (fileIn(site.list(within), language, within) !== page.root.folder + page.path + page.extension)
          return { leftOut: "duplicate", detail: detail("reading.otherFileRead") }
        const path = await folderPath(folder, language, page)
        const prefix = only ?? (language || (isIncluded && byDefault) || "")
        return {
          path: (prefix && `/${prefix}`) + (path === "/home" ? "/" : path),
          ...(only !== undefined && { language: only }),
        }
      },
      anchors: /^active:\s*true\b/m.test(toc) && !/^enabled:\s*false\b/m.test(toc) ? "toc" : "usual",
    }
  },
  anchors: {
    // AnchorJS 4 makes them: accents stay, a straight apostrophe goes, other signs become a hyphen.
    usual: { slug: anchorJsSlug },
    // The plugin Page TOC makes them, accents are removed, all else becomes a hyphen, 25 characters: creer-l-ete.
    toc: { slug: pageTocSlug },
  },
  pageAnchors(page) {
    const isActive = activatesToc(page)
    return isActive === undefined ? undefined : isActive ? "toc" : "usual"
  },
  dialect: { fillsVariables: true, namesFilesByTemplate: true, markup: gravMarkup },
}

/** Whether the page switches the plugin Page TOC on or off; undefined when it does not say. */
function activatesToc({ attributes, body }: FrontMatter): boolean | undefined {
  const toc = attributes["page-toc"]
  if (isObject(toc) && typeof toc["active"] === "boolean") return toc["active"]
  return /\[toc ?\/?\]/i.test(body) || undefined
}

const anchorJsCharacters = 64

function anchorJsSlug(text: string): string {
  return text
    .trim()
    .replaceAll("'", "")
    .replace(/[& +$,:;=?@"#{}|^~[`%!<>\]./()*\\\n\t\b\v\u00a0-]+/g, "-")
    .slice(0, anchorJsCharacters)
    .replace(/^-|-$/g, "")
    .toLowerCase()
}

/** `slug_maxlen` of the plugin's own settings. */
const pageTocCharacters = 25

function pageTocSlug(text: string): string {
  return rewritten(text.toLowerCase(), pageTocLetters)
    .replace(/[à-ſ]/g, withoutMarks)
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, pageTocCharacters)
}

const pageTocLetters = {
  ...{ œ: "oe", æ: "ae", ß: "ss", ø: "oe", å: "aa", ä: "ae", ö: "oe", ü: "ue", ð: "dj", þ: "th" },
  ...{ đ: "d", ħ: "h", ı: "i", ł: "l", ŧ: "t", "©": "c", ª: "a", "°": "0", º: "o", "@": "at" },
  ...{ "¹": "1", "²": "2", "³": "3", "⁴": "4", "⁵": "5", "⁶": "6", "⁷": "7", "⁸": "8", "⁹": "9" },
}

/** The page's file in a folder: in that language, else in none, else in another. */
function fileIn(names: string[], language: string, folder: string): string {
  const pages = names.filter((name) => name.endsWith(".md"))
  const ending = (end: string) => pages.find((name) => splitPath(`a/${name.slice(0, -3)}`).language === end)
  return `${folder}/${ending(language) ?? ending("") ?? pages[0] ?? ""}`
}

/** `01.guide/docs.fr` is the page `01.guide` in French. */
function splitPath(path: string): { folder: string; language: string } {
  const language = /\.([a-z]{2,3}(?:-[a-z]{2,4})?)$/i.exec(path)?.[1]?.toLowerCase() ?? ""
  const parts = parentFolder(path).split("/").slice(0, -1)
  // A folder like `_features` is a part of the page above.
  const part = parts.findIndex((name) => name.startsWith("_"))
  return { folder: (part === -1 ? parts : parts.slice(0, part)).join("/"), language }
}

/** `01.guide` → `guide`. */
function shownName(folder: string): string {
  const name = lastName(folder)
  return name.replace(/^\d+\./, "").toLowerCase() || name
}

/** The pages below a folder of a site, as a prefix of paths; empty when the folder is that of the pages. */
function pagesFolder(has: SiteFolder["has"]): string {
  if (has("user/pages")) return "user/pages/"
  return has("pages") && ["config/site.yaml", "config/system.yaml"].some(has) ? "pages/" : ""
}

/** Files that are looked through for what only Grav writes. */
const maxFiles = 100

/** Whether the folder holds pages of a Grav site: folders like `01.guide` with its headers. */
async function hasGravPages(folder: string): Promise<boolean> {
  let files = 0
  for await (const file of pageFiles(folder, [".md"])) {
    if (++files > maxFiles) return false
    if (!("path" in file) || !/(?:^|\/)\d+\.[^/]+\/[^/]+$/.test(file.path)) continue
    const text = await readText(file.file, folder).catch(() => "")
    if (typeof text === "string" && hasGravHeader(text)) return true
  }
  return false
}

function hasGravHeader(text: string): boolean {
  if (!text.startsWith("---")) return false
  const header = text.slice(3, 4096).split(/^---/m, 1)[0] as string
  return /^(?:routes|taxonomy|template|process|media_order|twig_first|page-toc):/m.test(header)
}
