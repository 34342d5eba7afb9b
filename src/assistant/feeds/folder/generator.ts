import { existsSync, statSync } from "node:fs"
import { realpath } from "node:fs/promises"
import { dirname, join, relative, sep } from "node:path"
import type { Generator } from "../../documents/markdown/generator.ts"
import type { UrlStyle } from "../../documents/markdown/page-url.ts"
import type { Feed } from "../feed.ts"
import { type GravSettings, gravSettings, isGravFolder } from "./grav-site.ts"
import { settingsText } from "./settings.ts"

/** What is known of the site that a folder's pages belong to. */
export interface Site {
  /** Undefined when no generator is recognised: then GitHub's rules apply. */
  generator: Generator | undefined
  /** The addresses where the owner has set no style. */
  urlStyle: UrlStyle
  /** Folder of the pages within the feed's, such as `docs/`; empty when they are the same. */
  root: string
  /** The pages in the site's contents, by path in `root`, where the generator publishes no others. */
  listed?: ReadonlySet<string> | undefined
  grav?: GravSettings | undefined
}

/** Folders above that of the pages in which the generator's sign is looked for. */
const levelsUp = 4

const docusaurusFiles = ["js", "ts", "mjs", "cjs"].map((end) => `docusaurus.config.${end}`)

/** The files by which a generator is recognised. */
const signs: { generator: Generator; names: string[] }[] = [
  { generator: "docusaurus", names: docusaurusFiles },
  { generator: "vitepress", names: [".vitepress", ".vuepress"] },
  { generator: "mkdocs", names: ["mkdocs.yml", "mkdocs.yaml"] },
  { generator: "gitbook", names: [".gitbook.yaml", ".gitbook", "SUMMARY.md"] },
]

/** A book of mdBook or HonKit has a SUMMARY.md as well, there or a folder deeper, and the rules of GitHub. */
const bookFiles = ["book.toml", "book.json", "book.js"]

interface Sign {
  generator: Generator | undefined
  /** The folder that holds the sign. */
  place: string
}

/** The site of a folder. Never throws: a sign that cannot be read is none. */
export async function siteOf(folder: string, wanted?: Generator): Promise<Site> {
  const sign = (await signOf(folder, wanted)) ?? { generator: undefined, place: folder }
  const { place } = sign
  const generator = wanted ?? sign.generator
  const site: Site = { generator, urlStyle: "clean", root: "" }
  const within = (path: string) => rootWithin(folder, join(place, path))
  switch (generator) {
    case "docusaurus": {
      const trailing = /\btrailingSlash:\s*true\b/.test(await settings(place, docusaurusFiles))
      return { ...site, urlStyle: trailing ? "slash" : "clean" }
    }
    case "vitepress": {
      const names = ["config", "config/index"].flatMap((name) =>
        ["ts", "mts", "js", "mjs"].map((end) => `.vitepress/${name}.${end}`),
      )
      const isClean = /\bcleanUrls:\s*true\b/.test(await settings(place, names))
      return { ...site, urlStyle: isClean ? "clean" : "html" }
    }
    case "mkdocs": {
      const text = await settings(place, ["mkdocs.yml", "mkdocs.yaml"])
      const isFlat = /^use_directory_urls:\s*false\b/m.test(text)
      const pages = /^docs_dir:\s*["']?([\w./-]+)/m.exec(text)?.[1] ?? "docs"
      return { ...site, urlStyle: isFlat ? "html" : "slash", root: within(pages) }
    }
    case "gitbook": {
      const text = await settings(place, [".gitbook.yaml"])
      const pages = /^root:\s*["']?([\w./-]+)/m.exec(text)?.[1] ?? "."
      const root = within(pages)
      const contents = /^[ \t]+summary:[ \t]*["']?([\w./-]+)/m.exec(text)?.[1] ?? "SUMMARY.md"
      return { ...site, root, listed: await listedPages(join(place, pages), contents, join(folder, root)) }
    }
    case "grav":
      return { ...site, ...(await gravSettings(folder)) }
    default:
      return site
  }
}

/** The generator of a feed for people and logs; undefined for a list of pages, or when none is recognised. */
export async function generatorOf(feed: Feed): Promise<Generator | undefined> {
  if (feed.kind !== "dir") return undefined
  const folder = await realpath(feed.address).catch(() => feed.address)
  return (await siteOf(folder, feed.generator)).generator
}

/** The nearest sign, from the folder upwards, but not beyond the repository that the folder is in. */
async function signOf(folder: string, wanted: Generator | undefined): Promise<Sign | undefined> {
  const mayBe = signs.filter(({ generator }) => wanted === undefined || generator === wanted)
  let place = folder
  for (let level = 0; level <= levelsUp && place !== dirname(place); level++) {
    const found = mayBe.find(({ names }) => hasOneOf(place, names))
    const isBook = found?.generator === "gitbook" && wanted === undefined && isOtherBook(place)
    if (found) return { generator: isBook ? undefined : found.generator, place }
    if (level === 0 && wanted === undefined && (await isGravFolder(folder)))
      return { generator: "grav", place }
    if (existsSync(join(place, ".git"))) return undefined
    place = dirname(place)
  }
  return undefined
}

function isOtherBook(place: string): boolean {
  if (hasOneOf(place, [".gitbook.yaml", ".gitbook"])) return false
  return hasOneOf(place, bookFiles) || hasOneOf(dirname(place), bookFiles)
}

function hasOneOf(place: string, names: string[]): boolean {
  return names.some((name) => existsSync(join(place, name)))
}

/** A folder below that of the feed, as a prefix of paths; empty when it is another one or does not exist. */
function rootWithin(folder: string, pages: string): string {
  const path = relative(folder, pages).split(sep).join("/")
  return path === "" || path.startsWith("..") || !isFolder(pages) ? "" : `${path}/`
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** The text of the first of these files that is there; empty without one. */
async function settings(place: string, names: string[]): Promise<string> {
  for (const name of names) {
    const text = await settingsText(place, name)
    if (text !== undefined) return text
  }
  return ""
}

/**
 * The pages that the contents link to, by path below `pages`: GitBook publishes no others. Undefined when the
 * contents cannot be read or link to no page.
 */
async function listedPages(place: string, contents: string, pages: string): Promise<Set<string> | undefined> {
  const text = await settingsText(place, contents)
  if (text === undefined) return undefined
  const listed = new Set<string>()
  for (const [, angled, plain] of text.matchAll(
    /\]\((?:<([^<>\n]*)>|([^()\s]*(?:\([^()\s]*\)[^()\s]*)*))/g,
  )) {
    const [address = ""] = (angled ?? plain ?? "").split(/[?#]/, 1)
    if (!/\.(?:md|markdown)$/i.test(address) || address.includes("://")) continue
    listed.add(
      relative(pages, join(place, decoded(address)))
        .split(sep)
        .join("/"),
    )
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
