/** Longer texts are not compared. */
const maxLength = 64
/** Edits by which a mistyped name differs from the one that was meant. */
const maxEdits = 2

/** The one of the names that was probably meant by a mistyped one. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  if (typed.length > maxLength) return undefined
  const near = names
    .map((name) => ({ name, edits: isBeginning(typed, name) ? maxEdits : edits(typed.toLowerCase(), name) }))
    .filter(({ name, edits }) => edits <= maxEdits && edits < name.length / 2)
  return near.toSorted((one, other) => one.edits - other.edits)[0]?.name
}

/** `redirect` for `redirect_url`. */
function isBeginning(typed: string, name: string): boolean {
  return typed.length > maxEdits && name.startsWith(`${typed}_`)
}

/** Characters to add, take out or replace to get from one text to the other. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let line = 0; line < from.length; line++) {
    const next = [line + 1]
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] as number) + (from[line] === to[column] ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] as number) + 1, (next[column] as number) + 1))
    }
    row = next
  }
  return row[to.length] as number
}
