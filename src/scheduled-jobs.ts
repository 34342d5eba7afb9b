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
import { everySecond, type Job, type Schedule, startSchedule } from "./jobs/schedule.ts"
import { purgeLimits } from "./limits/uses.ts"
import { announceFailedIndexings, announceUnansweredQuestions } from "./mails/owner-events.ts"
import { waitingMails } from "./mails/owner-mails.ts"
import { purgeAuditLog } from "./operations/audit-log.ts"
import { checkChosenAnswers } from "./owners/chosen/set-aside.ts"
import { runSetsAfterReadings } from "./owners/evaluation/set-run.ts"
import { foldQuestions } from "./owners/gaps/fold-questions.ts"
import { mailWeeks } from "./owners/gaps/gap-mails.ts"
import { removeUnusedRepositories } from "./reading/kinds/git.ts"
import { endLongWaits, notifyLongWaits } from "./webhooks/delivery/turns/long-waits.ts"
import { notifyFailing } from "./webhooks/endpoints/failing.ts"
import { eraseQuestions } from "./webhooks/messages/erase.ts"
import { announceFailing } from "./webhooks/messages/events/endpoint-failing.ts"
import { numberSkippedMessages } from "./webhooks/messages/message-order.ts"
import { purgeLog } from "./webhooks/messages/purge.ts"

