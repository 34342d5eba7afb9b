import { minuteMs } from "../../base/clock.ts"
import type { Environment } from "../../config/parse.ts"
import { datagramSender } from "./datagram.ts"

/** To open a large SQLite database blocks the event loop for as long as its copy and its migration take. */
const openingMs = 15 * minuteMs

export type Notifier = ReturnType<typeof openNotifier>

/**
 * Tells systemd the state of the service (sd_notify(3)); does nothing without systemd. Reads NOTIFY_SOCKET, and
 * WATCHDOG_USEC with WATCHDOG_PID, as systemd sets them. A timer of the event loop sends the keep-alive messages at
 * half the interval that systemd expects. When the loop hangs they stop, and systemd restarts the service.
 */
export function openNotifier(environment: Environment) {
  const address = environment["NOTIFY_SOCKET"]
  const send = address ? datagramSender(address) : undefined
  const intervalMs = watchdogMs(environment) / 2
  let keepAlive: NodeJS.Timeout | undefined
  let isListening = false

  const watchdog = (ms: number) => (intervalMs > 0 ? `\nWATCHDOG_USEC=${ms * 1000}` : "")
  return {
    /** To be called when the address is listened on. Starts the keep-alive messages for systemd's watchdog. */
    listening() {
      isListening = true
      send?.(`READY=1${watchdog(openingMs)}`)
      if (send && intervalMs > 0 && !keepAlive)
        keepAlive = setInterval(() => send("WATCHDOG=1"), intervalMs).unref()
    },
    /** A sentence that `systemctl status` shows. */
    status(text: string) {
      send?.(`STATUS=${text.replaceAll(/\s+/g, " ")}`)
    },
    /** To be called when requests are answered: from now on the event loop is expected to be free. */
    ready() {
      send?.(`STATUS=ready${watchdog(intervalMs * 2)}`)
    },
    /** To be called when the settings were read again. */
    reloaded() {
      if (!isListening) return
      send?.(`RELOADING=1\nMONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`)
      send?.("READY=1")
    },
    stopping() {
      send?.("STOPPING=1")
    },
    [Symbol.dispose]() {
      clearInterval(keepAlive)
    },
  }
}

/** The watchdog's timeout; 0 when there is no watchdog for this process. */
function watchdogMs(environment: Environment): number {
  const pid = environment["WATCHDOG_PID"]
  if (pid && pid !== String(process.pid)) return 0
  return Math.max(Number(environment["WATCHDOG_USEC"] ?? 0) / 1000, 0) || 0
}
