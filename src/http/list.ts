import { type Detail, detail, Refusal } from "../base/errors.ts"

/** What part of a list is asked for: `limit` items after the one whose key is `after`. */
export interface Page {
  limit: number
  after: string | undefined
}

/** What every list route answers, newest first. */
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
 * The answer of a list route. `rows` are those after `page.after`, newest first, **one more than
 * `page.limit`** when there are: that one tells whether a next page exists. `keyOf` gives what the next page
 * starts after, usually the id.
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
 * A key is made of letters, digits, `_`, `.` and `-`; a cursor is its bytes in hexadecimal digits, so that a
 * pattern can tell the one from any text.
 */
export const cursorPattern = /^(2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f)+$/

function cursorOfKey(key: string): string {
  return Buffer.from(key).toString("hex")
}

/** Empty for what was never given out as a cursor. */
function keyOfCursor(cursor: string): string {
  return cursorPattern.test(cursor) ? Buffer.from(cursor, "hex").toString() : ""
}
