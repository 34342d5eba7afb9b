import { type Clock, minuteMs } from "../base/clock.ts"
import { newId } from "../base/ids.ts"
import type { Log } from "../base/log.ts"
import type { Db } from "../db/sqlite/connection.ts"
import type { Vault } from "../db/vault.ts"

export interface OutgoingMail {
  /** One bare address. */
  to: string
  subject: string
  text: string
}

export interface NewMail extends OutgoingMail {
  /** Whose mail it is: each workspace has its own share of the outbox, and its turn. */
  workspaceId: string
  /** Id of what it is about: erased together with it. */
  about?: string
}

/**
 * Hands a mail to whoever carries it; rejects when it was not taken, with MailRefused when it never will be.
 */
export type SendMail = (mail: OutgoingMail & { id: string }) => Promise<void>

export class MailRefused extends Error {
  override readonly name = "MailRefused"
}

export interface Mailer extends AsyncDisposable {
  /** False: no SMTP server is set; what is queued waits for one. */
  configured: boolean
  /**
   * Stores a mail in the transaction of what it tells about: it is sent once that is committed, after a crash
   * too. False, and nothing is stored, when too many of the workspace wait already.
   */
  queue(transaction: Db, mail: NewMail, nowMs: number): Promise<boolean>
  /** Sends what is due in the background. To be called after a commit. */
  wake(): void
  /** Sends what is due; resolves once that is done. A mail that nobody takes is tried again later. */
  sendDue(): Promise<void>
}

/** After each failure; the last is given up after some four days. */
const retryAfterMs = [1, 5, 15, 60, 180, 360, 720, 1440, 1440, 1440].map((minutes) => minutes * minuteMs)
/** What a crash leaves claimed is tried again after this. */
const leaseMs = 10 * minuteMs
/**
 * Of one workspace: a server that is down for a day must not fill the disk, nor one tenant keep all others
 * waiting.
 */
export const mostWaiting = 1000
/** Of one workspace, the newest: whoever types addresses that do not exist must not fill the disk either. */
const mostGivenUp = 100
/**
 * Each of another workspace: a server that is slow with the mails of one keeps the next waiting, not
 * everybody.
 */
const mostAtOnce = 3

