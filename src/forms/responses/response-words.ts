import type { ExpressionBuilder } from "kysely"
import { fold } from "../../base/text.ts"
import type { Db } from "../../db/connection.ts"
import { preparedAhead } from "../../db/prepared.ts"
import type { Schema } from "../../db/schema.ts"
import { contains } from "../../db/words.ts"

/** Characters: some 450 different words. A search reads all of them. */
const maxWordsLength = 3000
/** Words of one search: people type fewer. */
const maxSought = 10

/** Stores the words by which a response is found, each after a blank. They go with the response. */
export async function insertWords(
  transaction: Db,
  { id, values }: { id: string; values: Record<string, string> },
): Promise<void> {
  const written = Object.values(values).join(" ")
  const words = new Set(foldedWords(written.slice(0, 4 * maxWordsLength)))
  const text = [...words].map((word) => ` ${word}`).join("")
  await insert(transaction, { responseId: id, text: text.slice(0, maxWordsLength).toWellFormed() })
}

const insert = preparedAhead<{ responseId: string; text: string }>((value, db) =>
  db
    .insertInto("form_response_text")
    .values({ response_id: value("responseId"), text: value("text") })
    .compile(),
)

/** The different words of a typed text; empty when no word was typed. */
export function soughtWords(typed: string): string[] {
  return [...new Set(foldedWords(typed))].slice(0, maxSought)
}

/** Whether each of these words begins a word of the response, whatever their case and accents. */
export function holdsWords(db: Db, sought: readonly string[]) {
  return ({ exists, selectFrom }: ExpressionBuilder<Schema, "form_response">) =>
    exists(
      sought.reduce(
        (text, word) => text.where(contains(db, "text", ` ${word}`)),
        selectFrom("form_response_text")
          .select("response_id")
          .whereRef("response_id", "=", "form_response.id"),
      ),
    )
}

/** Letters and digits alone: `d.dupont@exemple.fr` is four words. */
function foldedWords(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
}
