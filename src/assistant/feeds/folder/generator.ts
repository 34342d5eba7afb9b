import { existsSync, statSync } from "node:fs"
import { realpath } from "node:fs/promises"
import { dirname, join, relative, sep } from "node:path"
import { type Generator, generators } from "../../documents/markdown/generator.ts"
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

/**
 * The files by which a generator is recognised. A book of mdBook or HonKit has a SUMMARY.md as well, and the
 * rules of GitHub.
 */
const signs: { generator: Generator | undefined; names: string[] }[] = [
  { generator: "docusaurus", names: ["js", "ts", "mjs", "cjs"].map((end) => `docusaurus.config.${end}`) },
  { generator: "vitepress", names: [".vitepress", ".vuepress"] },
  { generator: "mkdocs", names: ["mkdocs.yml", "mkdocs.yaml"] },
  { generator: undefined, names: ["book.toml", "book.json", "book.js"] },
  { generator: "gitbook", names: [".gitbook.yaml", ".gitbook", "SUMMARY.md"] },
]

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
      const trailing = /\btrailingSlash:\s*true\b/.test(await settings(place, signs[0]?.names ?? []))
      return { ...site, urlStyle: trailing ? "slash" : "clean" }
    }
    case "vitepress": {
      const names = ["ts", "mts", "js", "mjs"].map((end) => `.vitepress/config.${end}`)
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
      return { ...site, root, listed: await listedPages(join(place, pages), join(folder, root)) }
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

export function isGenerator(value: unknown): value is Generator {
  return generators.some((generator) => generator === value)
}

/** The nearest sign, from the folder upwards, but not beyond the repository that the folder is in. */
async function signOf(folder: string, wanted: Generator | undefined): Promise<Sign | undefined> {
  const mayBe = signs.filter(({ generator }) => wanted === undefined || generator === wanted)
  let place = folder
  for (let level = 0; level <= levelsUp && place !== dirname(place); level++) {
    const found = mayBe.find(({ names }) => names.some((name) => existsSync(join(place, name))))
    if (found) return { generator: found.generator, place }
    if (level === 0 && wanted === undefined && (await isGravFolder(folder)))
      return { generator: "grav", place }
    if (existsSync(join(place, ".git"))) return undefined
    place = dirname(place)
  }
  return undefined
}

/** A folder below that of the feed, as a prefix of paths; empty when it is another one or does not exist. */
function rootWithin(folder: string, pages: string): string {
  const path = relative(folder, pages).split(sep).join("/")
  const isFolder = statSync(pages, { throwIfNoEntry: false })?.isDirectory() ?? false
  return path === "" || path.startsWith("..") || !isFolder ? "" : `${path}/`
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
 * The pages that SUMMARY.md links to, by path below `pages`: GitBook publishes no others. Undefined without a
 * SUMMARY.md that links to a page.
 */
async function listedPages(place: string, pages: string): Promise<Set<string> | undefined> {
  const text = await settingsText(place, "SUMMARY.md")
  if (text === undefined) return undefined
  const listed = new Set<string>()
  for (const [, angled, plain] of text.matchAll(
    /\]\((?:<([^<>\n]*)>|([^()\s]*(?:\([^()\s]*\)[^()\s]*)*))/g,
  )) {
    const address = (angled ?? plain ?? "").replace(/[?#].*$/, "")
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
