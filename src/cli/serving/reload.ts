import type { Log } from "../../base/log.ts"
import type { Config } from "../../config/config.ts"
import { readAgain } from "../../config/reload.ts"
import type { Notifier } from "../../host/systemd/notify.ts"
import type { Authorities } from "../../outbound/authorities.ts"
import { inEnglish } from "../../wording/english.ts"

interface Reloadable {
  config: Config
  log: Log
  notifier: Notifier
  /** Undefined before anything is open. */
  authorities: Authorities | undefined
}

/**
 * Reads the files of secrets and the certificate authorities again, as SIGHUP asks for: all of them, or nothing when
 * any is bad. One line of the log says which have changed, without their values.
 */
export function reload({ config, log, notifier, authorities }: Reloadable): void {
  try {
    const apply = readAgain(config)
    const before = authorities?.pem()
    const problem = authorities?.reload()
    if (problem) throw new Error(inEnglish(problem))
    const { changed, atNextStart } = apply()
    if (authorities?.pem() !== before) changed.push("certificate authorities")
    log.info("settings read again", { changed, ...(atNextStart.length > 0 && { atNextStart }) })
  } catch (error) {
    log.error("settings cannot be read again: nothing is changed", { reason: (error as Error).message })
  }
  notifier.reloaded()
}
