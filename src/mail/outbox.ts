import { sql } from "kysely"
import { sleep } from "../base/async.ts"
import { type Clock, minuteMs, secondMs } from "../base/clock.ts"
import type { Explanation } from "../base/errors.ts"
import { newId } from "../base/ids.ts"
import type { Log } from "../base/log.ts"
import type { Db } from "../db/connection.ts"
import { mailSent, markRun } from "../db/job-run.ts"
import { isOrphaned } from "../db/node.ts"
import type { Row } from "../db/schema.ts"
import { changeRows, insertRows } from "../db/store.ts"
import type { Vault } from "../db/vault.ts"
import { lockUntilCommit, withLock } from "../db/with-lock.ts"
import { shareId, sharingWith } from "../limits/share.ts"
import { tlsTrouble } from "../outbound/failure.ts"

export interface OutgoingMail {
  to: string
  subject: string
  text: string
  /** The same as HTML, for programs that show it. */
  html?: string
  /** Name that the sender is shown by, instead of that of the setting; its address stays. */
  fromName?: string
  /** One address, without a display name, that an answer goes to instead of the sender's. */
  replyTo?: string
  /** It answers an action of the person it goes to. */
  isReply?: boolean
}

export interface NewMail extends OutgoingMail {
  /** Each workspace has its turn, and its share of the outbox, alone or with others. */
  workspaceId: string
  /** Id of the object that the mail concerns, or what kind it is. Erasing the object also erases the mail. */
  about?: string
  /** How many about the same may wait, where that is fewer than of the whole workspace. */
  atMost?: number
  /** Afterwards the mail is of no use: it is dropped unsent, and leaves its place to others about the same. */
  lifetimeMs?: number
  /** Stored like any other, and never sent: the time of a reply does not betray whether the address is known. */
  isDecoy?: boolean
}

/** Rejects when the server did not accept the mail, with MailRefused when it never will. */
export type SendMail = (mail: OutgoingMail & { id: string }) => Promise<void>

export class MailRefused extends Error {
  override readonly name = "MailRefused"
}

export interface Mailer extends AsyncDisposable {
  /** False without an SMTP server: queued mails wait for one. */
  configured: boolean
  /**
   * Stores a mail in the caller's transaction: it is sent once the transaction is committed, even after a
   * crash. Resolves to false, and stores nothing, when `maxQueuedPerWorkspace` mails of the workspace wait
   * already, or `atMost` about the same.
   */
  queue(transaction: Db, mail: NewMail, nowMs: number): Promise<boolean>
  /** Sends due mails in the background. Call it after a commit. */
  wake(): void
  /** Sends due mails, and resolves afterwards. A mail that fails is retried later. */
  sendDue(): Promise<void>
  /** Sends what a node died in the middle of. */
  takeOver(): Promise<void>
}

/** Delay after each failure. A mail is given up after some four days. */
const retryAfterMs = [1, 5, 15, 60, 180, 360, 720, 1440, 1440, 1440].map((minutes) => minutes * minuteMs)
/** Lifetime of a claim. A mail claimed by a process that crashed is retried afterwards. */
const leaseMs = 10 * minuteMs
/** A mail server that is down for a day must not fill the disk, nor one tenant delay all others. */
export const maxQueuedPerWorkspace = 1000
/** The newest failed mails per workspace: mails to addresses that do not exist must not fill the disk. */
const maxFailedPerWorkspace = 100
/** Each of another workspace: slow deliveries of one do not delay all others. */
const maxConcurrentSends = 3
const forgetEveryMs = secondMs

interface MailerDeps {
  db: Db
  vault: Vault
  clock: Clock
  log: Log
  /** This process among the nodes; undefined where it is the only one. */
  node?: { id: string | undefined }
  /** For the log, which is in English. */
  inWords(told: Explanation): string
}

interface Outbox extends MailerDeps {
  workers: Set<Promise<void>>
  inFlight: Set<string>
  lastServed: string
  /** Mails may have become due since the workers looked. */
  again: boolean
  stop: AbortController
}

