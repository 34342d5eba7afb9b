import { existsSync, readdirSync, statSync } from "node:fs"
import { dirname, join, posix, relative, sep } from "node:path"
import { detail } from "../../../base/errors.ts"
import { isObject } from "../../../base/names.ts"
import { readText } from "../../files/text.ts"
import type { LeftOut } from "../../formats/document.ts"
import { addressOf } from "../../generators/kit/address.ts"
import {
  type Attributes,
  outsidePages,
  type Page,
  type PageRoot,
  type Route,
  type SiteFolder,
  type SiteRules,
} from "../../generators/kit/generator.ts"
import { withIncludes } from "../../generators/kit/includes.ts"
import { fileRoute, plainRules } from "../../generators/kit/plain.ts"
import type { Generator } from "../../generators/names.ts"
import { siteGenerators } from "../../generators/table.ts"
import type { Parser } from "../../parser.ts"
import type { PublishedFeed } from "../kind.ts"

/** The site that a feed's folder belongs to. Paths of pages count from the folder, and have their extension. */
export interface Site {
  /** Undefined when no generator is recognised: then what most have in common applies. */
  generator: Generator | undefined
  rules: SiteRules
  /** The page's address, or why it is no page. `text` is what the file holds, where it is known already. */
  addressOf(page: string, text?: string): Promise<string | LeftOut>
  /** The address of a document that the site serves as it is, such as a PDF. */
  documentUrl(page: string): string
  /** The attributes that the page has without giving them itself. */
  inheritedBy(page: string, text: string): Promise<Attributes>
  /** The page's text with the files that it includes and the values that the generator fills in. */
  wholeText(page: string, text: string): Promise<string>
}

interface Sign {
  generator: Generator | undefined
  /** The folder that holds the sign. */
  place: string
}

/** How many folders above the pages' own are searched for the generator's sign. */
const levelsUp = 4

/** `folder` is a real path. Never throws: a sign that cannot be read does not count. */
export async function openSite(folder: string, feed: PublishedFeed, parser: Parser): Promise<Site> {
  const { baseUrl, urlStyle } = feed
  const sign = await signOf(folder, feed.generator)
  const generator = feed.generator ?? sign.generator
  const { place } = sign
  const site = siteFolder(place, urlStyle === "auto" ? undefined : urlStyle, parser)
  const rules = await (generator ? siteGenerators[generator].rules(site) : plainRules(site))
  const above = within(place, folder)
  const roots = rootsOf(rules.roots, above, place)
  const only = languageOf(baseUrl, [...(rules.languages ?? []), ...roots.map(({ language }) => language)])
  const read = textReader(folder)
  const attributesOf = frontMatters((path) => read(path.slice(above.length)), parser)
  const routes = await openRoutes({ place, above, rules, roots, only, baseUrl, attributesOf })

  return {
    generator,
    rules,
    async addressOf(page, text) {
      // The pages of a built site have the names of their files.
      if (/\.html?$/i.test(page)) return addressOf(fileRoute(page, site.style), baseUrl, "/")
      const route = await routes.routeOf(above + page, text)
      return "leftOut" in route ? route : routes.urlOf(route)
    },
    documentUrl(page) {
      const served = generator ? page.replace(servedFolders, "") : page
      return addressOf({ path: `/${served}` }, baseUrl, "/")
    },
    async inheritedBy(page, text) {
      const self = routes.pageAt(above + page, text)
      return (self && (await rules.inherited?.(self))) ?? {}
    },
    async wholeText(page, text) {
      const path = above + page
      const self = routes.pageAt(path, text)
      if (!self) return text
      const readInFolder = async (file: string) =>
        file.startsWith(above) ? read(file.slice(above.length)) : undefined
      const whole = rules.includes ? await withIncludes(text, self, path, rules.includes, readInFolder) : text
      return rules.filled ? rules.filled(whole, self) : whole
    },
  }
}

