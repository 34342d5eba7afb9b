import { Elysia } from "elysia"
import { questionsOf } from "../assistant/insights/asked-questions.ts"
import { requireEmail } from "../forms/definition/address.ts"
import type { FormDeps } from "../forms/deps.ts"
import { eraseAddress } from "../forms/responses/erase.ts"
import { personalResponses, responseIdsOfAddress } from "../forms/responses/person.ts"
import { readObject } from "../http/body.ts"
import { extendReplyTimeout } from "../http/extend-timeout.ts"
import { jsonReply } from "../http/json-stream.ts"
import { area } from "./kit/area.ts"
import { erasedAnswer, personalAnswer, personBody } from "./schemas/forms.ts"

const maxBodyBytes = 4 * 1024

/**
 * The rights of a person over their data: an export of everything kept under an e-mail address, and its
 * erasure. The e-mail address stands in the body, because URLs end up in logs.
 */
export function personRoutes(deps: FormDeps) {
  const { db, clock } = deps
  const { bearer, operation } = area({ db, clock }, "forms")

  return new Elysia({ name: "persons", prefix: "/api/v1" })
    .use(bearer)
    .post(
      "/exports",
      async ({ request, workspaceId }) => {
        const ids = await responseIdsOfAddress(db, await addressIn(request), { workspaceId })
        extendReplyTimeout(request)
        return jsonReply(personalResponses(db, ids, questionsOf))
      },
      operation({
        body: personBody,
        answers: { 200: personalAnswer },
        audit: "person.exported",
      }),
    )
    .post(
      "/erasures",
      async ({ request, workspaceId }) => {
        const address = await addressIn(request)
        extendReplyTimeout(request)
        return { erased: await eraseAddress(deps, address, workspaceId) }
      },
      operation({
        body: personBody,
        answers: { 200: erasedAnswer },
        audit: "person.erased",
      }),
    )
}

async function addressIn(request: Request): Promise<string> {
  return requireEmail((await readObject(request, maxBodyBytes))["email"])
}
