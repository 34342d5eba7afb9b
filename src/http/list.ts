import { Type } from "@sinclair/typebox"
import type { PageRequest } from "../db/search.ts"
import { queryOf } from "./record/fields.ts"
import { ruled, told } from "./record/rule.ts"

export interface Listed<Item> {
  items: Item[]
  next_cursor: string | null
}

/** Rows with the key after which the list goes on: a search that looked at much ends its page early. */
export interface PageRead<Row> {
  rows: readonly Row[]
  next: string | null
}

const defaultLimit = 50
const maxLimit = 100

/** A key of letters, digits, `_`, `.` and `-` in hexadecimal, which a pattern can tell from other text. */
export const cursorPattern = /^(2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f)+$/

const cursor = ruled(Type.String({ pattern: cursorPattern.source }), {
  read: (text: string) => (cursorPattern.test(text) ? Buffer.from(text, "hex").toString() : undefined),
})

/** `?limit=&cursor=`; the cursor is read as the key that it stands for. */
export const pageQuery = Type.Object({
  limit: Type.Optional(
    told(
      ruled(Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit }), { absent: defaultLimit }),
      "requests.limit",
      { maximum: maxLimit },
    ),
  ),
  cursor: Type.Optional(told(cursor, "requests.cursor")),
})

/**
 * The page of a list that a query asks for. `read` gets one row more than fits the page, which tells whether there is a
 * next one, or says itself where the list goes on. `keyOf` gives the key that the rows are sorted by, newest first:
 * their id unless said otherwise. Throws Refusal `invalid_request`.
 */
export async function listPage<Row>(
  query: Readonly<Record<string, string | undefined>>,
  read: (part: PageRequest) => Promise<readonly Row[] | PageRead<Row>>,
  keyOf: (row: Row) => string = (row) => (row as { id: string }).id,
): Promise<Listed<Row>> {
  const { limit = defaultLimit, cursor: after } = queryOf(query, pageQuery)
  const page = await read({ after, atMost: limit + 1 })
  if ("next" in page) return { items: [...page.rows], next_cursor: encodeCursor(page.next) }
  const items = page.slice(0, limit)
  const last = items.at(-1)
  return { items, next_cursor: page.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null }
}

function encodeCursor(key: string | null): string | null {
  return key === null ? null : Buffer.from(key).toString("hex")
}
