import type { Unit } from "./units.ts"

/**
 * What stands together is quoted together, under one marker: sentences of one paragraph, a line and the code that it introduces.
 * Each quotation is cut out of the passage exactly as it stands.
 */
export function quotations(markdown: string, run: readonly Unit[]): string[] {
  const groups: Unit[][] = []
  for (const unit of run) {
    const group = groups.at(-1)
    if (group && standTogether(group.at(-1) as Unit, unit)) group.push(unit)
    else groups.push([unit])
  }
  let from = 0
  return groups.map((group) => {
    const start = markdown.indexOf(group[0]?.markdown as string, from)
    for (const unit of group) from = markdown.indexOf(unit.markdown, from) + unit.markdown.length
    return markdown.slice(start, from)
  })
}

function standTogether(before: Unit, unit: Unit): boolean {
  if (unit.kind === "code") return true
  if (unit.kind !== "sentence") return false
  return before.kind === "label" || (before.kind === "sentence" && before.block === unit.block)
}
