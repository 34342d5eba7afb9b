import { findOperator, listMembers, type Operator } from "../accounts/operator.ts"
import { listProjects } from "../accounts/project.ts"
import {
  defaultWorkspaceId,
  listWorkspaces,
  requireWorkspace as requireStored,
} from "../accounts/workspace.ts"
import { addOwnedWorkspace, removeWorkspace } from "../accounts/workspaces/operations.ts"
import type { App } from "../app.ts"
import { isoTime } from "../base/clock.ts"
import { Refusal } from "../base/errors.ts"
import { perform } from "../operations/perform.ts"
import { commandCaller } from "./kit/caller.ts"
import { defineCommand, json, print, say } from "./kit/command.ts"
import { confirmed, removal } from "./kit/confirm.ts"
import { existing, refuseExisting } from "./kit/existing-account.ts"
import { openData } from "./kit/open.ts"

export const workspaceAdd = defineCommand({
  about: "adds a workspace, whose projects, endpoints, tokens and operators are its own",
  options: {
    name: { value: "NAME", required: true, about: "name of the workspace" },
    owner: {
      value: "EMAIL",
      about: "address of the operator who owns it; the owners of the default workspace without it",
    },
    existing,
    json,
  },
  async run({ options, environment }) {
    await using app = await openData(environment)
    const owners = await findOwners(app, options.owner, options.existing === true)
    const ownerIds = owners.map((owner) => owner.id)
    const caller = commandCaller("workspace add", await defaultWorkspaceId(app.db))
    const { id } = await perform(addOwnedWorkspace, app, caller, {}, { name: options.name, owners: ownerIds })
    const emails = owners.map(({ email }) => email)
    print(options.json ? JSON.stringify({ id, owners: emails }) : id)
    if (!options.json && emails.length > 0) say(`owned by ${emails.join(", ")}`)
    return undefined
  },
})

export const workspaceList = defineCommand({
  about: "lists the workspaces, the default one first",
  options: { json },
  async run({ options, environment }) {
    await using app = await openData(environment)
    const workspaces = await listWorkspaces(app.db)
    if (options.json) {
      const items = workspaces.map(({ id, name, createdAt }) => ({
        id,
        name,
        created_at: isoTime(createdAt),
      }))
      print(JSON.stringify({ items }))
    } else for (const { id, name } of workspaces) print(`${id}  ${name}`)
    return undefined
  },
})

export const workspaceRemove = defineCommand({
  about: "removes a workspace with everything in it",
  args: { id: "identifier of the workspace, which guichet workspace list shows; not the default one" },
  details:
    "The accounts of operators who belong to no other workspace go too. Asks first on a terminal; elsewhere it needs --yes.",
  options: { ...removal, json },
  async run({ args, options, environment }) {
    await using app = await openData(environment)
    const { id, name } = await requireStored(app.db, args.id)
    const projects = (await listProjects(app.db, id)).length
    const what = `remove the workspace ${name} with ${projects} projects and everything in them`
    if (options["dry-run"]) {
      print(options.json ? JSON.stringify({ id, name, projects, removed: false }) : `would ${what}`)
      return undefined
    }
    if (!(await confirmed(what, options))) return 1
    await perform(removeWorkspace, app, commandCaller("workspace remove", id), { workspace: id })
    if (options.json) print(JSON.stringify({ id }))
    return undefined
  },
})

/**
 * The operator of an address; without one, the owners of the default workspace. While there is no operator, none:
 * the first one will own every workspace. Throws Refusal: `not_found`; `conflict` for an address without
 * `--existing`.
 */
async function findOwners(app: App, email: string | undefined, isTold: boolean): Promise<Operator[]> {
  if (email === undefined) {
    const members = await listMembers(app.db, await defaultWorkspaceId(app.db))
    return members.filter(({ role }) => role === "owner")
  }
  const operator = await findOperator(app.db, email)
  if (!operator)
    throw new Refusal("not_found", "", {
      reason: `no operator has the address ${email}: leave --owner out, then guichet operator create ${email} --workspace the new one's id`,
    })
  if (!isTold) await refuseExisting(app, operator)
  return [operator]
}

/** The workspace that `--workspace ID` names, the default one without it. Throws Refusal `not_found`. */
export async function requireWorkspace(app: App, id: string | undefined): Promise<string> {
  if (id === undefined) return defaultWorkspaceId(app.db)
  return (await requireStored(app.db, id)).id
}
