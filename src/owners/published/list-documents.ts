import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { liveGeneration } from "../../indexing/generation.ts"
import { documentsIn } from "../../indexing/stored-document.ts"

/** A page of the live index, by its address. */
export interface ListedDocument {
  url: string
  title: string
}

/** Longer than any id. */
const maxCursorLength = 64

/**
 * Documents of the live index after the one that `cursor` names, with where the list goes on; undefined at its end. A
 * cursor of a former index goes on at the same place. Throws Refusal `not_indexed` or `invalid_request`.
 */
export async function listDocuments(
  db: Db,
  projectId: string,
  { cursor = "", atMost }: { cursor?: string | undefined; atMost: number },
): Promise<{ documents: ListedDocument[]; next: string | undefined }> {
  if (cursor.length > maxCursorLength) throw new Refusal("invalid_request", detail("requests.cursor"))
  const live = await liveGeneration(db, projectId)
  if (!live) throw new Refusal("not_indexed", detail("assistant.notIndexed"))
  const rows = await documentsIn(db, projectId, live.number)
    .select(["id", "url", "title"])
    .where("id", ">", cursor)
    .orderBy("id")
    .limit(atMost + 1)
    .execute()
  const page = rows.slice(0, atMost)
  return {
    documents: page.map(({ url, title }) => ({ url, title })),
    next: rows.length > atMost ? page.at(-1)?.id : undefined,
  }
}
