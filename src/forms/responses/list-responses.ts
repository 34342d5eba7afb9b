import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import type { Static } from "@sinclair/typebox"
import type { SelectQueryBuilder } from "kysely"
import { firstIdAt, idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { bytesOf } from "../../db/delete-in-steps.ts"
import type { Schema } from "../../db/schema.ts"
import { type PageRequest, rowsOfPage } from "../../db/search.ts"
import { unindexed } from "../../db/words.ts"
import type { PageRead } from "../../http/list.ts"
import type { Progress } from "./follow-up.ts"
import { type FormResponse, formResponse, type ResponseState } from "./form-response.ts"
import type { responseQuery } from "./record.ts"
import { holdsWords, soughtWords } from "./response-words.ts"

/** Which responses a list is about: those of a form, or of all forms of a project. */
export interface ResponseScope {
  projectId: string
  formId?: string | undefined
}

export interface ResponseFilter {
  state: ResponseState
  sinceMs?: number
  /** `none`: the box was not checked. */
  consent?: "pending" | "confirmed" | "none"
  /** Each of its words begins a word of the values, ignoring case and accents. */
  search?: string
  progress?: Progress
  /** Id of the member it is assigned to; `none`: unassigned. */
  assignee?: string
  isUnread?: boolean
}

/** Part of a list: beside the response `after`, away from the newest or towards it. */
interface Walk extends PageRequest {
  isUpward?: boolean
  /** Portions that are looked at in vain before nothing is found. */
  maxPortions?: number
}

/** `atMost` responses, newest first, from the one after the id `after`. */
export async function listResponses(
  db: Db,
  scope: ResponseScope,
  filter: ResponseFilter,
  part: PageRequest,
): Promise<FormResponse[]> {
  return readResponses(db, await soughtIds(db, scope, filter, part))
}

function soughtIds(db: Db, scope: ResponseScope, filter: ResponseFilter, part: Walk): Promise<string[]> {
  const sought = filter.search === undefined ? undefined : soughtWords(filter.search)
  const { consent, progress, assignee } = filter
  const isOfIndex = sought === undefined && !consent && !progress && !assignee
  return listedIds(db, scope, part, (formId) =>
    isOfIndex ? newest(db, formId, filter, part) : newestMatching(db, formId, filter, sought, part),
  )
}

async function readResponses(db: Db, ids: readonly string[]): Promise<FormResponse[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom("form_response").selectAll().where("id", "in", ids).execute()
  const byId = new Map(rows.map((row) => [row.id, formResponse(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The first of them that are read together, at least one, and the id after which the list goes on. */
export async function listResponsesPage(
  db: Db,
  scope: ResponseScope,
  filter: ResponseFilter,
  { after, atMost }: PageRequest,
): Promise<PageRead<FormResponse>> {
  // One more than fits the page tells whether there is a next one.
  const ids = await soughtIds(db, scope, filter, { after, atMost: atMost + 1 })
  if (ids.length === 0) return { rows: [], next: null }
  const sizes = await db
    .selectFrom("form_response")
    .select(["id", bytesOf("field_values").as("bytes")])
    .where("id", "in", ids)
    .orderBy("id", "desc")
    .execute()
  const pageIds = sizes.slice(0, rowsOfPage(sizes, atMost)).map(({ id }) => id)
  const next = pageIds.length < sizes.length ? (pageIds.at(-1) ?? null) : null
  return { rows: await readResponses(db, pageIds), next }
}

/** The responses that stand before and after one in its list, with the form of each. */
export interface Neighbours {
  newer: Neighbour | undefined
  older: Neighbour | undefined
}
export interface Neighbour {
  id: string
  formId: string
}

/** A page waits for them: a filter that nearly nothing meets finds none beyond so many portions of a form. */
const maxPortionsBeside = 4

export async function findNeighbours(
  db: Db,
  scope: ResponseScope,
  filter: ResponseFilter,
  id: string,
): Promise<Neighbours> {
  const part = { after: id, atMost: 1, maxPortions: maxPortionsBeside }
  const [newer] = await soughtIds(db, scope, filter, { ...part, isUpward: true })
  const [older] = await soughtIds(db, scope, filter, part)
  const ids = [newer, older].filter((each) => each !== undefined)
  if (ids.length === 0) return { newer: undefined, older: undefined }
  const rows = await db
    .selectFrom("form_response")
    .select(["id", "form_id as formId"])
    .where("id", "in", ids)
    .execute()
  const byId = (wanted: string | undefined) => rows.find((row) => row.id === wanted)
  return { newer: byId(newer), older: byId(older) }
}

type Responses = SelectQueryBuilder<Schema, "form_response", { id: string }>

/** Reads the newest of each form first: the index has them in order within a form only. */
async function listedIds(
  db: Db,
  { projectId, formId }: ResponseScope,
  { atMost, isUpward = false }: Walk,
  newestOf: (formId: string) => Promise<string[]>,
): Promise<string[]> {
  if (formId !== undefined) return newestOf(formId)
  const forms = await db
    .selectFrom("form")
    .select("id")
    .where("project_id", "=", projectId)
    .where("removed_at", "is", null)
    .execute()
  const newestIds: string[] = []
  for (const { id } of forms) newestIds.push(...(await newestOf(id)))
  return newestIds.sort((one, other) => (one < other === isUpward ? -1 : 1)).slice(0, atMost)
}

async function newest(db: Db, formId: string, filter: ResponseFilter, part: Walk): Promise<string[]> {
  const rows = await inOrder(db, formId, filter, part).limit(part.atMost).execute()
  return idsOf(rows)
}

/** Responses that are looked at before other requests have their turn. */
const portion = 500

/** By what no index knows: words, consent and follow-up. */
async function newestMatching(
  db: Db,
  formId: string,
  filter: ResponseFilter,
  sought: readonly string[] | undefined,
  { after, atMost, isUpward = false, maxPortions = Number.POSITIVE_INFINITY }: Walk,
): Promise<string[]> {
  const matches: string[] = []
  let isOver = sought?.length === 0
  let portions = 0
  for (let before = after; !isOver && matches.length < atMost && portions < maxPortions; portions++) {
    const last = await inOrder(db, formId, filter, { after: before, isUpward })
      .offset(portion - 1)
      .limit(1)
      .executeTakeFirst()
    const rows = await inOrder(db, formId, filter, { after: before, isUpward })
      .$if(last !== undefined, (query) => query.where("id", isUpward ? "<=" : ">=", last?.id as string))
      .$if(filter.progress !== undefined, (query) =>
        query.where("progress", "=", filter.progress as Progress),
      )
      .$if(filter.assignee === "none", (query) => query.where("assignee", "is", null))
      .$if(filter.assignee !== undefined && filter.assignee !== "none", (query) =>
        query.where(unindexed(db, "assignee"), "=", filter.assignee as string),
      )
      .$if(sought !== undefined, (query) => query.where(holdsWords(db, sought ?? [])))
      .$if(filter.consent === "none", (query) => query.where("consent_status", "is", null))
      .$if(filter.consent !== undefined && filter.consent !== "none", (query) =>
        query.where("consent_status", "=", filter.consent as "pending"),
      )
      .limit(atMost - matches.length)
      .execute()
    matches.push(...idsOf(rows))
    isOver = last === undefined
    before = last?.id
    await yieldToEventLoop()
  }
  return matches
}

/** Newest first, or oldest first where the walk is upward. */
function inOrder(
  db: Db,
  formId: string,
  filter: ResponseFilter,
  { after, isUpward = false }: Pick<Walk, "isUpward"> & { after: string | undefined },
) {
  const query = db.selectFrom("form_response").select("id").where("form_id", "=", formId)
  return filtered(query, filter)
    .$if(after !== undefined, (rest) => rest.where("id", isUpward ? ">" : "<", after as string))
    .orderBy("id", isUpward ? "asc" : "desc")
}

/** By what stands in an index. */
function filtered(query: Responses, { state, sinceMs, isUnread }: ResponseFilter): Responses {
  return (
    query
      .where("form_response.state", "=", state)
      // An id holds its creation time. Comparing ids spares a client that polls every minute from having all
      // older rows read each time.
      .$if(sinceMs !== undefined, (rest) =>
        rest.where("form_response.id", ">=", firstIdAt("resp", sinceMs as number)),
      )
      .$if(isUnread === true, (rest) => rest.where("read_at", "is", null))
  )
}

/** The criteria of `?state=&since=&consent=&search=&progress=&assignee=`. */
export function filterFromQuery(query: Static<typeof responseQuery>): ResponseFilter {
  const { state = "received", since, consent, search = "", progress, assignee } = query
  return {
    state,
    ...(consent && { consent }),
    ...(progress && { progress }),
    ...(assignee && { assignee }),
    ...(since !== undefined && { sinceMs: since }),
    ...(search.trim() && { search: search.trim() }),
  }
}
