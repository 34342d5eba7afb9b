import type { Clock } from "../../base/clock.ts"
import { ModelFailure } from "./failure.ts"

/**
 * Opens after `outagesToOpen` outages in a row and rejects calls for `cooldownMs`. Then lets one probe call
 * through, whose outcome closes the breaker or opens it again.
 */
export function openCircuitBreaker(clock: Clock, limits: { outagesToOpen: number; cooldownMs: number }) {
  let outages = 0
  let openUntilMs = 0
  let isProbing = false

  const isOpen = () => outages >= limits.outagesToOpen

  /** Throws ModelFailure `circuit` while the breaker is open. */
  function check(): void {
    if (!isOpen()) return
    const leftMs = openUntilMs - clock.now()
    if (leftMs > 0 || isProbing)
      throw new ModelFailure("circuit", { retryAfterMs: leftMs > 0 ? leftMs : limits.cooldownMs })
  }

  return {
    isOpen,
    check,
    /** Checks the same for a call that begins now. After the cooldown, this call is the probe. */
    begin() {
      check()
      isProbing = isOpen()
    },
    succeeded() {
      outages = 0
      isProbing = false
    },
    failed(failure: ModelFailure) {
      isProbing = false
      if (!failure.isOutage) return
      outages++
      const requestedMs = Math.min(failure.retryAfterMs ?? 0, maxCooldownMs)
      if (isOpen()) openUntilMs = clock.now() + Math.max(limits.cooldownMs, requestedMs)
    },
    /** Records a call whose end says nothing about the model, such as one whose visitor left. */
    inconclusive() {
      isProbing = false
    },
  }
}

/** Caps the pause that a server asks for: its quota may be back long before it says. */
const maxCooldownMs = 300_000
