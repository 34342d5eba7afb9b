export type SettingsFormat = "yaml" | "toml" | "json"

/** Reads a site's settings; undefined when they cannot be read. */
export function parseSettings(text: string, format: SettingsFormat): unknown {
  try {
    if (format === "json") return JSON.parse(text)
    return format === "toml" ? Bun.TOML.parse(text) : Bun.YAML.parse(withoutEnvironment(text))
  } catch {
    return undefined
  }
}

/** `!ENV [NAME, docs]` of MkDocs takes its default, never a variable of ours; `!ENV NAME` has none. */
function withoutEnvironment(text: string): string {
  return text.replace(
    /!ENV[ \t]+(?:\[([^\][\n]*)\]|[\w"'-]+)/g,
    (_, list?: string) => list?.split(",").slice(1).at(-1)?.trim() ?? "null",
  )
}

/** The most that is kept of settings or of a front matter: repeated references make gigabytes of a short text. */
const maxValues = 20_000
const maxDepth = 12
const maxCharacters = 2_000_000

/** A copy within limits of size: texts, numbers, lists and objects; what is beyond is left out. */
export function cutData(data: unknown): unknown {
  let values = maxValues
  let characters = maxCharacters
  return copy(data, 0)

  function copy(value: unknown, depth: number): unknown {
    if (--values < 0 || depth > maxDepth) return undefined
    if (typeof value === "string") {
      characters -= value.length
      return characters < 0 ? undefined : value
    }
    if (typeof value !== "object" || value === null) return typeof value === "bigint" ? Number(value) : value
    // TOML makes objects of `Temporal` of dates.
    if (/^\[object Temporal/.test(Object.prototype.toString.call(value))) return String(value)
    if (Array.isArray(value)) return value.slice(0, maxValues).map((each) => copy(each, depth + 1))
    const entries = Object.entries(value).slice(0, maxValues)
    return Object.fromEntries(entries.map(([name, each]) => [name, copy(each, depth + 1)]))
  }
}
