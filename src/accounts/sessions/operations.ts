import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { withLock } from "../../db/with-lock.ts"
import { type Address, idOf, operation } from "../../operations/operation.ts"
import { sessionsOf } from "../subjects.ts"
import { endOtherSessions, endSession } from "./own-sessions.ts"

/** Signs the caller out in one browser. Throws Refusal `not_found`, also for a session of somebody else. */
export const endOwnSession = operation({
  audit: "session.ended",
  needs: ["workspace:read"],
  async run({ db }: { db: Db }, call) {
    if (!(await endSession(db, call.caller.id, idOf(call, "session"))))
      throw new Refusal("not_found", detail("accounts.endedSession"))
  },
  subject: (_, call) => callerOf(call),
})

/** Signs the caller out in every browser but that of the session which is named. */
export const endOtherOwnSessions = operation({
  audit: "session.ended",
  needs: ["workspace:read"],
  run: ({ db }: { db: Db }, call) =>
    withLock(db, sessionsOf(call.caller.id), (transaction) =>
      endOtherSessions(transaction, call.caller.id, idOf(call, "session")),
    ),
  subject: (_, call) => callerOf(call),
})

function callerOf({ caller: { id, name } }: Address) {
  return { id, name }
}
