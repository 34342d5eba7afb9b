import { type App, openApp } from "../app.ts"
import { isoTime } from "../clock.ts"
import { readConfig } from "../config.ts"
import { Refusal, UsageError } from "../errors.ts"
import { addWorkspace, defaultWorkspaceId, listWorkspaces } from "../workspaces/workspace.ts"
import { type Command, print } from "./command.ts"

export const workspaceAdd: Command = {
  usage: "workspace add --name N [--json]",
  about: "adds a workspace: its projects, endpoints and tokens are apart from every other's",
  options: { name: { type: "string" }, json: { type: "boolean" } },
  async run({ options, environment }) {
    const name = typeof options["name"] === "string" ? options["name"].trim() : ""
    if (name === "") throw new UsageError("--name is needed")
    await using app = await openApp(readConfig(environment))
    const id = await addWorkspace(app.db, name, app.clock.now())
    print(options["json"] ? JSON.stringify({ id }) : id)
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
