import { Counter, Histogram, Registry } from "prom-client"
import type { Db } from "../db/sqlite/connection.ts"
import { addModelFigures, type ModelCounts } from "./model.ts"
import { addProcessFigures } from "./process.ts"
import { addStoredFigures } from "./stored.ts"

/**
 * What the service counts for Prometheus. Labels are from short fixed lists: never a name, an address or a
 * text.
 */
export interface Metrics {
  /** `result`: the status of the answer, or the code of the refusal. */
  asked(result: string, seconds: number): void
  retrieved(seconds: number): void
  attempted(outcome: string, seconds: number): void
  /** The text format of Prometheus, read at this moment. */
  text(): Promise<{ contentType: string; body: string }>
}

interface Figures {
  db: Db
  indexDir: string
  now(): number
  /** undefined: there is no language model. */
  modelCounts: (() => ModelCounts) | undefined
}

const codesOfLimits = ["rate_limited", "quota_exceeded"]

export function openMetrics({ db, indexDir, now, modelCounts }: Figures): Metrics {
  const registry = new Registry()
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
  for (const code of codesOfLimits) limits.inc({ code }, 0)
  addStoredFigures(registry, db, indexDir, now)
  if (modelCounts) addModelFigures(registry, modelCounts)
  addProcessFigures(registry)

  return {
    asked(result, seconds) {
      asks.observe({ result }, seconds)
      if (codesOfLimits.includes(result)) limits.inc({ code: result })
    },
    retrieved: (seconds) => retrievals.observe(seconds),
    attempted: (outcome, seconds) => attempts.observe({ outcome }, seconds),
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  }
}
