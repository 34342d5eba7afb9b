import { detail, Refusal } from "../base/errors.ts"
import { covers } from "./scope.ts"

/** What one side may do and the other loses or gets, as scopes. */
interface Deed {
  /** What whoever does it may do: the scopes of a token, or of the role of an operator. */
  held: readonly string[]
  /** What somebody or something may do now, of which it takes away. */
  taken?: readonly string[]
  /** What somebody or something may do afterwards. */
  given?: readonly string[]
}

/**
 * The one rule of privileges: nobody gives, changes or takes away what they may not do themselves. Whatever makes, changes, signs out or
 * removes an operator, an invitation, a token, a project or a workspace asks here, console and API alike. Throws Refusal `forbidden`;
 * `field` is the one that asks for too much.
 */
export function requireRights({ held, taken = [], given = [] }: Deed, field?: "role" | "scopes"): void {
  if (!covers(held, given)) {
    const sentence = field === "scopes" ? detail("accounts.scopesBeyond") : detail("accounts.roleBeyond")
    throw new Refusal("forbidden", sentence, { ...(field && { fields: { [field]: sentence } }) })
  }
  if (!covers(held, taken)) throw new Refusal("forbidden", detail("accounts.takenBeyond"))
}
