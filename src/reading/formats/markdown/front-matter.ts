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

const formats = [
  { pattern: /^---(?:[ \t]*yaml)?[ \t]*\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n|$)/, parse: Bun.YAML.parse },
  { pattern: /^\+\+\+[ \t]*\n([\s\S]*?)(?:^|\n)\+\+\+[ \t]*(?:\n|$)/, parse: Bun.TOML.parse },
  { pattern: /^---[ \t]*toml[ \t]*\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n|$)/, parse: Bun.TOML.parse },
  { pattern: /^---[ \t]*json[ \t]*\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n|$)/, parse: JSON.parse },
  { pattern: /^;;;[ \t]*\n([\s\S]*?)(?:^|\n);;;[ \t]*(?:\n|$)/, parse: JSON.parse },
  // Hugo: a JSON object whose last brace stands alone on its line.
  { pattern: /^(\{[ \t]*\n[\s\S]*?\n\})[ \t]*(?:\n|$)/, parse: JSON.parse },
]

/** The text of a file without a byte order mark, and with LF line ends. */
export function withPlainLineEnds(text: string): string {
  return text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n")
}

/**
 * `text` has LF line ends and no byte order mark. Text between two rules that holds no attributes is the
 * page's own text. Never throws.
 */
export function parseFrontMatter(text: string): FrontMatter {
  for (const { pattern, parse } of formats) {
    const match = pattern.exec(text)
    if (!match) continue
    const source = match[1] as string
    const body = text.slice(match[0].length)
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
