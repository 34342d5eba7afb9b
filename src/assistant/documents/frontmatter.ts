/** What a page says about itself before its text. */
export interface FrontMatter {
  attributes: Record<string, unknown>
  body: string
  /** Why the attributes could not be read, in English: the page's text is documentation all the same. */
  broken?: string
}

const fences = [
  { pattern: /^---[ \t]*\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n|$)/, parse: Bun.YAML.parse },
  { pattern: /^\+\+\+[ \t]*\n([\s\S]*?)(?:^|\n)\+\+\+[ \t]*(?:\n|$)/, parse: Bun.TOML.parse },
]

/** `text` has LF line ends and no byte order mark. Never throws. */
export function readFrontMatter(text: string): FrontMatter {
  for (const { pattern, parse } of fences) {
    const found = pattern.exec(text)
    if (!found) continue
    const body = text.slice(found[0].length)
    try {
      return { attributes: record(parse(found[1] as string)), body }
    } catch (error) {
      return { attributes: {}, body, broken: `front matter: ${(error as Error).message}` }
    }
  }
  return { attributes: {}, body: text }
}

/** The front matter's own word that the page is not to be found, or undefined. */
export function notToBeFound({ attributes }: FrontMatter): string | undefined {
  const search = attributes["search"]
  if (search === false || record(search)["exclude"] === true) return "search is off in its front matter"
  for (const name of ["noindex", "draft", "unlisted"])
    if (attributes[name] === true) return `${name}: true in its front matter`
  for (const name of ["published", "pagefind"])
    if (attributes[name] === false) return `${name}: false in its front matter`
  return undefined
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
