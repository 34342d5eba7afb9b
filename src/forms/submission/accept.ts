import { detail, Refusal } from "../../base/errors.ts"
import { alone } from "../../db/alone.ts"
import { lockingRows } from "../../db/words.ts"
import type { Form } from "../definition/form.ts"
import type { FormDeps } from "../deps.ts"
import { type FormResponse, findResponse } from "../responses/form-response.ts"
import { publish, wakeSenders } from "./publish.ts"
import { mailboxSubjects } from "./visitor-mail.ts"

/**
 * Turns a response that the spam guard stopped into a received one, and publishes it as if it had just come.
 * Throws Refusal `not_found`, or `conflict` for one already received.
 */
export async function acceptResponse(deps: FormDeps, form: Form, id: string): Promise<FormResponse> {
  const nowMs = deps.clock.now()
  const found = await findResponse(deps.db, form.id, id)
  const mailboxes = found ? mailboxSubjects(deps, form, found, nowMs) : []
  const accepted = await alone(deps.db, [`form:${form.id}`, ...mailboxes], async (transaction) => {
    // An erasure that is under way is waited for.
    await transaction
      .selectFrom("form_response")
      .select("id")
      .where("id", "=", id)
      .$call(lockingRows(transaction))
      .execute()
    const response = await findResponse(transaction, form.id, id)
    if (!response) throw new Refusal("not_found", detail("forms.unknownResponse"))
    if (response.state === "received") throw new Refusal("conflict", detail("forms.alreadyReceived"))
    await transaction.updateTable("form_response").set({ state: "received" }).where("id", "=", id).execute()
    const received: FormResponse = { ...response, state: "received" }
    await publish(deps, transaction, form, received, nowMs)
    return received
  })
  wakeSenders(deps)
  return accepted
}
