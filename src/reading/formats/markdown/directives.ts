/**
 * Blocks of MyST and PyMdown: what stands between their marks is Markdown, or is left out, or is code.
 * `{name} argument` is a directive of MyST, in a fence or between colons, and `.. name:: argument` one of
 * reStructuredText.
 */
export type Directive =
  /** `title` stands above the text; `text` begins it. */
  { kind: "text"; title?: string; text?: string } | { kind: "code"; language: string } | { kind: "dropped" }

const titled = new Set(
  "admonition topic sidebar dropdown card tab-item grid-item-card rubric details exercise".split(" "),
)
const untitled = new Set(
  `note warning tip hint important caution attention danger error seealso info question abstract todo margin aside grid
   grid-item tab-set tabs container div epigraph pull-quote highlights centered glossary hlist list-table solution
   button-ref button-link`.split(/\s+/),
)

const dropped = new Set(
  `toctree contents tableofcontents include literalinclude figure image index bibliography only highlight meta
   currentmodule module raw eval-rst graphviz mermaid math plot video youtube iframe card-carousel`.split(
    /\s+/,
  ),
)
const code = new Set("code code-block sourcecode code-cell prompt parsed-literal doctest console".split(" "))

const versions: Record<string, { fr: string; en: string } | undefined> = {
  versionadded: { fr: "Ajouté dans la version", en: "Added in version" },
  versionchanged: { fr: "Modifié dans la version", en: "Changed in version" },
  deprecated: { fr: "Obsolète depuis la version", en: "Deprecated since version" },
  versionremoved: { fr: "Supprimé dans la version", en: "Removed in version" },
}

/** `language`: of the page, in which the generator writes the words for a version. Undefined for an unknown name. */
export function readDirective(name: string, argument: string, language: "fr" | "en"): Directive | undefined {
  const text = argument.trim()
  if (titled.has(name)) return { kind: "text", title: text }
  if (untitled.has(name)) return { kind: "text", text }
  if (dropped.has(name)) return { kind: "dropped" }
  if (code.has(name)) return { kind: "code", language: text }
  const version = versions[name]
  if (!version) return undefined
  const [, number = "", rest = ""] = /^(\S*)\s*([^\n]*)/.exec(text) ?? []
  const colon = language === "fr" ? "\u00a0:" : ":"
  return { kind: "text", text: `${version[language]} ${number}${colon} ${rest}`.trim() }
}

/** The language that most of the small words of a page belong to. */
export function pageLanguage(text: string): "fr" | "en" {
  const start = text.slice(0, 20_000)
  const french = start.match(/ (?:le|la|les|des|est|une|dans) /gi)?.length ?? 0
  const english = start.match(/ (?:the|of|is|and|to|in) /gi)?.length ?? 0
  return french >= english ? "fr" : "en"
}

/** An option of a directive (`:class: tip`) or of a block of PyMdown (`    type: warning`), below its first line. */
export function isOption(line: string, kind: "myst" | "pymdown"): boolean {
  return kind === "myst"
    ? /^\s*:[a-zA-Z][\w-]*:(?:\s|$)/.test(line)
    : /^(?: {4}|\t)\s*[\w-]+:(?:\s|$)/.test(line)
}
