import { everyScope, scopes } from "../accounts/scope.ts"
import { checkedTokenName, createToken, listTokens, revokeToken, type Token } from "../accounts/token.ts"
import { openApp } from "../app.ts"
import { isoTime } from "../base/clock.ts"
import { Refusal, UsageError } from "../base/errors.ts"
import { readConfig } from "../config/config.ts"
import { type Command, print, say } from "./command.ts"
import { workspaceNamed } from "./workspace.ts"

export const tokenCreate: Command = {
  usage: "token create [--name N] [--workspace ID] [--scope SCOPE]… [--json]",
  about:
    "makes a bearer token of the management API; it is shown once. Scopes: all, or projects, answers, forms, endpoints, workspace followed by :read or :write",
  options: {
    name: { type: "string" },
    workspace: { type: "string" },
    scope: { type: "string", multiple: true },
    json: { type: "boolean" },
  },
  async run({ options, environment }) {
    const wanted = (options["scope"] as string[] | undefined) ?? [everyScope]
    const unknown = wanted.find((scope) => !scopes.includes(scope))
    if (unknown !== undefined) throw new UsageError(`--scope is one of ${scopes.join(", ")}, not ${unknown}`)
    const name = checkedTokenName(String(options["name"] ?? ""))
    await using app = await openApp(readConfig(environment))
    const workspaceId = await workspaceNamed(app, options["workspace"])
    const { id, text } = await createToken(app.db, workspaceId, name, app.clock.now(), wanted)
    print(options["json"] ? JSON.stringify({ id, token: text }) : text)
    if (!options["json"]) say("keep it now: it cannot be shown again")
    return undefined
  },
}

export const tokenList: Command = {
  usage: "token list [--workspace ID] [--json]",
  about: "lists the tokens, newest first, without what they open",
  options: { workspace: { type: "string" }, json: { type: "boolean" } },
  async run({ options, environment }) {
    await using app = await openApp(readConfig(environment))
    const only = options["workspace"]
    const tokens = await listTokens(app.db, only === undefined ? undefined : await workspaceNamed(app, only))
    if (options["json"]) print(JSON.stringify({ items: tokens.map(described) }))
    else
      for (const token of tokens) {
        const used = token.lastUsedAt === null ? "never used" : `used ${isoTime(token.lastUsedAt)}`
        print(`${token.id}  ${token.workspaceId}  ${used}  ${token.name}`)
      }
    return undefined
  },
}

export const tokenRevoke: Command = {
  usage: "token revoke ID [--json]",
  about: "revokes a token; the service refuses it from the next request on",
  options: { json: { type: "boolean" } },
  async run({ positionals, options, environment }) {
    const [id] = positionals
    if (!id) throw new UsageError("which token? guichet token list shows their ids")
    await using app = await openApp(readConfig(environment))
    if (!(await revokeToken(app.db, id)))
      throw new Refusal("not_found", "", {
        reason: `no token ${id}: guichet token list shows those there are`,
      })
    if (options["json"]) print(JSON.stringify({ id }))
    return undefined
  },
}

function described({ id, workspaceId, name, scopes, createdAt, lastUsedAt }: Token) {
  return {
    id,
    workspace_id: workspaceId,
    name,
    scopes,
    created_at: isoTime(createdAt),
    last_used_at: lastUsedAt === null ? null : isoTime(lastUsedAt),
  }
}
