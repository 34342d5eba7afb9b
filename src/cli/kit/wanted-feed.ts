import { resolve } from "node:path"
import { detail, UsageError } from "../../base/errors.ts"
import { parsedUrl } from "../../base/text.ts"
import { type FeedSource, type FolderFeed, pagesLimits } from "../../reading/feed.ts"
import { withoutFinalSlashes } from "../../reading/generators/kit/address.ts"
import { generatorNames } from "../../reading/generators/names.ts"
import { type CrawlSettings, crawlLimits, usualCrawl } from "../../reading/kinds/crawl/visits.ts"
import { repositoryPlace } from "../../reading/kinds/git/repository-url.ts"
import { patternProblem } from "../../reading/page-patterns.ts"
import { inEnglish } from "../../wording/english.ts"
import type { OptionValue } from "./command.ts"
import { readText } from "./read-file.ts"

type Given = Readonly<Record<string, OptionValue>>

/** The feed that the options name; undefined when they name none. Throws UsageError. */
export async function wantedFeed(options: Given): Promise<FeedSource | undefined> {
  const ways = ["dir", "site", "sitemap", "llms", "crawl", "git", "urls", "stored", "show"].filter(
    (way) => options[way] !== undefined,
  )
  if (ways.length > 1) throw new UsageError(`--${ways.join(" and --")} cannot be combined`)
  const [kind] = ways
  if (
    !ofFiles.has(kind) &&
    (options["base-url"] ?? options["url-style"] ?? options["generator"]) !== undefined
  )
    throw new UsageError("--base-url, --url-style and --generator go with --dir or --git")
  const patterns = { include: pathPatterns(options, "include"), exclude: pathPatterns(options, "exclude") }
  const documents = options["documents"] === true
  if (documents && (ofFiles.has(kind) || kind === undefined || kind === "stored" || kind === "show"))
    throw new UsageError("--documents goes with --site, --sitemap, --llms, --crawl or --urls")
  if (kind === "dir") return { ...wantedDir(options), ...patterns }
  if (kind === "git") return { ...wantedRepository(options), ...patterns }
  const crawl = crawlSettings(options)
  if (kind === "crawl")
    return { kind, address: httpAddress(options[kind], "--crawl").href, ...patterns, documents, crawl }
  if (kind === "urls") return { ...(await namedPages(String(options["urls"]))), ...patterns, documents }
  if (kind === "site" || kind === "sitemap" || kind === "llms")
    return { kind, address: httpAddress(options[kind], `--${kind}`).href, ...patterns, documents }
  if (patterns.include.length + patterns.exclude.length > 0)
    throw new UsageError(
      "--include and --exclude go with --dir, --site, --sitemap, --llms, --crawl, --git or --urls",
    )
  return undefined
}

function crawlSettings(options: Given): CrawlSettings {
  const wholeNumber = (name: "depth" | "most-pages", usual: number, most: number) => {
    const value = Number(options[name] ?? usual)
    if (Number.isInteger(value) && value >= 1 && value <= most) return value
    throw new UsageError(`--${name} is a whole number from 1 to ${most}`)
  }
  const parameters = (options["parameter"] ?? []) as string[]
  const isGiven = options["depth"] ?? options["most-pages"] ?? parameters[0]
  if (isGiven !== undefined && options["crawl"] === undefined)
    throw new UsageError("--depth, --most-pages and --parameter go with --crawl")
  if (parameters.length > crawlLimits.parameters)
    throw new UsageError(`--parameter: at most ${crawlLimits.parameters} names`)
  return {
    depth: wholeNumber("depth", usualCrawl.depth, crawlLimits.depth),
    pages: wholeNumber("most-pages", usualCrawl.pages, crawlLimits.pages),
    parameters,
  }
}

async function namedPages(file: string): Promise<Extract<FeedSource, { kind: "pages" }>> {
  const { pages, characters } = pagesLimits
  const most = `from 1 to ${pages} addresses, one a line, in ${characters} characters`
  const lines = (await readText(file, 2 * characters))
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
  if (lines.length === 0 || lines.length > pages) throw new UsageError(`--urls: ${file} is to have ${most}`)
  const urls = lines.map((line) => httpAddress(line, "--urls: each line"))
  return { kind: "pages", address: `${(urls[0] as URL).origin}/`, pages: urls.map(({ href }) => href) }
}

function pathPatterns(options: Given, name: "include" | "exclude"): string[] {
  const patterns = (options[name] ?? []) as string[]
  const problem = patternProblem(patterns)
  if (problem) throw new UsageError(`--${name}: ${inEnglish(problem)}`)
  return patterns
}

function wantedDir(options: Given): FeedSource {
  if (options["dir"] === "") throw new UsageError("--dir is a folder")
  if (options["base-url"] === undefined)
    throw new UsageError("--dir needs --base-url: the address under which the pages stand")
  return { kind: "dir", address: resolve(String(options["dir"])), ...publishedAs(options) }
}

function wantedRepository(options: Given): FeedSource {
  const address = httpAddress(options["git"], "--git").href
  if (!repositoryPlace(address)) throw new UsageError(`--git: ${inEnglish(detail("assistant.gitAddress"))}`)
  return { kind: "git", address, ...publishedAs(options) }
}

/** Without `--base-url`, the address is empty. */
function publishedAs(options: Given): Pick<FolderFeed, "baseUrl" | "urlStyle" | "generator"> {
  const typed = options["base-url"]
  const baseUrl = typed === undefined ? undefined : httpAddress(typed, "--base-url")
  if (baseUrl?.search || baseUrl?.hash)
    throw new UsageError("--base-url is an address without query and fragment")
  const urlStyle = urlStyles.find((style) => style === (options["url-style"] ?? "auto"))
  if (!urlStyle) throw new UsageError(`--url-style is ${urlStyles.join(", ")}`)
  const wanted = options["generator"] ?? "auto"
  const generator = generatorNames.find((known) => known === wanted)
  if (!generator && wanted !== "auto")
    throw new UsageError(`--generator is auto, ${generatorNames.join(", ")}`)
  return { baseUrl: withoutFinalSlashes(baseUrl?.href ?? ""), urlStyle, generator }
}

const ofFiles = new Set<string | undefined>(["dir", "git"])

const urlStyles = ["auto", "clean", "html", "slash"] as const

function httpAddress(value: unknown, option: string): URL {
  const url = parsedUrl(String(value))
  // Not shown: what stands before an @ may be a password.
  if (url?.username || url?.password)
    throw new UsageError(
      `${option} is an address without user and password: --headers or --token reads them from a file`,
    )
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${option} is an http:// or https:// address, not ${value}`)
  return url
}
