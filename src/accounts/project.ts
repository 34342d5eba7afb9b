import { hourMs } from "../base/clock.ts"
import { detail, required, requireRoom } from "../base/errors.ts"
import { newProjectId } from "../base/ids.ts"
import { camelNames } from "../base/names.ts"
import type { Db } from "../db/connection.ts"
import { lookup } from "../db/lookup.ts"
import type { Row } from "../db/schema.ts"
import type { PageRequest } from "../db/search.ts"
import { changeRows, countOf, insertRows } from "../db/store.ts"
import { withLock } from "../db/with-lock.ts"
import { eachOf } from "../db/words.ts"
import type { Edition } from "./projects/editions.ts"
import type { answerThresholds, languages, NewProject, ProjectChange } from "./projects/record.ts"
import { projectsLock } from "./subjects.ts"

export type Language = (typeof languages)[number]

/** `written`: by the language model of the service. `extractive`: quoted, and nothing is sent to a model. */
export type Answers = "written" | "extractive"

export type AnswerThreshold = (typeof answerThresholds)[number]

/** One site: its address, its other declared addresses, its assistant and its own limits. */
export interface Project {
  id: string
  workspaceId: string
  organisationId: string
  /** Names the part of the machine that its workspace may use, alone or with others (`limits/share.ts`). */
  shareId: string
  name: string
  site: string
  /** Origins that may ask: the site's own first, then the other declared ones. */
  origins: string[]
  language: Language
  assistantEnabled: boolean
  answers: Answers
  /** How sure the assistant has to be of what it quotes. */
  answerThreshold: AnswerThreshold
  /** The assistant's word for the site: `documentation`, `site`, or the owner's word with its article. */
  kindWord: string
  /** The owner's sentence after a refusal, in simple Markdown. */
  noAnswerMore: string | null
  /** Whether search engines may list the page of the answers that its team wrote. */
  teamPageListed: boolean
  /** Whether programs may ask and search by the Model Context Protocol. */
  mcpEnabled: boolean
  /** Whether the service publishes `llms.txt` and `llms-full.txt`. */
  llmsEnabled: boolean
  /** Versions or languages of the documentation, the default one first; none: it has one alone. */
  editions: readonly Edition[]
  /** Whether the default edition may answer what that of the page does not. */
  editionFallback: boolean
  limits: ProjectLimits
  /** Time between two readings of the feeds; null: only on demand. */
  everyMs: number | null
  createdAt: number
  /** When the index in use was built; null: `not_indexed`. */
  indexedAt: number | null
}

export interface ProjectLimits {
  perMinute: number | null
  perVisitorDay: number | null
  perDay: number | null
}

/** Per workspace: more than an agency has sites, and a bound for a program that makes them in a loop. */
export const maxProjects = 500

/** Throws Refusal `conflict` for one too many. */
export async function insertProject(
  db: Db,
  workspaceId: string,
  wanted: NewProject,
  nowMs: number,
): Promise<Project> {
  const { origins = [], ...right } = wanted
  const id = newProjectId()
  await withLock(db, projectsLock(workspaceId), async (transaction) => {
    const count = await countOf(transaction, "project", { workspace_id: workspaceId })
    requireRoom(count, maxProjects, "accounts.tooManyProjects")
    await insertRows(transaction, "project", {
      id,
      workspace_id: workspaceId,
      language: "fr",
      assistant_enabled: 1,
      answers: "written",
      per_minute: null,
      per_visitor_day: null,
      per_day: null,
      every_ms: null,
      created_at: nowMs,
      no_answer_more: null,
      ...changedColumns(right),
    })
    await replaceOrigins(transaction, id, origins)
  })
  return (await findProject(db, id)) as Project
}

export async function applyProjectChange(db: Db, id: string, change: ProjectChange): Promise<void> {
  const { origins, ...right } = change
  const columns = changedColumns(right)
  await withLock(db, `project:${id}`, async (transaction) => {
    if (Object.keys(columns).length > 0) await changeRows(transaction, "project", { id }, columns)
    if (origins) await replaceOrigins(transaction, id, origins)
  })
}

/** The columns of the table `project` that have other names or values than the record. */
function changedColumns<Change extends ProjectChange>(change: Change) {
  const { assistant_enabled, team_page_listed, mcp_enabled, llms_enabled, every_hours, ...rest } = change
  const { editions, edition_fallback, ...same } = rest
  return {
    ...same,
    ...(assistant_enabled !== undefined && { assistant_enabled: toFlag(assistant_enabled) }),
    ...(team_page_listed !== undefined && { team_page_listed: toFlag(team_page_listed) }),
    ...(mcp_enabled !== undefined && { mcp_enabled: toFlag(mcp_enabled) }),
    ...(llms_enabled !== undefined && { llms_enabled: toFlag(llms_enabled) }),
    ...(editions && { editions: JSON.stringify(editions) }),
    ...(edition_fallback !== undefined && { edition_fallback: toFlag(edition_fallback) }),
    ...(every_hours !== undefined && { every_ms: every_hours && Math.round(every_hours * hourMs) }),
  }
}

