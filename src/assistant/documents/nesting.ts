/**
 * The containers and components that lines of a page stand in, and the indentation that they give to what
 * they hold.
 */
export interface Nesting {
  isEmpty(): boolean
  /** `name`: of the component that closes it; an admonition has none and ends with its indentation. */
  open(name: string | undefined, from: number): void
  /** Ends the innermost component of that name, with all in it. */
  close(name: string): void
  /** Columns of a line's indentation that are not its own. In code nothing ends, whatever the indentation. */
  columnsAt(indent: number, isCode: boolean): number
}

interface Opened {
  name: string | undefined
  /** Columns that its first line stands deeper, once seen: four for an admonition. */
  strip: number | undefined
  from: number
}

export function openNesting(): Nesting {
  const opened: Opened[] = []
  /**
   * How many of each name are open, and the columns of them all: neither is looked for in thousands that
   * never end.
   */
  const names = new Map<string, number>()
  let columns = 0

  function end(): void {
    const { name, strip } = opened.pop() as Opened
    columns -= strip ?? 0
    if (name !== undefined) names.set(name, (names.get(name) ?? 0) - 1)
  }

  return {
    isEmpty: () => opened.length === 0,
    open(name, from) {
      const strip = name === undefined ? 4 : undefined
      opened.push({ name, strip, from })
      columns += strip ?? 0
      if (name !== undefined) names.set(name, (names.get(name) ?? 0) + 1)
    },
    close(name) {
      if (!names.get(name)) return
      while (opened.at(-1)?.name !== name) end()
      end()
    },
    columnsAt(indent, isCode) {
      while (opened.length > 0 && !isCode) {
        const last = opened.at(-1) as Opened
        if (last.strip === undefined) {
          last.strip = Math.max(0, indent - last.from)
          columns += last.strip
        }
        if (last.name !== undefined || indent >= last.from + 4) break
        end()
      }
      return columns
    },
  }
}
