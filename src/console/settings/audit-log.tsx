/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { type AuditEntry, listAuditLog } from "../../accounts/audit-log.ts"
import { listPage } from "../../http/list.ts"
import { More, Table } from "../kit/components.tsx"
import { dateFormatter } from "../kit/dates.tsx"
import type { PageContext } from "../kit/page-context.ts"
import type { ConsoleDeps, PageHandlers } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/settings.fr.ts"

/** The audit log of the workspace. */
export function auditLogPages(handlers: PageHandlers, { db, config }: ConsoleDeps) {
  const date = dateFormatter(config.timezone)

  async function showPage(context: PageContext): Promise<Response> {
    const { items, next_cursor } = await listPage({ cursor: context.query["cursor"] }, (part) =>
      listAuditLog(db, context.workspaceId, part),
    )
    return page(
      context,
      { title: messages.auditLog, current: "auditLog" },
      <>
        <h1>{messages.auditLog}</h1>
        <p>{messages.auditLogIntro(config.auditLogRetentionDays)}</p>
        {items.length === 0 ? (
          <p>{messages.auditLogNone}</p>
        ) : (
          <Table label={messages.auditLog} head={[messages.at, messages.who, messages.what, messages.about]}>
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

  return new Elysia({ name: "console-audit-log" }).get("/console/journal", handlers.page(showPage))
}

function whoIn({ actor }: AuditEntry): string {
  return actor.kind === "token" ? messages.byToken(actor.name || actor.id) : actor.name
}
