import { posix } from "node:path"
import { parseFrontMatter, withPlainLineEnds } from "../../formats/markdown/front-matter.ts"
import { type Include, type Inclusion, type Page, parentFolder } from "./generator.ts"

/** The most that the files included in one page may be, in all and in a row. */
const maxBytes = 2 * 1024 * 1024
const maxFiles = 500
const maxDepth = 8

/**
 * The text with the files that it includes. `read` gives the text of a file of the folder, and undefined for any
 * other; an inclusion that cannot be read, or goes in a circle, is left out. Files beyond the limits are, too.
 */
export async function withIncludes(
  text: string,
  page: Page,
  path: string,
  includes: Include[],
  read: (path: string) => Promise<string | undefined>,
): Promise<string> {
  const left = { bytes: maxBytes, files: maxFiles }
  return expand(text, [path])

  async function expand(source: string, chain: string[]): Promise<string> {
    let result = source
    for (const { prepare, pattern, of } of includes) {
      const parts: string[] = []
      let from = 0
      result = prepare?.(result) ?? result
      for (const match of result.matchAll(pattern)) {
        const included = of(match, { page, folder: parentFolder(chain.at(-1) as string) })
        if (!included) continue
        parts.push(result.slice(from, match.index), await includedContent(included, chain))
        from = match.index + match[0].length
      }
      if (from > 0) result = parts.join("") + result.slice(from)
    }
    return result
  }

  async function includedContent(included: Inclusion, chain: string[]): Promise<string> {
    if (chain.length > maxDepth) return ""
    for (const named of included.paths) {
      const file = posix.normalize(named)
      if (!isInside(named, file) || chain.includes(file)) continue
      if (--left.files < 0 || left.bytes < 0) return ""
      const raw = await read(file)
      if (raw === undefined) continue
      left.bytes -= raw.length
      if (left.bytes < 0) return ""
      const plain = withPlainLineEnds(raw)
      const part = included.part?.(plain) ?? (included.code === undefined ? textBody(plain) : plain)
      if (included.code !== undefined) return indented(fenced(part, included.code), included.indent)
      return indented((await expand(part, [...chain, file])).replace(/\n$/, ""), included.indent)
    }
    return ""
  }
}

/** A path that leads nowhere else, however it is written. */
function isInside(named: string, file: string): boolean {
  return !/^[a-z][a-z\d+.-]*:|\\|\0/i.test(named) && !file.startsWith("..") && !file.startsWith("/")
}

function textBody(text: string): string {
  return parseFrontMatter(text).body
}

/** With a fence that is longer than any in the code. */
function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}${language}\n${code.replace(/\n$/, "")}\n${fence}`
}

function indented(text: string, indent: string | undefined): string {
  return indent ? text.replaceAll("\n", `\n${indent}`) : text
}

/** The lines `from` to `to`, from 1 on. */
export function lineRange(from: number, to: number): (text: string) => string {
  return (text) =>
    text
      .split("\n")
      .slice(Math.max(0, from - 1), to)
      .join("\n")
}

/** The lines between the one that `starts` fits and the next that `ends` fits, without other such marks. */
export function between(
  starts: (line: string) => boolean,
  ends: (line: string) => boolean,
  isMark: (line: string) => boolean,
): (text: string) => string {
  return (text) => {
    const lines = text.split("\n")
    const start = lines.findIndex(starts)
    if (start === -1) return ""
    const end = lines.findIndex((line, at) => at > start && ends(line))
    return lines
      .slice(start + 1, end === -1 ? undefined : end)
      .filter((line) => !isMark(line))
      .join("\n")
  }
}
