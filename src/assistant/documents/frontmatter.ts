import { type Detail, detail } from "../../base/errors.ts"
import { pageLimits } from "./page-limits.ts"

const { frontMatterCharacters } = pageLimits

/** What a page says about itself before its text. */
export interface FrontMatter {
  attributes: Record<string, unknown>
  /** As it is written, also when YAML takes it for a number: `3.10` is no 3.1. */
  title: string | null
  body: string
  /** Why the attributes could not be read, in English: the page's text is documentation all the same. */
  broken?: string
}

const fences = [
  { pattern: /^---[ \t]*\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n|$)/, parse: Bun.YAML.parse },
  { pattern: /^\+\+\+[ \t]*\n([\s\S]*?)(?:^|\n)\+\+\+[ \t]*(?:\n|$)/, parse: Bun.TOML.parse },
]

/**
 * `text` has LF line ends and no byte order mark. Between two rules there may also be text: what names
 * nothing is the page's own.
 * Never throws.
 */
export function readFrontMatter(text: string): FrontMatter {
  for (const { pattern, parse } of fences) {
    const found = pattern.exec(text)
    if (!found) continue
    const written = found[1] as string
    const body = text.slice(found[0].length)
    if (written.length > frontMatterCharacters) {
      if (!looksWritten(written)) continue
      const broken = `front matter: more than ${frontMatterCharacters.toLocaleString("en")} characters`
      return { attributes: {}, title: null, body, broken }
    }
    try {
      const attributes = parse(written) ?? {}
      if (isRecord(attributes)) return { attributes, title: titleOf(attributes, written), body }
    } catch (error) {
      const broken = `front matter: ${(error as Error).message}`
      if (looksWritten(written)) return { attributes: {}, title: null, body, broken }
    }
  }
  return { attributes: {}, title: null, body: text }
}

/**
 * Whether what could not be read was meant for front matter: it names something, and begins on its first
 * line.
 */
function looksWritten(text: string): boolean {
  return /^[\w-]+[ \t]*[:=]/m.test(text) && !/^[ \t]*\n/.test(text)
}

function titleOf({ title }: Record<string, unknown>, written: string): string | null {
  if (typeof title === "string") return title.trim() || null
  if (typeof title !== "number") return null
  return /^title[ \t]*[:=][ \t]*([^\s#]+)/m.exec(written)?.[1] ?? String(title)
}

/** The front matter's own word that the page is not to be found, or undefined. */
export function notToBeFound({ attributes }: FrontMatter): Detail | undefined {
  const search = attributes["search"]
  if (search === false || (isRecord(search) && search["exclude"] === true)) return detail("reading.searchOff")
  for (const name of ["noindex", "draft", "unlisted"])
    if (attributes[name] === true) return detail("reading.frontMatterSays", { name, value: true })
  for (const name of ["published", "pagefind"])
    if (attributes[name] === false) return detail("reading.frontMatterSays", { name, value: false })
  return undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
