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
import { type Clock, systemClock } from "./base/clock.ts"
import { type Log, startLog } from "./base/log.ts"
import { type Config, environmentWithoutSecrets } from "./config/config.ts"
import type { Connection, Db } from "./db/connection.ts"
import { openProvenVault } from "./db/key-proof.ts"
import { databaseLocation, openDatabase, takeLock } from "./db/open.ts"
import { claimDataDir } from "./db/sqlite/data-dir.ts"
import type { Vault } from "./db/vault.ts"
import type { SendWrite } from "./db/writes.ts"
import type { MessageQueue } from "./forms/message-queue.ts"
import { modelArgument, parserArgument, type RunChild, thisProgram } from "./host/child-process.ts"
import { openLimitedWorker, type WorkerLimits } from "./host/limited-worker.ts"
import { addonFolder } from "./host/native-addon.ts"
import { freeMemory } from "./host/process-usage.ts"
import { type Embeddings, localEmbeddingName, openEmbeddings } from "./index/embedding/embeddings.ts"
import { processorArithmetic } from "./index/embedding/local/local-model.ts"
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
import { type Metrics, openMetrics } from "./ops/metrics.ts"
import { type Authorities, openAuthorities } from "./outbound/authorities.ts"
import { contactUrlOf, openNetwork } from "./reading/kinds/web/network.ts"
import { headersOf } from "./reading/own-headers.ts"
import { parserLimits, remoteParser } from "./reading/parser.ts"
import { feedReader } from "./reading/reader.ts"
import type { Files } from "./storage/files.ts"
import type { ObjectStore } from "./storage/object-store.ts"
import { openQueue } from "./webhooks/delivery/database-queue.ts"
import { type Dispatcher, startDispatcher } from "./webhooks/delivery/dispatcher.ts"
import type { Outbound, OutboundOverrides } from "./webhooks/delivery/outbound.ts"
import type { Notify } from "./webhooks/endpoints/failing.ts"
import { answerWords, noAnswer } from "./wording/assistant.fr.ts"
import { inEnglish } from "./wording/english.ts"

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

/** Disposing of it waits for the attempts in flight. */
export interface Work extends AsyncDisposable {
  dispatcher: Dispatcher
}

/** Settings, database, clock and log: every other part is built with them. */
export interface Base {
  config: Config
  clock: Clock
  log: Log
  db: Db
  vault: Vault
  /** This process among the nodes of a PostgreSQL database, once `startJobs` has made it one. */
  node: Node
  authorities: Authorities
}

export interface Ground extends Base {
  overrides: Overrides
  connection: Connection
  indexDir: string
  proxy: Config["secrets"]["outboundProxy"]
}

/** Parts that others are built with. */
export interface Parts {
  outbound: Outbound
  metrics: Metrics
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
}

/** The dispatcher that `work` started; undefined in a command, which leaves such work to the service. */
export interface Serving {
  dispatcher: Dispatcher | undefined
}

export async function openGround(
  config: Config,
  overrides: Overrides,
  unfinished: AsyncDisposableStack,
  send: SendWrite | undefined,
): Promise<Ground> {
  const log = startLog(config.logLevel, config.secrets.environment["JOURNAL_STREAM"])
  claimDataDir(config.dataDir)
  const { connection, migrated } = await openDatabase(databaseLocation(config), send)
  const { db } = connection
  const clock = overrides.clock ?? connection.clock ?? systemClock
  if (migrated.from !== migrated.to) log.info("database migrated", { ...migrated })
  unfinished.use(connection)
  const vault = await openProvenVault(db, config.dataDir, config.secrets.key)
  await ensureDefaultWorkspace(db, clock.now())
  const node = openNode({
    db: connection.queue,
    log: log.getChild("node"),
    host: hostname(),
    version: packageFile.version,
    arithmetic: config.embedding === "none" ? "" : processorArithmetic(),
    times: overrides.nodeTimes,
  })
  return {
    config,
    overrides,
    connection,
    db,
    clock,
    log,
    vault,
    node,
    authorities: openAuthorities(config.authorities),
    proxy: config.secrets.outboundProxy,
    indexDir: join(config.dataDir, "index"),
  }
}

export function openLanguageModels(
  { config, overrides, db, clock, log, authorities, proxy }: Ground,
  onCall: OnModelCall,
): Models | undefined {
  const provider = chooseProvider(config.model, config.secrets, { authorities, proxy, inWords: inEnglish })
  return (
    provider && openModels(provider, { db, clock, log: log.getChild("model"), onCall }, overrides.modelLimits)
  )
}

