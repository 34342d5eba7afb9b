import { Elysia } from "elysia"
import { detail, Refusal } from "../base/errors.ts"
import type { FormParts } from "../forms/parts.ts"
import { eraseAddress } from "../forms/responses/erase.ts"
import { responsesOfAddress } from "../forms/responses/person.ts"
import { addressKey, isEmail } from "../forms/submission/value.ts"
import { readObject } from "../http/body.ts"
import { allowSlowReply } from "../http/slow.ts"
import { bearer } from "./kit/bearer.ts"
import { operation } from "./kit/operation.ts"
import { erasedAnswer, personalAnswer, personBody } from "./schemas/forms.ts"

const maxBodyBytes = 4 * 1024

/**
 * What a person may ask of the owner: everything kept under an e-mail address, and its erasure. The address
 * stands in the body, because addresses of requests end up in logs.
 */
export function personRoutes(parts: FormParts) {
  const { db, clock } = parts

  return new Elysia({ name: "persons", prefix: "/api/v1" })
    .use(bearer({ db, clock }, "forms"))
    .post(
      "/exports",
      async ({ request, workspaceId }) => ({
        items: await responsesOfAddress(db, await addressIn(request), workspaceId),
      }),
      operation({
        summary: "Gives everything that is kept under an e-mail address",
        body: personBody,
        answers: { 200: personalAnswer },
        journal: "person.exported",
      }),
    )
    .post(
      "/erasures",
      async ({ request, workspaceId }) => {
        const address = await addressIn(request)
        allowSlowReply(request)
        return { erased: await eraseAddress(parts, address, workspaceId) }
      },
      operation({
        summary: "Erases every response in which an e-mail address was given",
        body: personBody,
        answers: { 200: erasedAnswer },
        journal: "person.erased",
      }),
    )
}

/** Throws Refusal `invalid_request`. */
async function addressIn(request: Request): Promise<string> {
  const { email } = await readObject(request, maxBodyBytes)
  if (typeof email === "string" && isEmail(addressKey(email))) return email
  throw new Refusal("invalid_request", detail("forms.email"), { fields: { email: detail("forms.email") } })
}