/** Starts the scheduled work of the service. Disposing of it stops all of it. */
export async function startJobs(app: App): Promise<AsyncDisposable> {
  const { config, clock, db, indexes, mailer, node, reindexing } = app
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
  const checked = indexes.staleIndexes({ files: true }).then(
    (projectIds) => rebuild(app, projectIds),
    (error) => app.log.error("indexes could not be checked", { error }),
  )

  // Not only at the next second: a new node has nothing to answer from.
  const following =
    app.indexCache && ([indexes.follow().catch(() => {}), everySecond(indexes.follow)] as const)

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
    jobs.map(({ run, ...job }) => ({ ...job, run: async () => void (await run(app, stop.signal)) })),
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

interface AppJob extends Omit<Job, "run"> {
  run(app: App, stop: AbortSignal): Promise<unknown>
}

const everyMinute = "* * * * *"
const everyFiveMinutes = "*/5 * * * *"

/** Each job with its time. */
const jobs: readonly AppJob[] = [
  { name: "read feeds", pattern: everyMinute, run: ({ reindexing }) => reindexing.readDue() },
  { name: "rebuild indexes", pattern: everyMinute, run: rebuildStaleIndexes },
  { name: "drop unused tables", pattern: everyFiveMinutes, onEveryNode: true, run: dropUnused },
  { name: "drop unused archives", pattern: everyFiveMinutes, run: dropArchives },
  { name: "purge answers", pattern: "17 * * * *", keepsSuccess: true, run: purgeQuestions },
  { name: "fold questions", pattern: "5 3 * * *", run: ({ db }) => foldQuestions(db) },
  {
    name: "check chosen answers",
    pattern: everyMinute,
    run: ({ db, clock }) => checkChosenAnswers(db, clock.now()),
  },
  { name: "evaluate answers", pattern: everyMinute, run: evaluateAnswers },
  {
    name: "mail gaps",
    pattern: "0 8 * * 1",
    run: ({ db, questionMails, clock }) => mailWeeks(db, questionMails, clock.now()),
  },
  { name: "forget visitors", pattern: everyMinute, run: forgetVisitors },
  { name: "purge limit counts", pattern: "27 * * * *", keepsSuccess: true, run: purgeLimitCounts },
  {
    name: "purge sessions",
    pattern: "57 * * * *",
    keepsSuccess: true,
    run: ({ db, clock }) => purgeSessions(db, clock.now()),
  },
  { name: "purge token records", pattern: "37 * * * *", keepsSuccess: true, run: purgeTokenRecords },
  {
    name: "purge journal",
    pattern: "57 * * * *",
    keepsSuccess: true,
    run: ({ db, config, clock }) => purgeAuditLog(db, config.auditLogRetentionDays, clock.now()),
  },
  { name: "send mails", pattern: everyMinute, run: sendMails },
  { name: "purge deliveries", pattern: "47 * * * *", keepsSuccess: true, run: purgeDeliveries },
  { name: "place messages", pattern: "33 * * * *", run: placeMessages },
  { name: "tell failing endpoints", pattern: "7 * * * *", run: tellFailingEndpoints },
  { name: "announce failed readings", pattern: everyMinute, run: (app) => announceFailedIndexings(app) },
  {
    name: "announce unanswered questions",
    pattern: "10 0 * * *",
    run: (app) => announceUnansweredQuestions(app),
  },
  { name: "back up", pattern: "43 2 * * *", run: backUp },
  // Once a day, so that its mail goes once a day; hours after the backup, which may be large.
  { name: "tell a missing backup", pattern: "13 9 * * *", run: tellMissingBackup },
  { name: "try the newest backup", pattern: "13 4 1 * *", run: tryBackup },
  {
    name: "remove old copies",
    pattern: "53 2 * * *",
    run: async ({ config, clock }) => removeOldCopies(config.dataDir, clock.now()),
  },
  // At every start, since whatever was killed with the service ended then.
  { name: "remove what is unfinished", pattern: "23 * * * *", onEveryNode: true, run: removeUnfinished },
  { name: "purge forms", pattern: "37 * * * *", keepsSuccess: true, run: (app) => purgeForms(app) },
  { name: "purge files", pattern: "52 * * * *", run: ({ files }, stop) => files.purge(stop) },
  { name: "empty the write-ahead log", pattern: "2 * * * *", run: (app) => app.emptyWal() },
]

function rebuild({ reindexing }: App, projectIds: string[]): void {
  for (const id of projectIds) reindexing.rebuild(id)
}

async function rebuildStaleIndexes(app: App): Promise<void> {
  rebuild(app, await app.indexes.staleIndexes({ files: false }))
}

async function dropUnused({ indexes, indexing, db, config }: App): Promise<void> {
  await indexes.closeUnused()
  await dropUnusedTables(indexing, indexes.inUse())
  await removeUnusedRepositories(db, config.dataDir)
}

async function dropArchives({ db, clock, indexing }: App, stop: AbortSignal): Promise<void> {
  const { archives } = indexing
  if (archives) await dropUnusedArchives({ db, clock, store: archives.store }, stop)
}

async function purgeQuestions({ db, config, clock }: App): Promise<void> {
  const { answerRetentionDays } = config.ask
  await purgeAnswers(db, answerRetentionDays, clock.now())
  // A digest is of the day before, and its delivery is tried for a day.
  const keptMs = Math.max(answerRetentionDays - 1, 1) * dayMs
  await eraseQuestions(db, clock.now() - keptMs, clock.now())
}

function evaluateAnswers({ assistant, indexes, questionMails, log }: App, stop: AbortSignal): Promise<void> {
  const onFailure = (project: string, error: unknown) =>
    log.warning("evaluation failed", { project, reason: (error as Error).name })
  const { wordsOnlyIndexes } = indexes
  return runSetsAfterReadings(
    { assistant, wordsOnlyIndexes, onFall: questionMails.evaluationFell, onFailure },
    stop,
  )
}

async function forgetVisitors({ db, config, clock }: App): Promise<void> {
  await purgeLimits(db, { timezone: config.timezone, nowMs: clock.now() })
  await purgeAsks(db, clock.now())
}

async function purgeLimitCounts({ db, config, clock }: App): Promise<void> {
  await purgeTries(db)
  await purgeContactCounts(db, config.timezone, clock.now())
}

async function purgeTokenRecords({ db, clock }: App): Promise<void> {
  await purgeKeys(db, clock.now())
  await purgeRevokedTokens(db, clock.now())
}

async function sendMails(app: App): Promise<void> {
  await sendDigests(app)
  await app.mailer.sendDue()
}

async function purgeDeliveries(app: App): Promise<void> {
  await endLongWaits(app, app.clock.now())
  await purgeLog(app.db, app.clock.now())
}

async function placeMessages({ db, log }: App): Promise<void> {
  const count = await numberSkippedMessages(db)
  if (count > 0) log.warning("messages were passed over: the clock was ahead", { count })
}

async function tellFailingEndpoints(app: App): Promise<void> {
  const nowMs = app.clock.now()
  await notifyFailing(app.db, app.log.getChild("webhooks"), app.notify, nowMs, announceFailing(nowMs))
  await notifyLongWaits(app, waitingMails(app), nowMs)
  app.messageQueue.wake()
}

/** PostgreSQL is backed up by its owner, here and below. */
async function backUp({ config, runChild, clock }: App, stop: AbortSignal): Promise<void> {
  if (!config.secrets.database) await makeScheduledBackup(config.backup, runChild, clock.now(), stop)
}

async function tellMissingBackup({ config, db, clock, log, notifyBackup }: App): Promise<void> {
  if (config.secrets.database) return
  const trouble = missedBackup(config.backup, await installedAt(db), clock.now())
  if (!trouble) return
  const newest = trouble.newestAtMs === undefined ? null : isoTime(trouble.newestAtMs)
  log.error("no backup was made last night", { folder: trouble.folder, newest })
  await notifyBackup(trouble)
}

async function tryBackup({ config, runChild, log, notifyBackup }: App, stop: AbortSignal): Promise<void> {
  if (config.secrets.database) return
  const file = await tryNewestBackup(config.backup, runChild, stop, notifyBackup)
  if (file) log.info("the newest backup was restored as a trial", { file })
}

async function removeUnfinished(app: App): Promise<void> {
  await removeUnfinishedImports(app)
  removeUnfinishedBackups(app.config.backup)
}
