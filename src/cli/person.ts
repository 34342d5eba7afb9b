import { listWorkspaces } from "../accounts/workspace.ts"
import type { App } from "../app.ts"
import { erasePerson, exportPerson } from "../forms/operations/persons.ts"
import { personalResponses, responseIdsOfAddress, workspacesOfAddress } from "../forms/responses/person.ts"
import { questionTexts } from "../owners/gaps/asked-questions.ts"
import { confirmed, removal } from "./kit/confirm.ts"
import { defineDataCommand } from "./kit/open.ts"
import { requireAddress } from "./operator.ts"
import { requireWorkspace } from "./workspace.ts"

const aboutWorkspaces =
  "Without --workspace, every workspace of the installation is covered: a request made to one of several customers is for that one's workspace alone."

const workspace = {
  value: "ID",
  about: "keeps to this workspace, which guichet workspace list shows; every workspace without it",
} as const

export const erase = defineDataCommand({
  about: "erases every form response in which an e-mail address was given",
  details: `Erases the payloads of these responses in the delivery log too. ${aboutWorkspaces}`,
  args: { email: "e-mail address of the person" },
  options: { workspace, ...removal },
  async run({ app, args, options, perform }) {
    const address = requireAddress(args.email)
    const covered = await coveredWorkspaces(app, address, options.workspace)
    const idsByWorkspace = await Promise.all(
      covered.map(({ id }) => responseIdsOfAddress(app.db, address, { workspaceId: id })),
    )
    const count = idsByWorkspace.flat().length
    const what = `erase ${count} responses of ${address} ${whereText(options.workspace)}`
    if (options["dry-run"]) {
      const counted = covered.map(({ id, name }, at) => ({
        id,
        name,
        responses: idsByWorkspace[at]?.length ?? 0,
      }))
      return { json: { erased: 0, would_erase: count, workspaces: counted }, text: `would ${what}` }
    }
    if (!(await confirmed(what, options))) return { code: 1 }
    const workspaces = []
    for (const { id, name } of covered) {
      const erased = await perform(erasePerson, id, {}, { email: address })
      workspaces.push({ id, name, erased })
    }
    const erased = workspaces.reduce((sum, each) => sum + each.erased, 0)
    const lines = workspaces.map(({ id, name, erased }) => `${id}  ${erased}  ${name}`)
    return {
      json: { erased, workspaces },
      text: [`${erased} responses erased ${whereText(options.workspace)}`, ...lines],
    }
  },
})

export const exported = defineDataCommand({
  about: "prints every form response in which an e-mail address was given",
  details: `Prints JSON, with or without --json. ${aboutWorkspaces}`,
  args: { email: "e-mail address of the person" },
  options: { workspace },
  async run({ app, args, options, perform }) {
    const address = requireAddress(args.email)
    const items = []
    const workspaces = []
    for (const { id, name } of await coveredWorkspaces(app, address, options.workspace)) {
      const ids = await perform(exportPerson, id, {}, { email: address })
      const own = await Array.fromAsync(personalResponses(app.db, ids, questionTexts, app.files))
      items.push(...own.map((item) => ({ ...item, workspace_id: id })))
      workspaces.push({ id, name, items: own.length })
    }
    const listing = { items, workspaces }
    const notes = [
      `${items.length} responses found ${whereText(options.workspace)}`,
      ...workspaces.map(({ id, name, items }) => `${id}  ${items}  ${name}`),
    ]
    return { json: listing, text: JSON.stringify(listing), notes: items.length > 0 ? notes : [] }
  },
})

/** The workspace that `--workspace` names, else every workspace with a response of this address. */
async function coveredWorkspaces(app: App, address: string, wanted: string | undefined) {
  const ids =
    wanted === undefined ? await workspacesOfAddress(app.db, address) : [await requireWorkspace(app, wanted)]
  return (await listWorkspaces(app.db)).filter(({ id }) => ids.includes(id))
}

function whereText(workspace: string | undefined): string {
  return workspace === undefined ? "in all workspaces" : "in one workspace, the others untouched"
}
