import { readdirSync } from "node:fs"
import { readdir, stat, statfs } from "node:fs/promises"
import { join } from "node:path"
import { Counter, Gauge, Histogram, Registry } from "prom-client"
import { secondMs } from "../base/clock.ts"
import type { Log } from "../base/log.ts"
import type { Db } from "../db/connection.ts"
import { newestBackup } from "../jobs/backups.ts"
import { openDatabaseGauges } from "./database-gauges.ts"
import {
  addLocalModelMetrics,
  addModelMetrics,
  type LocalModelMetricsDeps,
  type ModelCounts,
} from "./model-metrics.ts"
import { readWhenAsked } from "./read-when-asked.ts"
import { addNodeMetrics, addStoredMetrics } from "./stored-metrics.ts"
import { openTracing, type Tracing, type TracingDeps } from "./tracing/tracing.ts"

interface AttemptResult {
  outcome: string
  durationMs: number
  status: number | null
  cause: string | null
}

interface Attempt {
  endpointId: string
  messageId: string
  kind: string
  attemptsMade: number
}

interface MetricsDeps extends LocalModelMetricsDeps {
  db: Db
  log: Log
  version: string
  dataDir: string
  indexDir: string
  now(): number
  /** Folder of the nightly backups, where the service makes any. */
  backupDir: string | undefined
  /** Name of this machine where several nodes share the database: a label of every series that is its own. */
  node: string | undefined
  /** Undefined without a language model. */
  modelCounts: (() => ModelCounts) | undefined
  /** Fetches of indexes by outcome; undefined where this machine alone answers. */
  indexFetches: (() => Readonly<Record<string, number>>) | undefined
  tracing: Pick<TracingDeps, "settings" | "headers" | "authorities" | "proxy">
}

const limitCodes = ["rate_limited", "quota_exceeded"]

export type Metrics = ReturnType<typeof openMetrics>

/**
 * The metrics of the service for Prometheus. Labels come from short fixed lists: a name, an address or a text
 * would make a series each.
 */
export function openMetrics(deps: MetricsDeps) {
  const { db, log, now, modelCounts } = deps
  const registry = new Registry()
  if (deps.node !== undefined) registry.setDefaultLabels({ node: deps.node })
  const read = readWhenAsked(registry)
  const observed = addObservedMetrics(registry)
  const stored = openDatabaseGauges(log)
  const databaseUp = new Gauge({
    name: "guichet_database_up",
    help: "1 while this process gets all figures of the database that stand here, 0 while some are missing",
    registers: [registry],
  })
  addStoredMetrics(stored, db, now)
  addDiskMetrics(read, deps)
  new Gauge({
    name: "guichet_build_info",
    help: "1, with the version of the program and of its runtime",
    labelNames: ["version", "bun"],
    registers: [registry],
  }).set({ version: deps.version, bun: Bun.version }, 1)
  if (deps.indexFetches)
    read.counts(
      "guichet_index_fetches_total",
      "Indexes fetched from the store that nodes share: fetched, missing or damaged there, failed for now",
      "outcome",
      deps.indexFetches,
    )
  if (modelCounts) addModelMetrics(registry, modelCounts)
  if (deps.localModelStatus()) addLocalModelMetrics(registry, stored, deps)
  if (deps.node !== undefined) addNodeMetrics(stored, db)
  addProcessMetrics(registry)
  const tracing = openTracing({ ...deps, ...deps.tracing })
  if (deps.tracing.settings)
    read.counts(
      "guichet_spans_dropped_total",
      "Spans that the collector did not get",
      "reason",
      tracing.dropped,
    )

  return {
    ...observers(observed, tracing),
    /** The current values in Prometheus's text format, without the ones that cannot be read now. */
    async text() {
      databaseUp.set((await stored.read()) ? 1 : 0)
      const body = `${await registry.metrics()}\n${await stored.registry.metrics()}`
      return { contentType: registry.contentType, body }
    },
    /** The spans of the same work. */
    tracing,
  }
}

