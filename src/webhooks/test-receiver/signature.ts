import { timingSafeEqual } from "node:crypto"
import { minuteMs, secondMs } from "../../base/clock.ts"
import { sign } from "../endpoints/signature.ts"

/** "Differs by more than 5 minutes from the receiver's clock" (specification, part 5 B). */
const toleranceMs = 5 * minuteMs

export type SignatureVerdict = "right" | "wrong" | "late"

/** Verifies a message as the specification tells receivers to. */
export function verifySignature(
  keys: readonly Uint8Array[],
  headers: Headers,
  body: Uint8Array,
  nowMs: number,
): SignatureVerdict {
  const id = headers.get("webhook-id") ?? ""
  const sentAt = headers.get("webhook-timestamp") ?? ""
  if (!/^\d{1,12}$/.test(sentAt)) return "wrong"
  const given = (headers.get("webhook-signature") ?? "").split(" ")
  const isRight = keys.some((key) => {
    const right = sign([key], id, Number(sentAt), body)
    return given.some((signature) => isSame(signature, right))
  })
  if (!isRight) return "wrong"
  return Math.abs(nowMs - Number(sentAt) * secondMs) > toleranceMs ? "late" : "right"
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
