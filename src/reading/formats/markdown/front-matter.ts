import { type Detail, detail } from "../../../base/errors.ts"
import { isObject } from "../../../base/names.ts"
import { pageLimits } from "../page-limits.ts"

const { frontMatterCharacters } = pageLimits

/** The attributes that a page gives in YAML, TOML or JSON before its text. */
export interface FrontMatter {
  attributes: Record<string, unknown>
  /** As it is written, even where YAML reads a number: `3.10` must not become 3.1. */
  title: string | null
  body: string
  /** Why the attributes could not be read, in English. The page's text is documentation nevertheless. */
  error?: string
}

interface Format {
  /** The attributes as they are written, and the length of the text up to the page's own. */
  find(text: string): { source: string; length: number } | undefined
  parse(source: string): unknown
}

const formats: Format[] = [
  { find: between(/^---(?:[ \t]*yaml)?[ \t]*\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n|$)/), parse: Bun.YAML.parse },
  { find: between(/^\+\+\+[ \t]*\n([\s\S]*?)(?:^|\n)\+\+\+[ \t]*(?:\n|$)/), parse: Bun.TOML.parse },
  { find: between(/^---[ \t]*toml[ \t]*\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n|$)/), parse: Bun.TOML.parse },
  { find: between(/^---[ \t]*json[ \t]*\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n|$)/), parse: JSON.parse },
  { find: between(/^;;;[ \t]*\n([\s\S]*?)(?:^|\n);;;[ \t]*(?:\n|$)/), parse: JSON.parse },
  { find: jsonObject, parse: JSON.parse },
]

function between(pattern: RegExp): Format["find"] {
  return (text) => {
    const match = pattern.exec(text)
    return match ? { source: match[1] as string, length: match[0].length } : undefined
  }
}

/** Hugo: a JSON object that begins the file, on one line or many; nothing follows it on its last line. */
function jsonObject(text: string): { source: string; length: number } | undefined {
  if (!/^\{\s{0,99}"/.test(text)) return undefined
  const most = Math.min(text.length, frontMatterCharacters)
  let open = 0
  let isString = false
  for (let at = 0; at < most; at++) {
    const character = text[at] as string
    if (character === "\\") at++
    else if (character === '"') isString = !isString
    else if (isString) continue
    else if (character === "{") open++
    else if (character === "}" && --open === 0) {
      const rest = /^[ \t]{0,99}(?:\n|$)/.exec(text.slice(at + 1, at + 101))
      return rest ? { source: text.slice(0, at + 1), length: at + 1 + rest[0].length } : undefined
    }
  }
  return undefined
}

/** The text of a file without a byte order mark, and with LF line ends. */
export function withPlainLineEnds(text: string): string {
  return text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n")
}

/**
 * `text` has LF line ends and no byte order mark. Text between two rules that holds no attributes is the
 * page's own text. Never throws.
 */
export function parseFrontMatter(text: string): FrontMatter {
  for (const { find, parse } of formats) {
    const match = find(text)
    if (!match) continue
    const { source } = match
    const body = text.slice(match.length)
    if (source.length > frontMatterCharacters) {
      if (!isMeantAsAttributes(source)) continue
      const error = `front matter: more than ${frontMatterCharacters.toLocaleString("en")} characters`
      return { attributes: {}, title: null, body, error }
    }
    try {
      const attributes = parse(source) ?? {}
      if (isObject(attributes)) return { attributes, title: writtenTitle(attributes, source), body }
    } catch (thrown) {
      const error = `front matter: ${(thrown as Error).message}`
      if (isMeantAsAttributes(source)) return { attributes: {}, title: null, body, error }
    }
  }
  return { attributes: {}, title: null, body: text }
}

/** Whether unreadable text was meant as front matter: it has a `name:` and its first line is not empty. */
function isMeantAsAttributes(text: string): boolean {
  return /^[\w-]+[ \t]*[:=]/m.test(text) && !/^[ \t]*\n/.test(text)
}

function writtenTitle({ title }: Record<string, unknown>, source: string): string | null {
  if (typeof title === "string") return title.trim() || null
  if (typeof title !== "number") return null
  return /^title[ \t]*[:=][ \t]*([^\s#]+)/m.exec(source)?.[1] ?? String(title)
}

/** Words of the attributes, all together. */
const maxKeywordCharacters = 500

/** Words of the attributes by which the author wants the page found. */
export function keywordsIn(attributes: Record<string, unknown>): string {
  const { description, summary, tags, keywords, categories } = attributes
  const texts = [description ?? summary, tags, keywords, categories].flat(1).slice(0, 50)
  return texts
    .filter((text) => typeof text === "string")
    .join(", ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxKeywordCharacters)
    .toWellFormed()
}

/** The description that the attributes give of the page. */
export function descriptionIn({ description, summary }: Record<string, unknown>): string {
  const text = description ?? summary
  return typeof text === "string" ? text.slice(0, 10 * maxKeywordCharacters).toWellFormed() : ""
}

/** Where the attributes send the readers of the page on, as they are written. */
export function redirectIn(attributes: Record<string, unknown>): string | undefined {
  for (const [name, value] of Object.entries(attributes)) {
    if (!redirecting.has(name.toLowerCase().replace(/[-_]/g, ""))) continue
    const [target] = [value].flat(1)
    const address = isObject(target) ? (target["to"] ?? target["url"]) : target
    if (typeof address === "string" && address.trim() !== "") return address.trim()
  }
  const head = "head" in attributes ? JSON.stringify(attributes["head"]).slice(0, 10_000) : ""
  return /"http-equiv":"refresh"[^{}]{0,200}?"content":"\d{1,3}\s?;\s?url=([^"]{1,2000})"/i.exec(head)?.[1]
}

const redirecting = new Set(["redirect", "redirectto", "redirecturl", "redirectlink", "movedto"])

/**
 * The attribute by which the page asks not to be indexed; undefined without such an attribute.
 */
export function noindexReason(attributes: Record<string, unknown>, readsDrafts: boolean): Detail | undefined {
  const search = attributes["search"]
  if (isSwitched(search, false) || (isObject(search) && isSwitched(search["exclude"], true)))
    return detail("reading.searchOff")
  for (const [given, attribute] of Object.entries(attributes)) {
    const name = given.toLowerCase()
    const value = hidingValues.get(name)
    if (value !== undefined && isSwitched(attribute, value) && !(name === "draft" && readsDrafts))
      return detail("reading.frontMatterSays", { name: given, value })
  }
  return undefined
}

/** The attributes by which a page is no part of the published documentation, with the value that says so. */
const hidingValues = new Map([
  ["noindex", true],
  ["draft", true],
  ["unlisted", true],
  ["published", false],
  ["routable", false],
  ["pagefind", false],
])

/** YAML 1.1 takes `yes` and `no` for switches, and so do many generators; others write them as texts. */
function isSwitched(value: unknown, on: boolean): boolean {
  if (value === on) return true
  return typeof value === "string" && (on ? /^(?:true|yes|on)$/i : /^(?:false|no|off)$/i).test(value.trim())
}
