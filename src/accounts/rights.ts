import { detail, Refusal } from "../base/errors.ts"
import { covers } from "../operations/scope.ts"

/** Scopes to compare: the caller's, and those that another account or token loses or gets. */
interface RightsChange {
  /** Scopes of the caller: a token's own, or those of an operator's role. */
  held: readonly string[]
  /** Scopes that the target has now, and may lose. */
  taken?: readonly string[]
  /** Scopes that the target has afterwards. */
  given?: readonly string[]
}

/**
 * The one rule of privileges: people give, change and take away only rights that they have themselves. Console and
 * API call it before they make, change, sign out or remove an operator, an invitation, a token, a project or a
 * workspace. Throws Refusal `forbidden`, with an entry for `field` when `given` goes too far.
 */
export function requireRights(
  { held, taken = [], given = [] }: RightsChange,
  field?: "role" | "scopes",
): void {
  if (!covers(held, given)) {
    const told = field === "scopes" ? detail("accounts.scopesBeyond") : detail("accounts.roleBeyond")
    throw new Refusal("forbidden", told, { ...(field && { fields: { [field]: told } }) })
  }
  if (!covers(held, taken)) throw new Refusal("forbidden", detail("accounts.takenBeyond"))
}
