import type { App } from "../../app.ts"
import { Refusal, UsageError } from "../../base/errors.ts"
import { isObject } from "../../base/names.ts"
import type { Lock } from "../../db/connection.ts"
import { databaseLocation, takeLock } from "../../db/open.ts"
import { faultyLine } from "../kit/json-fault.ts"
import { defineDataCommand } from "../kit/open.ts"
import { readText } from "../kit/read-file.ts"
import { requireWorkspace } from "../workspace.ts"
import { type Applying, applyOne, type Change, type Declared, faultsRefusal } from "./applying.ts"
import { applyEndpoints } from "./endpoints.ts"
import { applyProjects } from "./projects.ts"
import { listIn, type Place } from "./things.ts"

/** A workspace full of forms of the greatest size fits. */
const maxFileBytes = 8 * 1024 * 1024
/** Characters of a value that a difference shows. */
const maxShown = 120

export const apply = defineDataCommand({
  about: "makes and changes projects, forms and endpoints as a file declares them",
  details:
    "The file is one JSON object with projects, each with its feeds, widget_settings and forms, and endpoints; members are those of the API. Things are found by their names: a project and a form by name, a feed by kind and address, an endpoint by description. What the file does not mention is left as it is, and nothing is removed. Everything is judged before anything is done.",
  args: { file: "JSON file, or - for stdin" },
  options: {
    "dry-run": { about: "does nothing: shows what would be added and changed" },
    workspace: { value: "ID", about: "workspace that the file describes; the default one without it" },
  },
  async run({ app, args, options, perform }) {
    const workspaceId = await requireWorkspace(app, options.workspace)
    const text = await readText(args.file, maxFileBytes)
    const place = { app, workspaceId, perform }
    const isTrial = options["dry-run"] === true
    await using lock = isTrial ? undefined : await lockFor(app, workspaceId)
    const trial = await applied(place, text)
    const { changes, unchanged } = lock ? await applied(place, text, lock) : trial
    const countOf = (action: Change["action"]) =>
      `${changes.filter((change) => change.action === action).length} ${action}`
    return {
      json: { dry_run: isTrial, changes, unchanged },
      text: changes.flatMap(changeLines),
      notes: [
        `${countOf("added")}, ${countOf("changed")}, ${unchanged} unchanged${isTrial && changes.length > 0 ? "; nothing was done" : ""}`,
      ],
    }
  },
})

/** Two at one time would both make the same. Throws Refusal `conflict` while another process holds the lock. */
async function lockFor({ config }: App, workspaceId: string): Promise<Lock> {
  const lock = await takeLock(databaseLocation(config), `apply-${workspaceId}`)
  if (lock) return lock
  throw new Refusal("conflict", "", {
    reason: "another guichet apply is changing this workspace: wait for its end, then run this one again",
  })
}

/** Does what the file says as long as the lock is held; without one only judges it. Throws Refusal with the faults. */
async function applied(of: Omit<Place, "one" | "faults" | "ids" | "fields">, text: string, lock?: Lock) {
  const applying: Applying = { changes: [], unchanged: 0, faults: {} }
  const place: Place = {
    ...of,
    faults: applying.faults,
    ids: new Map(),
    fields: new Map(),
    one(declared: Declared) {
      lock?.lost.throwIfAborted()
      return applyOne(declared, applying, { isTrial: lock === undefined, timezone: of.app.config.timezone })
    },
  }
  const file = { at: "", members: parsed(text) }
  for (const name of Object.keys(file.members))
    if (name !== "projects" && name !== "endpoints")
      place.faults[name] = "the file has the members projects and endpoints"
  await applyProjects(place, listIn(place, file, "projects"))
  await applyEndpoints(place, listIn(place, file, "endpoints"))
  if (Object.keys(applying.faults).length > 0) throw faultsRefusal(applying)
  return applying
}

function parsed(text: string): Record<string, unknown> {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`line ${faultyLine(text)} of the file is not JSON: ${(error as Error).message}`)
  }
  if (!isObject(file))
    throw new UsageError('the file is to be one object: {"projects": […], "endpoints": […]}')
  return file
}

function changeLines({ action, kind, name, id, secret, members = {} }: Change): string[] {
  const head = `${action === "added" ? "+" : "~"} ${[kind, name, action === "added" && id, secret].filter(Boolean).join("  ")}`
  return [
    head,
    ...Object.entries(members).map(
      ([member, [before, after]]) => `    ${member}: ${cut(before)} → ${cut(after)}`,
    ),
  ]
}

function cut(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}
