import { hostname } from "node:os"
import { join } from "node:path"
import packageFile from "../package.json" with { type: "json" }
import { ensureDefaultWorkspace } from "./accounts/workspace.ts"
import { answerTimeoutMs } from "./answering/ask/answer.ts"
import type { Assistant } from "./answering/ask/ask.ts"
import { openAskQueue } from "./answering/ask/queue.ts"
import { openUnderstandings } from "./answering/ask/understandings.ts"
import { openChosenAnswers } from "./answering/chosen/match-chosen.ts"
import { extractive } from "./answering/extractive/extract.ts"
import { type Models, openModels } from "./answering/generative/models.ts"
import { chooseProvider } from "./answering/llm/choose-provider.ts"
import type { ModelLimits } from "./answering/llm/limits.ts"
import type { OnModelCall } from "./answering/llm/model-client.ts"
import { cachedFor } from "./base/cached-for.ts"
import { type Clock, secondMs, systemClock } from "./base/clock.ts"
import { type Log, startLog } from "./base/log.ts"
import { type Config, environmentWithoutSecrets } from "./config/config.ts"
import type { Db } from "./db/connection.ts"
import { openProvenVault } from "./db/key-proof.ts"
import { databaseLocation, openDatabase, takeLock } from "./db/open.ts"
import { claimDataDir, diskSpaceCheck } from "./db/sqlite/data-dir.ts"
import type { Vault } from "./db/vault.ts"
import type { SendWrite } from "./db/writes.ts"
import { requireContact } from "./forms/definition/contact.ts"
import type { FormDeps } from "./forms/deps.ts"
import type { MessageQueue } from "./forms/message-queue.ts"
import { type ErasureJournal, openErasures } from "./forms/responses/erasure-journal.ts"
import { copiedInputs } from "./forms/submission/page.ts"
import {
  childRunner,
  modelArgument,
  parserArgument,
  type RunChild,
  thisProgram,
} from "./host/child-process.ts"
import { openLimitedWorker, type WorkerLimits } from "./host/limited-worker.ts"
import { addonFolder } from "./host/native-addon.ts"
import { freeMemory } from "./host/process-usage.ts"
import { type Access, openAccess } from "./http/access.ts"
import { type Exports, openExports } from "./http/csv.ts"
import { type Embeddings, localEmbeddingName, openEmbeddings } from "./index/embedding/embeddings.ts"
import { noTelemetry } from "./index/embedding/local/onnx-files.ts"
import { type IndexCache, openIndexCache } from "./indexing/archives/index-cache.ts"
import { indexingCommand } from "./indexing/child-runs.ts"
import type { IndexingDeps } from "./indexing/indexing.ts"
import { type LiveIndexes, openLiveIndexes } from "./indexing/live-index.ts"
import { openReindexing, type Reindexing } from "./indexing/reindexing.ts"
import { type TurnLimits, turnLimits } from "./indexing/turn-limits.ts"
import { type Node, type NodeTimes, openNode } from "./jobs/node.ts"
import { everySecond } from "./jobs/schedule.ts"
import { type Mailer, openMailer, type SendMail } from "./mail/outbox.ts"
import { smtpSender } from "./mail/smtp.ts"
import { formMails } from "./mails/form-mails.ts"
import { backupMails, failingMails } from "./mails/owner-mails.ts"
import { peopleMails } from "./mails/people-mails.ts"
import { type QuestionMails, questionMails } from "./mails/question-mails.ts"
import { type Metrics, openMetrics } from "./ops/metrics.ts"
import { type Authorities, openAuthorities } from "./outbound/authorities.ts"
import { contactUrlOf, openNetwork } from "./reading/kinds/web/network.ts"
import { headersOf } from "./reading/own-headers.ts"
import { parserLimits, remoteParser } from "./reading/parser.ts"
import { feedReader } from "./reading/reader.ts"
import { openRemoval, type Removal } from "./removal/removal.ts"
import { type Files, openFiles } from "./storage/files.ts"
import type { ObjectStore } from "./storage/object-store.ts"
import { openStore } from "./storage/open-store.ts"
import { formHtml, formPreview } from "./visitors/form-pages/html.tsx"
import { openQueue } from "./webhooks/delivery/database-queue.ts"
import { type Dispatcher, startDispatcher } from "./webhooks/delivery/dispatcher.ts"
import { type Outbound, type OutboundOverrides, openOutbound } from "./webhooks/delivery/outbound.ts"
import type { Notify } from "./webhooks/endpoints/failing.ts"
import { openMessageQueue } from "./webhooks/messages/message-queue.ts"
import { answerWords, noAnswer } from "./wording/assistant.fr.ts"
import { inEnglish } from "./wording/english.ts"
import { testMail } from "./wording/mail.fr.ts"
import { testValues } from "./wording/test-message.fr.ts"

