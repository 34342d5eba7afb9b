import { type Detail, detail, Refusal } from "../base/errors.ts"
import type { PageRequest } from "../db/search.ts"

/** The answer of every list route, newest first. */
export interface Listed<Item> {
  items: Item[]
  next_cursor: string | null
}

/** Rows with the key after which the list goes on: a search that reached its scan limit ends its page early. */
export interface PageRead<Row> {
  rows: readonly Row[]
  next: string | null
}

const defaultLimit = 50
export const maxLimit = 100

/**
 * The page of a list that `?limit=` (1 to 100, default 50) and `?cursor=` ask for. `read` gets one row more than
 * fits the page, which tells whether there is a next one, or says itself where the list goes on. `keyOf` gives the
 * key that the rows are sorted by, newest first: their id unless said otherwise. Throws Refusal `invalid_request`.
 */
export async function listPage<Row extends { id: string }, Item>(
  query: Query,
  read: (part: PageRequest) => Promise<readonly Row[] | PageRead<Row>>,
  itemOf: (row: Row) => Item,
): Promise<Listed<Item>>
export async function listPage<Row extends { id: string }>(
  query: Query,
  read: (part: PageRequest) => Promise<readonly Row[]>,
): Promise<Listed<Row>>
export async function listPage<Row, Item>(
  query: Query,
  read: (part: PageRequest) => Promise<readonly Row[]>,
  itemOf: (row: Row) => Item,
  keyOf: (row: Row) => string,
): Promise<Listed<Item>>
export async function listPage(
  query: Query,
  read: (part: PageRequest) => Promise<readonly { id: string }[] | PageRead<{ id: string }>>,
  itemOf = (row: { id: string }): unknown => row,
  keyOf = ({ id }: { id: string }) => id,
): Promise<Listed<unknown>> {
  const { limit, after } = requestedPage(query)
  const found = await read({ after, atMost: limit + 1 })
  if ("next" in found) {
    const { rows, next } = found
    return { items: rows.map(itemOf), next_cursor: next === null ? null : cursorOfKey(next) }
  }
  const rows = found
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return { items: shown.map(itemOf), next_cursor: more ? cursorOfKey(keyOf(last)) : null }
}

type Query = Record<string, string | undefined>

function requestedPage(query: Query): { limit: number; after: string | undefined } {
  const wanted = query["limit"] ?? String(defaultLimit)
  const limit = /^\d+$/.test(wanted) ? Number(wanted) : 0
  const fields: Record<string, Detail> = {}
  if (limit < 1 || limit > maxLimit) fields["limit"] = detail("requests.limit", { maximum: maxLimit })
  const after = query["cursor"] === undefined ? undefined : keyOfCursor(query["cursor"])
  if (after === "") fields["cursor"] = detail("requests.cursor")
  if (Object.keys(fields).length > 0)
    throw new Refusal("invalid_request", detail("requests.invalidRequest"), { fields })
  return { limit, after }
}

/**
 * A key consists of letters, digits, `_`, `.` and `-`. Its cursor is the same bytes in hexadecimal, so that a
 * pattern can tell a cursor from any other text.
 */
export const cursorPattern = /^(2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f)+$/

function cursorOfKey(key: string): string {
  return Buffer.from(key).toString("hex")
}

/** Empty for a text that is not a cursor. */
function keyOfCursor(cursor: string): string {
  return cursorPattern.test(cursor) ? Buffer.from(cursor, "hex").toString() : ""
}
