import type { Unit } from "./units.ts"

/** Cut out of its passage exactly as it stands. */
export interface Quotation {
  markdown: string
  /** Where it stands in the passage, in UTF-16 code units. */
  at: number
}

/**
 * What stands together is quoted together, under one marker: sentences of one paragraph, a line and the code
 * that it introduces.
 */
export function quotations(passage: string, run: readonly Unit[]): Quotation[] {
  const groups: [Unit, ...Unit[]][] = []
  for (const unit of run) {
    const group = groups.at(-1)
    if (group && standTogether(group.at(-1) as Unit, unit)) group.push(unit)
    else groups.push([unit])
  }
  return groups.map((group) => {
    const { at } = group[0]
    const last = group.at(-1) as Unit
    return { markdown: passage.slice(at, last.at + last.markdown.length), at }
  })
}

function standTogether(before: Unit, unit: Unit): boolean {
  if (unit.kind === "code") return true
  if (unit.kind !== "sentence") return false
  return before.kind === "label" || (before.kind === "sentence" && before.block === unit.block)
}
