import { Counter, Gauge, type Registry } from "prom-client"
import type { DatabaseGauges } from "./database-gauges.ts"

/** Counts of a language model since the start of the process. */
export interface ModelCounts {
  /** Requests begun, by purpose. */
  calls: Record<string, number>
  /** Failed requests, by reason. */
  failures: Partial<Record<string, number>>
  inFlight: number
  waiting: number
}

export function addModelMetrics(registry: Registry, counts: () => ModelCounts): void {
  const registers = [registry]
  new Counter({
    name: "guichet_model_calls_total",
    help: "Requests to the language model",
    labelNames: ["use"],
    registers,
    collect() {
      this.reset()
      for (const [use, count] of Object.entries(counts().calls)) this.inc({ use }, count)
    },
  })
  new Counter({
    name: "guichet_model_failures_total",
    help: "Requests to the language model that failed, by reason",
    labelNames: ["reason"],
    registers,
    collect() {
      this.reset()
      for (const [reason, count] of Object.entries(counts().failures)) this.inc({ reason }, count)
    },
  })
  new Gauge({
    name: "guichet_model_calls_in_flight",
    help: "Requests to the language model, under way and waiting for their turn",
    labelNames: ["state"],
    registers,
    collect() {
      const { inFlight, waiting } = counts()
      this.set({ state: "under_way" }, inFlight)
      this.set({ state: "waiting" }, waiting)
    },
  })
}

interface LocalModelMetricsDeps {
  localModelStatus(): { state: string; busyQuestions: number } | undefined
  wordsOnlyIndexes(): Promise<{ passages: number }[]>
}

/** Whether the embedded model makes vectors of questions, how often it was too busy to, and what it has to do. */
export function addLocalModelMetrics(
  registry: Registry,
  stored: DatabaseGauges,
  { localModelStatus, wordsOnlyIndexes }: LocalModelMetricsDeps,
): void {
  const registers = [registry]
  new Gauge({
    name: "guichet_embedding_up",
    help: "1 while the embedded model works, 0 while words alone find passages",
    registers,
    collect() {
      this.set(localModelStatus()?.state === "broken" ? 0 : 1)
    },
  })
  new Counter({
    name: "guichet_embedding_busy_total",
    help: "Questions that words alone answered because the embedded model was busy",
    registers,
    collect() {
      this.reset()
      this.inc(localModelStatus()?.busyQuestions ?? 0)
    },
  })
  stored.add(
    "guichet_index_passages_without_vectors",
    "Passages of live indexes that words alone find until their vectors are made",
    async () => (await wordsOnlyIndexes()).reduce((sum, { passages }) => sum + passages, 0),
  )
}
