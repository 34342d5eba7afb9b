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
  mails: FormMails
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

/** The words of the mails about forms, which the domain does not have. */
export interface FormMails {
  /** Asks a visitor to confirm a consent whose wording is `text`. */
  confirmation(about: { form: string; text: string; link: string }): MailText
  /** Tells the owner of a new response; `values` only where the owner wants to see what was typed. */
  notice(about: { form: string; link: string; values: { label: string; value: string }[] }): MailText
  /** Tells the owner of many new responses at once. */
  gathered(about: { form: string; count: number; link: string }): MailText
}

interface MailText {
  subject: string
  text: string
}
