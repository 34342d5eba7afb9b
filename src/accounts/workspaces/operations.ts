import { changeRows } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { shareId } from "../../limits/share.ts"
import type { Mailer } from "../../mail/outbox.ts"
import { queueTestMail } from "../../mail/test-mail.ts"
import { idOf, operation, operationsOf } from "../../operations/operation.ts"
import type { PerformDeps, StoreDeps } from "../../operations/perform.ts"
import { everyScope } from "../../operations/scope.ts"
import { addMember } from "../operator.ts"
import { membership } from "../subjects.ts"
import { createToken, expiryWithin } from "../token.ts"
import { insertWorkspace, requireWorkspace } from "../workspace.ts"
import { newMailTest, newWorkspace, ownedWorkspace, workspaceChange } from "./record.ts"

export interface WorkspaceDeps extends StoreDeps {
  /** Removes everything in the workspace, with the traces of its form responses in other places. */
  removeWorkspace(id: string): Promise<void>
}

export interface MailTestDeps extends PerformDeps {
  mailer: Mailer
  testMail: { subject: string; text: string }
}

/** A caller changes its own workspace alone. Throws Refusal `not_found`. */
const workspaceOperation = operationsOf(
  ({ db }, { workspaceId, ids }) => requireWorkspace(db, idOf({ ids }, "workspace"), workspaceId),
  ({ id, name }) => ({ id, name }),
)

/**
 * Adds a workspace beside the caller's, whose quota it shares. The caller can open it: an operator as its owner, a
 * token by another one with its scopes, whose text is shown this once. All that are added by tokens share what one
 * workspace may use of the machine.
 */
export const addWorkspace = operation({
  audit: "workspace.added",
  needs: ["workspace:write"],
  isOneTransaction: true,
  input: newWorkspace,
  run: ({ db, clock }: StoreDeps, { workspaceId, input, caller }) =>
    withLock(db, membership(), async (transaction) => {
      const nowMs = clock.now()
      const id = await insertWorkspace(transaction, input.name, nowMs, workspaceId)
      if (caller.kind === "token")
        await changeRows(
          transaction,
          "workspace",
          { id },
          { share_id: await shareId(transaction, workspaceId) },
        )
      if (caller.kind === "operator")
        await addMember(transaction, { workspaceId: id, operatorId: caller.id, role: "owner" }, nowMs)
      const token =
        caller.kind === "token" &&
        (await createToken(
          transaction,
          id,
          caller.name,
          nowMs,
          caller.held,
          await expiryWithin(transaction, caller, null),
        ))
      return { workspace: await requireWorkspace(transaction, id), token: token ? token.text : null }
    }),
  // The members of the caller's workspace may be another customer's, who is not to read this name.
  subject: ({ workspace: { id, name } }) => ({ id, name, workspaceId: id }),
})

/** For a command, beside the oldest workspace: a workspace without members would be invisible. */
export const addOwnedWorkspace = operation({
  audit: "workspace.added",
  needs: ["workspace:write", everyScope],
  isOneTransaction: true,
  input: ownedWorkspace,
  run: ({ db, clock }: StoreDeps, { input }) =>
    withLock(db, membership(), async (transaction) => {
      const nowMs = clock.now()
      const id = await insertWorkspace(transaction, input.name, nowMs)
      if (input.is_unfinished) await changeRows(transaction, "workspace", { id }, { is_unfinished: 1 })
      for (const operatorId of input.owners)
        await addMember(transaction, { workspaceId: id, operatorId, role: "owner" }, nowMs)
      return { id, name: input.name }
    }),
  subject: ({ id, name }) => ({ id, name, workspaceId: id }),
})

export const changeWorkspace = workspaceOperation({
  audit: "workspace.changed",
  needs: ["workspace:write"],
  isOneTransaction: true,
  input: workspaceChange,
  async run({ db }: StoreDeps, call, { id }) {
    const { name, requires_second_factor: isRequired } = call.input
    if (name !== undefined) await changeRows(db, "workspace", { id }, { name })
    if (isRequired !== undefined)
      await changeRows(db, "workspace", { id }, { requires_second_factor: isRequired ? 1 : 0 })
    return requireWorkspace(db, id)
  },
  subject: ({ id, name }) => ({ id, name }),
})

export const removeWorkspace = workspaceOperation({
  // The audit log is removed with the workspace.
  audit: null,
  needs: ["workspace:write", everyScope],
  isLong: true,
  run: ({ removeWorkspace }: WorkspaceDeps, _, { id }) => removeWorkspace(id),
})

/** All that it holds leaves it; a command writes the file. */
export const exportWorkspace = workspaceOperation({
  audit: "workspace.exported",
  needs: ["workspace:write", everyScope],
  isLong: true,
  run: async (_: StoreDeps, __, workspace) => workspace,
})

export const sendTestMail = operation({
  audit: "mail.tested",
  needs: ["workspace:write"],
  input: newMailTest,
  async run({ db, clock, mailer, config, testMail }: MailTestDeps, { workspaceId, input }) {
    const to = input.to.trim()
    const wanted = { workspaceId, to, timezone: config.timezone, mail: testMail }
    await queueTestMail(db, mailer, wanted, clock.now())
    return to
  },
  subject: (to) => ({ id: to, name: to }),
})
