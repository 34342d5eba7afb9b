import { listTokens, requireToken } from "../accounts/token.ts"
import { addToken, changeToken, removeToken } from "../accounts/tokens/operations.ts"
import { madeToken, tokenRecord } from "../accounts/tokens/record.ts"
import { shown } from "../http/record/json.ts"
import { idOf } from "../operations/operation.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers } from "./kit/handlers.ts"

export const shownToken = shown(tokenRecord)

/** `/api/v1/tokens`: the tokens of the token's workspace. The text of a token is shown once, on creation. */
export function tokenHandlers(deps: ApiDeps) {
  const { db } = deps
  const { performs, shows, lists } = handlers(deps)

  return {
    list: lists(shownToken, ({ workspaceId }, part) => listTokens(db, workspaceId, part)),
    add: performs(addToken, {
      status: 201,
      schema: madeToken,
      json: ({ token, text }) => ({ ...shownToken.json(token), token: text }),
    }),
    show: shows(shownToken, (call) => requireToken(db, idOf(call, "token"), call.workspaceId)),
    change: performs(changeToken, { status: 200, ...shownToken }),
    remove: performs(removeToken),
  }
}