/** Counters and timings of the work itself. */
function addObservedMetrics(registry: Registry) {
  const registers = [registry]
  const asks = new Histogram({
    name: "guichet_ask_duration_seconds",
    help: "Questions, by status of the answer or code of the refusal",
    labelNames: ["result"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const limits = new Counter({
    name: "guichet_limits_hit_total",
    help: "Questions refused because a limit or the quota was reached",
    labelNames: ["code"],
    registers,
  })
  const retrievals = new Histogram({
    name: "guichet_retrieval_duration_seconds",
    help: "Time to find the passages for a question",
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    registers,
  })
  const attempts = new Histogram({
    name: "guichet_delivery_attempt_duration_seconds",
    help: "Attempts to deliver a message, by outcome",
    labelNames: ["outcome"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  for (const code of limitCodes) limits.inc({ code }, 0)
  const signIns = new Counter({
    name: "guichet_sign_ins_total",
    help: "Tries to sign in to the console, by result",
    labelNames: ["result"],
    registers,
  })
  const tokensRefused = new Counter({
    name: "guichet_tokens_refused_total",
    help: "Requests with a token that opens nothing",
    registers,
  })
  const formPosts = new Counter({
    name: "guichet_form_posts_total",
    help: "Form posts, by state of the response or code of the refusal",
    labelNames: ["result"],
    registers,
  })
  return { asks, limits, retrievals, attempts, signIns, tokensRefused, formPosts }
}

/** Each observation counts in the metrics and makes a span. */
function observers(observed: ReturnType<typeof addObservedMetrics>, tracing: Tracing) {
  const { asks, limits, retrievals, attempts, signIns, tokensRefused, formPosts } = observed
  return {
    /** `result` is the status of the answer, or the code of the refusal. */
    observeAsk(result: string, seconds: number): void {
      asks.observe({ result }, seconds)
      if (limitCodes.includes(result)) limits.inc({ code: result })
    },
    observeRetrieval(seconds: number): void {
      retrievals.observe(seconds)
      tracing.part("guichet.retrieval", "internal", seconds)
    },
    /** A request to the language model. `failure` is its kind. */
    observeModelCall(use: string, seconds: number, failure: string | undefined): void {
      const attributes = { "guichet.use": use, "error.type": failure }
      tracing.part("guichet.model", "client", seconds, { isError: failure !== undefined, attributes })
    },
    observeAttempt({ outcome, durationMs, status, cause }: AttemptResult, attempt: Attempt): void {
      const { endpointId, messageId, kind, attemptsMade } = attempt
      attempts.observe({ outcome }, durationMs / secondMs)
      const isError = outcome !== "delivered"
      tracing.work("guichet.delivery", durationMs / secondMs, {
        isError,
        attributes: {
          "guichet.endpoint": endpointId,
          "guichet.message": messageId,
          "guichet.attempt": kind === "automatic" ? attemptsMade + 1 : kind,
          "guichet.outcome": outcome,
          "http.response.status_code": status ?? undefined,
          "error.type": isError ? (cause ?? outcome) : undefined,
        },
      })
    },
    /** `result` is `signed_in`, or the code of the refusal. */
    countSignIn: (result: string) => signIns.inc({ result }),
    countTokenRefused: () => tokensRefused.inc(),
    /** `result` is the state of the response, `repeated`, or the code of the refusal. */
    countFormPost: (result: string) => formPosts.inc({ result }),
  }
}

function addDiskMetrics(
  { gauge }: ReturnType<typeof readWhenAsked>,
  { node, backupDir, dataDir, indexDir }: MetricsDeps,
): void {
  // Several nodes are on PostgreSQL, which its owner backs up.
  if (node === undefined)
    gauge(
      "guichet_last_backup_timestamp_seconds",
      "Time of the newest nightly backup, 0 while there is none",
      () => ((backupDir !== undefined && newestBackup(backupDir)?.atMs) || 0) / secondMs,
    )
  gauge(
    "guichet_disk_free_bytes",
    "Free space on the disk of the data folder, for the account of the service",
    () =>
      statfs(dataDir).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => undefined,
      ),
  )
  gauge("guichet_index_bytes", "Size of the index folder", () => bytesIn(indexDir))
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  let bytes = 0
  // A file of an index that is being replaced may disappear before `stat`.
  for (const entry of entries)
    bytes += await stat(join(folder, entry)).then(
      ({ size }) => size,
      () => 0,
    )
  return bytes
}

/**
 * Process metrics under Prometheus' usual names. Those of the library itself call parts of Node that Bun does
 * not have.
 */
function addProcessMetrics(registry: Registry): void {
  const { gauge, counter } = readWhenAsked(registry)
  gauge("process_resident_memory_bytes", "Memory in use", () => process.memoryUsage.rss())
  gauge("process_heap_bytes", "Memory of JavaScript objects", () => process.memoryUsage().heapUsed)
  gauge(
    "process_external_bytes",
    "Memory that JavaScript objects hold outside",
    () => process.memoryUsage().external,
  )
  gauge("process_uptime_seconds", "Time since the start", () => process.uptime())
  gauge("process_start_time_seconds", "When the process started, in seconds since 1970", () => startedAt)
  gauge("process_open_fds", "Open file descriptors", openFiles)
  counter("process_cpu_seconds_total", "Processor time used", () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
}

/** Read once: computed anew at each scrape it would waver, and look like a restart. */
const startedAt = performance.timeOrigin / secondMs

/** Undefined on other systems than Linux. */
function openFiles(): number | undefined {
  try {
    return readdirSync("/proc/self/fd").length
  } catch {
    return undefined
  }
}
