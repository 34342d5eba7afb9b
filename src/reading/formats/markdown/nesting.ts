/** The open containers and components around a line, and the indentation that they give to their content. */
export interface Nesting {
  isEmpty(): boolean
  /**
   * `name` is the component whose closing tag ends it. An admonition has no name and ends where its
   * indentation ends. `from` is the indentation of its own line.
   */
  open(name: string | undefined, from: number): void
  /** Ends the innermost component of that name, and all that is open inside it. */
  close(name: string): void
  /**
   * Columns of a line's indentation that come from the nesting. It also ends the admonitions that the line is
   * no longer part of, except in a code fence, where indentation ends nothing.
   */
  columnsAt(indent: number, isCode: boolean): number
}

interface Opened {
  name: string | undefined
  /**
   * Extra indentation of its content: four columns for an admonition, those of its first line for a
   * component.
   */
  columns: number | undefined
  from: number
}

export function createNesting(): Nesting {
  const opened: Opened[] = []
  // Kept up to date, because a page may open thousands of components that never end.
  const openByName = new Map<string, number>()
  let totalColumns = 0

  function end(): void {
    const { name, columns } = opened.pop() as Opened
    totalColumns -= columns ?? 0
    if (name !== undefined) openByName.set(name, (openByName.get(name) ?? 0) - 1)
  }

  return {
    isEmpty: () => opened.length === 0,
    open(name, from) {
      const columns = name === undefined ? 4 : undefined
      opened.push({ name, columns, from })
      totalColumns += columns ?? 0
      if (name !== undefined) openByName.set(name, (openByName.get(name) ?? 0) + 1)
    },
    close(name) {
      if (!openByName.get(name)) return
      while (opened.at(-1)?.name !== name) end()
      end()
    },
    columnsAt(indent, isCode) {
      while (opened.length > 0 && !isCode) {
        const last = opened.at(-1) as Opened
        if (last.columns === undefined) {
          last.columns = Math.max(0, indent - last.from)
          totalColumns += last.columns
        }
        if (last.name !== undefined || indent >= last.from + 4) break
        end()
      }
      return totalColumns
    },
  }
}
