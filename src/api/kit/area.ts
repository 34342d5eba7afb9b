import type { Action } from "../../accounts/audit-log.ts"
import { requireRights } from "../../accounts/rights.ts"
import type { Area } from "../../accounts/scope.ts"
import type { Clock } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { operation as documented, type Operation } from "../../http/operation.ts"
import { bearer } from "./bearer.ts"

interface AuditedOperation extends Operation {
  /** The action that the audit log records when the request succeeds. */
  audit?: Action
}

/**
 * The guard of the routes of one area, and the description of each of them, which names the area for
 * `openapi.json`.
 */
export function area(deps: { db: Db; clock: Clock }, name: Area) {
  return {
    bearer: bearer(deps, name),
    operation: (described: AuditedOperation) => operation(name, described),
  }
}

/**
 * The last argument of a route that `bearer` guards: its request and replies, the scopes that it needs beyond
 * its area, and the action that the audit log records.
 */
function operation(area: Area, { audit, ...described }: AuditedOperation) {
  const { needs = [] } = described
  const { beforeHandle, detail, ...route } = documented(described)
  return {
    ...route,
    detail: { ...detail, area } as object,
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
