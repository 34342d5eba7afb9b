/** A value or a sign of JSON (RFC 8259), with the space before it. */
const token =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has them as escapes alone
  /[ \t\r\n]*(?:([[\]{},:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y

/** By what stands before: what may follow it. `]` and `}` close the list or object that they belong to. */
const after = {
  start: "[{v",
  "[": "[{v]",
  "{": "s}",
  "list ,": "[{v",
  "object ,": "s",
  ":": "[{v",
  "list value": ",]",
  "object value": ",}",
  key: ":",
  end: "",
} as const

/** The line, counted from 1, on which a text ceases to be JSON: the parser that reads it does not tell. */
export function faultyLine(text: string): number {
  const open: ("list" | "object")[] = []
  let before: keyof typeof after = "start"
  let read = 0
  token.lastIndex = 0
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [, sign, quoted] = found
    const kind: string = sign ?? (quoted === undefined ? "v" : after[before].startsWith("s") ? "s" : "v")
    if (!after[before].includes(kind)) break
    read = token.lastIndex
    if (kind === "[" || kind === "{") open.push(kind === "[" ? "list" : "object")
    if (kind === "]" || kind === "}") open.pop()
    const around = open.at(-1)
    if (kind === "s") before = "key"
    else if (kind === "[" || kind === "{" || kind === ":") before = kind
    else if (around === undefined) before = "end"
    else before = kind === "," ? `${around} ,` : `${around} value`
  }
  const next = text.slice(read).search(/[^ \t\r\n]/)
  return text.slice(0, next < 0 ? text.length : read + next).split("\n").length
}
