import { isObject } from "../../base/names.ts"
import { dateText } from "../formats/dates.ts"
import { textContent } from "../formats/html/dom.ts"
import { githubAnchors, numberedFrom, withDashes } from "../formats/markdown/anchors.ts"
import { firstDate, type PublicationDates, timeMs } from "../formats/markdown/publication.ts"
import { usablePath } from "./kit/address.ts"
import type { Attributes, Include, Page, PageRoot, Route, SiteGenerator } from "./kit/generator.ts"
import {
  asFolder,
  ended,
  lastName,
  notPublished,
  parentFolder,
  record,
  word,
  words,
} from "./kit/generator.ts"
import { ignoredPaths } from "./kit/patterns.ts"

/** https://jekyllrb.com/docs/permalinks/ */
export const jekyll: SiteGenerator = {
  name: "Jekyll",
  signs: ["_config.yml", "_config.yaml", "_config.toml"],
  // Jupyter Book and Hexo have such a file as well.
  owns: (has) => !["_toc.yml", "scaffolds"].some(has),
  async rules(site) {
    const config = await site.settings("_config.yml", "_config.yaml", "_config.toml")
    const source = asFolder(word(config["source"]) ?? "")
    const collectionsFolder = source + asFolder(word(config["collections_dir"]) ?? "")
    const collections = readCollections(config)
    const style = site.style && { clean: "", html: "none", slash: "pretty" }[site.style]
    const ownPermalink = word(config["permalink"]) ?? "date"
    const permalink = style ?? ownPermalink
    const ownPostPermalink = namedPermalinks[ownPermalink] ?? ownPermalink
    const postPermalink = site.style
      ? ended(ownPostPermalink.replace(/(?:\/|:output_ext|\.html)$/, ""), site.style)
      : ownPostPermalink
    const included = words(config["include"])
    const isExcluded = ignoredPaths(
      [...excludedAlways, ...words(config["exclude"])].filter((each) => !included.includes(each)),
    )
    const isIncluded = ignoredPaths(included)
    const defaults = readDefaults(config)
    const data = new Map<string, Promise<unknown>>()

    function withDefaults(page: Page, type: string, own: Attributes): Attributes {
      const within = (path: string) =>
        path.startsWith(collectionsFolder) ? path.slice(collectionsFolder.length) : path.slice(source.length)
      const path = within(page.root.folder + page.path + page.extension)
      const fitting = defaults.filter((each) => {
        const folder = within(source + each.folder)
        const isIn =
          folder === "" || `${path}/`.startsWith(folder) || ignoredPaths([`/${folder.slice(0, -1)}`])(path)
        return isIn && (each.type === undefined || each.type === type)
      })
      return Object.assign({}, ...fitting.map(({ values }) => values), own)
    }

    /** Pages are published whatever the defaults say of it; posts and documents of collections are not. */
    async function inherited(page: Page): Promise<Attributes> {
      const own = await page.attributes()
      const isPost = page.path.split("/").slice(0, -1).includes("_posts")
      const type = isPost ? "posts" : (page.root.kind ?? "pages")
      const given = Object.entries(withDefaults(page, type, {}))
      return Object.fromEntries(
        given.filter(([name]) => !(name in own) && !(type === "pages" && name === "published")),
      )
    }

    /** `site.title`, `page.version` and what stands in `_data`, and addresses of other pages. */
    async function filled(text: string, page: Page): Promise<string> {
      if (!/\{[{%]/.test(text)) return text
      const own = withDefaults(page, page.root.kind ?? "pages", await page.attributes())
      const names = new Set([...text.matchAll(/\bsite\.data\.([\w-]+)/g)].map(([, name]) => name as string))
      const files: Attributes = {}
      for (const name of [...names].slice(0, 50)) {
        const at = `${source}_data/${name}`
        if (!data.has(name)) data.set(name, site.settings(`${at}.yml`, `${at}.yaml`, `${at}.json`))
        files[name] = await data.get(name)
      }
      const values = { site: { ...config, data: files }, page: { ...own, path: page.path + page.extension } }
      const links = await linksIn(text, page, source)
      let isRaw = false
      return text.replace(/\{%-?([^{}]*)%\}|\{\{-?([^{}]*)\}\}/g, (found, tag?: string, output?: string) => {
        const [name, target = ""] = tag?.replace(/-$/, "").trim().split(/\s+/) ?? []
        if (name === "raw" || name === "endraw") {
          isRaw = name === "raw"
          return ""
        }
        if (isRaw) return found.replace(rawMark, "")
        if (name === "link" || name === "post_url") return links.get(target) ?? ""
        return output === undefined ? found : filledValue(output.replace(/-$/, ""), values, page)
      })
    }

    const folders = Object.keys(collections).filter((name) => name !== "posts")
    const roots: PageRoot[] = [
      { folder: source, route: "/" },
      ...folders.map((name) => ({ folder: `${collectionsFolder}_${name}/`, route: `/${name}/`, kind: name })),
      ...(collectionsFolder !== source ? [{ folder: collectionsFolder, route: "/" }] : []),
    ]
    const publication = { future: config["future"] === true, expired: true, drafts: false }
    return {
      roots,
      publication,
      async routeOf(page) {
        const path = page.root.folder.slice(source.length) + page.path + page.extension
        const names = page.path.split("/")
        const post = names.slice(0, -1).includes("_posts")
          ? names.slice(0, names.indexOf("_posts"))
          : undefined
        const collection = post ? "posts" : page.root.kind
        const name = lastName(page.path)
        if (!post && !collection && hiddenName.test(`/${page.path}`) && !isIncluded(path)) return notPublished
        if (isExcluded(path)) return notPublished
        const own = await page.attributes()
        const attributes = withDefaults(page, collection ?? "pages", own)
        if (collection !== undefined) {
          const given = record(collections[collection])
          if (collection !== "posts" && given["output"] !== true) return notPublished
          const dated = /^(\d{2,4})-(\d{1,2})-(\d{1,2})-(.*)$/.exec(name)
          if (post && !dated) return notPublished
          const fallback = collection === "posts" ? postPermalink : suffixed("/:collection/:path", permalink)
          const template = usablePath(attributes["permalink"]) ?? word(given["permalink"]) ?? fallback
          const date =
            dayIn(attributes["date"], word(config["timezone"]) ?? "UTC") ??
            (dated?.slice(1, 4).map(Number) as Ymd | undefined)
          const title = slugified(word(attributes["slug"]) ?? dated?.[4] ?? name)
          const categories = [
            ...(post ?? []),
            ...words(attributes["category"]),
            ...words(attributes["categories"]),
          ]
          return filledIn(
            template,
            {
              ...(date && dateWords(date)),
              collection,
              path: page.path,
              name: slugified(name),
              title,
              slug: title.toLowerCase(),
              categories: [...new Set(categories.map((each) => each.toLowerCase()))].join("/"),
              output_ext: ".html",
            },
            attributes["permalink"] !== undefined,
          )
        }
        const given = usablePath(attributes["permalink"])
        const values = { path: parentFolder(page.path).slice(0, -1), basename: name, output_ext: ".html" }
        if (given !== undefined) return filledIn(given, values, true)
        const hasIndex = ["index.md", "index.html"].some((file) => page.has(parentFolder(page.path) + file))
        const isFolderPage = name === "index" || (name.toLowerCase() === "readme" && !hasIndex)
        if (isFolderPage) return { path: `/${parentFolder(page.path)}` }
        if (site.style === "clean") return { path: ended(`/${page.path}`, "clean") }
        return filledIn(suffixed("/:path/:basename", permalink), values, false)
      },
      inherited,
      includes: [include(source)],
      filled,
      anchors: anchorsName(config),
    }
  },
  anchors: {
    // GitHub's as kramdown makes them: créer-lété.
    usual: {
      slug: (text) =>
        text
          .toLowerCase()
          .replace(/[^\p{L}\p{M}\p{Nd}\p{Pc}\- \t]/gu, "")
          .replace(/[ \t]/g, "-"),
      typography: withDashes,
      unique: numberedFrom(1),
    },
    // Kramdown's own, of the heading's source: letters of ASCII from the first on, « 2. Créer » → crer.
    plain: {
      slug: (text) =>
        text
          .replace(/^[^a-z]+/i, "")
          .replace(/[^a-z\d -]/gi, "")
          .replaceAll(" ", "-")
          .toLowerCase() || "section",
      elementText: (element) =>
        element.name === "a"
          ? textContent(element.children) + element.attribs["href"]
          : element.name === "img"
            ? `${element.attribs["alt"]}${element.attribs["src"]}`
            : undefined,
      unique: numberedFrom(1),
    },
    github: githubAnchors,
  },
  dialect: { continuesBehindHtml: true, dates },
}

/** Only posts and documents of collections have a day; it may stand in the name of the file. */
function dates(attributes: Attributes, path: string): PublicationDates {
  if (!/(?:^|\/)_[^/]+\//.test(path)) return {}
  const isPost = /(?:^|\/)_posts\//.test(path)
  const ms = isPost ? timeMs(/^(\d{4}-\d\d?-\d\d?)-/.exec(lastName(path))?.[1]) : undefined
  return {
    begins: firstDate(attributes, ["date"]) ?? (ms === undefined ? undefined : { name: "date", ms }),
  }
}

/** The permalinks that Jekyll has names for. */
const namedPermalinks: Record<string, string> = {
  date: "/:categories/:year/:month/:day/:title:output_ext",
  pretty: "/:categories/:year/:month/:day/:title/",
  ordinal: "/:categories/:year/:y_day/:title:output_ext",
  weekdate: "/:categories/:year/W:week/:short_day/:title:output_ext",
  none: "/:categories/:title:output_ext",
}

const excludedAlways = ["node_modules", "vendor", "gemfiles"]

/** Files and folders of Jekyll's own, and of editors. */
const hiddenName = /\/(?:[_.#]|[^/]*~(?:\/|$))/

interface Defaults {
  /** Empty, or with a slash at its end. */
  folder: string
  type: string | undefined
  values: Attributes
}

/**
 * Sorted so that the later ones win: the longer path, then the one with a type, then the one further down
 * (jekyllrb.com/docs/configuration/front-matter-defaults/#precedence).
 */
function readDefaults({ defaults }: Attributes): Defaults[] {
  const all = (Array.isArray(defaults) ? defaults : []).map((each) => {
    const { scope, values } = record(each)
    const { path, type } = record(scope)
    return { folder: asFolder(word(path) ?? ""), type: pageType(type), values: record(values) }
  })
  const weight = ({ folder, type }: Defaults) => 2 * folder.length + (type === undefined ? 0 : 1)
  return all.sort((one, other) => weight(one) - weight(other))
}

/** `page`, `post` and `draft` are names of earlier versions. */
function pageType(given: unknown): string | undefined {
  const type = word(given)
  return type && ["page", "post", "draft"].includes(type) ? `${type}s` : type
}

/** As a mapping, whichever way they are written. */
function readCollections({ collections }: Attributes): Record<string, unknown> {
  if (Array.isArray(collections)) return Object.fromEntries(words(collections).map((name) => [name, {}]))
  return record(collections)
}

/** The site's permalink tells whether the addresses of other pages end with `.html`. */
function suffixed(template: string, permalink: string): string {
  if (permalink === "pretty") return `${template}/`
  if (permalink in namedPermalinks) return `${template}:output_ext`
  return template + (permalink.endsWith("/") ? "/" : permalink.endsWith(":output_ext") ? ":output_ext" : "")
}

function filledIn(template: string, values: Record<string, string>, isOwn: boolean): Route {
  // The longest names first: `:title` is no `:t`.
  const path = template.replace(/:([a-z_]+)/g, (found, name: string) => {
    const matched =
      Object.keys(values).find((key) => key === name) ??
      Object.keys(values)
        .sort((a, b) => b.length - a.length)
        .find((key) => name.startsWith(key))
    return matched === undefined ? found : values[matched] + name.slice(matched.length)
  })
  return { path: `/${path}`.replace(/\/{2,}/g, "/").replace(/\/index\.html$/, "/"), isOwn }
}

type Ymd = [number, number, number]

/** The day of a date, in the site's time zone; servers build in UTC. */
function dayIn(value: unknown, zone: string): Ymd | undefined {
  const text = dateText(value)
  const found = /^(\d{4})-(\d{1,2})-(\d{1,2})(.*)$/s.exec(text)
  if (!found) return undefined
  const time = new Date(text.replace(/ ([+-]\d\d):?(\d\d)$/, "$1:$2").replace(" ", "T"))
  if (/[+-]\d\d:?\d\d$|Z$/.test(found[4] as string) && !Number.isNaN(time.getTime()))
    try {
      const day = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" }).format(time)
      return day.split("-").map(Number) as Ymd
    } catch {
      // An unknown zone.
    }
  return [Number(found[1]), Number(found[2]), Number(found[3])]
}

function dateWords([year, month, day]: Ymd): Record<string, string> {
  const date = new Date(Date.UTC(year, month - 1, day))
  const two = (value: number) => String(value).padStart(2, "0")
  const name = (options: Intl.DateTimeFormatOptions) =>
    date.toLocaleString("en", { ...options, timeZone: "UTC" })
  const weekday = (date.getUTCDay() + 6) % 7
  const thursday = new Date(Date.UTC(year, month - 1, day - weekday + 3))
  const yearDay = (at: Date) =>
    Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / 86_400_000) + 1
  return {
    year: String(year),
    short_year: two(year % 100),
    month: two(month),
    i_month: String(month),
    short_month: name({ month: "short" }),
    long_month: name({ month: "long" }),
    day: two(day),
    i_day: String(day),
    y_day: String(yearDay(date)).padStart(3, "0"),
    short_day: name({ weekday: "short" }),
    long_day: name({ weekday: "long" }),
    w_year: String(thursday.getUTCFullYear()),
    w_day: String(weekday + 1),
    week: two(Math.ceil(yearDay(thursday) / 7)),
  }
}

/** Jekyll's slugs in the mode `pretty`. */
function slugified(text: string): string {
  return text.replace(/[^\p{M}\p{L}\p{Nd}._~!$&'()+,;=@]+/gu, "-").replace(/^-|-$/g, "")
}

const rawMark = "\0"

/** `{% include note.md kind="warning" %}`, where the file uses `{{ include.kind }}`. */
function include(source: string): Include {
  return {
    // A tag between `raw` and `endraw` is text.
    prepare(text) {
      if (!/\{%-?\s*raw\b/.test(text)) return text
      let isRaw = false
      return text.replace(/\{%(-?\s*(?:raw\b|endraw\b|include))/g, (found, name: string) => {
        if (!name.endsWith("include")) isRaw = name.endsWith("raw") && !name.endsWith("endraw")
        return isRaw && name.endsWith("include") ? `{%${rawMark}${name}` : found
      })
    },
    pattern: /\{%-?[ \t]*include(_relative|_cached)?[ \t]([^{}%]*)%\}/g,
    of([, how, given = ""], { folder }) {
      const file = given.trim().split(/\s/, 1)[0]
      const values = new Map<string, string>()
      for (const [, name, double, single] of given.matchAll(/(?<![\w-])([\w-]+)=(?:"([^"]*)"|'([^']*)')/g))
        values.set(name as string, double ?? single ?? "")
      return {
        paths: [how === "_relative" ? folder + file : `${source}_includes/${file}`],
        part: (text) =>
          text.replace(
            /\{\{-?\s*include\.([^{}]*)\}\}/g,
            (_, output: string) => values.get(/^[\w-]*/.exec(output)?.[0] ?? "") ?? "",
          ),
      }
    },
  }
}

/** The addresses that `{% link _docs/a.md %}` and `{% post_url 2024-01-05-a %}` stand for. */
async function linksIn(text: string, page: Page, source: string): Promise<Map<string, string>> {
  const links = new Map<string, string>()
  for (const [, tag, target = ""] of text.matchAll(/\{%-?[ \t]*(link|post_url)[ \t]+([^\s{}%]+)/g)) {
    const folder = tag === "link" ? "" : `${parentFolder(target)}_posts/`
    const names =
      tag === "link" ? [target] : [".md", ".markdown"].map((end) => folder + lastName(target) + end)
    for (const name of names) {
      const route = links.has(target) ? undefined : await page.routeOf(source + name.replace(/^\//, ""))
      if (route !== undefined) links.set(target, page.urlOf(route))
    }
  }
  return links
}

/** `site.title | escape`, `"/docs/" | relative_url`; empty for what is not known. */
function filledValue(expression: string, values: Attributes, page: Page): string {
  const [start = "", ...filters] = expression.split("|").map((part) => part.trim())
  if (start === "site.baseurl") return page.urlOf("")
  if (start === "site.url") return filters.length > 0 ? "" : new URL(page.urlOf("/")).origin
  const literal = /^(?:"([^"]*)"|'([^']*)')$/.exec(start)
  let value: unknown = literal ? (literal[1] ?? literal[2]) : values
  if (!literal) for (const name of start.split(".")) value = record(value)[name]
  const text = word(value)
  if (text === undefined) return ""
  return filters.some((filter) => /^(?:relative|absolute)_url$/.test(filter))
    ? page.urlOf(`/${text.replace(/^\//, "")}`)
    : text
}

function anchorsName(config: Attributes): "usual" | "plain" | "github" {
  if (/commonmark/i.test(word(config["markdown"]) ?? "")) return "github"
  return isObject(config["kramdown"]) && word(config["kramdown"]["input"])?.toLowerCase() === "kramdown"
    ? "plain"
    : "usual"
}
