import { Refusal } from "../../base/errors.ts"
import { messages } from "../messages/shell.fr.ts"

/**
 * The field of a form that makes something each time it is sent: the page that shows a new secret, called up
 * again, sends it again.
 */
export const onceField = "guichet_once"

const maxKept = 10_000
const maxKeyLength = 64

/** Does what a form asks for unless this very form, told by its field, has been done before. */
export type Once = <Result>(values: URLSearchParams, act: () => Promise<Result> | Result) => Promise<Result>

/**
 * Known as long as the process lives. Throws Refusal `conflict` the second time; what was refused may be sent
 * again.
 */
export function openOnce(): Once {
  const sent = new Set<string>()

  return async (values, act) => {
    const key = values.get(onceField)
    // A longer one is none of ours.
    if (!key || key.length > maxKeyLength) return act()
    if (sent.has(key)) throw new Refusal("conflict", messages.sentBefore)
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
