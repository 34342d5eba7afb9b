/** @jsxImportSource preact */

import { listPage } from "../../http/list.ts"
import { type AuditEntry, type AuditKind, auditKinds, listAuditLog } from "../../operations/audit-log.ts"
import { testReceiverUrl } from "../../webhooks/endpoints/endpoint.ts"
import { testReceiverName } from "../../wording/endpoint-name.fr.ts"
import { More, Table } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Time } from "../kit/dates.tsx"
import { Filter } from "../kit/forms/filter.tsx"
import { Head } from "../kit/head.tsx"
import type { Pages } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { words } from "./words.fr.ts"

const path = "/console/journal"

/** The audit log of the workspace, without trials of questions unless they are asked for. */
export function auditLogPages(pages: Pages, { db, config }: ConsoleDeps) {
  pages.page(path, async (context) => {
    const { kind = "", cursor } = context.query
    const isKind = Object.hasOwn(auditKinds, kind)
    // Ten trials in a row would otherwise hide what others have changed.
    const filter = isKind ? { only: auditKinds[kind as AuditKind] } : { without: auditKinds.trials }
    const { items, next_cursor } = await listPage({ cursor }, ({ after, atMost }) =>
      listAuditLog(db, context.workspaceId, { after, atMost: atMost - 1 }, filter),
    )
    return page(
      context,
      { title: words.auditLog, current: "auditLog" },
      <>
        <Head title={words.auditLog}>{words.auditLogIntro(config.auditLogRetentionDays)}</Head>
        <Filter
          action={path}
          fields={[
            {
              name: "kind",
              label: words.auditKind,
              choices: [["", words.auditAnyKind], ...Object.entries(words.auditKinds)],
            },
          ]}
          isAtOnce
        />
        {items.length === 0 ? (
          <section class="empty">
            <p>{isKind ? words.auditLogNoneOfKind : words.auditLogNone}</p>
          </section>
        ) : (
          <Table label={words.auditLog} head={[words.what, words.about, words.who, words.at]}>
            {items.map((entry) => (
              <tr key={entry.id}>
                <td class="lead whole">{words.actionsDone[entry.action] ?? entry.action}</td>
                <td class="grow whole">
                  {nameIn(entry) || (entry.subject ? <code>{entry.subject}</code> : "–")}
                </td>
                <td class="who">{whoIn(entry)}</td>
                <td class="when top">
                  <Time at={entry.at} />
                </td>
              </tr>
            ))}
          </Table>
        )}
        <More address={isKind ? `${path}?kind=${kind}` : path} cursor={next_cursor} />
      </>,
    )
  })
}

/** The API, and versions before, kept the address of the test receiver. */
function nameIn({ subjectName }: AuditEntry): string | null {
  return subjectName === testReceiverUrl ? testReceiverName : subjectName
}

function whoIn({ actor }: AuditEntry): string {
  return actor.kind === "token" ? words.byToken(actor.name || actor.id) : actor.name
}
