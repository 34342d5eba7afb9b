import type { TObject } from "@sinclair/typebox"
import type { Clock } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { joinedBy } from "../db/with-lock.ts"
import { extendReplyTimeout } from "../http/extend-timeout.ts"
import { fieldsOf } from "../http/record/fields.ts"
import { recordAction } from "./audit-log.ts"
import type { Address, AnyOperation, Call, Caller, Operation, Subject } from "./operation.ts"
import { allows, type Right } from "./scope.ts"

/** What every operation is performed with, beside its own. */
export interface PerformDeps {
  db: Db
  clock: Clock
  config: { timezone: string }
}

export type StoreDeps = Pick<PerformDeps, "db" | "clock">

/**
 * Performs an operation: rights, input, time for the reply, the work, and its entry in the audit log. `given`
 * are the fields as the face read them; `tell` makes the face's reply of the result. Where it refuses, nothing
 * is recorded, unless the operation is one transaction, whose reply is made once it is stored. Throws Refusal
 * `forbidden` without the rights, `invalid_request` for a wrong field, and what the operation refuses.
 */
export async function perform<Deps, Schema extends TObject | undefined, Result, Told = Result>(
  operation: Operation<Deps, Schema, Result>,
  deps: Deps & PerformDeps,
  caller: Caller,
  ids: Call["ids"],
  given: Record<string, unknown> = {},
  tell: (result: Result) => Told | Promise<Told> = (result) => result as never,
): Promise<Told> {
  requireScopes(operation.needs, caller.held)
  const schema = operation.inputFor?.(given) ?? operation.input
  const input = (
    schema && !operation.judgesInput ? fieldsOf(given, schema, deps.config.timezone) : given
  ) as Call<Schema>["input"]
  if (operation.isLong && caller.request) extendReplyTimeout(caller.request)
  const { workspaceId } = caller
  const call: Call<Schema> = { workspaceId, ids, input, caller }
  const target = await operation.find?.(deps, call)
  const subjectOf = (result: Result) => operation.subject(result, call, target)
  if (operation.isOneTransaction)
    return tell(
      await deps.db.transaction().execute(async (transaction) => {
        const joined = { ...deps, db: joinedBy(transaction) }
        const result = await operation.run(joined, call, target)
        await record(operation, joined, call, subjectOf(result))
        return result
      }),
    )
  const result = await operation.run(deps, call, target)
  const reply = await tell(result)
  await record(operation, deps, call, subjectOf(result))
  return reply
}

export function requireScopes(needs: readonly Right[], held: readonly string[]): void {
  const missing = needs.find((scope) => !allows(held, scope))
  if (missing === undefined) return
  throw new Refusal("forbidden", detail("requests.forbidden", { scope: missing }))
}

async function record(
  { audit }: AnyOperation,
  { db, clock }: PerformDeps,
  { caller, ...call }: Address,
  { id, name = null, workspaceId = call.workspaceId, projectId = call.ids["project"] ?? null }: Subject,
): Promise<void> {
  if (!audit) return
  const actor = { kind: caller.kind, id: caller.id, name: caller.name }
  await recordAction(
    db,
    workspaceId,
    actor,
    { action: audit, subject: id, subjectName: name, projectId },
    clock.now(),
  )
}