/** Opens the outbox. Without `send`, mails are queued but not sent. */
export function openMailer(deps: MailerDeps, send: SendMail | undefined): Mailer {
  const { db, clock, log } = deps
  const workers = new Set<Promise<void>>()
  const inFlight = new Set<string>()
  const outbox = { ...deps, workers, inFlight, lastServed: "", again: false, stop: new AbortController() }

  async function sendDue(): Promise<void> {
    if (!send || outbox.stop.signal.aborted) return
    outbox.again = true
    if (workers.size < maxConcurrentSends) {
      const worker = sendAll(outbox, send).finally(() => workers.delete(worker))
      workers.add(worker)
    }
    await Promise.all(workers)
  }

  function wake(): void {
    sendDue().catch((error) => log.error("mails cannot be sent", { error }))
  }

  return {
    configured: send !== undefined,
    sendDue,
    queue: (transaction, mail, nowMs) => queueMail(deps, transaction, mail, nowMs),
    async takeOver() {
      const { numUpdatedRows } = await db
        .updateTable("mail")
        .set({ due_at: clock.now(), node_id: null })
        .where("failed_at", "is", null)
        .where(isOrphaned("mail"))
        .executeTakeFirstOrThrow()
      if (numUpdatedRows > 0n) wake()
    },
    wake,
    async [Symbol.asyncDispose]() {
      outbox.stop.abort()
      await Promise.allSettled(workers)
    },
  }
}

async function queueMail(
  { log, vault }: MailerDeps,
  transaction: Db,
  { about, atMost, workspaceId, ...mail }: NewMail,
  nowMs: number,
): Promise<boolean> {
  await lockUntilCommit(transaction, `outbox:${await shareId(transaction, workspaceId)}`)
  if (about && mail.lifetimeMs !== undefined)
    await forgetMails(transaction, about, { untilMs: nowMs - mail.lifetimeMs })
  const ofWorkspace = { workspace_id: await sharingWith(transaction, workspaceId) }
  const isFull =
    (await areWaiting(transaction, ofWorkspace, maxQueuedPerWorkspace)) ||
    (about && atMost && (await areWaiting(transaction, { about: [about] }, atMost)))
  if (isFull) {
    log.warn("mail not queued: too many of the workspace wait", { workspace: workspaceId, about })
    return false
  }
  const id = newId("mail", nowMs)
  const sealed = vault.seal(JSON.stringify(mail), sealPurpose(id))
  await insertRows(transaction, "mail", {
    id,
    workspace_id: workspaceId,
    about: about ?? null,
    sealed,
    attempts: 0,
    due_at: nowMs,
    failed_at: null,
    node_id: null,
    created_at: nowMs,
  })
  return true
}

async function sendAll(outbox: Outbox, send: SendMail): Promise<void> {
  do {
    outbox.again = false
    for (let mail = await claim(outbox); mail; mail = await claim(outbox)) {
      try {
        await sendOne(outbox, send, mail)
      } finally {
        outbox.inFlight.delete(mail.workspace_id)
      }
    }
  } while (outbox.again && !outbox.stop.signal.aborted)
}

async function claim(outbox: Outbox): Promise<Claimed | undefined> {
  const { db, clock, node, inFlight } = outbox
  const nowMs = clock.now()
  if (outbox.stop.signal.aborted || !(await isAnyDue(db, nowMs))) return undefined
  return withLock(db, "outbox", async (transaction) => {
    const next = (after: string) => nextDue(transaction, { after, but: [...inFlight] }, nowMs)
    const due = (await next(outbox.lastServed)) ?? (await next(""))
    if (!due) return undefined
    const claimed = { due_at: nowMs + leaseMs, attempts: due.attempts + 1, node_id: node?.id ?? null }
    await changeRows(transaction, "mail", { id: due.id }, claimed)
    // Set within the transaction, because the next one may begin before this one is on the disk.
    outbox.lastServed = due.workspace_id
    inFlight.add(due.workspace_id)
    return due
  })
}

async function sendOne(outbox: Outbox, send: SendMail, mail: Claimed): Promise<void> {
  const { db, clock, log } = outbox
  try {
    const { isDecoy, lifetimeMs = Number.POSITIVE_INFINITY, ...outgoing } = unseal(outbox, mail)
    if (isDecoy || mail.created_at + lifetimeMs <= clock.now()) return await forget(outbox, mail)
    await send({ ...outgoing, id: mail.id })
  } catch (error) {
    await retryLater(outbox, mail, error)
    return
  }
  log.debug("mail sent", { mail: mail.id, workspace: mail.workspace_id, attempt: mail.attempts + 1 })
  await forget(outbox, mail)
  await markRun(db, mailSent, clock.now())
}

