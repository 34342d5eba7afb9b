import { nearWords } from "../../base/near-words.ts"

/** The name of a list that is typed most like `typed`; undefined where none is near enough to be meant. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(typed.length / 3))
  const possible = names.filter((name) => Math.abs(name.length - typed.length) <= most)
  const near = nearWords(typed, possible, most, false)
  return possible[near.toSorted((one, other) => one.errors - other.errors)[0]?.at ?? -1]
}
