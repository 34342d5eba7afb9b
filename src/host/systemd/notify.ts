import { datagramSender } from "./datagram.ts"

/** Tells systemd how the service is (sd_notify); does nothing where nobody listens. */
export interface Notifier extends Disposable {
  /** Requests are answered from now on. Begins the sign of life that the watchdog waits for. */
  ready(): void
  stopping(): void
}

type Environment = Record<string, string | undefined>

/**
 * Reads NOTIFY_SOCKET, and WATCHDOG_USEC with WATCHDOG_PID, as systemd sets them. The sign of life comes from
 * a timer of the event loop, at twice the pace asked for: when the loop hangs it stays out, and systemd ends
 * the service.
 */
export function openNotifier(environment: Environment): Notifier {
  const address = environment["NOTIFY_SOCKET"]
  const send = address ? datagramSender(address) : undefined
  const periodMs = watchdogMs(environment) / 2
  let beat: NodeJS.Timeout | undefined

  return {
    ready() {
      send?.("READY=1")
      if (send && periodMs > 0 && !beat) beat = setInterval(() => send("WATCHDOG=1"), periodMs).unref()
    },
    stopping() {
      send?.("STOPPING=1")
    },
    [Symbol.dispose]() {
      clearInterval(beat)
    },
  }
}

/** 0: nobody waits for a sign of life of this process. */
function watchdogMs(environment: Environment): number {
  const pid = environment["WATCHDOG_PID"]
  if (pid && pid !== String(process.pid)) return 0
  return Math.max(Number(environment["WATCHDOG_USEC"] ?? 0) / 1000, 0) || 0
}
