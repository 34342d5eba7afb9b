import { detail, Refusal } from "../../base/errors.ts"
import type { Form } from "../definition/form.ts"
import type { FormParts } from "../parts.ts"
import { type FormResponse, findResponse } from "../responses/form-response.ts"
import { announce, wakeSenders } from "./announce.ts"

/**
 * Makes a response that the spam guard kept apart a received one, and sends it as if it just came.
 * Throws Refusal `not_found`, or `conflict` for one already received.
 */
export async function acceptResponse(parts: FormParts, form: Form, id: string): Promise<FormResponse> {
  const nowMs = parts.clock.now()
  const accepted = await parts.db.transaction().execute(async (transaction) => {
    const response = await findResponse(transaction, form.id, id)
    if (!response) throw new Refusal("not_found", detail("forms.unknownResponse"))
    if (response.state === "received") throw new Refusal("conflict", detail("forms.alreadyReceived"))
    await transaction.updateTable("form_response").set({ state: "received" }).where("id", "=", id).execute()
    const received: FormResponse = { ...response, state: "received" }
    await announce(parts, transaction, form, received, nowMs)
    return received
  })
  wakeSenders(parts)
  return accepted
}
