/** The name of a list that is typed most like `typed`; undefined where none is near enough to be meant. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(typed.length / 3))
  const near = names
    .filter((name) => Math.abs(name.length - typed.length) <= most)
    .map((name) => ({ name, mistakes: mistakesBetween(typed, name) }))
    .sort((one, other) => one.mistakes - other.mistakes)[0]
  return near && near.mistakes <= most ? near.name : undefined
}

/** Letters to add, leave out, change or swap with their neighbour (Damerau). Both are names of a few letters. */
function mistakesBetween(typed: string, name: string): number {
  const rows: number[][] = [Array.from({ length: name.length + 1 }, (_, at) => at)]
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= typed.length; row++) {
    rows.push([row])
    for (let column = 1; column <= name.length; column++) {
      const isSame = typed[row - 1] === name[column - 1]
      const isSwapped = typed[row - 1] === name[column - 2] && typed[row - 2] === name[column - 1]
      rows[row]?.push(
        Math.min(
          cell(row - 1, column) + 1,
          cell(row, column - 1) + 1,
          cell(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? cell(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return cell(typed.length, name.length)
}
