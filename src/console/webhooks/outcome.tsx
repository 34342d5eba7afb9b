import type { DeliveryState } from "../../db/tables/webhooks.ts"
import type { LoggedAttempt } from "../../webhooks/messages/delivery-log.ts"
import type { FoundDelivery } from "../../webhooks/messages/search-deliveries.ts"
import { causes } from "../../wording/causes/causes.fr.ts"
import { words as webhooksMessages } from "../../wording/webhooks.fr.ts"
import { type Mood, Tag } from "../kit/components.tsx"
import { words } from "./words.fr.ts"

const { outcomes } = webhooksMessages

const moods: Record<DeliveryState, Mood> = {
  pending: "warn",
  delivered: "good",
  failed: "bad",
  cancelled: "plain",
}

export function StateTag({ state }: { state: DeliveryState }) {
  return <Tag mood={moods[state]}>{words.states[state]}</Tag>
}

type Ended = Pick<LoggedAttempt, "outcome" | "status" | "cause">

export function outcomeIn({ outcome, status, cause }: Ended): string {
  if (cause !== null) return causes[cause].name
  if (status === null) return outcomes[outcome]
  if (outcome === "http_status" && status >= 300 && status < 400) return words.redirected(status)
  return words.withStatus(outcomes[outcome], status)
}

/** The result of the last attempt in a word or a number, for tables. */
export function lastResult({ lastOutcome, lastStatus, lastCause }: FoundDelivery): string {
  if (lastOutcome === null) return "–"
  if (lastCause !== null) return causes[lastCause].name
  return lastStatus === null ? outcomes[lastOutcome] : `HTTP ${lastStatus}`
}
