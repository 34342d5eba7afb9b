import { resolve } from "node:path"
import { detail, UsageError } from "../../base/errors.ts"
import { parsedUrl } from "../../base/text.ts"
import type { FeedSource } from "../../reading/feed.ts"
import { withoutFinalSlashes } from "../../reading/generators/kit/address.ts"
import { generatorNames } from "../../reading/generators/names.ts"
import { crawlLimits, usualCrawl } from "../../reading/kinds/crawl/visits.ts"
import { repositoryPlace } from "../../reading/kinds/git/repository-url.ts"
import { urlStyles } from "../../reading/kinds/kind.ts"
import { pagesLimits } from "../../reading/kinds/pages.ts"
import { type Feed, feedKinds, type KindName, kindNames } from "../../reading/kinds/table.ts"
import { patternProblem } from "../../reading/page-patterns.ts"
import { inEnglish } from "../../wording/english.ts"
import type { OptionValue } from "./command.ts"
import { readText } from "./read-file.ts"

type Options = Readonly<Record<string, OptionValue>>

/** Files are uploaded to the service, not here. Every other kind has an option that names its place. */
const placeOptions = kindNames
  .filter((kind) => kind !== "upload")
  .map((kind) => ({ kind, option: kind === "pages" ? "urls" : kind }))

/** The settings that options give, together. */
const settingOptions: {
  settings: readonly (keyof Feed)[]
  options: readonly string[]
  read(options: Options): Partial<Feed>
}[] = [
  { settings: ["include", "exclude"], options: ["include", "exclude"], read: pathPatterns },
  {
    settings: ["documents"],
    options: ["documents"],
    read: ({ documents }) => ({ documents: isTyped(documents) }),
  },
  { settings: ["crawl"], options: ["depth", "most-pages", "parameter"], read: crawlSettings },
  {
    settings: ["baseUrl", "urlStyle", "generator"],
    options: ["base-url", "url-style", "generator"],
    read: publishedAs,
  },
]

/** The feed that the options name; undefined when they name none. Throws UsageError. */
export async function wantedFeed(options: Options): Promise<FeedSource | undefined> {
  const ways = [...placeOptions.map(({ option }) => option), "stored", "show"].filter(
    (way) => options[way] !== undefined,
  )
  if (ways.length > 1) throw new UsageError(`--${ways.join(" and --")} cannot be combined`)
  const kind = placeOptions.find(({ option }) => option === ways[0])?.kind
  const settings: Partial<Feed> = {}
  for (const { settings: names, options: own, read } of settingOptions) {
    const takes = (each: KindName) => names.every((name) => name in feedKinds[each].settings.properties)
    if (kind && takes(kind)) Object.assign(settings, read(options))
    else if (own.some((option) => isTyped(options[option])))
      throw new UsageError(
        `${inWords(own, "conjunction")} ${own.length > 1 ? "go" : "goes"} with ${placesTaking(takes)}`,
      )
  }
  return kind && { kind, ...(await placeOf(kind, options)), ...settings }
}

/** The options of the kinds that `takes` it, in words. */
export function placesTaking(takes: (kind: KindName) => boolean): string {
  return inWords(
    placeOptions.filter(({ kind }) => takes(kind)).map(({ option }) => option),
    "disjunction",
  )
}

function inWords(options: readonly string[], type: "conjunction" | "disjunction"): string {
  return new Intl.ListFormat("en-GB", { type }).format(options.map((option) => `--${option}`))
}

function isTyped(value: OptionValue): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false
}

async function placeOf(kind: KindName, options: Options): Promise<Pick<Feed, "address" | "pages">> {
  if (kind === "pages") return namedPages(String(options["urls"]))
  if (kind !== "dir") {
    const address = httpAddress(options[kind], `--${kind}`).href
    if (kind === "git" && !repositoryPlace(address))
      throw new UsageError(`--git: ${inEnglish(detail("assistant.gitAddress"))}`)
    return { address }
  }
  if (options["dir"] === "") throw new UsageError("--dir is a folder")
  if (options["base-url"] === undefined)
    throw new UsageError("--dir needs --base-url: the address under which the pages stand")
  return { address: resolve(String(options["dir"])) }
}

function crawlSettings(options: Options): Pick<Feed, "crawl"> {
  const wholeNumber = (name: "depth" | "most-pages", usual: number, most: number) => {
    const value = Number(options[name] ?? usual)
    if (Number.isInteger(value) && value >= 1 && value <= most) return value
    throw new UsageError(`--${name} is a whole number from 1 to ${most}`)
  }
  const parameters = (options["parameter"] ?? []) as string[]
  if (parameters.length > crawlLimits.parameters)
    throw new UsageError(`--parameter: at most ${crawlLimits.parameters} names`)
  return {
    crawl: {
      depth: wholeNumber("depth", usualCrawl.depth, crawlLimits.depth),
      pages: wholeNumber("most-pages", usualCrawl.pages, crawlLimits.pages),
      parameters,
    },
  }
}

async function namedPages(file: string): Promise<Pick<Feed, "address" | "pages">> {
  const { pages, characters } = pagesLimits
  const most = `from 1 to ${pages} addresses, one a line, in ${characters} characters`
  const lines = (await readText(file, 2 * characters))
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
  if (lines.length === 0 || lines.length > pages) throw new UsageError(`--urls: ${file} is to have ${most}`)
  const urls = lines.map((line) => httpAddress(line, "--urls: each line"))
  return { address: `${(urls[0] as URL).origin}/`, pages: urls.map(({ href }) => href) }
}

function pathPatterns(options: Options): Pick<Feed, "include" | "exclude"> {
  const patterns = (name: string) => {
    const typed = (options[name] ?? []) as string[]
    const problem = patternProblem(typed)
    if (problem) throw new UsageError(`--${name}: ${inEnglish(problem)}`)
    return typed
  }
  return { include: patterns("include"), exclude: patterns("exclude") }
}

/** Without `--base-url`, the address is empty. */
function publishedAs(options: Options): Pick<Feed, "baseUrl" | "urlStyle" | "generator"> {
  const typed = options["base-url"]
  const baseUrl = typed === undefined ? undefined : httpAddress(typed, "--base-url")
  if (baseUrl?.search || baseUrl?.hash)
    throw new UsageError("--base-url is an address without query and fragment")
  const urlStyle = urlStyles.find((style) => style === (options["url-style"] ?? "auto"))
  if (!urlStyle) throw new UsageError(`--url-style is ${urlStyles.join(", ")}`)
  const wanted = options["generator"] ?? "auto"
  const generator = generatorNames.find((name) => name === wanted)
  if (!generator && wanted !== "auto")
    throw new UsageError(`--generator is auto, ${generatorNames.join(", ")}`)
  return { baseUrl: withoutFinalSlashes(baseUrl?.href ?? ""), urlStyle, ...(generator && { generator }) }
}

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
