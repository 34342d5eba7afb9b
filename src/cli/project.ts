import { findProject, listProjects, type Project } from "../accounts/project.ts"
import type { Edition } from "../accounts/projects/editions.ts"
import {
  addProject,
  changeProject,
  removeProject,
  scheduleReadings,
} from "../accounts/projects/operations.ts"
import { answerThresholds, everyBounds } from "../accounts/projects/record.ts"
import { projectShown } from "../api/projects.ts"
import type { App } from "../app.ts"
import { dayMs, hourMs, minuteMs } from "../base/clock.ts"
import { detail, Refusal, UsageError } from "../base/errors.ts"
import { countForms } from "../forms/definition/form.ts"
import { countPages } from "../indexing/page-state.ts"
import { confirmed, removal } from "./kit/confirm.ts"
import { defineDataCommand } from "./kit/open.ts"
import { requireWorkspace } from "./workspace.ts"

/** For the argument that names a project, of every command. */
export const aboutProject = "identifier of the project, which guichet project list shows"

const name = { value: "NAME", about: "name of the project, as the console shows it" } as const
const site = { value: "URL", about: "address of the site, http:// or https://" } as const
const language = { choices: ["fr", "en"], about: "language of the site" } as const
const onOff = ["on", "off"] as const
const assistant = { choices: onOff, about: "whether visitors may ask" } as const
const answers = {
  choices: ["written", "extractive"],
  about:
    "written: by the language model, if the settings name one; extractive: sentences of the documentation",
} as const

const answerThreshold = {
  choices: answerThresholds,
  about: "how sure a quotation has to be to be the answer; below that it is only offered",
} as const

const offered = {
  mcp: { choices: onOff, about: "whether programs may ask by MCP" },
  llms: { choices: onOff, about: "whether llms.txt and llms-full.txt are published" },
  "team-page-listed": {
    choices: onOff,
    about: "whether search engines may list the page of the team's answers",
  },
} as const

const words = {
  "kind-word": {
    value: "WORD",
    about: "what the assistant calls the site: documentation, site, or a word with its article",
  },
  "no-answer-more": {
    value: "TEXT",
    about: "sentence after a refusal, 300 characters at most; an empty one for none",
  },
} as const

const editions = {
  edition: {
    value: "EDITION",
    repeatable: true,
    about:
      "version or language of the documentation, as NAME RULE LABEL in quotes: 'v2 /v2/ Version 2'; the first is the default; an empty one for none",
  },
  "edition-fallback": {
    choices: ["on", "off"],
    about: "whether the default edition may answer what that of the page does not",
  },
} as const

export const projectAdd = defineDataCommand({
  about: "declares a site and prints its project identifier",
  options: {
    name: { ...name, required: true },
    site: { ...site, required: true },
    workspace: { value: "ID", about: "workspace that the project belongs to; the default one without it" },
    origin: {
      value: "URL",
      repeatable: true,
      about: "another address, beside the site's, whose pages may ask",
    },
    language: { ...language, about: `${language.about}; fr without it` },
    assistant: { ...assistant, about: `${assistant.about}; on without it` },
    answers,
    "answer-threshold": answerThreshold,
    ...offered,
    ...words,
    ...editions,
  },
  async run({ app, options, perform }) {
    const workspaceId = await requireWorkspace(app, options.workspace)
    const { id } = await perform(addProject, workspaceId, {}, describedBy(options))
    return { json: { id }, text: id }
  },
})

export const projectList = defineDataCommand({
  about: "lists the projects",
  async run({ app }) {
    const items = (await listProjects(app.db)).map(projectJson)
    return { json: { items }, text: items.map(({ id, site, name }) => `${id}  ${site}  ${name}`) }
  },
})

export const projectShow = defineDataCommand({
  about: "shows one project with its declared addresses and limits",
  args: { id: aboutProject },
  async run({ app, args }) {
    const project = projectJson(await requireProject(app, args.id))
    const lines = Object.entries(project).map(
      ([key, value]) => `${key}: ${Array.isArray(value) ? value.map(editionText).join(", ") : value}`,
    )
    return { json: project, text: lines }
  },
})

