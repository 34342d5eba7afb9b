import { Elysia } from "elysia"
import type { FormDeps } from "../forms/deps.ts"
import { erasePerson, exportPerson } from "../forms/operations/persons.ts"
import { personalResponses } from "../forms/responses/person.ts"
import { erasedCount, personalData } from "../forms/responses/record.ts"
import { jsonReply } from "../http/json-stream.ts"
import { questionTexts } from "../owners/gaps/asked-questions.ts"
import { area } from "./kit/area.ts"

/** The rights of a person over their data: an export of everything kept under an e-mail address, and its erasure. */
export function personRoutes(deps: FormDeps) {
  const { bearer, performs } = area(deps, "forms")

  return new Elysia({ name: "persons", prefix: "/api/v1" })
    .use(bearer)
    .post(
      "/exports",
      ...performs(exportPerson, {
        status: 200,
        schema: personalData,
        json: (ids) => jsonReply(personalResponses(deps.db, ids, questionTexts, deps.files)),
        isPersonal: true,
      }),
    )
    .post(
      "/erasures",
      ...performs(erasePerson, { status: 200, schema: erasedCount, json: (erased) => ({ erased }) }),
    )
}
