import { listTokens, requireToken, type Token } from "../accounts/token.ts"
import { addToken, removeToken } from "../accounts/tokens/operations.ts"
import { isoTime } from "../base/clock.ts"
import { perform } from "../operations/perform.ts"
import { everyScope, scopes } from "../operations/scope.ts"
import { commandCaller } from "./kit/caller.ts"
import { defineCommand, json, print, say } from "./kit/command.ts"
import { openData } from "./kit/open.ts"
import { requireWorkspace } from "./workspace.ts"

export const tokenCreate = defineCommand({
  about: "makes a bearer token of the management API and shows it once",
  options: {
    name: { value: "NAME", about: "purpose of the token, as lists show it" },
    workspace: { value: "ID", about: "workspace that the token opens; the default one without it" },
    scope: {
      value: "SCOPE",
      choices: scopes,
      repeatable: true,
      about: `right that the token gives, one of ${scopes.join(", ")}; ${everyScope} without it`,
    },
    json,
  },
  async run({ options, environment }) {
    await using app = await openData(environment)
    const caller = commandCaller("token create", await requireWorkspace(app, options.workspace))
    const { token, text } = await perform(
      addToken,
      app,
      caller,
      {},
      { name: options.name, scopes: options.scope },
    )
    print(options.json ? JSON.stringify({ id: token.id, token: text }) : text)
    if (!options.json) say("keep it now: it cannot be shown again")
    return undefined
  },
})

export const tokenList = defineCommand({
  about: "lists the tokens, newest first, without their secrets",
  options: {
    workspace: { value: "ID", about: "lists the tokens of this workspace alone" },
    json,
  },
  async run({ options, environment }) {
    await using app = await openData(environment)
    const { workspace } = options
    const workspaceId = workspace === undefined ? undefined : await requireWorkspace(app, workspace)
    const tokens = await listTokens(app.db, workspaceId)
    if (options.json) print(JSON.stringify({ items: tokens.map(tokenJson) }))
    else
      for (const token of tokens) {
        const used = token.lastUsedAt === null ? "never used" : `used ${isoTime(token.lastUsedAt)}`
        print(`${token.id}  ${token.workspaceId}  ${used}  ${token.name}`)
      }
    return undefined
  },
})

export const tokenRevoke = defineCommand({
  about: "revokes a token; the service refuses it from the next request on",
  args: { id: "identifier of the token, which guichet token list shows" },
  options: { json },
  async run({ args: { id }, options, environment }) {
    await using app = await openData(environment)
    const { workspaceId } = await requireToken(app.db, id)
    await perform(removeToken, app, commandCaller("token revoke", workspaceId), { token: id })
    if (options.json) print(JSON.stringify({ id }))
    return undefined
  },
})

function tokenJson({ id, workspaceId, name, scopes, createdAt, lastUsedAt }: Token) {
  return {
    id,
    workspace_id: workspaceId,
    name,
    scopes,
    created_at: isoTime(createdAt),
    last_used_at: lastUsedAt === null ? null : isoTime(lastUsedAt),
  }
}
