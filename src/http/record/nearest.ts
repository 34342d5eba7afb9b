import { nearWords } from "../../base/near-words.ts"

/** Longer texts are not compared. */
const maxLength = 64
/** Edits by which a mistyped name differs from the one that was meant. */
const maxEdits = 2

/** The one of the names that was probably meant by a mistyped one. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  if (typed.length > maxLength) return undefined
  const edits = new Map(
    nearWords(typed.toLowerCase(), names, maxEdits, false).map(({ at, errors }) => [at, errors]),
  )
  const near = names
    .map((name, at) => ({
      name,
      edits: isBeginning(typed, name) ? maxEdits : (edits.get(at) ?? name.length),
    }))
    .filter(({ name, edits }) => edits < name.length / 2)
  return near.toSorted((one, other) => one.edits - other.edits)[0]?.name
}

/** `redirect` for `redirect_url`. */
function isBeginning(typed: string, name: string): boolean {
  return typed.length > maxEdits && name.startsWith(`${typed}_`)
}
