import { Elysia } from "elysia"
import { listTokens, requireToken } from "../accounts/token.ts"
import { addToken, changeToken, removeToken, type TokenDeps } from "../accounts/tokens/operations.ts"
import { madeToken, tokenRecord } from "../accounts/tokens/record.ts"
import { shown } from "../http/record/json.ts"
import { idOf } from "../operations/operation.ts"
import { area, type KitDeps } from "./kit/area.ts"

export const shownToken = shown(tokenRecord)

/** `/api/v1/tokens`: the tokens of the token's workspace. The text of a token is shown once, on creation. */
export function tokenRoutes(deps: TokenDeps & KitDeps) {
  const { db } = deps
  const { bearer, performs, shows, lists } = area(deps, "workspace")

  return new Elysia({ name: "tokens", prefix: "/api/v1/tokens" })
    .use(bearer)
    .get("", ...lists(shownToken, ({ workspaceId }, part) => listTokens(db, workspaceId, part)))
    .post(
      "",
      ...performs(addToken, {
        status: 201,
        schema: madeToken,
        json: ({ token, text }) => ({ ...shownToken.json(token), token: text }),
      }),
    )
    .get("/:id", ...shows(shownToken, (call) => requireToken(db, idOf(call, "token"), call.workspaceId)))
    .patch("/:id", ...performs(changeToken, { status: 200, ...shownToken }))
    .delete("/:id", ...performs(removeToken))
}
