import { replaceOutsideCode } from "./code-spans.ts"
import type { Dialect } from "./dialect.ts"

/**
 * Stands in a sentence where the page shows something that was not read: a picture, a variable, a component. A
 * sentence that holds it is not quoted.
 */
export const unread = "\ufffc"

/** The words around mark-up are looked at in lines up to this length: no sentence is longer. */
export const maxSentenceCharacters = 10_000

interface InlineMarkup {
  /** A line without these characters has none of it. */
  hint: string
  /** Global and linear. One that also matches runs of backticks skips code spans. */
  pattern: RegExp
  to(groups: RegExpExecArray, line: string): string
  /** It is text wherever the page has a dialect. */
  withoutDialect?: true
}

/** Mark-up within a line, in the order in which it is replaced. */
const table: InlineMarkup[] = [
  // Links to addresses that the generator fills in: [texte]({{ base }}/page)
  {
    hint: "](",
    pattern: /`+|!?\[([^[\]\n]*)\]\((?=[^()\n{]{0,2000}(?:\{[{%]|\$\{))[^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/g,
    to: ([found, text = ""]) => (found.startsWith("!") ? "" : text),
  },
  // CriticMarkup: {++new++} {--old--} {~~old~>new~~} {==marked==} {>>remark<<}
  {
    hint: "{",
    pattern: /`+|\{(\+\+|--|~~|==|>>)([^{}]*)(?:\+\+|--|~~|==|<<)\}/g,
    to: ([, mark, text = ""]) =>
      mark === "--" || mark === ">>" ? "" : mark === "~~" ? text.slice(text.indexOf("~>") + 2) : text,
  },
  // Roles of MyST and reStructuredText: {ref}`text <target>`, :ref:`text <target>`
  {
    hint: "`",
    pattern: /(?:\{([a-zA-Z][\w:.+-]*)\}|(?<![\w:]):([a-z][\w:.+-]*):)`([^`\n]+)`|`+/g,
    to: ([, role, other, text = ""]) => roleText(role ?? other ?? "", text),
  },
  // Lists of attributes of kramdown and of Python Markdown: {: .note }, { .md-button }, { width=300 }
  {
    hint: "{:",
    pattern: /`+|[ \t]?\{::?(?!\})[^{}\n]*\}/g,
    to: ([found], line) => (isHeading(line) ? found : ""),
  },
  {
    hint: "{",
    pattern: /`+|(?<=[)\]*`:=^~_>])\{[ \t]*(?:[.#]|[\w-]+=)[^{}]*\}/g,
    to: ([found], line) => (isHeading(line) ? found : ""),
  },
  // mdBook: {{#title …}}, {{#playground …}}
  { hint: "{{#", pattern: /`+|\\?\{\{#[^{}]*\}\}/g, to: () => "" },
  // Liquid: {% comment %}…{% endcomment %}
  { hint: "{%", pattern: /`+|\{%-?\s*comment\s*-?%\}[^{]*\{%-?\s*endcomment\s*-?%\}/g, to: () => "" },
  // Links, embeds and comments of Obsidian
  { hint: "![[", pattern: /`+|!\[\[[^[\]\n]+\]\]/g, to: () => unread },
  {
    hint: "[[",
    pattern: /`+|(?<![\\/\w])\[\[(?=[^\s[\].])([^[\]\n]+)\]\](?!\()/g,
    to: ([found, inside = ""]) => (/^_?toc_?$/i.test(inside) ? (found as string) : wikiText(inside)),
  },
  { hint: "%%", pattern: /`+|%%[^%\n]+%%/g, to: () => "", withoutDialect: true },
  { hint: " ^", pattern: /`+|[ \t]\^[a-z][\w-]*[ \t]*$/gi, to: () => "", withoutDialect: true },
  // Keys, marks, insertions, sub- and superscript of PyMdown
  {
    hint: "++",
    pattern: /`+|(?<![\w+])\+\+(?=[\w"'])([^\s+]+(?:\+[^\s+]+)*)\+\+(?!\+)/g,
    to: ([, keys = ""]) => keys.split("+").map(keyName).join("+"),
  },
  {
    hint: "==",
    pattern: /`+|(?<![=\w)\]])==(?=[^\s=])([^=\n]*[^\s=])==(?![=\w])/g,
    to: ([, text = ""]) => text,
  },
  { hint: "^^", pattern: /`+|\^\^(?=[^\s^])([^^\n]*[^\s^])\^\^/g, to: ([, text = ""]) => text },
  { hint: "^[", pattern: /`+|\^\[[^[\]\n]*\]/g, to: () => "" },
  {
    hint: "^",
    pattern: /`+|(?<=[\p{L}\p{N})])\^([\p{L}\p{N}]{1,20})\^/gu,
    to: ([, text]) => `<sup>${text}</sup>`,
  },
  {
    hint: "~",
    pattern: /`+|(?<=[\p{L}\p{N})])~([\p{L}\p{N}]{1,20})~(?!~)/gu,
    to: ([, text]) => `<sub>${text}</sub>`,
  },
  // Icons and emojis: :material-cog:, :warning:
  {
    hint: ":",
    pattern: /`+|(?<![\w:/]):(?:[a-z][a-z\d]*(?:[_+-][a-z\d]+)*|[+-]1):(?![\w:`])[ \t]?/g,
    to: iconText,
  },
]

/** Between two words of a sentence an icon is one of its words; elsewhere it is an ornament. */
function iconText({ 0: found, index, input }: RegExpExecArray): string {
  const before = input.slice(Math.max(0, index - 2), index)
  const isWord =
    /[\p{L}\p{N}’'] ?$/u.test(before) &&
    /^\p{Ll}/u.test(input.slice(index + found.length, index + found.length + 2))
  return isWord ? `${unread} ` : ""
}

/** The line with the generators' mark-up within it as CommonMark, outside code spans. */
export function readInlineMarkup(line: string, dialect: Dialect | undefined): string {
  let text = line
  for (const { hint, pattern, to, withoutDialect } of table)
    if (text.includes(hint) && !(withoutDialect && dialect))
      text = replaceOutsideCode(text, pattern, (_, groups) => to(groups, line))
  return text
}

/** The parameters by which shortcodes and components say words, in the order in which they count. */
const wordParameters = [
  "text",
  "label",
  "title",
  "name",
  "caption",
  "content",
  "description",
  "key",
  "keys",
  "k",
  "value",
]

/** Shortcodes and components whose first parameter without a name is a word of the sentence. */
const wordNames =
  /^(?:kbd|keys?|hotkey|shortcut|button|btn|badge|tag|label|mark|highlight|term|tooltip|glossary.*|abbr|menu|ui|gui.*|path|file|tab|link)$/i

/** Shortcodes and components that show a key of the keyboard. */
export const keyNames = /^(?:kbd|keys?|keyboard|hotkey|shortcut)$/i

/** Shortcodes and components that say nothing: what they show is an ornament, a space or a place to jump to. */
const ornaments =
  /^(?:.*icons?|fa[bsr]?|fontawesome|emoji|bi|anchor|a|span|br|hr|wbr|nbsp|clear|clearfix|space|toc|comment|raw|endraw|rawhtml|img|image|picture|figure|Fragment)$/i

/** The words of a shortcode or component within a sentence; `unread` when they are not known. */
export function spokenWords(name: string, parameters: string, names = wordParameters): string {
  if (ornaments.test(name)) return ""
  const named = namedParameter(parameters, names)
  const modifier = keyNames.test(name)
    ? namedParameter(parameters, ["mod", "modifier", "modifiers"])
    : undefined
  if (modifier !== undefined && named !== undefined) return [modifier, named].map(keyName).join("+")
  if (named !== undefined) return named
  if (wordNames.test(name)) {
    const first = /^\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/]+))/.exec(parameters)
    const words = first?.[1] ?? first?.[2] ?? first?.[3]
    if (words && !words.includes("=")) return words
  }
  return /badge$/i.test(name) ? "" : unread
}

/** The value of the first of the parameters that is given as a text: `k="z"`, `k='z'`, `k={"z"}`, `k=z`. */
export function namedParameter(parameters: string, names: readonly string[]): string | undefined {
  const values = new Map<string, string>()
  for (const [, name = "", double, single, bare] of parameters.matchAll(
    /(?<![\w:-])([A-Za-z][\w-]*)[ \t]*=[ \t]*\{?(?:"([^"]*)"|'([^']*)'|([\p{L}\p{N}][^\s"'<>{}/]*))/gu,
  ))
    values.set(name.toLowerCase(), (double ?? single ?? bare ?? "").trim())
  return names.map((name) => values.get(name)).find(Boolean)
}

/** Roles whose text is code. */
const codeRole = /^(?:code|literal|samp|kbd|command|program|option|envvar|file|regexp|makevar|[a-z]+:[a-z]+)$/

/** `text <target>` is its text; a bare target with `~` or `!` is its name. */
function roleText(role: string, text: string): string {
  const titled = /^([^<>]*[^<>\s])\s*<[^<>]*>$/.exec(text)?.[1]
  const words = titled ?? text.replace(/^[~!]/, "")
  if (titled === undefined && codeRole.test(role)) return `\`${words}\``
  if (role === "menuselection") return words.replaceAll("-->", "→")
  return role === "guilabel" ? words.replace("&", "") : words
}

/** `page#titre|texte` → `texte`, `dossier/page` → `page`, `#titre` → `titre`. */
function wikiText(inside: string): string {
  const bar = inside.search(/\\?\|/)
  if (bar !== -1) return inside.slice(bar).replace(/^\\?\|/, "")
  const [page = "", ...headings] = inside.split("#")
  const name = page.slice(page.lastIndexOf("/") + 1)
  return [name, ...headings].filter((part) => part !== "" && !part.startsWith("^")).join(" > ")
}

/** `ctrl` → `Ctrl`, `arrow-up` → `Arrow Up`, `"é"` → `é`. */
function keyName(key: string): string {
  if (/^["']/.test(key)) return key.slice(1, -1)
  return key.replace(/-/g, " ").replace(/(?<!\S)\p{Ll}/gu, (letter) => letter.toUpperCase())
}

function isHeading(line: string): boolean {
  return /^\s*#{1,6}\s/.test(line)
}
