import type { Clock } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import type { Log } from "../log.ts"
import type { Mailer } from "../mail/outbox.ts"
import type { Vault } from "../vault.ts"
import type { DailyLimits } from "./daily-limit.ts"
import type { ErasureJournal } from "./erasure-journal.ts"
import type { Messages } from "./messages.ts"

/** What the work on forms needs of the running program; `App` is one. */
export interface FormParts {
  db: Db
  clock: Clock
  log: Log
  vault: Vault
  mailer: Mailer
  messages: Messages
  erasures: ErasureJournal
  /** False while so little of the disk is free that it is kept for questions and deliveries. */
  hasRoom(): Promise<boolean>
  config: {
    publicUrl: string
    timezone: string
    trustedProxies: string[]
    /** Form posts of one visitor in any 60 seconds before they are kept apart. */
    formPerVisitorMinute: number
    formDay: DailyLimits
  }
}
