import { findProject } from "../../accounts/project.ts"
import { detail } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { withLock } from "../../db/with-lock.ts"
import { refuseWrong } from "../../http/record/fields.ts"
import { type Call, idOf, operation, operationsOf } from "../../operations/operation.ts"
import { checkedForm } from "../definition/description.ts"
import { type Form, insertForm, markFormRemoved, requireForm, saveForm } from "../definition/form.ts"
import { formChange, newForm, noticeLink } from "../definition/record.ts"
import type { FormDeps } from "../deps.ts"
import { purgeRemovedForm } from "../responses/purge.ts"
import { askAgain, askNoticeAddresses } from "../submission/notice-address.ts"

/** An operation of the form that the address names. Refuses as `formOfCall` does. */
export const formOperation = operationsOf(({ db }, call) => formOfCall(db, call), auditSubject)

export const addForm = operation({
  audit: "form.added",
  needs: ["forms:write"],
  input: newForm,
  judgesInput: true,
  async run(deps: FormDeps, { workspaceId, input }) {
    const { db, clock } = deps
    const projectId = typeof input.project === "string" ? input.project : ""
    const project = await findProject(db, projectId, workspaceId)
    const wrong = project ? {} : { project: detail("forms.unknownProject") }
    const described = checkedForm(input, deps, wrong)
    const id = await insertForm(db, projectId, described, clock.now())
    const form = await requireForm(db, workspaceId, id)
    return form.notify.length === 0 ? form : askNoticeAddresses(deps, form, clock.now())
  },
  subject: auditSubject,
})

/** Changes only what is mentioned; one transaction keeps concurrent changes to the rest. */
export const changeForm = operation({
  audit: "form.changed",
  needs: ["forms:write"],
  input: formChange,
  judgesInput: true,
  async run(deps: FormDeps, call) {
    const { db, clock, messageQueue } = deps
    const [form, before] = await withLock(db, `form:${idOf(call, "form")}`, async (transaction) => {
      const present = await formOfCall(transaction, call)
      const described = checkedForm(call.input, deps, undefined, present)
      const { lost, store } = await messageQueue.followFields(transaction, present, described.fields)
      refuseLost(lost)
      await store()
      await saveForm(transaction, present.id, described)
      return [{ ...present, ...described }, present] as const
    })
    const isTold = form.notify.length + before.notify.length > 0
    return isTold ? askNoticeAddresses(deps, form, clock.now()) : form
  },
  subject: auditSubject,
})

/** Throws Refusal `invalid_request` for the first endpoint that would get no messages any more. */
export function refuseLost([lost]: Awaited<
  ReturnType<FormDeps["messageQueue"]["followFields"]>
>["lost"]): void {
  if (!lost) return
  const { field, endpoint } = lost
  refuseWrong({ fields: detail("forms.fieldOfEndpoint", { field, endpoint }) }, formChange)
}

/** Sends an address to be told about responses the mail by which it confirms once more. Refuses as `askAgain` does. */
export const sendNoticeLink = formOperation({
  audit: "notice_link.sent",
  needs: ["forms:write"],
  input: noticeLink,
  run: (deps: FormDeps, { input }, form) => askAgain(deps, form, input.to, deps.clock.now()),
})

/** Posts are refused from now on; the scheduled purge finishes a removal that was cut short. */
export const removeForm = formOperation({
  audit: "form.removed",
  needs: ["forms:write"],
  isLong: true,
  async run(deps: FormDeps, _, { id }) {
    await markFormRemoved(deps.db, id, deps.clock.now())
    await purgeRemovedForm(deps, id)
  },
})

/** Throws Refusal `not_found`, also for a form of another project than the address names. */
export async function formOfCall(
  db: Db,
  { workspaceId, ids }: Pick<Call, "workspaceId" | "ids">,
): Promise<Form> {
  return requireForm(db, workspaceId, idOf({ ids }, "form"), ids["project"])
}

export function auditSubject({ id, name, projectId }: Form) {
  return { id, name, projectId }
}
