import { listProjects } from "../accounts/project.ts"
import { type Clock, dayIn, dayStartMs, hourMs, isoTime } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import { withLock } from "../db/with-lock.ts"
import { takeNewFailures } from "../indexing/new-failures.ts"
import { newestGaps } from "../owners/gaps/newest-gaps.ts"
import { announce, wasAnnounced, workspacesAsking } from "../webhooks/messages/events/announce.ts"
import { maxQuestions } from "../webhooks/messages/events/event.ts"
import { fits } from "../webhooks/messages/message.ts"
import { userMessage } from "../wording/user-message.ts"

/** Events that owners' applications ask for, made of what other rooms know. */

interface OwnerEventDeps {
  db: Db
  clock: Clock
  config: { timezone: string }
  messageQueue: { wake(): void }
}

/** `project.index_failed`: once for each row of failures. */
export async function announceFailedIndexings({ db, clock, messageQueue }: OwnerEventDeps): Promise<void> {
  const workspaceIds = await workspacesAsking(db, "project.index_failed")
  if (workspaceIds.length === 0) return
  const nowMs = clock.now()
  const failures = await db.transaction().execute(async (transaction) => {
    const taken = await takeNewFailures(transaction, workspaceIds)
    for (const { projectId, projectName, workspaceId, failedAtMs, trouble } of taken) {
      const sentences = { message: userMessage(trouble.told), reason: userMessage(trouble.reason) }
      const data = {
        project_id: projectId,
        project_name: projectName,
        failed_at: isoTime(failedAtMs),
        ...sentences,
      }
      await announce(
        transaction,
        { type: "project.index_failed", workspaceId, about: { projectId }, data },
        nowMs,
      )
    }
    return taken
  })
  if (failures.length > 0) messageQueue.wake()
}

/** `questions.unanswered`: of each project that had any yesterday, by the owner's day, once. */
export async function announceUnansweredQuestions(deps: OwnerEventDeps): Promise<void> {
  const { db, clock, config, messageQueue } = deps
  const nowMs = clock.now()
  const todayMs = dayStartMs(config.timezone, dayIn(config.timezone, nowMs))
  // A day has 23 to 25 hours.
  const day = dayIn(config.timezone, todayMs - hourMs)
  for (const workspaceId of await workspacesAsking(db, "questions.unanswered"))
    for (const project of await listProjects(db, workspaceId)) {
      const newest = await newestGaps(db, [project], dayStartMs(config.timezone, day), maxQuestions + 1)
      const gaps = newest.filter(({ askedAt }) => askedAt < todayMs)
      if (gaps.length === 0) continue
      const questions = gaps
        .slice(0, maxQuestions)
        .map(({ id, question, askedAt }) => ({ id, question, asked_at: isoTime(askedAt) }))
      const about = { project_id: project.id, project_name: project.name, day }
      // Characters that JSON writes as six make questions too large for one message.
      while (!fits({ ...about, questions, more: true }, nowMs)) questions.pop()
      const data = { ...about, questions, more: questions.length < gaps.length }
      // A run that a stop interrupted goes over all projects once more.
      await withLock(db, `digest:${project.id}`, async (transaction) => {
        const type = "questions.unanswered" as const
        if (await wasAnnounced(transaction, project.id, type, todayMs)) return
        await announce(transaction, { type, workspaceId, about: { projectId: project.id }, data }, nowMs)
      })
      messageQueue.wake()
    }
}
