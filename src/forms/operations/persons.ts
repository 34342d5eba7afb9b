import type { Db } from "../../db/connection.ts"
import { operation } from "../../operations/operation.ts"
import type { FormDeps } from "../deps.ts"
import { eraseAddress } from "../responses/erase.ts"
import { responseIdsOfAddress } from "../responses/person.ts"
import { personBody } from "../responses/record.ts"

/**
 * The rights of a person over their data. The e-mail address stands in the body, since addresses of pages end up in
 * logs; the audit log does not name it either.
 */
const person = { input: personBody, isLong: true, subject: () => ({ id: null }) } as const

/** Ids of all that is kept under an e-mail address, which a face reads in its turn. */
export const exportPerson = operation({
  ...person,
  audit: "person.exported",
  needs: ["forms:write"],
  run: async ({ db }: { db: Db }, { workspaceId, input }) =>
    responseIdsOfAddress(db, input.email, { workspaceId }),
})

/** Erases all that is kept under an e-mail address. Resolves to the number of responses. */
export const erasePerson = operation({
  ...person,
  audit: "person.erased",
  needs: ["forms:write"],
  run: async (deps: FormDeps, { workspaceId, input }) => eraseAddress(deps, input.email, workspaceId),
})
