import type { RawBuilder } from "kysely"
import { fold } from "../../base/text.ts"
import type { Db } from "../../db/connection.ts"
import { preparedAhead } from "../../db/prepared.ts"
import { matchesWords } from "../../db/words.ts"

/** Which responses a search is about: those of a form, or of all forms of a project. */
export interface ResponseScope {
  projectId: string
  formId?: string | undefined
}

/** Characters of the words of one response. Whoever writes more is found by what comes first. */
const maxWordsLength = 10_000
/** Words of one search. Nobody types more to find something. */
const maxSought = 20

/** Stores the words by which a response is found. They go with the response. */
export async function insertWords(
  transaction: Db,
  { projectId, formId }: { projectId: string; formId: string },
  { id, values }: { id: string; values: Record<string, string> },
): Promise<void> {
  const text = [
    ...new Set(
      wordsOf(
        Object.values(values)
          .join(" ")
          .slice(0, 2 * maxWordsLength),
      ),
    ),
  ]
    .join(" ")
    .slice(0, maxWordsLength)
    .toWellFormed()
  await insert(transaction, { responseId: id, scope: `${projectId} ${wordOfForm(formId)}`, text })
}

const insert = preparedAhead<{ responseId: string; scope: string; text: string }>((value, db) =>
  db
    .insertInto("form_response_text")
    .values({ response_id: value("responseId"), scope: value("scope"), text: value("text") })
    .compile(),
)

/**
 * The condition on `form_response_text` for a typed text: each of its words begins a word of the response,
 * whatever their case and accents. null when no word was typed.
 */
export function holdsWords(
  db: Db,
  { projectId, formId }: ResponseScope,
  typed: string,
): RawBuilder<boolean> | null {
  const sought = [...new Set(wordsOf(typed))].slice(0, maxSought)
  if (sought.length === 0) return null
  return matchesWords(db, "form_response", formId === undefined ? projectId : wordOfForm(formId), sought)
}

/** Letters and digits alone, so that no engine splits them further: `d.dupont@exemple.fr` is four words. */
function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

function wordOfForm(formId: string): string {
  return formId.replace("form_", "")
}
