import { findOperator, listMembers, type Operator } from "../accounts/operator.ts"
import { addOwnedWorkspace } from "../accounts/owned-workspace.ts"
import { defaultWorkspaceId, findWorkspace, listWorkspaces } from "../accounts/workspace.ts"
import type { App } from "../app.ts"
import { isoTime } from "../base/clock.ts"
import { detail, Refusal, required } from "../base/errors.ts"
import { defineCommand, json, print, say } from "./kit/command.ts"
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
    const added = { name: options.name.trim(), ownerIds }
    const id = await addOwnedWorkspace(app.db, added, app.clock.now())
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
  return required(await findWorkspace(app.db, id), detail("accounts.unknownWorkspace", { id })).id
}
