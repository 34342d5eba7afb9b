import { purgeAsks } from "./accounts/quotas/ask-quota.ts"
import { purgeSessions } from "./accounts/session.ts"
import { purgeTries } from "./accounts/sign-in.ts"
import { purgeRevokedTokens } from "./accounts/token.ts"
import { purgeKeys } from "./accounts/tokens/idempotency-keys.ts"
import { purgeContactCounts } from "./accounts/widget/contact-count.ts"
import { installedAt } from "./accounts/workspace.ts"
import { purgeAnswers } from "./answering/ask/store-answer.ts"
import type { App } from "./app.ts"
import { dayMs, isoTime } from "./base/clock.ts"
import { removeOldCopies } from "./db/sqlite/migrate.ts"
import { purgeForms } from "./forms/responses/purge.ts"
import { sendDigests } from "./forms/submission/owner-notice.ts"
import { removeUnfinishedImports } from "./handover/unfinished-imports.ts"
import { dropUnusedArchives } from "./indexing/archives/unused-archives.ts"
import { dropUnusedTables } from "./indexing/unused-tables.ts"
import {
  makeScheduledBackup,
  missedBackup,
  removeUnfinishedBackups,
  tryNewestBackup,
} from "./jobs/backups.ts"
import { everySecond, type Schedule, startSchedule } from "./jobs/schedule.ts"
import { purgeLimits } from "./limits/uses.ts"
import { announceFailedIndexings, announceUnansweredQuestions } from "./mails/owner-events.ts"
import { waitingMails } from "./mails/owner-mails.ts"
import { purgeAuditLog } from "./operations/audit-log.ts"
import { checkChosenAnswers } from "./owners/chosen/set-aside.ts"
import { runSetsAfterReadings } from "./owners/evaluation/set-run.ts"
import { foldQuestions } from "./owners/gaps/fold-questions.ts"
import { mailNewGaps } from "./owners/gaps/gap-mails.ts"
import { removeUnusedRepositories } from "./reading/kinds/git/git-reader.ts"
import { endLongWaits, notifyLongWaits } from "./webhooks/delivery/turns/long-waits.ts"
import { notifyFailing } from "./webhooks/endpoints/failing.ts"
import { eraseQuestions } from "./webhooks/messages/erase.ts"
import { announceFailing } from "./webhooks/messages/events/endpoint-failing.ts"
import { numberSkippedMessages } from "./webhooks/messages/message-order.ts"
import { purgeLog } from "./webhooks/messages/purge.ts"

