import type { FeedbackReason } from "../answering/ask/feedback.ts"
import type { Db } from "../db/connection.ts"
import { csvStream } from "../http/csv.ts"
import { type Cell, tableRows } from "../http/table.ts"
import {
  type AskedQuestion,
  type AskedQuestionFilter,
  listAskedQuestions,
} from "../owners/gaps/asked-questions.ts"

/** Words of the column for messages that are no question of a visitor. */
export const courtesies: Record<NonNullable<AskedQuestion["courtesy"]>, string> = {
  greeting: "salut",
  thanks: "remerciement",
  trial: "question d’essai, non comptée",
}

/** French whatever the language of the project. */
const words = {
  columns: [
    "Identifiant",
    "Date",
    "Question",
    "Page",
    "État",
    "Réponse",
    "Sources",
    "Avis",
    "Raison",
    "Votre réponse",
    "Conversation",
    "Autres passages ouverts",
    "Posée par",
  ],
  status: { answered: "avec réponse", no_answer: "sans réponse" },
  offered: "sans réponse sûre, passage proposé",
  yes: "oui",
  program: "un programme (MCP)",
  useful: "utile",
  useless: "pas utile",
  reasons: {
    wrong: "fausse",
    incomplete: "incomplète",
    outdated: "plus à jour",
    other: "autre raison",
  } satisfies Record<FeedbackReason, string>,
}

/** The questions of a project as a table, newest first, with dates in the owner's time zone. */
export function questionsCsv(
  db: Db,
  projectId: string,
  filter: AskedQuestionFilter,
  timezone: string,
): ReadableStream<Uint8Array> {
  const rows = tableRows(
    async (part) => (await listAskedQuestions(db, projectId, filter, part, Number.POSITIVE_INFINITY)).asked,
    row,
  )
  return csvStream({ columns: words.columns, timezone, rows })
}

function row(asked: AskedQuestion): Cell[] {
  const { id, question, page, status, courtesy, answer, sources, useful, reason, askedAt } = asked
  const { opened, chosenId, conversation, related } = asked
  const isOffered = status === "no_answer" && related.length > 0
  return [
    id,
    { atMs: askedAt },
    question,
    page ?? "",
    courtesy === null ? (isOffered ? words.offered : words.status[status]) : courtesies[courtesy],
    answer,
    sources.map(({ url }) => url).join("\n"),
    useful === null ? "" : useful ? words.useful : words.useless,
    reason === null ? "" : words.reasons[reason],
    chosenId === null ? "" : words.yes,
    conversation ?? "",
    opened.join(", "),
    asked.via === null ? "" : words.program,
  ]
}
