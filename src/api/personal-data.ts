import { erasePerson, exportPerson } from "../forms/operations/persons.ts"
import { personalResponses } from "../forms/responses/person.ts"
import { erasedCount, personalData } from "../forms/responses/record.ts"
import { jsonReply } from "../http/json-stream.ts"
import { questionTexts } from "../owners/gaps/asked-questions.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers } from "./kit/handlers.ts"

/** The rights of a person over their data: an export of everything kept under an e-mail address, and its erasure. */
export function personHandlers(deps: ApiDeps) {
  const { performs } = handlers(deps)

  return {
    export: performs(exportPerson, {
      status: 200,
      schema: personalData,
      json: (ids) => jsonReply(personalResponses(deps.db, ids, questionTexts, deps.files)),
      isPersonal: true,
    }),
    erase: performs(erasePerson, { status: 200, schema: erasedCount, json: (erased) => ({ erased }) }),
  }
}
