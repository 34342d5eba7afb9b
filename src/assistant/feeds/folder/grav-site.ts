import { existsSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { pageFiles } from "./files.ts"
import { settingsText } from "./settings.ts"
import { readText } from "./text.ts"

export interface GravSettings {
  /** The language in the addresses of pages without a language in their file name; empty for none. */
  defaultLanguage: string
  /** Whether the plugin Page TOC makes the anchors of every page. */
  hasToc: boolean
}

/** Files that are looked through for what only Grav writes. */
const maxFiles = 100

/** Whether the folder is a Grav site, its `user` folder or its pages: folders like `01.guide` with its headers. */
export async function isGravFolder(folder: string): Promise<boolean> {
  if (pagesFolder(folder) !== "" || userFolder(folder) !== undefined) return true
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

/** The settings of the site that a folder belongs to, and the folder of its pages. */
export async function gravSettings(folder: string): Promise<{ root: string; grav: GravSettings }> {
  const root = pagesFolder(folder)
  const user = userFolder(join(folder, root)) ?? folder
  const system = (await settingsText(user, "config/system.yaml")) ?? ""
  const toc = (await settingsText(user, "config/plugins/page-toc.yaml")) ?? ""
  // Grav puts the default language into addresses unless told otherwise, but only on a site with languages.
  const isIncluded = !/^[ \t]+include_default_lang:[ \t]*false\b/m.test(system)
  const languages = system.slice(/^languages:/m.exec(system)?.index ?? system.length)
  const language = /^[ \t]+default_lang:[ \t]*["']?([a-z]{2,3}(?:-[a-z]{2,4})?)\b/im.exec(languages)?.[1]
  return {
    root,
    grav: {
      defaultLanguage: isIncluded && language ? language : "",
      hasToc: /^active:\s*true\b/m.test(toc) && !/^enabled:\s*false\b/m.test(toc),
    },
  }
}

/** The pages below a folder of a site, as a prefix of paths; empty when the folder is that of the pages. */
function pagesFolder(folder: string): string {
  if (existsSync(join(folder, "user/pages"))) return "user/pages/"
  return existsSync(join(folder, "pages")) && hasConfig(folder) ? "pages/" : ""
}

/** The folder that holds the pages' folder and the site's settings. */
function userFolder(pages: string): string | undefined {
  const user = dirname(pages)
  return basename(pages) === "pages" && hasConfig(user) ? user : undefined
}

function hasConfig(user: string): boolean {
  return ["config/site.yaml", "config/system.yaml"].some((name) => existsSync(join(user, name)))
}
