import { type Listed, listed, pageOf } from "../../http/list.ts"
import type { Visit } from "./page-context.ts"

/**
 * The part of a list that `?cursor=` asks for; `read` gives rows by their id, in its order. Throws Refusal
 * `invalid_request`.
 */
export async function listPart<Row extends { id: string }>(
  { query }: Visit,
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
