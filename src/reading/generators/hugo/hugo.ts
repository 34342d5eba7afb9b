import { dateText } from "../../formats/dates.ts"
import { dateAttributes, firstDate } from "../../formats/markdown/publication.ts"
import { usablePath } from "../kit/address.ts"
import type { Attributes, Include, Page, PageRoot, SiteFolder, SiteGenerator } from "../kit/generator.ts"
import {
  asFolder,
  ended,
  lastName,
  notPublished,
  pagePart,
  parentFolder,
  record,
  word,
} from "../kit/generator.ts"
import { hugoAnchors } from "./anchors.ts"
import { cascadedTo } from "./cascade.ts"

/** https://gohugo.io/content-management/urls/ and https://gohugo.io/content-management/multilingual/ */
export const hugo: SiteGenerator = {
  name: "Hugo",
  signs: [
    "hugo.toml",
    "hugo.yaml",
    "hugo.yml",
    "hugo.json",
    "config/_default",
    "config.toml",
    "config.yaml",
    "config.json",
  ],
  owns: (has) =>
    ["hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json"].some(has) ||
    ["content", "archetypes", "layouts", "themes"].some(has),
  async rules(site) {
    const config = await readConfig(site)
    const byDefault = (word(config["defaultcontentlanguage"]) ?? "en").toLowerCase()
    const isDefaultInFolder = config["defaultcontentlanguageinsubdir"] === true
    const languages = Object.fromEntries(
      Object.entries(record(config["languages"])).map(([code, given]) => [
        code.toLowerCase(),
        lowered(record(given)),
      ]),
    )
    const codes = Object.keys(languages).filter((code) => languages[code]?.["disabled"] !== true)
    const keepsCase = config["disablepathtolower"] === true
    const permalinks = record(config["permalinks"])
    const isUgly = config["uglyurls"] === true
    const uglySections = lowered(record(config["uglyurls"]))
    const contents = asFolder(word(config["contentdir"]) ?? "content")
    const cascade = {
      settings: config["cascade"],
      suffixesOf: (language: string) => [`.${language}`, ...(language === byDefault ? [""] : [])],
    }

    function languagePrefix(language: string): string {
      const isInFolder = language === byDefault ? isDefaultInFolder : codes.length > 1
      return isInFolder ? `/${language}` : ""
    }

    function named(path: string): string {
      const plain = path.replace(/[^\p{L}\p{N}\p{M}./\\_#+~@%-]+/gu, (other) => (/\s/.test(other) ? "-" : ""))
      return keepsCase ? plain : plain.toLowerCase()
    }

    /** Names of attributes are the same in small letters and capitals. */
    async function inherited(page: Page): Promise<Attributes> {
      const { stem, suffix } = splitLanguage(page.path)
      const language = suffix ?? page.root.language ?? byDefault
      const own = Object.keys(await page.attributes()).map((name) => name.toLowerCase())
      const cascaded = Object.entries(await cascadedTo(page, { stem, language }, cascade))
      const isOwn = (name: string) => own.includes(name) || (name === "build" && own.includes("_build"))
      return Object.fromEntries(cascaded.filter(([name]) => !isOwn(name)))
    }

    /** `install.fr` is the page `install` in French where the site has that language. */
    function splitLanguage(path: string): { stem: string; suffix?: string } {
      const suffix = /\.([a-z\d-]+)$/i.exec(lastName(path))?.[1]
      const isKnown =
        suffix !== undefined && (suffix.toLowerCase() === byDefault || suffix.toLowerCase() in languages)
      return isKnown
        ? { stem: path.slice(0, -suffix.length - 1), suffix: suffix.toLowerCase() }
        : { stem: path }
    }

    /** The sections around a page: its first folder, and those below that have a page of their own. */
    function sectionsAround(page: Page, above: string): string[] {
      const names = above.split("/").slice(0, -1)
      const isSection = (folder: string) =>
        ["", ...codes.map((code) => `.${code}`)].some((suffix) => page.has(`${folder}/_index${suffix}.md`))
      return names.filter((_, at) => at === 0 || isSection(names.slice(0, at + 1).join("/")))
    }

    /** Files beside and below an `index.md` are parts of that page. */
    function isInBundle(page: Page): boolean {
      for (let folder = parentFolder(page.path); folder !== ""; folder = parentFolder(folder.slice(0, -1)))
        if (
          ["", ...codes.map((code) => `.${code}`)].some((suffix) =>
            page.has(`${folder}index${suffix}${page.extension}`),
          )
        )
          return true
      return false
    }

    /** `{{< ref "install.md#linux" >}}`, whose path is found from the page or from the contents. */
    async function filled(text: string, page: Page): Promise<string> {
      const pattern = /\{\{[<%]-?[ \t]*(?:rel)?ref[ \t]+(?:path=)?"([^"]*)"[^{}]*[>%]\}\}/g
      const links = new Map<string, string>()
      for (const [, target = ""] of text.matchAll(pattern)) {
        const [path = "", fragment] = target.split("#")
        if (path === "") links.set(target, `#${fragment ?? ""}`)
        const folders = path.startsWith("/") ? [""] : [parentFolder(page.path), ""]
        const stem = path.replace(/^\//, "").replace(/\/$|\.md$/, "")
        for (const name of folders.flatMap((folder) =>
          ["", "/_index", "/index"].map((end) => folder + stem + end),
        )) {
          if (links.has(target) || !page.has(`${name}.md`)) continue
          const route = await page.routeOf(`${page.root.folder}${name}.md`)
          if (route !== undefined)
            links.set(target, page.urlOf(route) + (fragment === undefined ? "" : `#${fragment}`))
        }
      }
      return links.size === 0
        ? text
        : text.replace(pattern, (found, target: string) => links.get(target) ?? found)
    }

    const isOn = (name: string) => config[name] === true
    const roots = pageRoots(config, languages, contents)
    const goldmark = record(record(record(config["markup"])["goldmark"])["parser"])
    const idType = word(goldmark["autoHeadingIDType"] ?? goldmark["autoIDType"]) ?? ""
    return {
      roots,
      languages: isDefaultInFolder && !codes.includes(byDefault) ? [...codes, byDefault] : codes,
      publication: {
        future: isOn("buildfuture"),
        expired: isOn("buildexpired"),
        drafts: isOn("builddrafts"),
      },
      folderPage: "_index",
      async routeOf(page) {
        const { stem, suffix } = splitLanguage(page.path)
        const language = suffix ?? page.root.language ?? byDefault
        if (languages[language]?.["disabled"] === true) return notPublished
        const prefix = languagePrefix(language)
        const within = page.root.route.slice(1)
        const folder = within + parentFolder(stem)
        const name = lastName(stem)
        if (name !== "index" && name !== "_index" && isInBundle(page)) return pagePart
        const attributes = { ...(await inherited(page)), ...(await page.attributes()) }
        const build = record(attributes["build"] ?? attributes["_build"])
        if (
          build["render"] === false ||
          ["never", "link"].includes(word(build["render"]) ?? "") ||
          attributes["headless"] === true
        )
          return notPublished
        const url = usablePath(attributes["url"])
        if (url !== undefined) {
          const path = url.startsWith("/") ? url : `${prefix}/${url}`
          return { path: /\.[a-z\d]+$|\/$/i.test(path) ? path : `${path}/`, language, isOwn: true }
        }
        const slug = usablePath(attributes["slug"])
        if (name === "_index" || folder + name === "index") {
          const path =
            slug === undefined || folder === within ? folder : `${parentFolder(folder.slice(0, -1))}${slug}/`
          return { path: named(`${prefix}/${path}`), language }
        }
        const isBundle = name === "index"
        const own = isBundle ? lastName(folder.slice(0, -1)) : name
        const above = isBundle ? parentFolder(folder.slice(0, -1)) : folder
        const section = folder.split("/")[0] ?? ""
        const pattern =
          word(record(permalinks["page"])[section]) ?? word(permalinks[section]) ?? word(permalinks["/"])
        const style =
          site.style ?? (isUgly || uglySections[section.toLowerCase()] === true ? "html" : "slash")
        const path =
          pattern && section !== ""
            ? filledIn(pattern, { attributes, own, slug, sections: sectionsAround(page, above), section })
            : `/${above}${slug ?? own}`
        return {
          path: named(
            prefix + (path.endsWith("/") && style !== "html" ? path : ended(path.replace(/\/$/, ""), style)),
          ).replace(/\/{2,}/g, "/"),
          language,
        }
      },
      inherited,
      includes: [include],
      filled,
      anchors: /ascii/.test(idType) ? "ascii" : idType === "blackfriday" ? "blackfriday" : "usual",
    }
  },
  anchors: hugoAnchors,
  dialect: {
    // https://gohugo.io/configuration/front-matter
    dates: (attributes) => ({
      begins: firstDate(attributes, dateAttributes),
      ends: firstDate(attributes, ["expirydate", "unpublishdate"]),
    }),
  },
}

/** `config.toml`, or a folder with a file for each part; the keys of the top are in small letters. */
async function readConfig(site: SiteFolder): Promise<Attributes> {
  const ends = ["toml", "yaml", "yml", "json"]
  const files = (names: string[]) => names.flatMap((name) => ends.map((end) => `${name}.${end}`))
  const config = lowered(
    await site.settings(...files(["hugo", "config", "config/_default/hugo", "config/_default/config"])),
  )
  for (const part of ["languages", "permalinks", "module", "markup", "cascade"]) {
    const found = await site.settings(...files([`config/_default/${part}`]))
    if (Array.isArray(found)) config[part] = found
    else if (Object.keys(found).length > 0) config[part] = { ...record(config[part]), ...found }
  }
  for (const file of site.list("config/_default")) {
    const [, part = "", language = ""] =
      /^(languages|config|hugo)\.([\w-]+)\.(?:toml|ya?ml|json)$/.exec(file) ?? []
    if (part === "") continue
    const all = record(config["languages"])
    config["languages"] = {
      ...all,
      [language]: { ...record(all[language]), ...(await site.settings(`config/_default/${file}`)) },
    }
  }
  return config
}

function lowered(given: Attributes): Attributes {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
}

/** The folders of the contents: one, or one for each language, and mounted folders. */
function pageRoots(config: Attributes, languages: Record<string, Attributes>, contents: string): PageRoot[] {
  const mounts = record(config["module"])["mounts"]
  const mounted = (Array.isArray(mounts) ? mounts.map(record) : []).flatMap((mount) => {
    const [source, target] = [word(mount["source"]), word(mount["target"])]
    if (source === undefined || !/^content(?:\/|$)/.test(target ?? "")) return []
    const matrix = record(record(mount["sites"])["matrix"])["languages"]
    const language = word(mount["lang"]) ?? word(Array.isArray(matrix) ? matrix[0] : matrix)
    return [
      {
        folder: asFolder(source),
        route: `/${asFolder((target as string).slice("content/".length))}`,
        language,
      },
    ]
  })
  const languageRoots = Object.entries(languages).flatMap(([language, given]) => {
    const folder = word(given["contentdir"])
    return folder === undefined || given["disabled"] === true
      ? []
      : [{ folder: asFolder(folder), route: "/", language }]
  })
  const isMounted = mounted.some(({ route }) => route === "/")
  return [...languageRoots, ...mounted, ...(isMounted ? [] : [{ folder: contents, route: "/" }])]
}

interface Filling {
  attributes: Attributes
  own: string
  slug: string | undefined
  sections: string[]
  section: string
}

/** https://gohugo.io/configuration/permalinks/ */
function filledIn(pattern: string, { attributes, own, slug, sections, section }: Filling): string {
  const date = /^(\d{4})-(\d\d)-(\d\d)/.exec(dateText(attributes["date"] ?? attributes["publishDate"]))
  const day = date && new Date(`${date[0]}T00:00:00Z`)
  const name = (options: Intl.DateTimeFormatOptions) =>
    day?.toLocaleString("en", { ...options, timeZone: "UTC" }).toLowerCase()
  const title = (word(attributes["title"]) ?? own).trim().replace(/\s+/g, "-")
  const values: Record<string, string | undefined> = {
    year: date?.[1],
    month: date?.[2],
    day: date?.[3],
    monthname: name({ month: "long" }),
    weekdayname: name({ weekday: "long" }),
    section,
    sections: sections.join("/"),
    title,
    slug: slug ?? title,
    filename: own,
    contentbasename: own,
    slugorfilename: slug ?? own,
    slugorcontentbasename: slug ?? own,
  }
  return `/${pattern}`
    .replace(/:([a-z]+)(?:\[([^\]]*)\])?/g, (found, key: string, slice?: string) => {
      const value = values[key]
      if (slice === undefined || value === undefined) return value ?? found
      const names = value.split("/")
      const [from, to] = slice.split(":")
      const at = (end: string | undefined, fallback: number) =>
        end === "last" ? names.length - 1 : end ? Number(end) : fallback
      return (
        to !== undefined
          ? names.slice(at(from, 0), at(to, names.length))
          : names.slice(at(from, 0), at(from, 0) + 1)
      ).join("/")
    })
    .replace(/\/{2,}/g, "/")
}

/**
 * Shortcodes of themes and of Hugo's own documentation: `{{% include "a.md" %}}`, `{{< readfile file="a.md" >}}`.
 */
const include: Include = {
  pattern:
    /\{\{[<%]-?[ \t]*(?:include|readfile|includefile|include-md)[ \t]+(?:(?:file|path)=)?"([^"{}]+)"[^{}]*[>%]\}\}/g,
  of([, file = ""], { page, folder }) {
    const plain = file.replace(/^\//, "")
    const paths = file.startsWith("/")
      ? [plain, page.root.folder + plain]
      : [folder + plain, page.root.folder + plain, plain]
    return { paths, part: /\.(?:md|markdown|part|html)$/.test(file) ? undefined : (text) => text }
  },
}
