import { listTokens, requireToken } from "../accounts/token.ts"
import { addToken, removeToken } from "../accounts/tokens/operations.ts"
import { shownToken } from "../api/tokens.ts"
import { everyScope, scopes } from "../operations/scope.ts"
import { defineDataCommand } from "./kit/open.ts"
import { requireWorkspace } from "./workspace.ts"

export const tokenCreate = defineDataCommand({
  about: "makes a bearer token of the management API and shows it once",
  options: {
    name: { value: "NAME", about: "purpose of the token, as lists show it" },
    workspace: { value: "ID", about: "workspace that the token opens; the default one without it" },
    scope: {
      value: "SCOPE",
      choices: scopes,
      repeatable: true,
      about: `right that the token gives; ${everyScope} without it`,
    },
    expires: {
      value: "TIME",
      about: "day or time at which the token stops opening anything; never without it",
    },
  },
  async run({ app, options: { name, scope, workspace, expires }, perform }) {
    const workspaceId = await requireWorkspace(app, workspace)
    const fields = { name, scopes: scope, expires_at: expires }
    const { token, text } = await perform(addToken, workspaceId, {}, fields)
    return { json: { id: token.id, token: text }, text, notes: ["keep it now: it cannot be shown again"] }
  },
})

export const tokenList = defineDataCommand({
  about: "lists the tokens, newest first, without their secrets",
  options: { workspace: { value: "ID", about: "lists the tokens of this workspace alone" } },
  async run({ app, options: { workspace } }) {
    const workspaceId = workspace === undefined ? undefined : await requireWorkspace(app, workspace)
    const tokens = await listTokens(app.db, workspaceId)
    const items = tokens.map((token) => ({ workspace_id: token.workspaceId, ...shownToken.json(token) }))
    const lines = items.map(({ id, workspace_id, last_used_at, expires_at, name }) => {
      const used = last_used_at === null ? "never used" : `used ${last_used_at}`
      const expires = expires_at === null ? "" : `  expires ${expires_at}`
      return `${id}  ${workspace_id}  ${used}${expires}  ${name}`
    })
    return { json: { items }, text: lines }
  },
})

export const tokenRevoke = defineDataCommand({
  about: "revokes a token; the service refuses it from the next request on",
  args: { id: "identifier of the token, which guichet token list shows" },
  async run({ app, args: { id }, perform }) {
    const { workspaceId } = await requireToken(app.db, id)
    await perform(removeToken, workspaceId, { token: id })
    return { json: { id } }
  },
})
