import { open, rm } from "node:fs/promises"
import { resolve } from "node:path"
import { findOperator, listMembers, type Operator } from "../accounts/operator.ts"
import { listProjects } from "../accounts/project.ts"
import { listOperatorWorkspaces } from "../accounts/session.ts"
import {
  defaultWorkspaceId,
  listWorkspaces,
  maxWorkspaces,
  requireWorkspace as requireStored,
} from "../accounts/workspace.ts"
import { addOwnedWorkspace, exportWorkspace, removeWorkspace } from "../accounts/workspaces/operations.ts"
import { workspaceShown } from "../api/workspaces.ts"
import type { App } from "../app.ts"
import { Refusal, UsageError } from "../base/errors.ts"
import { idsOf } from "../base/ids.ts"
import type { Db } from "../db/connection.ts"
import { workspaceLines } from "../handover/export-workspace.ts"
import { importWorkspace, nameIn, type PerformIn } from "../handover/import-workspace.ts"
import { finishImport, holdImport } from "../handover/unfinished-imports.ts"
import { headersIn, listFeeds } from "../reading/feed.ts"
import { listEndpoints } from "../webhooks/endpoints/endpoint.ts"
import { complain } from "./kit/command.ts"
import { confirmed, removal } from "./kit/confirm.ts"
import { defineDataCommand } from "./kit/open.ts"
import { untilStopped } from "./kit/stop.ts"

/** Option of commands that give rights to an account found by its address. */
export const existing = {
  about: "gives the rights to the account that has this address already, whoever holds its password",
} as const

const ownerOption = {
  value: "EMAIL",
  about: "address of the operator who owns it; the owners of the default workspace without it",
} as const

export const workspaceAdd = defineDataCommand({
  about: "adds a workspace, whose projects, endpoints, tokens and operators are its own",
  options: {
    name: { value: "NAME", required: true, about: "name of the workspace" },
    owner: ownerOption,
    existing,
  },
  async run({ app, options, perform }) {
    const owners = await findOwners(app, options.owner, options.existing === true)
    const newWorkspace = { name: options.name, owners: idsOf(owners) }
    const { id } = await perform(addOwnedWorkspace, await defaultWorkspaceId(app.db), {}, newWorkspace)
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

export const workspaceExport = defineDataCommand({
  about: "writes a workspace to a file, to be read in elsewhere",
  details:
    "One JSON object a line: projects with their settings, feeds and uploaded files, synonyms, chosen answers, evaluation questions, forms, their responses with their files, and endpoints. Left out are secrets, headers of endpoints and feeds, operators, tokens, folders of this machine, visitors' questions and deliveries. The file holds personal data.",
  args: { id: "identifier of the workspace", file: "file to write, which must not exist yet" },
  async run({ app, args, perform }) {
    const workspace = await perform(exportWorkspace, args.id, { workspace: args.id })
    const lines = await untilStopped("interrupted: nothing was written", (signal) =>
      writeLines(resolve(args.file), workspaceLines(app, workspace, app.clock.now()), signal),
    )
    const endpoints = await listEndpoints(app.db, args.id)
    const bare = endpoints.filter(({ headers }) => headers.length > 0).map(({ id, url }) => ({ id, url }))
    const projects = await listProjects(app.db, args.id)
    const feeds = (await Promise.all(projects.map(({ id }) => listFeeds(app.db, id)))).flat()
    const open = feeds
      .filter((feed) => headersIn(feed).length > 0)
      .map(({ id, address }) => ({ id, address }))
    return {
      json: { file: args.file, lines, endpoints_without_headers: bare, feeds_without_headers: open },
      text: `${args.file} written: ${lines} lines`,
      notes: [...bare.map(({ url }) => url), ...open.map(({ address }) => address)].map(
        (address) => `left out: the headers of its owner's that ${address} is sent`,
      ),
    }
  },
})

export const workspaceImport = defineDataCommand({
  about: "reads a workspace that was exported into a new one",
  details:
    "Ids are new, so that the lines in the pages of the sites have to be, too. Endpoints are off, each with a new secret: give it to the receiver, then turn the endpoint on. Whatever was read is removed again if a line cannot be read.",
  args: { file: "file that guichet workspace export wrote" },
  options: { owner: ownerOption, existing },
  async run({ app, args, options, perform }) {
    const file = resolve(args.file)
    const owners = await findOwners(app, options.owner, options.existing === true)
    const newWorkspace = { name: await nameIn(file), owners: idsOf(owners), is_unfinished: true }
    await using _held = await holdImport(app)
    const { id } = await perform(addOwnedWorkspace, await defaultWorkspaceId(app.db), {}, newWorkspace)
    const performIn: PerformIn = (operation, ids, fields) => perform(operation, id, ids, fields)
    const imported = await untilStopped("interrupted: nothing of it was kept", (signal) =>
      importWorkspace(app, id, file, performIn, signal).catch(async (error) => {
        await app.removeWorkspace(id).catch(() => {
          complain("what was read by then cannot be removed now: the service removes it within the hour")
        })
        throw error
      }),
    )
    await finishImport(app, id)
    const { counts, endpoints, endpointsLeftOut, withoutMails } = imported
    return {
      json: {
        id,
        counts,
        endpoints,
        endpoints_left_out: endpointsLeftOut,
        forms_without_mails: withoutMails,
      },
      text: [id, ...endpoints.map(({ id, url, secret }) => `${id}  ${secret}  ${url}`)],
      notes: [
        Object.entries(counts)
          .map(([kind, count]) => `${count} ${kind}`)
          .join(", "),
        "read the sites: guichet index PROJECT (guichet project list shows them)",
        ...(endpoints.length > 0 ? ["endpoints are off: give each receiver its new secret first"] : []),
        ...endpointsLeftOut.map(({ url, why }) => `the endpoint ${url} was left out: ${why}`),
        ...withoutMails.map((name) => `without a mail server, the mails of the form ${name} were left out`),
      ],
    }
  },
})

/** Writes a line of JSON for each; the file is whole or not there. Rejects when it is there already. */
async function writeLines(file: string, lines: AsyncIterable<object>, signal: AbortSignal): Promise<number> {
  const handle = await open(file, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error
    throw new UsageError(`${file} is there already: give the name of a new file`)
  })
  let count = 0
  try {
    for await (const line of lines) {
      signal.throwIfAborted()
      await handle.writeFile(`${JSON.stringify(line)}\n`)
      count++
    }
    await handle.sync()
  } catch (error) {
    await rm(file, { force: true })
    // A full disk is told without it.
    throw Object.assign(error as Error, { path: file })
  } finally {
    await handle.close()
  }
  return count
}

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

/** The address proves nothing: a workspace may have invited it and opened the link itself. */
export async function refuseExisting({ db }: { db: Db }, { id, email }: Operator): Promise<never> {
  const workspaces = await listOperatorWorkspaces(db, id, { atMost: maxWorkspaces })
  const names = workspaces.map((workspace) => `${workspace.name} (${workspace.id})`)
  throw new Refusal("conflict", "", {
    reason: `${email} has an account already, in ${names.join(", ") || "no workspace"}: add --existing if its holder is the person you mean; guichet operator password changes its password first`,
  })
}
