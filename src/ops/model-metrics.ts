import { Gauge, type Registry } from "prom-client"
import type { DatabaseGauges } from "./database-gauges.ts"
import { readWhenAsked } from "./read-when-asked.ts"

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
  const { counts: addCounts } = readWhenAsked(registry)
  addCounts("guichet_model_calls_total", "Requests to the language model", "use", () => counts().calls)
  const aboutFailures = "Requests to the language model that failed, by reason"
  addCounts("guichet_model_failures_total", aboutFailures, "reason", () => counts().failures)
  new Gauge({
    name: "guichet_model_calls_in_flight",
    help: "Requests to the language model, under way and waiting for their turn",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { inFlight, waiting } = counts()
      this.set({ state: "under_way" }, inFlight)
      this.set({ state: "waiting" }, waiting)
    },
  })
}

export interface LocalModelMetricsDeps {
  /** Undefined where the settings do without the embedded model. */
  localModelStatus(): { state: string; busyQuestions: number } | undefined
  /** Projects that words alone answer until the vectors of their passages are made. */
  wordsOnlyIndexes(): Promise<{ passages: number }[]>
}

/** Whether the embedded model makes vectors of questions, how often it was too busy to, and what it has to do. */
export function addLocalModelMetrics(
  registry: Registry,
  stored: DatabaseGauges,
  { localModelStatus, wordsOnlyIndexes }: LocalModelMetricsDeps,
): void {
  const { gauge, counter } = readWhenAsked(registry)
  gauge("guichet_embedding_up", "1 while the embedded model works, 0 while words alone find passages", () =>
    localModelStatus()?.state === "broken" ? 0 : 1,
  )
  counter(
    "guichet_embedding_busy_total",
    "Questions that words alone answered because the embedded model was busy",
    () => localModelStatus()?.busyQuestions ?? 0,
  )
  stored.add(
    "guichet_index_passages_without_vectors",
    "Passages of live indexes that words alone find until their vectors are made",
    async () => (await wordsOnlyIndexes()).reduce((sum, { passages }) => sum + passages, 0),
  )
}
