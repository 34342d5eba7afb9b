import { Refusal } from "../../../base/errors.ts"
import { words } from "../words.fr.ts"

/** Hidden field with a random key: reloading a page that shows a new secret does not create a second one. */
export const singleSubmitField = "guichet_once"

const maxKept = 10_000
const maxKeyLength = 64

/** Runs `act` unless a form with the same key has already succeeded or is in progress. */
export type SingleSubmit = <Result>(
  values: URLSearchParams,
  act: () => Promise<Result> | Result,
) => Promise<Result>

/** Keys live in memory. Throws Refusal `conflict` on a second submission; a failed one may be repeated. */
export function openSingleSubmit(): SingleSubmit {
  const sent = new Set<string>()

  return async (values, act) => {
    const key = values.get(singleSubmitField)
    // Our keys are UUIDs. A longer key is not ours, and is ignored to bound the memory.
    if (!key || key.length > maxKeyLength) return act()
    if (sent.has(key)) throw new Refusal("conflict", words.sentBefore)
    if (sent.size >= maxKept) sent.delete(sent.values().next().value as string)
    sent.add(key)
    try {
      return await act()
    } catch (error) {
      sent.delete(key)
      throw error
    }
  }
}