/** Starts the scheduled work of the service. Disposing of it stops all of it. */
export async function startJobs(app: App): Promise<AsyncDisposable> {
  const { config, clock, db, indexes, indexing, mailer, node, reindexing, runChild } = app
  const stop = new AbortController()
  let schedule: Schedule | undefined
  await node.join(async () => {
    if (stop.signal.aborted) return
    await schedule?.takeOver()
    await mailer.takeOver()
    await reindexing.resume()
  })
  await reindexing.resume()
  await app.metrics.tracing.start()
  void app.embeddings.local?.warm()
  const checked = indexes
    .staleIndexes({ files: true })
    .then(rebuild, (error) => app.log.error("indexes could not be checked", { error }))

  // Not only at the next second: a new node has nothing to answer from.
  const following =
    app.indexCache && ([indexes.follow().catch(() => {}), everySecond(indexes.follow)] as const)

  function rebuild(projectIds: string[]): void {
    for (const id of projectIds) reindexing.rebuild(id)
  }

  const afterReading = {
    assistant: app.assistant,
    wordsOnlyIndexes: indexes.wordsOnlyIndexes,
    onFall: app.questionMails.evaluationFell,
    onFailure: (project: string, error: unknown) =>
      app.log.warning("evaluation failed", { project, reason: (error as Error).name }),
  }

  async function end(): Promise<void> {
    stop.abort()
    following?.[1][Symbol.dispose]()
    await reindexing[Symbol.asyncDispose]()
    await schedule?.[Symbol.asyncDispose]()
    await checked
    await following?.[0]
  }

  const starting = startSchedule(
    { db, clock, log: app.log.getChild("schedule"), timezone: config.timezone, node },
    [
      { name: "read feeds", pattern: "* * * * *", run: reindexing.readDue },
      {
        name: "rebuild indexes",
        pattern: "* * * * *",
        run: async () => rebuild(await indexes.staleIndexes({ files: false })),
      },
      {
        name: "drop unused tables",
        pattern: "*/5 * * * *",
        onEveryNode: true,
        async run() {
          await indexes.closeUnused()
          await dropUnusedTables(indexing, indexes.inUse())
          await removeUnusedRepositories(db, config.dataDir)
        },
      },
      {
        name: "drop unused archives",
        pattern: "*/5 * * * *",
        async run() {
          const { archives } = indexing
          if (archives) await dropUnusedArchives({ db, clock, store: archives.store }, stop.signal)
        },
      },
      {
        name: "purge answers",
        pattern: "17 * * * *",
        keepsSuccess: true,
        async run() {
          const { answerRetentionDays } = config.ask
          await purgeAnswers(db, answerRetentionDays, clock.now())
          // A digest is of the day before, and its delivery is tried for a day.
          const keptMs = Math.max(answerRetentionDays - 1, 1) * dayMs
          await eraseQuestions(db, clock.now() - keptMs, clock.now())
        },
      },
      { name: "fold questions", pattern: "5 3 * * *", run: () => foldQuestions(db) },
      {
        name: "check chosen answers",
        pattern: "* * * * *",
        run: () => checkChosenAnswers(db, clock.now()),
      },
      {
        name: "evaluate answers",
        pattern: "* * * * *",
        run: () => runSetsAfterReadings(afterReading, stop.signal),
      },
      {
        name: "mail gaps",
        pattern: "0 8 * * 1",
        run: () => mailNewGaps(db, app.questionMails, clock.now()),
      },
      {
        name: "forget visitors",
        pattern: "* * * * *",
        async run() {
          await purgeLimits(db, { timezone: config.timezone, nowMs: clock.now() })
          await purgeAsks(db, clock.now())
        },
      },
      {
        name: "purge limit counts",
        pattern: "27 * * * *",
        keepsSuccess: true,
        async run() {
          await purgeTries(db)
          await purgeContactCounts(db, config.timezone, clock.now())
        },
      },
      {
        name: "purge sessions",
        pattern: "57 * * * *",
        keepsSuccess: true,
        run: () => purgeSessions(db, clock.now()),
      },
      {
        name: "purge token records",
        pattern: "37 * * * *",
        keepsSuccess: true,
        async run() {
          await purgeKeys(db, clock.now())
          await purgeRevokedTokens(db, clock.now())
        },
      },
      {
        name: "purge journal",
        pattern: "57 * * * *",
        keepsSuccess: true,
        run: async () => void (await purgeAuditLog(db, config.auditLogRetentionDays, clock.now())),
      },
      {
        name: "send mails",
        pattern: "* * * * *",
        async run() {
          await sendDigests(app)
          await mailer.sendDue()
        },
      },
      {
        name: "purge deliveries",
        pattern: "47 * * * *",
        keepsSuccess: true,
        async run() {
          await endLongWaits(app, clock.now())
          await purgeLog(db, clock.now())
        },
      },
      {
        name: "place messages",
        pattern: "33 * * * *",
        async run() {
          const count = await numberSkippedMessages(db)
          if (count > 0) app.log.warning("messages were passed over: the clock was ahead", { count })
        },
      },
      {
        name: "tell failing endpoints",
        pattern: "7 * * * *",
        async run() {
          const nowMs = clock.now()
          await notifyFailing(db, app.log.getChild("webhooks"), app.notify, nowMs, announceFailing(nowMs))
          await notifyLongWaits(app, waitingMails(app), nowMs)
          app.messageQueue.wake()
        },
      },
      { name: "announce failed readings", pattern: "* * * * *", run: () => announceFailedIndexings(app) },
      {
        name: "announce unanswered questions",
        pattern: "10 0 * * *",
        run: () => announceUnansweredQuestions(app),
      },
      {
        name: "back up",
        pattern: "43 2 * * *",
        run: async () => {
          // PostgreSQL is backed up by its owner.
          if (!config.secrets.database)
            await makeScheduledBackup(config.backup, runChild, clock.now(), stop.signal)
        },
      },
      // Once a day, so that its mail goes once a day; hours after the backup, which may be large.
      {
        name: "tell a missing backup",
        pattern: "13 9 * * *",
        async run() {
          if (config.secrets.database) return
          const trouble = missedBackup(config.backup, await installedAt(db), clock.now())
          if (!trouble) return
          const newest = trouble.newestAtMs === undefined ? null : isoTime(trouble.newestAtMs)
          app.log.error("no backup was made last night", { folder: trouble.folder, newest })
          await app.notifyBackup(trouble)
        },
      },
      {
        name: "try the newest backup",
        pattern: "13 4 1 * *",
        async run() {
          if (config.secrets.database) return
          const file = await tryNewestBackup(config.backup, runChild, stop.signal, app.notifyBackup)
          if (file) app.log.info("the newest backup was restored as a trial", { file })
        },
      },
      {
        name: "remove old copies",
        pattern: "53 2 * * *",
        run: async () => removeOldCopies(config.dataDir, clock.now()),
      },
      {
        // At every start, since whatever was killed with the service ended then.
        name: "remove what is unfinished",
        pattern: "23 * * * *",
        onEveryNode: true,
        async run() {
          await removeUnfinishedImports(app)
          removeUnfinishedBackups(config.backup)
        },
      },
      {
        name: "purge forms",
        pattern: "37 * * * *",
        keepsSuccess: true,
        run: async () => void (await purgeForms(app)),
      },
      { name: "purge files", pattern: "52 * * * *", run: () => app.files.purge(stop.signal) },
      {
        name: "empty the write-ahead log",
        pattern: "2 * * * *",
        run: async () => void (await app.emptyWal()),
      },
    ],
  )
  try {
    schedule = await starting
  } catch (error) {
    // A job that goes on every second would keep an idle process alive.
    await end()
    throw error
  }
  return { [Symbol.asyncDispose]: end }
}
