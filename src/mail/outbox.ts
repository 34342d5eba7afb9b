import { type Clock, minuteMs } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import { newId } from "../ids.ts"
import type { Log } from "../log.ts"
import type { Vault } from "../vault.ts"

export interface OutgoingMail {
  /** One bare address. */
  to: string
  subject: string
  text: string
  /** Id of what it is about: erased together with it. */
  about?: string
}

/** Hands a mail to whoever carries it; rejects when it was not taken, with MailRefused when it never will be. */
export type SendMail = (mail: OutgoingMail & { id: string }) => Promise<void>

export class MailRefused extends Error {
  override readonly name = "MailRefused"
}

export interface Mailer extends AsyncDisposable {
  /** False: no SMTP server is set; what is queued waits for one. */
  configured: boolean
  /** Stores a mail in the transaction of what it tells about: it is sent once that is committed, after a crash too. */
  queue(transaction: Db, mail: OutgoingMail, nowMs: number): Promise<void>
  /** Sends what is due in the background. To be called after a commit. */
  wake(): void
  /** Sends what is due; resolves once that is done. A mail that nobody takes is tried again later. */
  sendDue(): Promise<void>
}

/** After each failure; the last is given up after some four days. */
const retryAfterMs = [1, 5, 15, 60, 180, 360, 720, 1440, 1440, 1440].map((minutes) => minutes * minuteMs)
/** What a crash leaves claimed is tried again after this. */
const leaseMs = 10 * minuteMs

/** `send` undefined: nothing can be sent. */
export function openMailer(
  { db, vault, clock, log }: { db: Db; vault: Vault; clock: Clock; log: Log },
  send: SendMail | undefined,
): Mailer {
  let running: Promise<void> | undefined
  let again = false
  let stopped = false

  async function sendAll(carry: SendMail): Promise<void> {
    while (!stopped) {
      const mail = await claim()
      if (!mail) return
      try {
        await carry({ ...opened(mail), id: mail.id })
      } catch (error) {
        await putOff(mail, error)
        continue
      }
      await db.deleteFrom("mail").where("id", "=", mail.id).execute()
    }
  }

  function opened({ id, sealed }: { id: string; sealed: string }): OutgoingMail {
    return JSON.parse(vault.open(sealed, purposeOf(id)))
  }

  function claim() {
    const nowMs = clock.now()
    return db.transaction().execute(async (transaction) => {
      const due = await transaction
        .selectFrom("mail")
        .select(["id", "sealed", "attempts"])
        .where("failed_at", "is", null)
        .where("due_at", "<=", nowMs)
        .orderBy("due_at")
        .limit(1)
        .executeTakeFirst()
      if (!due) return undefined
      await transaction
        .updateTable("mail")
        .set({ due_at: nowMs + leaseMs, attempts: due.attempts + 1 })
        .where("id", "=", due.id)
        .execute()
      return due
    })
  }

  async function putOff({ id, attempts }: { id: string; attempts: number }, error: unknown): Promise<void> {
    const delayMs = error instanceof MailRefused ? undefined : retryAfterMs[attempts]
    // What a server says may hold the address of the person.
    log.warn("mail not sent", {
      mail: id,
      attempt: attempts + 1,
      again: delayMs !== undefined,
      code: codeOf(error),
    })
    const nowMs = clock.now()
    await db
      .updateTable("mail")
      .set(delayMs === undefined ? { failed_at: nowMs } : { due_at: nowMs + delayMs })
      .where("id", "=", id)
      .execute()
  }

  async function sendDue(): Promise<void> {
    if (!send || stopped) return
    again = true
    running ??= (async () => {
      while (again && !stopped) {
        again = false
        await sendAll(send)
      }
    })().finally(() => {
      running = undefined
    })
    await running
  }

  return {
    configured: send !== undefined,
    sendDue,
    async queue(transaction, { about, ...mail }, nowMs) {
      const id = newId("mail", nowMs)
      const sealed = vault.seal(JSON.stringify(mail), purposeOf(id))
      await transaction
        .insertInto("mail")
        .values({
          id,
          about: about ?? null,
          sealed,
          attempts: 0,
          due_at: nowMs,
          failed_at: null,
          created_at: nowMs,
        })
        .execute()
    },
    wake() {
      sendDue().catch((error) => log.error("mails cannot be sent", { error }))
    },
    async [Symbol.asyncDispose]() {
      stopped = true
      await running?.catch(() => {})
    },
  }
}

function purposeOf(id: string): string {
  return `mail ${id}`
}

function codeOf(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return [code ?? "unknown", responseCode].filter(Boolean).join(" ")
}