export function openEmbeddingModels(
  { config, db, clock, log }: Ground,
  models: Models | undefined,
): Embeddings {
  const embeddingLog = log.getChild("embedding")
  return openEmbeddings({
    db,
    clock,
    source: config.embedding,
    provider: models?.embedding,
    openWorker: (limits) =>
      openLimitedWorker(
        [...thisProgram(), modelArgument, addonFolder(config.secrets.environment)],
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
}

export function indexingDeps(
  { config, overrides, db, clock, vault, authorities, proxy, indexDir }: Ground,
  { objectStore, files, embeddings }: Pick<Parts, "objectStore" | "files" | "embeddings">,
): IndexingDeps {
  return {
    db,
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
      return feedReader(origins, network, parser, { db, files, publicUrl, dataDir })
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
}

export function openIndexes(
  { config, overrides, db, clock, log, node, indexDir }: Ground,
  serving: Serving,
  { objectStore, embeddings, runChild }: Pick<Parts, "objectStore" | "embeddings" | "runChild">,
): Pick<Parts, "reindexing" | "indexCache" | "indexes"> {
  const indexLog = log.getChild("index")
  const reindexing = openReindexing({
    db,
    clock,
    log: indexLog,
    node,
    runIndexing: (id, request, signal, limits) =>
      runChild(indexingCommand(id, request), signal, { ...limits, hasWriter: !config.secrets.database }),
    isStale: async (projectId) => (await indexes.staleIndexes({ files: false })).includes(projectId),
    freeMemory: overrides.freeMemory ?? freeMemory,
    memoryBytes: config.indexing.memoryBytes,
    limits: { ...turnLimits, turnMs: config.indexing.turnMs, ...overrides.turnLimits },
  })
  /** A command leaves it to the service, which looks for such indexes by itself. */
  const rebuildIfServing = (projectId: string): void => {
    if (serving.dispatcher) void reindexing.rebuild(projectId)
  }
  const indexCache =
    objectStore &&
    openIndexCache({
      db,
      log: indexLog,
      indexDir,
      store: objectStore,
      maxBytes: config.storage.cacheBytes,
      onLost: rebuildIfServing,
    })
  const indexes = openLiveIndexes({
    db,
    indexDir,
    cache: indexCache,
    onUnreadable: rebuildIfServing,
    embeddingNameFor: (project) => embeddings.passagesOf(project)?.name,
  })
  return { reindexing, indexCache, indexes }
}

export function openAppMetrics(
  { config, db, clock, log, authorities, proxy, indexDir }: Ground,
  {
    models,
    embeddings,
    indexCache,
    indexes,
  }: Pick<Parts, "models" | "embeddings" | "indexCache" | "indexes">,
): Metrics {
  return openMetrics({
    db,
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
}

export function openAssistant(
  { config, overrides, connection: { db, relaxed }, clock, log, vault }: Ground,
  { models, embeddings, indexes, metrics }: Pick<Parts, "models" | "embeddings" | "indexes" | "metrics">,
): Assistant {
  const modelLog = log.getChild("model")
  return {
    db,
    relaxed,
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
      { db, publicUrl: config.publicUrl },
      embeddings.local && { name: localEmbeddingName, vectorOf: embeddings.local.embedQuestion },
    ),
    fallback: models && config.modelFallback === "extractive" ? extractive : undefined,
    onFallback: (reason) => modelLog.warning("answered from the documentation instead", { reason }),
    liveIndex: indexes.liveIndex,
    onRetrieved: metrics.observeRetrieval,
    ...overrides.assistant,
  }
}

export function openAppMailer({
  config,
  overrides,
  db,
  vault,
  clock,
  log,
  node,
  authorities,
}: Ground): Mailer {
  const { smtpUrl } = config.secrets
  const sendMail =
    overrides.sendMail ??
    (smtpUrl ? smtpSender(() => config.secrets.smtpUrl ?? smtpUrl, config.mailFrom, authorities) : undefined)
  return openMailer({ db, vault, clock, log: log.getChild("mail"), node, inWords: inEnglish }, sendMail)
}

export function startDeliveries(
  { overrides, connection, clock, log, vault }: Ground,
  serving: Serving,
  { outbound, metrics }: Pick<Parts, "outbound" | "metrics">,
): Work {
  const dispatcher = startDispatcher({
    queue: openQueue({ db: connection.queue, vault, random: overrides.dispatcher?.random }),
    clock,
    log: log.getChild("webhooks"),
    send: outbound.send,
    abortSends: outbound.abortSends,
    onAttempt: metrics.observeAttempt,
    stopWithinMs: overrides.dispatcher?.stopWithinMs,
  })
  serving.dispatcher = dispatcher
  const ticker = everySecond(dispatcher.invalidateClaims)
  return {
    dispatcher,
    async [Symbol.asyncDispose]() {
      ticker[Symbol.dispose]()
      await dispatcher[Symbol.asyncDispose]()
    },
  }
}
