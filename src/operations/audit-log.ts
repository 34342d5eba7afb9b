import { dayMs } from "../base/clock.ts"
import { firstIdAt, newId } from "../base/ids.ts"
import type { Db } from "../db/connection.ts"
import { deleteInSteps } from "../db/delete-in-steps.ts"
import { inPortions, type Portion } from "../db/portions.ts"
import type { Row } from "../db/schema.ts"
import type { PageRequest } from "../db/search.ts"
import { insertRows } from "../db/store.ts"
import type { PageRead } from "../http/list.ts"

/** Actions that change something, or that export personal data, by what they are about. */
export const auditKinds = {
  projects: [
    "project.added",
    "project.changed",
    "project.removed",
    "widget.changed",
    "feed.added",
    "feed.changed",
    "feed.removed",
    "files.uploaded",
    "file.removed",
    "synonym.added",
    "synonym.removed",
    "index.started",
  ],
  questions: [
    "answer.removed",
    "gap.marked",
    "gap_mails.changed",
    "chosen_answer.added",
    "chosen_answer.changed",
    "chosen_answer.removed",
    "evaluation.changed",
    "evaluation.run",
    "questions.exported",
  ],
  trials: ["question.tried"],
  forms: ["form.added", "form.changed", "form.retention_raised", "form.removed", "notice_link.sent"],
  responses: [
    "response.accepted",
    "response.changed",
    "note.added",
    "note.removed",
    "response.erased",
    "responses.exported",
    "person.exported",
    "person.erased",
  ],
  webhooks: [
    "endpoint.added",
    "endpoint.changed",
    "endpoint.removed",
    "secret.rotated",
    "endpoint.tested",
    "deliveries.replayed",
    "replay.cancelled",
    "delivery.resent",
    "delivery.cancelled",
  ],
  access: [
    "token.added",
    "token.changed",
    "token.removed",
    "operator.added",
    "operator.invited",
    "operator.joined",
    "operator.proven",
    "operator.changed",
    "operator.removed",
    "operator.signed_out",
    "account.ended",
    "workspace.added",
    "workspace.changed",
    "workspace.removed",
    "workspace.exported",
    "password.changed",
    "password.reset",
    "password_link.added",
    "session.ended",
    "second_factor.added",
    "second_factor.removed",
    "recovery_codes.renewed",
    "passkey.added",
    "passkey.removed",
    "operator.provisioned",
    "identity.joined",
    "identity.removed",
    "mail.tested",
  ],
} as const
export type AuditKind = keyof typeof auditKinds
export type Action = (typeof auditKinds)[AuditKind][number]

/** Who did it; `service`: an update of the program. The name is the one at the time of the action. */
export interface Actor {
  kind: "operator" | "token" | "service"
  id: string
  name: string
}

export interface AuditEntry {
  id: string
  at: number
  actor: Actor
  action: Action
  /** Id of the thing acted upon; null when the action concerns no single thing. */
  subject: string | null
  /** The subject's name at that time, without a URL's query, which may hold a password. */
  subjectName: string | null
  /** Null also for entries of versions that did not note it. */
  projectId: string | null
}

export interface AuditFilter {
  only?: readonly Action[]
  without?: readonly Action[]
  actor?: string
  sinceMs?: number
  beforeMs?: number
}

/** Adds an entry. The console and the API call it once an action has succeeded. */
export async function recordAction(
  db: Db,
  workspaceId: string,
  actor: Actor,
  done: Pick<AuditEntry, "action"> & Partial<Pick<AuditEntry, "subject" | "subjectName" | "projectId">>,
  nowMs: number,
): Promise<void> {
  await insertRows(db, "audit_log", {
    id: newId("jrn", nowMs),
    workspace_id: workspaceId,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    action: done.action,
    subject: done.subject ?? null,
    subject_name: done.subjectName ? withoutQuery(done.subjectName) : null,
    at: nowMs,
    project_id: done.projectId ?? null,
  })
}

function withoutQuery(name: string): string {
  return /^https?:\/\//.test(name) ? name.replace(/\?.*$/s, "?…") : name
}

/** Entries after which a list of some actions stops for its reader to go on. */
const mostLookedAt = 100_000

/** Lists entries newest first: at most `atMost`, starting after the entry whose id is `after`. */
export async function listAuditLog(
  db: Db,
  workspaceId: string,
  { atMost, after }: PageRequest,
  { only, without = [], actor, sinceMs, beforeMs }: AuditFilter = {},
): Promise<PageRead<AuditEntry>> {
  // Ids tell the time, so that other times are not read at all.
  const [first, end] = [sinceMs, beforeMs].map((ms) => (ms === undefined ? ms : firstIdAt("jrn", ms)))
  const within = ({ after, last = "" }: Portion) =>
    db
      .selectFrom("audit_log")
      .where("workspace_id", "=", workspaceId)
      .where("id", ">=", last)
      .$if(first !== undefined, (query) => query.where("id", ">=", first as string))
      .$if(end !== undefined, (query) => query.where("id", "<", end as string))
      .$if(after !== undefined, (query) => query.where("id", "<", after as string))
      .orderBy("id", "desc")
  const keyAt = async (after: string | undefined, offset: number) =>
    (await within({ after, last: undefined }).select("id").offset(offset).limit(1).executeTakeFirst())?.id
  const matches: Row<"audit_log">[] = []
  let next: string | null = null
  for await (const portion of inPortions(db, keyAt, { after, mostRows: mostLookedAt })) {
    const rows = await within(portion)
      .selectAll()
      .$if(only !== undefined, (query) => query.where("action", "in", only as readonly Action[]))
      .$if(without.length > 0, (query) => query.where("action", "not in", without))
      .$if(actor !== undefined, (query) => query.where("actor_id", "=", actor as string))
      .limit(atMost + 1 - matches.length)
      .execute()
    matches.push(...rows)
    next = portion.last ?? null
    if (matches.length > atMost) break
  }
  const page = matches.slice(0, atMost)
  return { rows: page.map(toEntry), next: matches.length > atMost ? (page.at(-1)?.id ?? null) : next }
}

function toEntry(row: Row<"audit_log">): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action as Action,
    subject: row.subject,
    subjectName: row.subject_name,
    projectId: row.project_id,
  }
}

/** Deletes the entries older than `retentionDays`. Resolves to their number. */
export function purgeAuditLog(db: Db, retentionDays: number, nowMs: number): Promise<number> {
  return deleteInSteps(db, "audit_log", (entry) => entry("at", "<=", nowMs - retentionDays * dayMs))
}
