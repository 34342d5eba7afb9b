import type { Db } from "../../db/connection.ts"
import { takesFiles } from "../definition/field.ts"
import type { Form } from "../definition/form.ts"
import type { FormDeps } from "../deps.ts"
import { describeResponse, type FormResponse } from "../responses/form-response.ts"
import { filesOfResponses, linkedValues } from "../responses/response-files.ts"
import { requestConfirmation } from "./consent.ts"
import { notifyOwner } from "./owner-notice.ts"
import { sendReceipt } from "./visitor-mail.ts"

/**
 * Does everything that follows from a response being received, in the transaction that makes it so: queues
 * its message, the mails to the person who wrote, and the mail to the owner. Mails wait when no mail
 * server is set any more. Call `wakeSenders` after the commit.
 */
export async function publish(
  deps: FormDeps,
  transaction: Db,
  form: Form,
  response: FormResponse,
  nowMs: number,
): Promise<void> {
  const filesByResponse = takesFiles(form.fields)
    ? await filesOfResponses(transaction, [response.id])
    : undefined
  const files = filesByResponse?.get(response.id) ?? []
  const values = linkedValues(deps, form, response.values, files, nowMs)
  await deps.messageQueue.enqueue(transaction, {
    workspaceId: form.workspaceId,
    projectId: form.projectId,
    formId: form.id,
    responseId: response.id,
    data: describeResponse(form, { ...response, values }),
    now: nowMs,
  })
  // One mail to a person is enough: the one that asks to confirm says that the response arrived, too.
  const isAsked = await requestConfirmation(deps, transaction, form, response, nowMs)
  if (!isAsked) await sendReceipt(deps, transaction, form, response, nowMs)
  await notifyOwner(deps, transaction, form, { ...response, files }, nowMs)
}

export function wakeSenders({ messageQueue, mailer }: FormDeps): void {
  messageQueue.wake()
  mailer.wake()
}
