import { detail, Refusal } from "../base/errors.ts"
import { covers } from "../operations/scope.ts"

/** Scopes to compare: the caller's, and what another account or token loses or gets. */
interface RightsChange {
  /** Scopes of the caller: a token's own, or those of an operator's role. */
  granted: readonly string[]
  /** Scopes that the change needs: the target has them now and may lose them. */
  needed?: readonly string[]
  gained?: readonly string[]
}

/**
 * The one rule of privileges: people give, change and take away only rights that they have themselves. Console and
 * API call it before they make, change, sign out or remove an operator, an invitation, a token, a project or a
 * workspace. Throws Refusal `forbidden`, with an entry for `field` when `gained` goes too far.
 */
export function requireRights(
  { granted, needed = [], gained = [] }: RightsChange,
  field?: "role" | "scopes",
): void {
  if (!covers(granted, gained)) {
    const explanation = field === "scopes" ? detail("accounts.scopesBeyond") : detail("accounts.roleBeyond")
    throw new Refusal("forbidden", explanation, { ...(field && { fields: { [field]: explanation } }) })
  }
  if (!covers(granted, needed)) throw new Refusal("forbidden", detail("accounts.takenBeyond"))
}
