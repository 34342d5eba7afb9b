import { findOperator, listMembers, type Operator } from "../accounts/operator.ts"
import { addOwnedWorkspace } from "../accounts/owned-workspace.ts"
import { defaultWorkspaceId, listWorkspaces } from "../accounts/workspace.ts"
import { type App, openApp } from "../app.ts"
import { isoTime } from "../base/clock.ts"
import { Refusal, UsageError } from "../base/errors.ts"
import { readConfig } from "../config/config.ts"
import { type Command, print, say } from "./command.ts"

export const workspaceAdd: Command = {
  usage: "workspace add --name N [--owner EMAIL] [--json]",
  about:
    "adds a workspace: its projects, endpoints, tokens and operators are apart from every other's; in the console it is owned by the operator of that address, or else by the owners of the default workspace",
  options: { name: { type: "string" }, owner: { type: "string" }, json: { type: "boolean" } },
  async run({ options, environment }) {
    const name = typeof options["name"] === "string" ? options["name"].trim() : ""
    if (name === "") throw new UsageError("--name is needed")
    await using app = await openApp(readConfig(environment))
    const owners = await ownersNamed(app, options["owner"])
    const ownerIds = owners.map((owner) => owner.id)
    const id = await addOwnedWorkspace(app.db, { name, ownerIds }, app.clock.now())
    const emails = owners.map(({ email }) => email)
    print(options["json"] ? JSON.stringify({ id, owners: emails }) : id)
    if (!options["json"] && emails.length > 0) say(`owned by ${emails.join(", ")}`)
    return undefined
  },
}

export const workspaceList: Command = {
  usage: "workspace list [--json]",
  about: "lists the workspaces, the default one first",
  options: { json: { type: "boolean" } },
  async run({ options, environment }) {
    await using app = await openApp(readConfig(environment))
    const workspaces = await listWorkspaces(app.db)
    if (options["json"]) {
      const items = workspaces.map(({ id, name, createdAt }) => ({
        id,
        name,
        created_at: isoTime(createdAt),
      }))
      print(JSON.stringify({ items }))
    } else for (const { id, name } of workspaces) print(`${id}  ${name}`)
    return undefined
  },
}

/** Nobody while there is no operator: the first one owns every workspace. */
async function ownersNamed(app: App, email: unknown): Promise<Operator[]> {
  if (email === undefined) {
    const members = await listMembers(app.db, await defaultWorkspaceId(app.db))
    return members.filter(({ role }) => role === "owner")
  }
  const operator = await findOperator(app.db, String(email))
  if (!operator)
    throw new Refusal("not_found", "", {
      reason: `no operator has the address ${email}: leave --owner out, then guichet operator create ${email} --workspace the new one's id`,
    })
  return [operator]
}

/** The workspace that `--workspace ID` names, the default one without it. */
export async function workspaceNamed(app: App, id: unknown): Promise<string> {
  if (id === undefined) return defaultWorkspaceId(app.db)
  const known = (await listWorkspaces(app.db)).some((workspace) => workspace.id === id)
  if (!known)
    throw new Refusal("not_found", "", {
      reason: `no workspace ${id}: guichet workspace list shows those there are`,
    })
  return String(id)
}
