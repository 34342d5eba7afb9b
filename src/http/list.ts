import { type Detail, detail, Refusal } from "../base/errors.ts"

/** The requested part of a list: `limit` items, starting after the one whose key is `after`. */
export interface Page {
  limit: number
  after: string | undefined
}

/** The answer of every list route, newest first. */
export interface Listed<Item> {
  items: Item[]
  next_cursor: string | null
}

const defaultLimit = 50
export const maxLimit = 100

/** Reads `?limit=` (1 to 100, default 50) and `?cursor=`. Throws Refusal `invalid_request`. */
export function pageOf(query: Record<string, string | undefined>): Page {
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
 * Builds the answer of a list route. `rows` are those after `page.after`, newest first, read with a limit of
 * **`page.limit + 1`**: the extra row tells whether a next page exists. `keyOf` gives the sort key of a row,
 * usually its id, which becomes the cursor.
 */
export function listed<Row, Item>(
  rows: readonly Row[],
  page: Page,
  keyOf: (row: Row) => string,
  itemOf: (row: Row) => Item,
): Listed<Item> {
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  const more = rows.length > page.limit && last !== undefined
  return { items: shown.map(itemOf), next_cursor: more ? cursorOfKey(keyOf(last)) : null }
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
