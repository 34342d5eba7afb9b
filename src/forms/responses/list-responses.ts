import { type SelectQueryBuilder, sql } from "kysely"
import { firstIdAt } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import type { Schema } from "../../db/schema.ts"
import type { Part } from "../../db/search.ts"
import { type FormResponse, formResponse, type ResponseState } from "./form-response.ts"
import { holdsWords, type ResponseScope } from "./response-words.ts"

/** Criteria of a list of responses. */
export interface ResponseFilter {
  state: ResponseState
  /** Created at this time or later. */
  sinceMs?: number
  /** `none`: the box was not checked. */
  consent?: "pending" | "confirmed" | "none"
  /** Each of its words begins a word of the values, ignoring case and accents. */
  search?: string
  /** Only those that nobody has opened. */
  isUnread?: boolean
}

/** `atMost` responses, newest first, from the one after the id `after`. */
export async function listResponses(
  db: Db,
  scope: ResponseScope,
  filter: ResponseFilter,
  part: Part,
): Promise<FormResponse[]> {
  const ids = await (filter.search === undefined
    ? listedIds(db, scope, filter, part)
    : foundIds(db, scope, filter, filter.search, part))
  if (ids.length === 0) return []
  const rows = await db.selectFrom("form_response").selectAll().where("id", "in", ids).execute()
  const byId = new Map(rows.map((row) => [row.id, formResponse(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

type Responses = SelectQueryBuilder<Schema, "form_response", { id: string }>

/**
 * Of a project, the newest of each form are read first, so that no list of all responses is sorted: the index has
 * them in order within a form only.
 */
async function listedIds(
  db: Db,
  { projectId, formId }: ResponseScope,
  filter: ResponseFilter,
  part: Part,
): Promise<string[]> {
  if (formId !== undefined) return newest(db, formId, filter, part)
  const forms = await db
    .selectFrom("form")
    .select("id")
    .where("project_id", "=", projectId)
    .where("removed_at", "is", null)
    .execute()
  const lists = await Promise.all(forms.map(({ id }) => newest(db, id, filter, part)))
  return lists
    .flat()
    .sort((one, other) => (one < other ? 1 : -1))
    .slice(0, part.atMost)
}

async function newest(db: Db, formId: string, filter: ResponseFilter, part: Part): Promise<string[]> {
  const query = db.selectFrom("form_response").select("id").where("form_id", "=", formId)
  const rows = await filtered(query, filter)
    .$if(part.after !== undefined, (rest) => rest.where("id", "<", part.after as string))
    .orderBy("id", "desc")
    .limit(part.atMost)
    .execute()
  return rows.map(({ id }) => id)
}

/** Found by words, in the order in which they came. */
async function foundIds(
  db: Db,
  scope: ResponseScope,
  filter: ResponseFilter,
  search: string,
  { after, atMost }: Part,
): Promise<string[]> {
  const holds = holdsWords(db, scope, search)
  if (!holds) return []
  const query = db
    .selectFrom("form_response_text")
    .innerJoin("form_response", "form_response.id", "form_response_text.response_id")
    .select("form_response.id")
    .where(holds)
  const rows = await filtered(query as unknown as Responses, filter)
    .$if(after !== undefined, (rest) =>
      // The number of the last one shown, or of the one before it where that was erased meanwhile.
      rest.where(
        sql<boolean>`form_response_text.number < (
          SELECT number + CASE WHEN response_id < ${after} THEN 1 ELSE 0 END
          FROM form_response_text WHERE response_id <= ${after} ORDER BY response_id DESC LIMIT 1)`,
      ),
    )
    .orderBy(sql`form_response_text.number`, "desc")
    .limit(atMost)
    .execute()
  return rows.map(({ id }) => id)
}

function filtered(query: Responses, { state, sinceMs, consent, isUnread }: ResponseFilter): Responses {
  return (
    query
      .where("form_response.state", "=", state)
      // An id holds its creation time. Comparing ids spares a client that polls every minute from having all
      // older rows read each time.
      .$if(sinceMs !== undefined, (rest) =>
        rest.where("form_response.id", ">=", firstIdAt("resp", sinceMs as number)),
      )
      .$if(consent === "none", (rest) => rest.where("consent_status", "is", null))
      .$if(consent !== undefined && consent !== "none", (rest) =>
        rest.where("consent_status", "=", consent as "pending"),
      )
      .$if(isUnread === true, (rest) => rest.where("read_at", "is", null))
  )
}
