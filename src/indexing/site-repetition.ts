import type { Db } from "../db/connection.ts"
import type { Document } from "../reading/formats/document.ts"
import { parseRepeatedText, type RepeatedText, repeatedIn } from "../reading/formats/repeated.ts"
import { documentColumns, documentOf } from "./stored-document.ts"

/**
 * Pages of a feed that are compared, and characters of them: the same ones as long as they do not change, and enough
 * to see what most pages say.
 */
const sample = { pages: 200, characters: 20_000_000 }

/** Compares a sample of the HTML pages that a feed has in a generation. */
export function findRepeated(db: Db, feedId: string, generation: number): Promise<RepeatedText> {
  return repeatedIn(samplePages(db, feedId, generation))
}

async function* samplePages(db: Db, feedId: string, generation: number): AsyncGenerator<Document> {
  const chosen = await db
    .selectFrom("document")
    .select("id")
    .where("feed_id", "=", feedId)
    .where("since", "<=", generation)
    .where((by) => by.or([by("until", "is", null), by("until", ">", generation)]))
    .where("html", "is not", null)
    .where("format", "is", null)
    // In the order of hashes, pages of all parts of the site come first.
    .orderBy("hash")
    .limit(sample.pages)
    .execute()
  let left = sample.characters
  for (const { id } of chosen) {
    if (left <= 0) return
    const row = await db
      .selectFrom("document")
      .select(documentColumns)
      .where("id", "=", id)
      .executeTakeFirst()
    if (!row) continue
    left -= row.sections.length
    yield documentOf(row)
  }
}

/** By feed, as their last readings found it. */
export async function repeatedOf(db: Db, projectId: string): Promise<Map<string, RepeatedText>> {
  const feeds = await db
    .selectFrom("feed")
    .select(["id", "repeated"])
    .where("project_id", "=", projectId)
    .execute()
  return new Map(
    feeds.flatMap(({ id, repeated }) => (repeated === null ? [] : [[id, parseRepeatedText(repeated)]])),
  )
}
