import type { Assistant } from "./answering/ask/ask.ts"
import {
  type Base,
  indexingDeps,
  type Overrides,
  openAppMailer,
  openAppMetrics,
  openAssistant,
  openEmbeddingModels,
  openGround,
  openIndexes,
  openLanguageModels,
  type Parts,
  type Serving,
  startDeliveries,
  type Work,
} from "./app-parts.ts"
import { cachedFor } from "./base/cached-for.ts"
import { secondMs } from "./base/clock.ts"
import type { Config } from "./config/config.ts"
import type { Db } from "./db/connection.ts"
import { diskSpaceCheck } from "./db/sqlite/data-dir.ts"
import type { SendWrite } from "./db/writes.ts"
import { requireContact } from "./forms/definition/contact.ts"
import type { FormDeps } from "./forms/deps.ts"
import type { MessageQueue } from "./forms/message-queue.ts"
import { type ErasureJournal, openErasures } from "./forms/responses/erasure-journal.ts"
import { copiedInputs } from "./forms/submission/page.ts"
import { childRunner } from "./host/child-process.ts"
import { type Access, openAccess } from "./http/access.ts"
import { type Exports, openExports } from "./http/csv.ts"
import type { IndexingDeps } from "./indexing/indexing.ts"
import type { Mailer } from "./mail/outbox.ts"
import { formMails } from "./mails/form-mails.ts"
import { backupMails, failingMails } from "./mails/owner-mails.ts"
import { peopleMails } from "./mails/people-mails.ts"
import { type QuestionMails, questionMails } from "./mails/question-mails.ts"
import { openRemoval, type Removal } from "./removal/removal.ts"
import { openFiles } from "./storage/files.ts"
import { openStore } from "./storage/open-store.ts"
import { formHtml, formPreview } from "./visitors/form-pages/html.tsx"
import { openOutbound } from "./webhooks/delivery/outbound.ts"
import type { Notify } from "./webhooks/endpoints/failing.ts"
import { openMessageQueue } from "./webhooks/messages/message-queue.ts"
import { testMail, testValues } from "./wording/mail.fr.ts"

/** Functions and words of one room for another that does not import it. */
const handedIn = { formPreview, testValues, testMail, peopleMails, requireContact }
type HandedIn = typeof handedIn

/** The parts of the running program. Disposing of it stops them and closes the database. */
export interface App extends Base, Parts, Removal, HandedIn, AsyncDisposable {
  /** The same database with relaxed durability: a power cut may lose the last writes. */
  relaxed: Db
  assistant: Assistant
  mailer: Mailer
  messageQueue: MessageQueue
  /** The journal of erased form responses, so that no restored backup brings them back. */
  erasures: ErasureJournal
  mails: FormDeps["mails"]
  questionMails: QuestionMails
  formHtml: FormDeps["formHtml"]
  /** Mails an owner that an endpoint keeps failing; the log and the API say so too. */
  notify: Notify
  /** Mails the owners of the default workspace what is wrong with the backups. */
  notifyBackup: ReturnType<typeof backupMails>
  access: Access
  exports: Exports
  indexing: IndexingDeps
  /** Starts the deliveries. Only `serve` and `demo` do so; other commands leave them to the service. */
  work(): Work
  /** False when the database cannot be written to. Cached for a second. */
  writable(): Promise<boolean>
  /** False when less disk space is free than `GUICHET_MIN_FREE_DISK`. Cached for a second. */
  hasDiskSpace(): Promise<boolean>
  /** Empties the write-ahead log, which may still hold erased data. */
  emptyWal(): Promise<boolean>
}

/** Builds every part once, for every command and test. With `send` it only reads the database. */
export async function openApp(config: Config, overrides: Overrides = {}, send?: SendWrite): Promise<App> {
  // Closed again when the rest cannot be opened: a service tries once more.
  await using unfinished = new AsyncDisposableStack()
  const ground = await openGround(config, overrides, unfinished, send)
  const { connection, clock, log, db, vault, node } = ground
  const serving: Serving = { dispatcher: undefined }
  const models = openLanguageModels(ground, (...call) => metrics.observeModelCall(...call))
  const embeddings = openEmbeddingModels(ground, models)
  const objectStore = overrides.objectStore ?? openStore(config, db)
  const files = openFiles(config, db, clock)
  const indexing = indexingDeps(ground, { objectStore, files, embeddings })
  const runChild = overrides.runChild ?? childRunner(config.secrets.environment)
  const { reindexing, indexCache, indexes } = openIndexes(ground, serving, {
    objectStore,
    embeddings,
    runChild,
  })
  const metrics = openAppMetrics(ground, { models, embeddings, indexCache, indexes })
  const assistant = openAssistant(ground, { models, embeddings, indexes, metrics })
  const outbound = openOutbound(
    { ...config.webhook, proxy: ground.proxy },
    config.publicUrl,
    { db, clock, vault, log },
    overrides.outbound,
  )
  const mailer = openAppMailer(ground)
  const messageQueue = overrides.messageQueue ?? openMessageQueue(db, clock, () => serving.dispatcher)
  const erasures = openErasures(config, clock)
  const mailDeps = { db, clock, mailer, config }

  unfinished.move()
  return {
    config,
    clock,
    log,
    db,
    relaxed: connection.relaxed,
    vault,
    node,
    assistant,
    metrics,
    access: openAccess({ log, metrics, config }),
    exports: openExports(),
    indexing,
    embeddings,
    indexes,
    indexCache,
    objectStore,
    files,
    models,
    reindexing,
    runChild,
    outbound,
    authorities: ground.authorities,
    mailer,
    messageQueue,
    erasures,
    mails: formMails,
    questionMails: questionMails(mailDeps),
    formHtml: (form, page) => formHtml(form, config, copiedInputs(vault, form, page)),
    ...handedIn,
    notify: overrides.notify ?? failingMails(mailDeps),
    notifyBackup: backupMails(mailDeps),
    ...openRemoval({ db, clock, messageQueue, erasures, files }),
    work: () => startDeliveries(ground, serving, { outbound, metrics }),
    writable: cachedFor(secondMs, connection.writable),
    hasDiskSpace: cachedFor(secondMs, diskSpaceCheck(config, log)),
    emptyWal: connection.emptyWal,
    async [Symbol.asyncDispose]() {
      await outbound[Symbol.asyncDispose]()
      await mailer[Symbol.asyncDispose]()
      await reindexing[Symbol.asyncDispose]()
      // After what must not be taken over by others while it comes to its end.
      await node[Symbol.asyncDispose]()
      await embeddings[Symbol.asyncDispose]()
      await indexCache?.[Symbol.asyncDispose]()
      indexes[Symbol.dispose]()
      await metrics.tracing[Symbol.asyncDispose]()
      await connection[Symbol.asyncDispose]()
    },
  }
}
