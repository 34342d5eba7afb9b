import { findProject, type Project } from "../../accounts/project.ts"
import { dayMs, type Span } from "../../base/clock.ts"
import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { changeRows } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { noQuestions, questionsSince } from "./daily-questions.ts"
import { type Gap, listGaps } from "./gaps.ts"

/** Counts of a project since the last mail, and its gaps. */
export interface Week {
  asked: number
  unanswered: number
  /** Form responses. */
  received: number
  gaps: readonly Gap[]
}

/** Words the mails about a project's questions, and puts them into the outbox. */
export interface GapMails {
  /** False without a mail server. */
  configured: boolean
  countReceived(project: Project, span: Span): Promise<number>
  /** Within the caller's transaction. Resolves to false when the outbox takes none now. */
  week(transaction: Db, to: readonly string[], project: Project, week: Week): Promise<boolean>
  wake(): void
}

/** Period in which gaps are looked for; the mail lists the ones asked since the last mail. */
const longestMs = 90 * dayMs
/** A mail that is late or was missed covers two weeks at most. */
const coveredMs = 14 * dayMs
/** A run that another node takes over mails no operator twice, nor does one that comes late. */
const leastMs = dayMs

/** Operators who are mailed about a project: members of its workspace, and no others. */
export async function listGapMailOperators(
  db: Db,
  { id, workspaceId }: Pick<Project, "id" | "workspaceId">,
): Promise<{ id: string; email: string; since: number }[]> {
  return db
    .selectFrom("gap_mail")
    .innerJoin("operator", "operator.id", "gap_mail.operator_id")
    .innerJoin("member", (join) =>
      join.onRef("member.operator_id", "=", "operator.id").on("member.workspace_id", "=", workspaceId),
    )
    .select(["operator.id", "email", "since"])
    .where("gap_mail.project_id", "=", id)
    .orderBy("operator.id")
    .execute()
}

/**
 * Mails the chosen operators of each project what it had since their last mail: questions, gaps and form responses. A
 * project with nothing new gets none.
 */
export async function mailWeeks(db: Db, mails: GapMails, nowMs: number): Promise<void> {
  if (!mails.configured) return
  const projects = await db.selectFrom("gap_mail").select("project_id").distinct().execute()
  for (const { project_id } of projects) {
    const project = await findProject(db, project_id)
    if (project) await mailWeek(db, mails, project, nowMs)
  }
  mails.wake()
}

async function mailWeek(db: Db, mails: GapMails, project: Project, nowMs: number): Promise<void> {
  const open = (await listGaps(db, project, nowMs - longestMs)).filter(({ state }) => state === "open")
  const weekSince = async (sinceMs: number): Promise<Week> => {
    const startMs = Math.max(sinceMs, nowMs - coveredMs)
    const { asked, answered } =
      (await questionsSince(db, [project.id], startMs)).get(project.id) ?? noQuestions
    const received = await mails.countReceived(project, { startMs, endMs: nowMs })
    const gaps = open.filter(({ lastAt }) => lastAt >= startMs)
    return { asked, unanswered: asked - answered, received, gaps }
  }
  const starts = new Set((await listGapMailOperators(db, project)).map(({ since }) => since))
  const weeks = new Map<number, Week>()
  for (const since of starts) if (nowMs - since >= leastMs) weeks.set(since, await weekSince(since))
  await withLock(db, `gap-mail:${project.id}`, async (transaction) => {
    const operators = await listGapMailOperators(transaction, project)
    for (const [since, some] of Map.groupBy(operators, (operator) => operator.since)) {
      const week = weeks.get(since)
      if (!week) continue
      const to = some.map(({ email }) => email)
      const isNew = week.asked + week.received + week.gaps.length > 0
      if (isNew && !(await mails.week(transaction, to, project, week))) continue
      const recipients = { project_id: project.id, operator_id: idsOf(some) }
      await changeRows(transaction, "gap_mail", recipients, { since: nowMs })
    }
  })
}
