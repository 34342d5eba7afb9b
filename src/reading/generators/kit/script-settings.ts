/** An object that a settings file in JavaScript or TypeScript writes out. */
export interface ObjectLiteral {
  /** The name that it is given to; empty in a list. */
  name: string
  /** Its own members, without those of objects in it. */
  own: string
  /** The text before it in the object or list around it, where a plugin is named. */
  before: string
}

/**
 * The objects written out in a settings file. The file is a program, which is never run: only what stands there as
 * plain values is known.
 */
export function objectLiterals(script: string): ObjectLiteral[] {
  const found: ObjectLiteral[] = []
  const open: { own: string[]; name: string; before: string }[] = [{ own: [], name: "", before: "" }]
  for (const [part] of withoutComments(script).matchAll(
    /[{}]|"[^"\n]*"|'[^'\n]*'|`[^`]*`|[^{}"'`]+|["'`]/g,
  )) {
    const around = open.at(-1) as (typeof open)[number]
    if (part === "{") {
      const before = around.own.slice(-12).join("")
      const name = /(?<![\w.-])([\w.-]+)["']?\s*:\s*$/.exec(before.slice(-120))?.[1] ?? ""
      open.push({ own: [], name, before: before.slice(-120) })
    } else if (part === "}") {
      if (open.length > 1) open.pop()
      else continue
      found.push({ name: around.name, before: around.before, own: around.own.join("") })
    } else around.own.push(part)
  }
  const [top] = open
  return [...found, { name: "", before: "", own: top?.own.join("") ?? "" }]
}

/** The text or boolean that `name` is given first; undefined when it is computed or absent. */
export function optionIn(script: string, name: string): string | boolean | undefined {
  for (const [, found, double, single, ticks, boolean] of script.matchAll(option))
    if (found === name) return boolean === undefined ? (double ?? single ?? ticks) : boolean === "true"
  return undefined
}

const option = /(?<![\w.-])["']?([\w-]+)["']?\s*:\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`$]*)`|(true|false)\b)/g

export function textIn(script: string, name: string): string | undefined {
  const value = optionIn(script, name)
  return typeof value === "string" ? value : undefined
}

/** The texts in the list that `name` is given. */
export function listIn(script: string, name: string): string[] {
  const lists = script.matchAll(/(?<![\w.-])["']?([\w-]+)["']?\s*:\s*\[([^\]]*)\]/g)
  for (const [, found, list = ""] of lists) if (found === name) return texts(list)
  return []
}

/** The pairs of texts that an object's own members hold: `"a": "b"`. */
export function pairsIn(own: string): [string, string][] {
  const pattern = /(?:"([^"\n]*)"|'([^'\n]*)'|(?<![\w-])([\w-]+))\s*:\s*(?:"([^"\n]*)"|'([^'\n]*)')/g
  return [...own.matchAll(pattern)].map(([, a, b, c, d, e]) => [a ?? b ?? c ?? "", d ?? e ?? ""])
}

function texts(list: string): string[] {
  return [...list.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(([, double, single]) => double ?? single ?? "")
}

export function withoutComments(script: string): string {
  const parts: string[] = []
  let from = 0
  for (const found of script.matchAll(/"[^"\n]*"|'[^'\n]*'|\/\/[^\n]*|\/\*/g)) {
    if (found.index < from || !found[0].startsWith("/")) continue
    const end = found[0] === "/*" ? script.indexOf("*/", found.index + 2) + 2 : found.index + found[0].length
    // A comment without an end is no comment.
    if (end < from + 2) break
    parts.push(script.slice(from, found.index), " ")
    from = end
  }
  return parts.join("") + script.slice(from)
}
