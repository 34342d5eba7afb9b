import type { Action } from "../../accounts/audit-log.ts"
import { requireRights } from "../../accounts/rights.ts"
import { operation as documented, type Operation } from "../../http/operation.ts"

interface AuditedOperation extends Operation {
  /** The action that the audit log records when the request succeeds. */
  audit?: Action
}

/**
 * The last argument of a route that `bearer` guards: its request and replies, the scopes that it needs beyond
 * its area, and the action that the audit log records.
 */
export function operation({ audit, ...described }: AuditedOperation) {
  const { needs = [] } = described
  const { beforeHandle, ...route } = documented(described)
  return {
    ...route,
    beforeHandle: [
      ...(needs.length > 0 ? [(context: unknown) => requireNeeds(context as Guarded, needs)] : []),
      ...beforeHandle,
    ],
    ...(audit && { afterHandle: (context: unknown) => record(context as Audited, audit) }),
  }
}

/** The part of the context that `bearer` adds to a route. */
interface Guarded {
  token: { scopes: readonly string[] }
}

interface Audited {
  request: Request
  recordAudit(action: Action, context: Audited): Promise<void>
}

function requireNeeds({ token }: Guarded, needs: readonly string[]): void {
  requireRights({ held: token.scopes, taken: needs })
}

/** A HEAD request exports nothing, so it is not recorded. */
async function record(context: Audited, action: Action): Promise<void> {
  if (context.request.method !== "HEAD") await context.recordAudit(action, context)
}
