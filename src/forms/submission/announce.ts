import type { Db } from "../../db/sqlite/connection.ts"
import { askConfirmation } from "../consent/consent.ts"
import type { Form } from "../definition/form.ts"
import type { FormParts } from "../parts.ts"
import { dataOf, type FormResponse } from "../responses/form-response.ts"
import { tellOwner } from "./owner-notice.ts"

/**
 * Everything that follows from a response being received, in the transaction that makes it so: its message,
 * the mail that asks to confirm the consent, the mail to the owner. Mails wait when no server is set any
 * more. After the commit: `wakeSenders`.
 */
export async function announce(
  parts: FormParts,
  transaction: Db,
  form: Form,
  response: FormResponse,
  nowMs: number,
): Promise<void> {
  await parts.messages.enqueue(transaction, {
    workspaceId: form.workspaceId,
    projectId: form.projectId,
    formId: form.id,
    responseId: response.id,
    data: dataOf(form, response),
    now: nowMs,
  })
  await askConfirmation(parts, transaction, form, response, nowMs)
  await tellOwner(parts, transaction, form, response, nowMs)
}

export function wakeSenders({ messages, mailer }: FormParts): void {
  messages.wake()
  mailer.wake()
}