/** Functions and words of one room for another that does not import it. */
const handedIn = { formPreview: formPreview, testValues, testMail, peopleMails, requireContact }
type HandedIn = typeof handedIn

/** The parts of the running program. Disposing of it stops them and closes the database. */
export interface App extends Removal, HandedIn, AsyncDisposable {
  config: Config
  clock: Clock
  log: Log
  db: Db
  /** The same database with relaxed durability: a power cut may lose the last writes. */
  relaxed: Db
  vault: Vault
  /** This process among the nodes of a PostgreSQL database, once `startJobs` has made it one. */
  node: Node
  outbound: Outbound
  authorities: Authorities
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
  metrics: Metrics
  access: Access
  exports: Exports
  indexing: IndexingDeps
  /** The models that make vectors. */
  embeddings: Embeddings
  indexes: LiveIndexes
  /** The index folder as a cache of what the nodes share; undefined where this machine alone answers. */
  indexCache: IndexCache | undefined
  objectStore: ObjectStore | undefined
  /** Files that came from outside. */
  files: Files
  /** The language model of the settings; undefined without one. */
  models: Models | undefined
  /** Indexing in child processes, so that no request waits for it. */
  reindexing: Reindexing
  runChild: RunChild
  /** Starts the deliveries. Only `serve` and `demo` do so; other commands leave them to the service. */
  work(): Work
  /** False when the database cannot be written to. Cached for a second. */
  writable(): Promise<boolean>
  /** False when less disk space is free than `GUICHET_MIN_FREE_DISK`. Cached for a second. */
  hasDiskSpace(): Promise<boolean>
  /** Empties the write-ahead log, which may still hold erased data. */
  emptyWal(): Promise<boolean>
}

/** Disposing of it waits for the attempts in flight. */
export interface Work extends AsyncDisposable {
  dispatcher: Dispatcher
}

/** The parts that a test replaces. Nothing else differs between a test and the service. */
export interface Overrides {
  clock?: Clock
  assistant?: Partial<Assistant>
  modelLimits?: Partial<ModelLimits>
  outbound?: OutboundOverrides
  /** Takes the mails in place of an SMTP server. */
  sendMail?: SendMail
  messageQueue?: MessageQueue
  runChild?: RunChild
  /** Takes the archives of indexes in place of the one that the settings name. */
  objectStore?: ObjectStore
  /** Time for which an indexing tries to reach that store. */
  storePatienceMs?: number
  /** Limits on one turn of an indexing. */
  turnLimits?: Partial<TurnLimits>
  /** Limits on the parser for one page. */
  parserLimits?: Partial<WorkerLimits>
  freeMemory?: () => number
  dispatcher?: {
    /** Gives a number from 0 to 1 for the jitter of the retry schedule. */
    random?: () => number
    stopWithinMs?: number
  }
  notify?: Notify
  nodeTimes?: Partial<NodeTimes>
}

