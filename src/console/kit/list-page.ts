import { type Listed, listed, pageOf } from "../../http/list.ts"
import type { PageContext } from "./page-context.ts"

/**
 * The page of a list that `?cursor=` asks for. `read` returns at most `atMost` rows that follow the id
 * `after`. Throws Refusal `invalid_request` for a malformed cursor.
 */
export async function listPage<Row extends { id: string }>(
  { query }: PageContext,
  read: (part: { after: string | undefined; atMost: number }) => Promise<Row[]>,
): Promise<Listed<Row>> {
  const part = pageOf({ cursor: query["cursor"] })
  const rows = await read({ after: part.after, atMost: part.limit + 1 })
  return listed(
    rows,
    part,
    ({ id }) => id,
    (row) => row,
  )
}
