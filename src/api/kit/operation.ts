import type { Action } from "../../accounts/audit-log.ts"
import { requireRights } from "../../accounts/rights.ts"
import { operation as documented, type Operation } from "../../http/operation.ts"

interface AuditedOperation extends Operation {
  /** The action that the audit log keeps of a success. */
  journal?: Action
}

/**
 * The last argument of a route that `bearer` guards: what it takes, needs and answers, and what the audit log
 * keeps of it.
 */
export function operation({ journal, ...described }: AuditedOperation) {
  const { needs = [] } = described
  const { beforeHandle, ...route } = documented(described)
  return {
    ...route,
    beforeHandle: [
      ...(needs.length > 0 ? [(context: unknown) => requireNeeds(context as Guarded, needs)] : []),
      ...beforeHandle,
    ],
    ...(journal && { afterHandle: (context: unknown) => record(context as Audited, journal) }),
  }
}

/** What `bearer` gives to a route that it guards. */
interface Guarded {
  token: { scopes: readonly string[] }
}

interface Audited {
  request: Request
  journal(action: Action, context: Audited): Promise<void>
}

function requireNeeds({ token }: Guarded, needs: readonly string[]): void {
  requireRights({ held: token.scopes, taken: needs })
}

/** A HEAD request is given nothing, so there is nothing to keep. */
async function record(context: Audited, action: Action): Promise<void> {
  if (context.request.method !== "HEAD") await context.journal(action, context)
}
