import { findOperator, listMembers, type Operator } from "../accounts/operator.ts"
import { listProjects } from "../accounts/project.ts"
import {
  defaultWorkspaceId,
  listWorkspaces,
  requireWorkspace as requireStored,
} from "../accounts/workspace.ts"
import { addOwnedWorkspace, removeWorkspace } from "../accounts/workspaces/operations.ts"
import { workspaceShown } from "../api/workspaces.ts"
import type { App } from "../app.ts"
import { Refusal } from "../base/errors.ts"
import { confirmed, removal } from "./kit/confirm.ts"
import { existing, refuseExisting } from "./kit/existing-account.ts"
import { defineDataCommand } from "./kit/open.ts"

export const workspaceAdd = defineDataCommand({
  about: "adds a workspace, whose projects, endpoints, tokens and operators are its own",
  options: {
    name: { value: "NAME", required: true, about: "name of the workspace" },
    owner: {
      value: "EMAIL",
      about: "address of the operator who owns it; the owners of the default workspace without it",
    },
    existing,
  },
  async run({ app, options, perform }) {
    const owners = await findOwners(app, options.owner, options.existing === true)
    const given = { name: options.name, owners: owners.map((owner) => owner.id) }
    const { id } = await perform(addOwnedWorkspace, await defaultWorkspaceId(app.db), {}, given)
    const emails = owners.map(({ email }) => email)
    const notes = emails.length > 0 ? [`owned by ${emails.join(", ")}`] : []
    return { json: { id, owners: emails }, text: id, notes }
  },
})

export const workspaceList = defineDataCommand({
  about: "lists the workspaces, the default one first",
  async run({ app }) {
    const items = (await listWorkspaces(app.db)).map(workspaceShown.json)
    return { json: { items }, text: items.map(({ id, name }) => `${id}  ${name}`) }
  },
})

export const workspaceRemove = defineDataCommand({
  about: "removes a workspace with everything in it",
  args: { id: "identifier of the workspace, which guichet workspace list shows; not the default one" },
  details:
    "The accounts of operators who belong to no other workspace go too. Asks first on a terminal; elsewhere it needs --yes.",
  options: removal,
  async run({ app, args, options, perform }) {
    const { id, name } = await requireStored(app.db, args.id)
    const projects = (await listProjects(app.db, id)).length
    const what = `remove the workspace ${name} with ${projects} projects and everything in them`
    if (options["dry-run"]) return { json: { id, name, projects, removed: false }, text: `would ${what}` }
    if (!(await confirmed(what, options))) return { code: 1 }
    await perform(removeWorkspace, id, { workspace: id })
    return { json: { id } }
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
