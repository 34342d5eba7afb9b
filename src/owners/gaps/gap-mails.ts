import { findProject, type Project } from "../../accounts/project.ts"
import { dayMs } from "../../base/clock.ts"
import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { changeRows } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { type Gap, listGaps } from "./gaps.ts"

/** Words the mails about a project's questions, and puts them into the outbox. */
export interface GapMails {
  /** False without a mail server. */
  configured: boolean
  /** Within the caller's transaction. Resolves to false when the outbox takes none now. */
  newGaps(transaction: Db, to: readonly string[], project: Project, gaps: readonly Gap[]): Promise<boolean>
  wake(): void
}

/** Period in which gaps are looked for; the mail lists the ones asked since the last mail. */
const longestMs = 90 * dayMs
/** A mail that is late or was missed covers two weeks at most. */
const coveredMs = 14 * dayMs

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
 * Mails the chosen operators of each project about the gaps that were asked since their last mail. A project with
 * nothing new gets none.
 */
export async function mailNewGaps(db: Db, mails: GapMails, nowMs: number): Promise<void> {
  if (!mails.configured) return
  const projects = await db.selectFrom("gap_mail").select("project_id").distinct().execute()
  for (const { project_id } of projects) {
    const project = await findProject(db, project_id)
    if (project) await mailProjectGaps(db, mails, project, nowMs)
  }
  mails.wake()
}

async function mailProjectGaps(db: Db, mails: GapMails, project: Project, nowMs: number): Promise<void> {
  const open = (await listGaps(db, project, nowMs - longestMs)).filter(({ state }) => state === "open")
  await withLock(db, `gap-mail:${project.id}`, async (transaction) => {
    const operators = await listGapMailOperators(transaction, project)
    for (const [since, some] of Map.groupBy(operators, (operator) => operator.since)) {
      const fresh = open.filter(({ lastAt }) => lastAt >= Math.max(since, nowMs - coveredMs))
      const to = some.map(({ email }) => email)
      if (fresh.length > 0 && !(await mails.newGaps(transaction, to, project, fresh))) continue
      const recipients = { project_id: project.id, operator_id: idsOf(some) }
      await changeRows(transaction, "gap_mail", recipients, { since: nowMs })
    }
  })
}