function toFlag(isSet: boolean): 0 | 1 {
  return isSet ? 1 : 0
}

export async function removeProject(db: Db, id: string): Promise<void> {
  await db.deleteFrom("project").where("id", "=", id).execute()
}

/** Visitors have the id alone; operators and tokens pass `workspaceId`, and find no project of another one. */
export async function findProject(db: Db, id: string, workspaceId?: string): Promise<Project | undefined> {
  const [[row], origins] = await Promise.all([rowById(db, id), declaredOrigins(db, id)])
  if (!row || (workspaceId !== undefined && row.workspace_id !== workspaceId)) return undefined
  return project(row, origins)
}

/** Finds a project of the workspace. Throws Refusal `not_found`, also for another workspace's project. */
export async function requireProject(db: Db, id: string, workspaceId: string): Promise<Project> {
  return required(await findProject(db, id, workspaceId), detail("accounts.unknownProject", { id }))
}

/** Newest first; `part.after` is a key of `projectSortKey`. */
export async function listProjects(db: Db, workspaceId?: string, part?: PageRequest): Promise<Project[]> {
  const [createdAt = "", id = ""] = part?.after?.split(".") ?? []
  const rows = await projectRows(db)
    .$if(workspaceId !== undefined, (query) => query.where("workspace_id", "=", workspaceId as string))
    .$if(part?.after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("project.created_at", "project.id"), "<", tuple(Number(createdAt), id)),
      ),
    )
    .$if(part !== undefined, (query) => query.limit(part?.atMost as number))
    .orderBy("project.created_at", "desc")
    .orderBy("project.id", "desc")
    .execute()
  return Promise.all(rows.map(async (row) => project(row, await declaredOrigins(db, row.id))))
}

/** Id and name alone, by name: what a menu shows of the projects of a workspace. */
export async function listProjectNames(
  db: Db,
  workspaceId: string,
  atMost: number,
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom("project")
    .select(["id", "name"])
    .where("workspace_id", "=", workspaceId)
    .orderBy(({ fn }) => fn<string>("lower", ["name"]))
    .orderBy("id")
    .limit(atMost)
    .execute()
}

/** Names of those of these projects that there are in the workspace, by id. */
export async function projectNames(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom("project")
    .select(["id", "name"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", eachOf(db, JSON.stringify(ids)))
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export async function projectsIn(
  db: Db,
  workspaceIds: readonly string[],
): Promise<{ id: string; workspaceId: string }[]> {
  if (workspaceIds.length === 0) return []
  return db
    .selectFrom("project")
    .select(["id", "workspace_id as workspaceId"])
    .where("workspace_id", "in", eachOf(db, JSON.stringify(workspaceIds)))
    .execute()
}

/** Key of a project in the list by creation. Other ids sort by creation, those of projects do not. */
export function projectSortKey({ createdAt, id }: Project): string {
  return `${createdAt}.${id}`
}

function projectRows(db: Db) {
  return db
    .selectFrom("project")
    .innerJoin("workspace", "workspace.id", "project.workspace_id")
    .leftJoin("generation", (join) =>
      join.onRef("generation.project_id", "=", "project.id").on("generation.live", "=", 1),
    )
    .selectAll("project")
    .select(["workspace.organisation_id", "generation.built_at as indexed_at"])
    .select(({ fn }) => fn.coalesce("workspace.share_id", "workspace.id").as("share_id"))
}

/** Looked up, like `lookUpOrigins`, because every ask and every form post begins with both. */
const rowById = lookup<ProjectRow>((isWanted, db) =>
  projectRows(db).select("project.id as key").where(isWanted("project.id")).compile(),
)

const lookUpOrigins = lookup<{ origin: string }>((isWanted, db) =>
  db
    .selectFrom("project_origin")
    .select(["origin", "project_id as key"])
    .where(isWanted("project_id"))
    .orderBy("origin")
    .compile(),
)

async function declaredOrigins(db: Db, id: string): Promise<string[]> {
  return (await lookUpOrigins(db, id)).map((row) => row.origin)
}

async function replaceOrigins(db: Db, id: string, origins: string[]): Promise<void> {
  await db.deleteFrom("project_origin").where("project_id", "=", id).execute()
  await insertRows(
    db,
    "project_origin",
    origins.map((origin) => ({ project_id: id, origin })),
  )
}

type ProjectRow = Row<"project"> & {
  key?: string
  organisation_id: string
  share_id: string
  indexed_at: number | null
}

function project(row: ProjectRow, declared: string[]): Project {
  const { key, per_minute, per_visitor_day, per_day, ...columns } = row
  return {
    ...camelNames(columns),
    origins: [...new Set([new URL(row.site).origin, ...declared])],
    assistantEnabled: row.assistant_enabled === 1,
    teamPageListed: row.team_page_listed === 1,
    mcpEnabled: row.mcp_enabled === 1,
    llmsEnabled: row.llms_enabled === 1,
    editions: row.editions === "[]" ? [] : (JSON.parse(row.editions) as Edition[]),
    editionFallback: row.edition_fallback === 1,
    limits: { perMinute: per_minute, perVisitorDay: per_visitor_day, perDay: per_day },
  }
}