/** `send` undefined: nothing can be sent. */
export function openMailer(
  { db, vault, clock, log }: { db: Db; vault: Vault; clock: Clock; log: Log },
  send: SendMail | undefined,
): Mailer {
  const workers = new Set<Promise<void>>()
  /** Workspaces of which a mail is being sent. */
  const served = new Set<string>()
  let lastServed = ""
  let again = false
  let stopped = false

  async function sendAll(carry: SendMail): Promise<void> {
    do {
      again = false
      for (let mail = await claim(); mail; mail = await claim()) {
        try {
          await sendOne(carry, mail)
        } finally {
          served.delete(mail.workspace_id)
        }
      }
    } while (again && !stopped)
  }

  async function sendOne(carry: SendMail, mail: Claimed): Promise<void> {
    try {
      await carry({ ...opened(mail), id: mail.id })
    } catch (error) {
      await putOff(mail, error)
      return
    }
    await db.deleteFrom("mail").where("id", "=", mail.id).execute()
  }

  function opened({ id, sealed }: Claimed): OutgoingMail {
    return JSON.parse(vault.open(sealed, purposeOf(id)))
  }

  async function claim(): Promise<Claimed | undefined> {
    const nowMs = clock.now()
    if (stopped || !(await isAnyDue(db, nowMs))) return undefined
    const due = await db.transaction().execute(async (transaction) => {
      const next = (after: string) => nextDue(transaction, { after, but: [...served] }, nowMs)
      const due = (await next(lastServed)) ?? (await next(""))
      if (!due) return undefined
      await transaction
        .updateTable("mail")
        .set({ due_at: nowMs + leaseMs, attempts: due.attempts + 1 })
        .where("id", "=", due.id)
        .execute()
      // Here, since the next transaction begins before this one is on the disk.
      lastServed = due.workspace_id
      served.add(lastServed)
      return due
    })
    return due
  }

  async function putOff(mail: Claimed, error: unknown): Promise<void> {
    const { id, attempts } = mail
    const delayMs = error instanceof MailRefused ? undefined : retryAfterMs[attempts]
    // What a server says may hold the address of the person.
    log.warn("mail not sent", {
      mail: id,
      attempt: attempts + 1,
      again: delayMs !== undefined,
      code: codeOf(error),
    })
    const nowMs = clock.now()
    if (delayMs === undefined) await giveUp(db, mail, nowMs)
    else
      await db
        .updateTable("mail")
        .set({ due_at: nowMs + delayMs })
        .where("id", "=", id)
        .execute()
  }

  async function sendDue(): Promise<void> {
    if (!send || stopped) return
    again = true
    if (workers.size < mostAtOnce) {
      const worker = sendAll(send).finally(() => workers.delete(worker))
      workers.add(worker)
    }
    await Promise.all(workers)
  }

  return {
    configured: send !== undefined,
    sendDue,
    async queue(transaction, { about, workspaceId, ...mail }, nowMs) {
      if (await isFull(transaction, workspaceId)) {
        log.warn("mail not queued: too many of the workspace wait", { workspace: workspaceId, about })
        return false
      }
      const id = newId("mail", nowMs)
      const sealed = vault.seal(JSON.stringify(mail), purposeOf(id))
      await transaction
        .insertInto("mail")
        .values({
          id,
          workspace_id: workspaceId,
          about: about ?? null,
          sealed,
          attempts: 0,
          due_at: nowMs,
          failed_at: null,
          created_at: nowMs,
        })
        .execute()
      return true
    },
    wake() {
      sendDue().catch((error) => log.error("mails cannot be sent", { error }))
    },
    async [Symbol.asyncDispose]() {
      stopped = true
      await Promise.allSettled(workers)
    },
  }
}

interface Claimed {
  id: string
  workspace_id: string
  sealed: string
  attempts: number
}

/** The oldest due mail of the workspace whose turn it is: the one after the last that was served. */
function nextDue(
  transaction: Db,
  { after, but }: { after: string; but: readonly string[] },
  nowMs: number,
): Promise<Claimed | undefined> {
  return transaction
    .selectFrom("mail")
    .select(["id", "workspace_id", "sealed", "attempts"])
    .where("failed_at", "is", null)
    .where("due_at", "<=", nowMs)
    .where("workspace_id", after === "" ? ">=" : ">", after)
    .$if(but.length > 0, (query) => query.where("workspace_id", "not in", but))
    .orderBy("workspace_id")
    .orderBy("due_at")
    .limit(1)
    .executeTakeFirst()
}

/** Looked at first: every minute nothing is due, and a transaction of its own is not for free. */
async function isAnyDue(db: Db, nowMs: number): Promise<boolean> {
  const due = await db
    .selectFrom("mail")
    .select("id")
    .where("failed_at", "is", null)
    .where("due_at", "<=", nowMs)
    .limit(1)
    .executeTakeFirst()
  return due !== undefined
}

async function isFull(db: Db, workspaceId: string): Promise<boolean> {
  const beyond = await db
    .selectFrom("mail")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("failed_at", "is", null)
    .limit(1)
    .offset(mostWaiting - 1)
    .executeTakeFirst()
  return beyond !== undefined
}

async function giveUp(db: Db, { id, workspace_id }: Claimed, nowMs: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.updateTable("mail").set({ failed_at: nowMs }).where("id", "=", id).execute()
    const tooMany = transaction
      .selectFrom("mail")
      .select("id")
      .where("workspace_id", "=", workspace_id)
      .where("failed_at", "is not", null)
      .orderBy("failed_at", "desc")
      .limit(-1)
      .offset(mostGivenUp)
    await transaction.deleteFrom("mail").where("id", "in", tooMany).execute()
  })
}

function purposeOf(id: string): string {
  return `mail ${id}`
}

function codeOf(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return [code ?? "unknown", responseCode].filter(Boolean).join(" ")
}
