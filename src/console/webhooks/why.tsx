import type { LoggedDelivery } from "../../webhooks/messages/delivery-log.ts"
import { adviceFor } from "../../wording/causes/causes.fr.ts"
import { outcomeIn } from "./outcome.tsx"
import { words } from "./words.fr.ts"

/** Why the last attempt of a delivery failed, where, and what its owner can do. */
export function Why({
  delivery: { state, attempts },
  url,
}: {
  delivery: LoggedDelivery
  /** Of the endpoint, unless it was removed. */
  url: string | undefined
}) {
  const last = attempts.at(-1)
  if (!last || state === "delivered" || last.outcome === "delivered" || last.outcome === "interrupted")
    return null
  const { address } = last
  const result = outcomeIn(last)
  return (
    <p class="problem">
      <strong>
        {address === null ? words.lastAttempt(result) : words.lastAttemptAt(placeIn(address), result)}
      </strong>{" "}
      {adviceFor(last, url)}
    </p>
  )
}

/** `203.0.113.5, port 443` */
export function placeIn(address: string): string {
  const [, ip = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? []
  return words.place(ip, port)
}
