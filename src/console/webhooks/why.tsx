/** @jsxImportSource preact */
import type { LoggedDelivery } from "../../webhooks/messages/delivery-log.ts"
import { adviceFor, causes } from "../../wording/causes/causes.fr.ts"
import { outcomeIn } from "./outcome.tsx"
import { words } from "./words.fr.ts"

/** Why the last attempt of a delivery failed, where, and what its owner can do. */
export function Why({ delivery: { state, attempts } }: { delivery: LoggedDelivery }) {
  const last = attempts.at(-1)
  if (!last || state === "delivered" || last.outcome === "delivered" || last.outcome === "interrupted")
    return null
  const { cause, status, address } = last
  const advice = cause !== null ? causes[cause].advice : status !== null ? adviceFor(status) : undefined
  const result = outcomeIn(last)
  return (
    <p class="problem">
      <strong>
        {address === null ? words.lastAttempt(result) : words.lastAttemptAt(placeIn(address), result)}
      </strong>{" "}
      {advice}
    </p>
  )
}

/** `203.0.113.5, port 443` */
export function placeIn(address: string): string {
  const [, ip = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? []
  return words.place(ip, port)
}
