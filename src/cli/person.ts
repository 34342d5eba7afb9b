import { listWorkspaces } from "../accounts/workspace.ts"
import type { App } from "../app.ts"
import { questionsOf } from "../assistant/insights/asked-questions.ts"
import { erasePerson, exportPerson } from "../forms/operations/persons.ts"
import { personalResponses, responseIdsOfAddress, workspacesOfAddress } from "../forms/responses/person.ts"
import { perform } from "../operations/perform.ts"
import { commandCaller } from "./kit/caller.ts"
import { defineCommand, json, print, say } from "./kit/command.ts"
import { confirmed, removal } from "./kit/confirm.ts"
import { openData } from "./kit/open.ts"
import { requireAddress } from "./operator.ts"
import { requireWorkspace } from "./workspace.ts"

const aboutWorkspaces =
  "Without --workspace, every workspace of the installation is covered: a request made to one of several customers is for that one's workspace alone."

const workspace = {
  value: "ID",
  about: "keeps to this workspace, which guichet workspace list shows; every workspace without it",
} as const

export const erase = defineCommand({
  about: "erases every form response in which an e-mail address was given",
  details: `Erases the payloads of these responses in the delivery log too. ${aboutWorkspaces}`,
  args: { email: "e-mail address of the person" },
  options: { workspace, ...removal, json },
  async run({ args, options, environment }) {
    const address = requireAddress(args.email)
    await using app = await openData(environment)
    const covered = await coveredWorkspaces(app, address, options.workspace)
    const found = await Promise.all(
      covered.map(({ id }) => responseIdsOfAddress(app.db, address, { workspaceId: id })),
    )
    const count = found.flat().length
    const what = `erase ${count} responses of ${address} ${whereText(options.workspace)}`
    if (options["dry-run"]) {
      const counted = covered.map(({ id, name }, at) => ({ id, name, responses: found[at]?.length ?? 0 }))
      print(
        options.json
          ? JSON.stringify({ erased: 0, would_erase: count, workspaces: counted })
          : `would ${what}`,
      )
      return 0
    }
    if (!(await confirmed(what, options))) return 1
    const workspaces = []
    for (const { id, name } of covered) {
      const erased = await perform(erasePerson, app, commandCaller("erase", id), {}, { email: address })
      workspaces.push({ id, name, erased })
    }
    const erased = workspaces.reduce((sum, each) => sum + each.erased, 0)
    if (options.json) print(JSON.stringify({ erased, workspaces }))
    else {
      print(`${erased} responses erased ${whereText(options.workspace)}`)
      for (const { id, name, erased } of workspaces) print(`${id}  ${erased}  ${name}`)
    }
    return undefined
  },
})

export const exported = defineCommand({
  about: "prints every form response in which an e-mail address was given",
  details: `Prints JSON, with or without --json. ${aboutWorkspaces}`,
  args: { email: "e-mail address of the person" },
  options: { workspace, json },
  async run({ args, options, environment }) {
    const address = requireAddress(args.email)
    await using app = await openData(environment)
    const items = []
    const workspaces = []
    for (const { id, name } of await coveredWorkspaces(app, address, options.workspace)) {
      const ids = await perform(exportPerson, app, commandCaller("export", id), {}, { email: address })
      const own = await Array.fromAsync(personalResponses(app.db, ids, questionsOf))
      items.push(...own.map((item) => ({ ...item, workspace_id: id })))
      workspaces.push({ id, name, items: own.length })
    }
    print(JSON.stringify({ items, workspaces }))
    if (!options.json && items.length > 0) {
      say(`${items.length} responses found ${whereText(options.workspace)}`)
      for (const { id, name, items } of workspaces) say(`${id}  ${items}  ${name}`)
    }
    return undefined
  },
})

/** The workspace that `--workspace` names, else those that have a response with this address. */
async function coveredWorkspaces(app: App, address: string, wanted: string | undefined) {
  const ids =
    wanted === undefined ? await workspacesOfAddress(app.db, address) : [await requireWorkspace(app, wanted)]
  return (await listWorkspaces(app.db)).filter(({ id }) => ids.includes(id))
}

function whereText(workspace: string | undefined): string {
  return workspace === undefined ? "in all workspaces" : "in one workspace, the others untouched"
}