export const projectSet = defineDataCommand({
  about: "changes a project; options that are not given change nothing",
  args: { id: aboutProject },
  options: {
    name,
    site,
    origin: {
      value: "URL",
      repeatable: true,
      about: "address whose pages may ask beside the site's; those declared before are replaced",
    },
    language,
    assistant,
    answers,
    "answer-threshold": answerThreshold,
    ...offered,
    ...words,
    ...editions,
    "per-minute": { value: "N", about: "questions in any 60 seconds; 0 goes back to the setting" },
    "per-visitor-day": { value: "N", about: "questions of a visitor and day; 0 goes back to the setting" },
    "per-day": { value: "N", about: "questions a day; 0 goes back to the setting" },
    every: {
      value: "PERIOD",
      about: "period after which the feeds are read again: 30m, 24h, 7d, from 5m to 365d; 0 for never",
    },
  },
  async run({ app, args, options, perform }) {
    const everyMs = options.every === undefined ? undefined : periodMs(options.every)
    const change = {
      ...describedBy(options),
      per_minute: limit(options["per-minute"]),
      per_visitor_day: limit(options["per-visitor-day"]),
      per_day: limit(options["per-day"]),
    }
    const { id, workspaceId } = await requireProject(app, args.id)
    await perform(changeProject, workspaceId, { project: id }, change)
    if (everyMs !== undefined)
      await perform(scheduleReadings, workspaceId, { project: id }, { every_ms: everyMs })
    return { json: projectJson(await requireProject(app, id)) }
  },
})

export const projectRemove = defineDataCommand({
  about: "removes a project with everything that belongs to it",
  args: { id: aboutProject },
  details: "Asks first on a terminal; elsewhere it needs --yes.",
  options: removal,
  async run({ app, args, options, perform }) {
    const { id, name, site, workspaceId } = await requireProject(app, args.id)
    const forms = await countForms(app.db, id)
    const { indexed } = await countPages(app.db, id)
    const what = `remove the project ${name} (${site}) with ${forms} forms, their responses, ${indexed} pages and all answers`
    if (options["dry-run"])
      return { json: { id, name, site, forms, pages: indexed, removed: false }, text: `would ${what}` }
    if (!(await confirmed(what, options))) return { code: 1 }
    await perform(removeProject, workspaceId, { project: id })
    return { json: { id } }
  },
})

/** The project with this identifier. Throws Refusal `project_not_found`. */
export async function requireProject(app: App, id: string): Promise<Project> {
  const project = await findProject(app.db, id)
  if (!project) throw new Refusal("project_not_found", detail("accounts.unknownProject", { id }))
  return project
}

function editionText(one: string | Edition): string {
  return typeof one === "string" ? one : `${one.name} ${one.rule} ${one.label}`
}

function projectJson(project: Project) {
  return { workspace: project.workspaceId, ...projectShown.json(project) }
}

type Described = Partial<
  Record<
    | "name"
    | "site"
    | "language"
    | "assistant"
    | "answers"
    | "answer-threshold"
    | "edition-fallback"
    | keyof typeof offered
    | keyof typeof words,
    string | undefined
  > & { origin: string[] | undefined; edition: string[] | undefined }
>

/** The options that describe a project, as the fields of its record. */
function describedBy(options: Described) {
  const { name, site, origin, language, answers, edition } = options
  const isOn = (value: string | undefined) => (value === undefined ? undefined : value === "on")
  return {
    name,
    site,
    origins: origin,
    language,
    answers,
    answer_threshold: options["answer-threshold"],
    assistant_enabled: isOn(options.assistant),
    mcp_enabled: isOn(options.mcp),
    llms_enabled: isOn(options.llms),
    team_page_listed: isOn(options["team-page-listed"]),
    kind_word: options["kind-word"],
    no_answer_more: options["no-answer-more"],
    editions: edition?.filter(Boolean).map(editionIn),
    edition_fallback: isOn(options["edition-fallback"]),
  }
}

/** `v2 /v2/ Version 2`; the name stands for a label that is not given. */
function editionIn(typed: string) {
  const [name = "", rule = "", ...label] = typed.trim().split(/\s+/)
  return { name, rule, label: label.join(" ") || name }
}

/** A limit as a field of the project; null for 0, which goes back to the setting. */
function limit(value: string | undefined): number | null | undefined {
  if (value === undefined) return undefined
  if (!/^\d{1,9}$/.test(value)) throw new UsageError(`a limit is a whole number, not ${value}`)
  return Number(value) || null
}

/** Reads `30m`, `24h` or `7d`; null for `0`, which means never. */
function periodMs(value: string): number | null {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(value === "0" ? "0m" : value) ?? []
  const units: Record<string, number> = { m: minuteMs, h: hourMs, d: dayMs }
  const everyMs = Number(count) * (units[unit ?? ""] as number)
  if (everyMs === 0) return null
  if (everyMs >= everyBounds.shortestMs && everyMs <= everyBounds.longestMs) return everyMs
  throw new UsageError("--every is a period such as 30m, 24h or 7d, from 5m to 365d, or 0 for never")
}
