import {
  type Answers,
  addProject,
  changeProject,
  everyBounds,
  findProject,
  listProjects,
  type Project,
} from "../accounts/project.ts"
import { type App, openApp } from "../app.ts"
import { dayMs, hourMs, isoTime, minuteMs } from "../base/clock.ts"
import { Refusal, UsageError } from "../base/errors.ts"
import { readConfig } from "../config/config.ts"
import { type Call, type Command, print } from "./command.ts"
import { workspaceNamed } from "./workspace.ts"

const identity = {
  name: { type: "string" },
  site: { type: "string" },
  origin: { type: "string", multiple: true },
  language: { type: "string" },
  assistant: { type: "string" },
  answers: { type: "string" },
  json: { type: "boolean" },
} as const

export const projectAdd: Command = {
  usage:
    "project add --name N --site URL [--workspace ID] [--origin URL]… [--language fr|en] [--assistant on|off] [--answers written|extractive] [--json]",
  about: "declares a site; prints its project identifier",
  options: { ...identity, workspace: { type: "string" } },
  async run({ options, environment }) {
    const { name, site } = options
    if (typeof name !== "string" || typeof site !== "string")
      throw new UsageError("--name and --site are needed")
    const assistantEnabled = onOff(options["assistant"])
    const answers = answersOf(options["answers"])
    const language = languageOf(options["language"])
    await using app = await openApp(readConfig(environment))
    const project = await addProject(
      app.db,
      await workspaceNamed(app, options["workspace"]),
      {
        name,
        site,
        origins: (options["origin"] as string[] | undefined) ?? [],
        ...(language && { language }),
        ...(assistantEnabled !== undefined && { assistantEnabled }),
        ...(answers && { answers }),
      },
      app.clock.now(),
    )
    print(options["json"] ? JSON.stringify({ id: project.id }) : project.id)
    return undefined
  },
}

export const projectList: Command = {
  usage: "project list [--json]",
  about: "lists the projects",
  options: { json: { type: "boolean" } },
  async run({ options, environment }) {
    await using app = await openApp(readConfig(environment))
    const projects = await listProjects(app.db)
    if (options["json"]) print(JSON.stringify({ items: projects.map(described) }))
    else for (const project of projects) print(`${project.id}  ${project.site}  ${project.name}`)
    return undefined
  },
}

export const projectShow: Command = {
  usage: "project show ID [--json]",
  about: "shows one project with its declared addresses and limits",
  options: { json: { type: "boolean" } },
  async run(call) {
    await using app = await openApp(readConfig(call.environment))
    const shown = described(await named(app, call))
    if (call.options["json"]) print(JSON.stringify(shown))
    else
      for (const [key, value] of Object.entries(shown))
        print(`${key}: ${Array.isArray(value) ? value.join(", ") : value}`)
    return undefined
  },
}

export const projectSet: Command = {
  usage:
    "project set ID [--name N] [--site URL] [--assistant on|off] [--answers written|extractive] [--origin URL]… [--language fr|en] [--per-minute N] [--per-visitor-day N] [--per-day N] [--every 24h] [--json]",
  about:
    "changes a project; --origin replaces the declared addresses; a limit of 0 goes back to the setting, a period of 0 to no reading by itself",
  options: {
    ...identity,
    "per-minute": { type: "string" },
    "per-visitor-day": { type: "string" },
    "per-day": { type: "string" },
    every: { type: "string" },
  },
  async run(call) {
    const { options } = call
    const assistantEnabled = onOff(options["assistant"])
    const answers = answersOf(options["answers"])
    const language = languageOf(options["language"])
    const change = {
      ...(typeof options["name"] === "string" && { name: options["name"] }),
      ...(typeof options["site"] === "string" && { site: options["site"] }),
      ...(options["origin"] !== undefined && { origins: options["origin"] as string[] }),
      ...(language && { language }),
      ...(assistantEnabled !== undefined && { assistantEnabled }),
      ...(answers && { answers }),
      ...(options["every"] !== undefined && { everyMs: periodMs(options["every"]) }),
      limits: {
        ...limit("perMinute", options["per-minute"]),
        ...limit("perVisitorDay", options["per-visitor-day"]),
        ...limit("perDay", options["per-day"]),
      },
    }
    await using app = await openApp(readConfig(call.environment))
    const project = await named(app, call)
    await changeProject(app.db, project.id, change)
    if (options["json"]) print(JSON.stringify(described((await findProject(app.db, project.id)) as Project)))
    return undefined
  },
}

export const projectRemove: Command = {
  usage: "project remove ID [--json]",
  about: "removes a project with everything that belongs to it",
  options: { json: { type: "boolean" } },
  async run(call) {
    await using app = await openApp(readConfig(call.environment))
    const project = await named(app, call)
    await app.removeProject(project.id)
    if (call.options["json"]) print(JSON.stringify({ id: project.id }))
    return undefined
  },
}

/** The project that the first argument names. */
export async function named(app: App, { positionals }: Call): Promise<Project> {
  const [id] = positionals
  if (!id) throw new UsageError("which project? guichet project list shows their identifiers")
  const project = await findProject(app.db, id)
  if (!project)
    throw new Refusal("project_not_found", "", {
      reason: `no project ${id}: guichet project list shows those there are`,
    })
  return project
}

function described(project: Project) {
  return {
    id: project.id,
    workspace: project.workspaceId,
    name: project.name,
    site: project.site,
    origins: project.origins,
    language: project.language,
    assistant: project.assistantEnabled ? "on" : "off",
    answers: project.answers,
    per_minute: project.limits.perMinute,
    per_visitor_day: project.limits.perVisitorDay,
    per_day: project.limits.perDay,
    every_hours: project.everyMs === null ? null : project.everyMs / hourMs,
    created_at: isoTime(project.createdAt),
  }
}

function onOff(value: unknown): boolean | undefined {
  if (value === undefined) return undefined
  if (value === "on") return true
  if (value === "off") return false
  throw new UsageError("--assistant is on or off")
}

function answersOf(value: unknown): Answers | undefined {
  if (value === undefined || value === "written" || value === "extractive") return value
  throw new UsageError("--answers is written or extractive")
}

function languageOf(value: unknown): "fr" | "en" | undefined {
  if (value === undefined || value === "fr" || value === "en") return value
  throw new UsageError("--language is fr or en")
}

function limit(name: string, value: unknown): Record<string, number | null> {
  if (value === undefined) return {}
  if (!/^\d{1,9}$/.test(String(value))) throw new UsageError(`a limit is a whole number, not ${value}`)
  return { [name]: Number(value) || null }
}

/** `30m`, `24h`, `7d`; `0` for never. */
function periodMs(value: unknown): number | null {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(value === "0" ? "0m" : String(value)) ?? []
  const units: Record<string, number> = { m: minuteMs, h: hourMs, d: dayMs }
  const everyMs = Number(count) * (units[unit ?? ""] as number)
  if (everyMs === 0) return null
  if (everyMs >= everyBounds.shortestMs && everyMs <= everyBounds.longestMs) return everyMs
  throw new UsageError("--every is a period such as 30m, 24h or 7d, from 5m to 365d, or 0 for never")
}