/** The composition root: builds every part once, for every command and test. With `send` it only reads the database. */
export async function openApp(config: Config, overrides: Overrides = {}, send?: SendWrite): Promise<App> {
  const log = startLog(config.logLevel, config.secrets.environment["JOURNAL_STREAM"])
  claimDataDir(config.dataDir)
  const { connection, migrated } = await openDatabase(databaseLocation(config), send)
  const clock = overrides.clock ?? connection.clock ?? systemClock
  if (migrated.from !== migrated.to) log.info("database migrated", { ...migrated })
  // Closed again when the rest cannot be opened: a service tries once more.
  await using unfinished = new AsyncDisposableStack()
  unfinished.use(connection)
  const vault = await openProvenVault(connection.db, config.dataDir, config.secrets.key)
  await ensureDefaultWorkspace(connection.db, clock.now())

  const node = openNode({
    db: connection.queue,
    log: log.getChild("node"),
    host: hostname(),
    version: packageFile.version,
    times: overrides.nodeTimes,
  })

  const indexDir = join(config.dataDir, "index")
  const modelLog = log.getChild("model")
  const authorities = openAuthorities(config.authorities)
  const proxy = config.secrets.outboundProxy
  const onCall: OnModelCall = (...call) => metrics.observeModelCall(...call)
  const provider = chooseProvider(config.model, config.secrets, { authorities, proxy, inWords: inEnglish })
  const models =
    provider &&
    openModels(provider, { db: connection.db, clock, log: modelLog, onCall }, overrides.modelLimits)
  const embeddingLog = log.getChild("embedding")
  const embeddings = openEmbeddings({
    db: connection.db,
    clock,
    source: config.embedding,
    provider: models?.embedding,
    openWorker: (threads, limits) =>
      openLimitedWorker(
        [...thisProgram(), modelArgument, String(threads), addonFolder(config.secrets.environment)],
        { ...environmentWithoutSecrets(config), ...noTelemetry },
        limits,
      ),
    onChange: ({ state, reason }) =>
      state === "broken"
        ? embeddingLog.warning("words alone find passages: the embedded model does not work", {
            reason: inEnglish(reason ?? ""),
          })
        : embeddingLog.debug("the embedded model works"),
  })
  const objectStore = overrides.objectStore ?? openStore(config, connection.db)
  const files = openFiles(config, connection.db, clock)
  const indexing: IndexingDeps = {
    db: connection.db,
    clock,
    takeLock: (name) => takeLock(databaseLocation(config), name),
    indexDir,
    archives: objectStore && { store: objectStore, patienceMs: overrides.storePatienceMs },
    readerFor({ origins, site }, parser, giveWay) {
      const { publicUrl, dataDir, feedAllowPrivate: allowPrivate } = config
      const contactUrl = contactUrlOf(publicUrl, site)
      const ca = authorities.pem()
      const opened = (feedId: string, sealed: string) => headersOf(vault, feedId, sealed)
      const network = openNetwork({ clock, allowPrivate, contactUrl, ca, proxy, giveWay, headersOf: opened })
      return feedReader(origins, network, parser, { db: connection.db, files, publicUrl, dataDir })
    },
    openParser() {
      const command = [...thisProgram(), parserArgument]
      const limits = { ...parserLimits, ...overrides.parserLimits }
      const worker = openLimitedWorker(command, environmentWithoutSecrets(config), limits)
      return {
        ...remoteParser(worker.ask),
        [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
      }
    },
    embeddingFor: embeddings.passagesOf,
  }
  const runChild = overrides.runChild ?? childRunner(config.secrets.environment)
  const reindexing = openReindexing({
    db: connection.db,
    clock,
    log: log.getChild("index"),
    node,
    runIndexing: (id, request, signal, limits) =>
      runChild(indexingCommand(id, request), signal, { ...limits, hasWriter: !config.secrets.database }),
    isStale: async (projectId) => (await indexes.staleIndexes({ files: false })).includes(projectId),
    freeMemory: overrides.freeMemory ?? freeMemory,
    memoryBytes: config.indexing.memoryBytes,
    limits: { ...turnLimits, turnMs: config.indexing.turnMs, ...overrides.turnLimits },
  })
  let dispatcher: Dispatcher | undefined
  /** A command leaves it to the service, which looks for such indexes by itself. */
  function rebuildIfServing(projectId: string): void {
    if (dispatcher) void reindexing.rebuild(projectId)
  }
  const indexCache =
    objectStore &&
    openIndexCache({
      db: connection.db,
      log: log.getChild("index"),
      indexDir,
      store: objectStore,
      maxBytes: config.storage.cacheBytes,
      onLost: rebuildIfServing,
    })
  const indexes = openLiveIndexes({
    db: connection.db,
    indexDir,
    cache: indexCache,
    onUnreadable: rebuildIfServing,
    embeddingNameFor: (project) => embeddings.passagesOf(project)?.name,
  })
  const metrics = openMetrics({
    db: connection.db,
    log: log.getChild("metrics"),
    node: config.secrets.database && hostname(),
    version: packageFile.version,
    dataDir: config.dataDir,
    indexDir,
    backupDir: config.backup.dir,
    now: clock.now,
    modelCounts: models?.counts,
    indexFetches: indexCache?.counts,
    localModelStatus: embeddings.status,
    wordsOnlyIndexes: indexes.wordsOnlyIndexes,
    tracing: { settings: config.tracing, headers: config.secrets.otlpHeaders, authorities, proxy },
  })
  const assistant: Assistant = {
    db: connection.db,
    relaxed: connection.relaxed,
    clock,
    vault,
    timezone: config.timezone,
    limits: config.ask,
    queue: openAskQueue(),
    answerer: models?.answerer ?? extractive,
    noAnswer,
    ...answerWords,
    answerTimeoutMs,
    ...openUnderstandings(config, models, embeddings),
    chosen: openChosenAnswers(
      { db: connection.db, publicUrl: config.publicUrl },
      embeddings.local && { name: localEmbeddingName, vectorOf: embeddings.local.embedQuestion },
    ),
    fallback: models && config.modelFallback === "extractive" ? extractive : undefined,
    onFallback: (reason) => modelLog.warning("answered from the documentation instead", { reason }),
    liveIndex: indexes.liveIndex,
    onRetrieved: metrics.observeRetrieval,
    ...overrides.assistant,
  }
  const receiverDeps = { db: connection.db, clock, vault, log }
  const webhook = { ...config.webhook, proxy }
  const outbound = openOutbound(webhook, config.publicUrl, receiverDeps, overrides.outbound)
  const { smtpUrl } = config.secrets
  const sendMail =
    overrides.sendMail ??
    (smtpUrl ? smtpSender(() => config.secrets.smtpUrl ?? smtpUrl, config.mailFrom, authorities) : undefined)
  const mailer = openMailer(
    { db: connection.db, vault, clock, log: log.getChild("mail"), node, inWords: inEnglish },
    sendMail,
  )
  const messageQueue = overrides.messageQueue ?? openMessageQueue(connection.db, clock, () => dispatcher)
  const erasures = openErasures(config, clock)
  unfinished.move()
  return {
    config,
    clock,
    log,
    db: connection.db,
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
    authorities,
    mailer,
    messageQueue,
    erasures,
    mails: formMails,
    questionMails: questionMails({ db: connection.db, clock, mailer, config }),
    formHtml: (form, page) => formHtml(form, config, copiedInputs(vault, form, page)),
    ...handedIn,
    notify: overrides.notify ?? failingMails({ db: connection.db, clock, mailer, config }),
    notifyBackup: backupMails({ db: connection.db, clock, mailer, config }),
    ...openRemoval({ db: connection.db, clock, messageQueue, erasures, files }),
    work() {
      const started = startDispatcher({
        queue: openQueue({ db: connection.queue, vault, random: overrides.dispatcher?.random }),
        clock,
        log: log.getChild("webhooks"),
        send: outbound.send,
        abortSends: outbound.abortSends,
        onAttempt: metrics.observeAttempt,
        stopWithinMs: overrides.dispatcher?.stopWithinMs,
      })
      dispatcher = started
      const ticker = everySecond(started.invalidateClaims)
      return {
        dispatcher: started,
        async [Symbol.asyncDispose]() {
          ticker[Symbol.dispose]()
          await started[Symbol.asyncDispose]()
        },
      }
    },
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
