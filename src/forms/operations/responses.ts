import { detail, Refusal, required } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { changeRows } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { lockingRows } from "../../db/words.ts"
import { idOf } from "../../operations/operation.ts"
import type { Form } from "../definition/form.ts"
import type { FormDeps } from "../deps.ts"
import { eraseResponses } from "../responses/erase.ts"
import {
  changeFollowUp,
  deleteNote,
  type FollowedResponse,
  insertNote,
  withNotes,
} from "../responses/follow-up.ts"
import { type FormResponse, findResponse } from "../responses/form-response.ts"
import { followUpChange, newNote } from "../responses/record.ts"
import { openResponseFile } from "../responses/response-files.ts"
import { publish, wakeSenders } from "../submission/publish.ts"
import { mailboxSubjects } from "../submission/visitor-mail.ts"
import { formOperation } from "./forms.ts"

/** Publishes what the spam guard stopped as if it had just come. Refuses `conflict` for one already received. */
export const acceptResponse = formOperation({
  audit: "response.accepted",
  needs: ["forms:write"],
  async run(deps: FormDeps, call, form) {
    const { db, clock } = deps
    const id = idOf(call, "response")
    const nowMs = clock.now()
    const present = await findResponse(db, form.id, id)
    const mailboxes = present ? mailboxSubjects(deps, form, present, nowMs) : []
    const response = await withLock(db, [`form:${form.id}`, ...mailboxes], async (transaction) => {
      // An erasure that is under way is waited for.
      await transaction
        .selectFrom("form_response")
        .select("id")
        .where("id", "=", id)
        .$call(lockingRows(transaction))
        .execute()
      const { state, ...stopped } = await requireResponse(transaction, form, id)
      if (state === "received") throw new Refusal("conflict", detail("forms.alreadyReceived"))
      await changeRows(transaction, "form_response", { id }, { state: "received" })
      const received: FormResponse = { ...stopped, state: "received" }
      await publish(deps, transaction, form, received, nowMs)
      return received
    })
    wakeSenders(deps)
    return requireFollowed(db, form, response.id)
  },
  subject: (done) => subjectOfResponse(done),
})

/** How far the workspace is with a response, and who has it. */
export const changeResponse = formOperation({
  audit: "response.changed",
  needs: ["forms:write"],
  isOneTransaction: true,
  input: followUpChange,
  async run({ db }: { db: Db }, call, form) {
    const id = idOf(call, "response")
    return db.transaction().execute(async (transaction) => {
      await requireResponse(transaction, form, id)
      await changeFollowUp(transaction, call.workspaceId, id, call.input)
      return requireFollowed(transaction, form, id)
    })
  },
  subject: (done) => subjectOfResponse(done),
})

export const addNote = formOperation({
  audit: "note.added",
  needs: ["forms:write"],
  isOneTransaction: true,
  input: newNote,
  async run({ db, clock }: FormDeps, call, form) {
    const id = idOf(call, "response")
    return withLock(db, `form:${form.id}`, async (transaction) => {
      await requireResponse(transaction, form, id)
      const note = { responseId: id, author: call.caller.name, note: call.input.text }
      await insertNote(transaction, note, clock.now())
      return requireFollowed(transaction, form, id)
    })
  },
  subject: (done) => subjectOfResponse(done),
})

/** Refuses as `deleteNote` does. The audit log has the form's name, and nothing of the note. */
export const removeNote = formOperation({
  audit: "note.removed",
  needs: ["forms:write"],
  isOneTransaction: true,
  async run({ db }: { db: Db }, call, form) {
    const response = await requireResponse(db, form, idOf(call, "response"))
    await deleteNote(db, { responseId: response.id, id: idOf(call, "note") }, call.caller)
    return { form, response }
  },
  subject: subjectOfResponse,
})

/** With its payloads and mails. */
export const eraseResponse = formOperation({
  audit: "response.erased",
  needs: ["forms:write"],
  async run(deps: FormDeps, call, form) {
    const response = await requireResponse(deps.db, form, idOf(call, "response"))
    await eraseResponses(deps, [response.id])
    return { form, response }
  },
  subject: subjectOfResponse,
})

/** The table of a form's responses: a face chooses and writes them. */
export const exportResponses = formOperation({
  audit: "responses.exported",
  needs: ["forms:read"],
  run: async (_: { db: Db }, __, form) => form,
})

export const openFile = formOperation({
  audit: null,
  needs: ["forms:read"],
  isLong: true,
  async run(deps: Pick<FormDeps, "db" | "files">, call, form) {
    const { id } = await requireResponse(deps.db, form, idOf(call, "response"))
    return openResponseFile(deps, id, idOf(call, "file"), call.caller.signal)
  },
})

/** With its notes and files. Throws Refusal `not_found`. */
export async function requireFollowed(db: Db, form: Form, id: string) {
  const [response] = await withNotes(db, [await requireResponse(db, form, id)])
  return { form, response: response as FollowedResponse }
}

export async function requireResponse(db: Db, form: Pick<Form, "id">, id: string): Promise<FormResponse> {
  return required(await findResponse(db, form.id, id), detail("forms.unknownResponse"))
}

/** By its form's name: what a visitor wrote has no place in the audit log. */
function subjectOfResponse({ form, response }: { form: Form; response: FormResponse }) {
  return { id: response.id, name: form.name, projectId: form.projectId }
}
