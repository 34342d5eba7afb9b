/** @jsxImportSource preact */
import type { DeliveryState } from "../../db/tables/webhooks.ts"
import type { LoggedAttempt } from "../../webhooks/messages/delivery-log.ts"
import { sentences as webhookSentences } from "../../webhooks/sentences.ts"
import { type Mood, Tag } from "../kit/parts.tsx"
import { sentences } from "../sentences/webhooks.ts"

const { outcomes } = webhookSentences

const moods: Record<DeliveryState, Mood> = {
  pending: "warn",
  delivered: "good",
  failed: "bad",
  cancelled: "plain",
}

export function StateTag({ state }: { state: DeliveryState }) {
  return <Tag mood={moods[state]}>{sentences.states[state]}</Tag>
}

/** What came of an attempt, in words. */
export function outcomeIn({ outcome, status }: LoggedAttempt): string {
  if (status === null) return outcomes[outcome]
  if (outcome === "http_status" && status >= 300 && status < 400) return sentences.redirected(status)
  return sentences.withStatus(outcomes[outcome], status)
}