/** Decides the addresses of a folder's pages. */
interface Addressing {
  /** The folder of the site. Paths count from there. */
  place: string
  /** The feed's folder, from there. */
  above: string
  rules: SiteRules
  roots: PageRoot[]
  /** The one language that is read. */
  only: string | undefined
  baseUrl: string
  attributesOf: FrontMatters
}

interface Routes {
  /** Undefined outside the folders of pages. */
  pageAt(path: string, text?: string): Page | undefined
  routeOf(path: string, text?: string): Promise<Route | LeftOut>
  urlOf(route: Route): string
}

async function openRoutes(addressing: Addressing): Promise<Routes> {
  const { place, above, rules, roots, only, baseUrl, attributesOf } = addressing
  const folderRoute = await routeOfFolder()
  return { pageAt, routeOf, urlOf }

  /** The path on the site of the feed's folder itself. */
  async function routeOfFolder(): Promise<string> {
    const root = roots.find((each) => above !== "" && above.startsWith(each.folder))
    if (!root) return "/"
    const index = `${above}${rules.folderPage ?? "index"}.md`
    const none = async () => ({})
    const route = await rules.routeOf({ ...pageIn(root, index), attributes: none, has: () => false })
    return "leftOut" in route ? root.route + above.slice(root.folder.length) : route.path
  }

  function urlOf(route: Route): string {
    const isOfLanguage = only !== undefined && `${route.path}/`.startsWith(`/${only}/`)
    return addressOf(route, baseUrl, isOfLanguage ? `/${only}` : folderRoute)
  }

  function rootOf(path: string): PageRoot | undefined {
    return roots.find(({ folder }) => path.startsWith(folder))
  }

  function pageAt(path: string, text?: string): Page | undefined {
    const root = rootOf(path)
    return root && pageIn(root, path, text)
  }

  function pageIn(root: PageRoot, path: string, text?: string): Page {
    const inRoot = path.slice(root.folder.length)
    const extension = posix.extname(inRoot)
    return {
      root,
      path: inRoot.slice(0, inRoot.length - extension.length),
      extension,
      only,
      attributes: () => attributesOf(path, text),
      attributesOf: (other) => attributesOf(other),
      has: (other) => existsSync(join(place, root.folder, other)),
      routeOf: async (other) => {
        const result = await routeOf(other)
        return "leftOut" in result ? undefined : result.path
      },
      urlOf: (route) => {
        const [path = "", rest = ""] = route.split(/(?=[?#])/, 2)
        return urlOf({ path, isOwn: true }) + rest
      },
    }
  }

  async function routeOf(path: string, text?: string): Promise<Route | LeftOut> {
    const root = rootOf(path)
    if (!root) return outsidePages
    if (root.leftOut && !above.startsWith(root.folder)) return root.leftOut
    const route = await rules.routeOf(pageIn(root, path, text))
    if ("leftOut" in route || only === undefined || route.language === undefined || route.language === only)
      return route
    return otherLanguage(only)
  }
}

type FrontMatters = (path: string, text?: string) => Promise<Attributes>

/** The front matter of files by their paths; some are remembered. `text` is a file’s own, where it is known. */
function frontMatters(read: (path: string) => Promise<string | undefined>, parser: Parser): FrontMatters {
  const cache = new Map<string, Promise<Attributes>>()
  return (path, text) => {
    const cached = cache.get(path)
    if (cached) return cached
    if (cache.size >= maxFrontMatters) cache.clear()
    const attributes = (async () => {
      const source = text ?? (await read(path)) ?? ""
      return /^\ufeff?(?:---|\+\+\+|\{)/.test(source)
        ? parser.frontMatter(source.slice(0, maxFrontMatter))
        : {}
    })()
    cache.set(path, attributes)
    return attributes
  }
}

/** Generators serve the files of these folders from the root of their site. */
const servedFolders = /^(?:static|public)\//

const maxFrontMatter = 100_000
/** Front matters that are remembered for the pages that ask for them. */
const maxFrontMatters = 2000

const otherLanguage = (language: string): LeftOut => ({
  leftOut: "empty",
  detail: detail("reading.otherLanguage", { language }),
})

/** The nearest sign, from the folder upwards, but not beyond the repository that the folder is in. */
export async function signOf(folder: string, wanted: Generator | undefined): Promise<Sign> {
  const mayBe = (Object.keys(siteGenerators) as Generator[]).filter(
    (name) => wanted === undefined || name === wanted,
  )
  let place = folder
  for (let level = 0; level <= levelsUp && place !== dirname(place); level++) {
    const generator = mayBe.find((name) => isSite(place, name))
    if (generator) return { generator, place }
    if (level === 0)
      for (const name of mayBe)
        if (await siteGenerators[name].ownsPages?.(folder)) return { generator: name, place }
    if (existsSync(join(place, ".git"))) break
    place = dirname(place)
  }
  return { generator: undefined, place: folder }
}

function isSite(place: string, generator: Generator): boolean {
  const { signs, owns } = siteGenerators[generator]
  const has = (path: string) => existsSync(join(place, path))
  return signs.some(has) && (owns?.(has) ?? true)
}

/**
 * The folders of pages that there are, the deepest first. When none has anything to do with the feed's folder, the
 * owner knows better: then its files are the pages.
 */
function rootsOf(roots: PageRoot[], above: string, place: string): PageRoot[] {
  const there = roots.filter(
    ({ folder }) => (above.startsWith(folder) || folder.startsWith(above)) && isFolder(join(place, folder)),
  )
  const kind = roots[0]?.kind
  const result = there.length > 0 ? there : [{ folder: above, route: "/", ...(kind && { kind }) }]
  return result.sort((one, other) => other.folder.length - one.folder.length)
}

/** The language whose address the feed has, such as `https://site.example/fr`, when the folder holds several. */
function languageOf(baseUrl: string, languages: (string | undefined)[]): string | undefined {
  const last = /\/([a-z]{2,3}(?:-[a-z]{2,4})?)\/*$/i.exec(new URL(baseUrl).pathname)?.[1]?.toLowerCase()
  return (
    languages.find(
      (language) => language !== undefined && (language === "any" ? last : language.toLowerCase() === last),
    ) && last
  )
}

function siteFolder(place: string, style: SiteFolder["style"], parser: Parser): SiteFolder {
  const read = textReader(place)
  const first = async (names: string[]) => {
    for (const name of names) {
      const text = existsSync(join(place, name)) ? await read(name) : undefined
      if (text !== undefined) return { name, text: text.slice(0, maxSettingsCharacters) }
    }
    return { name: "", text: "" }
  }
  return {
    style,
    has: (path) => existsSync(join(place, path)),
    text: async (...names) => (await first(names)).text,
    settings: async (...names) => {
      const { name, text } = await first(names)
      if (text === "") return {}
      const result = await parser.settings(
        text,
        /\.json$/.test(name) ? "json" : /\.toml$/.test(name) ? "toml" : "yaml",
      )
      return (isObject(result) || Array.isArray(result) ? result : {}) as Attributes
    },
    list: (path) => {
      try {
        return readdirSync(join(place, path)).sort()
      } catch {
        return []
      }
    },
  }
}

/** A site's settings are read up to here: real ones are shorter. */
const maxSettingsCharacters = 1_000_000

/** Reads files of a folder by their path in it; undefined for what cannot be read or is elsewhere. */
function textReader(folder: string): (path: string) => Promise<string | undefined> {
  return async (path) => {
    const text = await readText(join(folder, path), folder).catch(() => undefined)
    return typeof text === "string" ? text : undefined
  }
}

function within(place: string, folder: string): string {
  const path = relative(place, folder).split(sep).join("/")
  return path === "" ? "" : `${path}/`
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