function unseal({ vault }: Outbox, { id, sealed }: Claimed) {
  return JSON.parse(vault.open(sealed, sealPurpose(id)))
}

/** Tries again while the database is away: the mail must not be sent twice. */
async function forget({ db, stop }: Outbox, { id }: Claimed): Promise<void> {
  const endsAtMs = performance.now() + leaseMs
  for (;;) {
    try {
      await db.deleteFrom("mail").where("id", "=", id).execute()
      return
    } catch (error) {
      if (stop.signal.aborted || performance.now() > endsAtMs) throw error
      await sleep(forgetEveryMs, stop.signal).catch(() => {})
    }
  }
}

async function retryLater({ db, clock, log, inWords }: Outbox, mail: Claimed, error: unknown): Promise<void> {
  const { id, attempts, workspace_id } = mail
  const delayMs = error instanceof MailRefused ? undefined : retryAfterMs[attempts]
  const trouble = tlsTrouble(mailErrorCode(error) ?? "")
  // Logs the code only: the server's message may contain the recipient's address.
  log.warn("mail not sent", {
    mail: id,
    attempt: attempts + 1,
    again: delayMs !== undefined,
    code: failureCode(error),
    ...(trouble && { reason: inWords(trouble) }),
  })
  const nowMs = clock.now()
  // A later claim decides.
  const own = { id, attempts: attempts + 1 }
  if (delayMs !== undefined) await changeRows(db, "mail", own, { due_at: nowMs + delayMs, node_id: null })
  else
    await db.transaction().execute(async (transaction) => {
      await changeRows(transaction, "mail", own, { failed_at: nowMs })
      await dropFailed(transaction, workspace_id)
    })
}

/** Deletes what waits in the outbox about an object, or the part of it that was queued until then. */
export async function forgetMails(db: Db, about: string, { untilMs = Number.MAX_SAFE_INTEGER } = {}) {
  await db.deleteFrom("mail").where("about", "=", about).where("created_at", "<=", untilMs).execute()
}

type Claimed = Pick<Row<"mail">, "id" | "workspace_id" | "sealed" | "attempts" | "created_at">

/** Round robin: the oldest due mail of the first workspace after `after`, except the workspaces in `but`. */
function nextDue(transaction: Db, { after, but }: { after: string; but: readonly string[] }, nowMs: number) {
  return transaction
    .selectFrom("mail")
    .select(["id", "workspace_id", "sealed", "attempts", "created_at"])
    .where("failed_at", "is", null)
    .where("due_at", "<=", nowMs)
    .where("workspace_id", after === "" ? ">=" : ">", after)
    .$if(but.length > 0, (query) => query.where("workspace_id", "not in", but))
    .orderBy("workspace_id")
    .orderBy("due_at")
    .limit(1)
    .executeTakeFirst()
}

/** Checked first, because usually nothing is due and a write transaction costs more than a read. */
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

/** Whether so many mails of a workspace, or about the same, wait to be sent. */
async function areWaiting(db: Db, of: { workspace_id: string[] } | { about: string[] }, count: number) {
  const last = await db
    .selectFrom("mail")
    .select("id")
    .where((by) => by.and(Object.entries(of).map(([column, those]) => by(sql.ref(column), "in", those))))
    .where("failed_at", "is", null)
    .limit(1)
    .offset(count - 1)
    .executeTakeFirst()
  return last !== undefined
}

async function dropFailed(transaction: Db, workspaceId: string): Promise<void> {
  const tooMany = transaction
    .selectFrom("mail")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("failed_at", "is not", null)
    .orderBy("failed_at", "desc")
    .limit(Number.MAX_SAFE_INTEGER)
    .offset(maxFailedPerWorkspace)
  await transaction.deleteFrom("mail").where("id", "in", tooMany).execute()
}

function sealPurpose(id: string): string {
  return `mail ${id}`
}

/** The code of the system or of OpenSSL, which the mail library puts behind its own; its own otherwise. */
export function mailErrorCode(error: unknown): string | undefined {
  const { code, originalCode } = error as { code?: string; originalCode?: string }
  return originalCode ?? code
}

function failureCode(error: unknown): string {
  const { responseCode } = error as { responseCode?: number }
  return [mailErrorCode(error) ?? "unknown", responseCode].filter(Boolean).join(" ")
}
