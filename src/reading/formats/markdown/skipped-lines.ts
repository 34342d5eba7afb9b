/**
 * Finds lines that say nothing to a reader: scripts, styles, comments, and the imports and exports of MDX.
 * For the line where one begins it returns its last line, and undefined for any other line.
 */
export function skippedLines(source: string[]): (at: number) => number | undefined {
  /** The end of the last comment of each kind, so that many comments with one far end search for it once. */
  const ends = new Map<string, { line: number; text: string; isAtEnd: boolean }>()
  /** The last line of the last import or export: another may follow without an empty line. */
  let lastModuleLine = -1
  const moduleUpTo = (line: number) => {
    lastModuleLine = line
    return line
  }
  return (at) => {
    const line = (source[at] as string).trimStart()
    const tag = /^<(script|style)[\s>]/i.exec(line)?.[1]
    if (tag) return findEnd(source, at, (text) => text.toLowerCase().includes(`</${tag.toLowerCase()}>`))
    if (line.startsWith("<!--")) return endOfComment(at, "-->")
    if (line.startsWith("{/*")) return endOfComment(at, "*/}")
    if (line.startsWith("{::comment}")) return endOfComment(at, "{:/comment}")
    if (/^\{%-?\s*comment\s*-?%\}\s*$/.test(line)) return endOfComment(at, "endcomment %}")
    if (line.trimEnd() === "%%") return endOfPercents(at)
    const isAfterText = at > 0 && (source[at - 1] as string).trim() !== "" && at - 1 !== lastModuleLine
    if (isAfterText && !isModuleLine(source[at - 1] as string)) return undefined
    if (isImport(line)) return moduleUpTo(findEnd(source, at, endsImport))
    if (/^export\s+(?:default|const|let|var|function|async|class|\{|\*)/.test(line))
      return moduleUpTo(endOfStatement(source, at))
    return undefined
  }

  /** A comment of Obsidian; undefined for a mark that no other one follows. */
  function endOfPercents(at: number): number | undefined {
    const end = ends.get("%%")?.line ?? -1
    const line = end > at ? end : findEnd(source, at + 1, (text) => text.trim() === "%%")
    ends.set("%%", { line, text: source[line] as string, isAtEnd: true })
    return (source[line] as string).trim() === "%%" && line > at ? line : undefined
  }

  /** The last line of a comment; undefined when text follows its end, because the parser handles that. */
  function endOfComment(at: number, mark: string): number | undefined {
    let end = ends.get(mark)
    if (end === undefined || end.line < at || source[end.line] !== end.text) {
      const line = findEnd(source, at, (text) => text.includes(mark))
      const text = source[line] as string
      end = { line, text, isAtEnd: text.trimEnd().endsWith(mark) || !text.includes(mark) }
      ends.set(mark, end)
    }
    return end.isAtEnd ? end.line : undefined
  }
}

function isModuleLine(line: string): boolean {
  return /^(?:import|export)\s|^\}.*from\s/.test(line)
}

function isImport(line: string): boolean {
  if (!/^import\s+(?:['"]|[\w*{$])/.test(line)) return false
  return /^import(?:\s*['"]|[^.!?]*\sfrom\s)/.test(line) || /^import[^.!?]*[{,]$/.test(line.trimEnd())
}

function endsImport(line: string): boolean {
  const text = line.trimEnd()
  return text === "" || /['"]$/.test(text.endsWith(";") ? text.slice(0, -1).trimEnd() : text)
}

/** The first line from `at` on for which `ends` is true, else the last line of the page, as in a browser. */
export function findEnd(source: string[], at: number, ends: (line: string) => boolean): number {
  for (let line = at; line < source.length; line++) if (ends(source[line] as string)) return line
  return source.length - 1
}

function endOfStatement(source: string[], at: number): number {
  let open = 0
  return findEnd(source, at, (line) => {
    for (const character of line) open += "{[(".includes(character) ? 1 : "}])".includes(character) ? -1 : 0
    return open <= 0
  })
}
