import type { Clock } from "../base/clock.ts"
import type { Log } from "../base/log.ts"
import type { Db } from "../db/connection.ts"
import type { Vault } from "../db/vault.ts"
import type { Mailer, NewMail } from "../mail/outbox.ts"
import type { Files } from "../storage/files.ts"
import type { Form } from "./definition/form.ts"
import type { MessageQueue } from "./message-queue.ts"
import type { ErasureJournal } from "./responses/erasure-journal.ts"
import type { DailyLimits } from "./submission/post-limits.ts"

/** Dependencies of the forms domain; `App` satisfies them. */
export interface FormDeps {
  db: Db
  clock: Clock
  log: Log
  metrics: { countFormPost(result: string): void }
  vault: Vault
  mailer: Mailer
  mails: FormMails
  messageQueue: MessageQueue
  erasures: ErasureJournal
  files: Files
  /** Renders the form as HTML for the owner to copy into the page at the address `page`. */
  formHtml(form: Form, page?: string): string
  /** Renders the form as it looks, to show it to its owner; times are told in `timezone`. */
  formPreview(form: Form, timezone: string): string
  /** False while so little disk space is free that it is reserved for questions and deliveries. */
  hasDiskSpace(): Promise<boolean>
  config: {
    publicUrl: string
    timezone: string
    trustedProxies: string[]
    /** Form posts of one visitor received in any 60 seconds; further ones are stored as `unwanted`. */
    formPerVisitorMinute: number
    formDay: DailyLimits
  }
}

/** Wording of the mails about forms. A face supplies it: the domain holds no sentences. */
export interface FormMails {
  /** Asks a visitor to confirm a consent whose wording is `text`; `isReceipt`: tells what arrived, too. */
  confirmation(about: AboutForm & { text: string; link: string; isReceipt: boolean }): MailText
  /**
   * Tells the owner about a new response; `values` is empty unless the owner wants to see what was typed.
   * `canReply`: an answer to the mail goes to the person who wrote.
   */
  notice(about: AboutForm & { link: string; values: MailedValue[]; canReply: boolean }): MailText
  /** Asks an address whether it wants to be told about new responses. */
  noticeAddress(about: AboutForm & { link: string }): MailText
  digest(about: AboutForm & { count: number; link: string }): MailText
  /** Tells the person who wrote that it arrived. `thanks`: the owner's own words, if any. */
  receipt(about: AboutForm & { thanks: string | null; at: number; timezone: string }): MailText
}

/** Value of a field, a text or files: each file has the address that it is read at. */
export interface MailedValue {
  label: string
  value: string
  links: { name: string; url: string }[]
}

interface AboutForm {
  site: Form["site"]
  form: string
}

type MailText = Required<Pick<NewMail, "subject" | "text" | "html">>
