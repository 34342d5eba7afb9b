/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { type JournalEntry, listJournal } from "../../accounts/audit-log.ts"
import { dateWriter } from "../kit/dates.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { listPart } from "../kit/list-part.ts"
import type { Visit } from "../kit/page-context.ts"
import { More, Table } from "../kit/parts.tsx"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/settings.fr.ts"

/** Who did what. */
export function journalPages(door: Door, { db, config }: ConsoleParts) {
  const date = dateWriter(config.timezone)

  async function shown(visit: Visit): Promise<Response> {
    const { items, next_cursor } = await listPart(visit, (part) => listJournal(db, visit.workspaceId, part))
    return page(
      visit,
      { title: messages.journal, current: "journal" },
      <>
        <h1>{messages.journal}</h1>
        <p>{messages.journalIntro(config.journalRetentionDays)}</p>
        {items.length === 0 ? (
          <p>{messages.journalNone}</p>
        ) : (
          <Table label={messages.journal} head={[messages.at, messages.who, messages.what, messages.about]}>
            {items.map((entry) => (
              <tr key={entry.id}>
                <td>{date(entry.at)}</td>
                <td>{whoIn(entry)}</td>
                <td>{messages.actionsDone[entry.action] ?? entry.action}</td>
                <td>{entry.subjectName || (entry.subject ? <code>{entry.subject}</code> : "–")}</td>
              </tr>
            ))}
          </Table>
        )}
        <More address="/console/journal" cursor={next_cursor} />
      </>,
    )
  }

  return new Elysia({ name: "console-journal" }).get("/console/journal", door.page(shown))
}

function whoIn({ actor }: JournalEntry): string {
  return actor.kind === "token" ? messages.byToken(actor.name || actor.id) : actor.name
}
