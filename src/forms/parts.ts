import type { Clock } from "../base/clock.ts"
import type { Log } from "../base/log.ts"
import type { Db } from "../db/sqlite/connection.ts"
import type { Vault } from "../db/vault.ts"
import type { Mailer } from "../mail/outbox.ts"
import type { Form } from "./definition/form.ts"
import type { Messages } from "./messages.ts"
import type { ErasureJournal } from "./responses/erasure-journal.ts"
import type { DailyLimits } from "./submission/daily-limit.ts"

/** What the work on forms needs of the running program; `App` is one. */
export interface FormParts {
  db: Db
  clock: Clock
  log: Log
  vault: Vault
  mailer: Mailer
  messages: Messages
  erasures: ErasureJournal
  /** The form as HTML to copy into a page, whose address is `page`. */
  formHtml(form: Form, page?: string): string
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
