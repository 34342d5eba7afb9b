import type { ExpressionBuilder } from "kysely"
import { dayMs, hourMs, minuteMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import { newSecretText, sha256 } from "../base/hash.ts"
import type { Db } from "../db/connection.ts"
import { deleteInSteps } from "../db/delete-in-steps.ts"
import type { Schema } from "../db/schema.ts"
import { changeRows, deleteRows, findRow, insertRows } from "../db/store.ts"
import { withLock } from "../db/with-lock.ts"
import type { Account, Operator, Role } from "./operator.ts"
import { placeRetentionMs } from "./sign-in-place.ts"
import { sessionsLock } from "./subjects.ts"
import { findWorkspace, type Workspace } from "./workspace.ts"

/** A signed-in browser, and the operator's role in the workspace it shows. */
export interface Session {
  /** Identifies the session to our code. The cookie of the browser cannot be derived from it. */
  hash: string
  operator: Operator
  workspace: Workspace
  role: Role
  /** Whether the operator administers the installation: owns the default workspace, and may show it. */
  administers: boolean
  /** The workspace asks for a second factor, and the operator, who signed in by password, has none. */
  mustEnrol: boolean
}

/** A session ends after the idle time, or after the whole time at the latest. */
export const sessionIdleMs = 12 * hourMs
export const sessionLongestMs = 14 * dayMs
/** Sessions of one operator: a sign-in beyond them ends the oldest. */
export const maxSessions = 100
/** `seen_at` is only this precise: every page would otherwise cost a durable write. */
const seenRecordedEveryMs = 5 * minuteMs

/** Characters kept of a `User-Agent`, which a browser may write at any length. */
const maxUserAgent = 400

interface Opening {
  workspaceId?: string | undefined
  userAgent?: string | undefined
  /** The text of the cookie that it had: that session ends. */
  replaces?: string | undefined
}

/**
 * Signs a browser in to a workspace of the operator: the wanted one, or else the last one shown. Resolves to
 * the text of its cookie: 256 random bits, of which only a hash is stored. Resolves to undefined when the
 * operator is a member of no workspace, or when the password has changed since `passwordHash` was read: that
 * change ended every session.
 */
export async function openSession(
  db: Db,
  operator: Operator & Partial<Account>,
  nowMs: number,
  { workspaceId: wantedWorkspaceId = "", userAgent, replaces }: Opening = {},
): Promise<{ text: string } | undefined> {
  const text = newSecretText()
  return withLock(db, sessionsLock(operator.id), async (transaction) => {
    const workspaceId = await openingWorkspace(transaction, operator, wantedWorkspaceId)
    if (workspaceId === undefined) return undefined
    if (replaces !== undefined) await closeSessions(transaction, { hash: sha256(replaces) })
    await insertRows(transaction, "session", {
      hash: sha256(text),
      operator_id: operator.id,
      workspace_id: workspaceId,
      created_at: nowMs,
      seen_at: nowMs,
      user_agent: userAgent?.slice(0, maxUserAgent) ?? null,
    })
    await closeOldest(transaction, operator.id, sha256(text))
    return { text }
  })
}

async function closeOldest(transaction: Db, operatorId: string, present: string): Promise<void> {
  await transaction
    .deleteFrom("session")
    .where("hash", "in", (query) =>
      query
        .selectFrom("session")
        .select("hash")
        .where("operator_id", "=", operatorId)
        .orderBy((row) => row("hash", "=", present), "desc")
        .orderBy("created_at", "desc")
        // SQLite knows no OFFSET without LIMIT.
        .limit(1000)
        .offset(maxSessions),
    )
    .execute()
}

async function openingWorkspace(
  db: Db,
  { id, passwordHash }: Operator & Partial<Account>,
  wantedWorkspaceId: string,
): Promise<string | undefined> {
  const member = await db
    .selectFrom("member")
    .innerJoin("operator", "operator.id", "member.operator_id")
    .select("workspace_id")
    .where("operator_id", "=", id)
    .$if(passwordHash !== undefined, (query) => query.where("password_hash", "=", passwordHash as string))
    .orderBy((row) => row("workspace_id", "=", wantedWorkspaceId), "desc")
    .orderBy(
      ({ selectFrom }) =>
        selectFrom("session")
          .select(({ fn }) => fn.max("seen_at").as("seen_at"))
          .whereRef("session.operator_id", "=", "member.operator_id")
          .whereRef("session.workspace_id", "=", "member.workspace_id"),
      (order) => order.desc().nullsLast(),
    )
    .orderBy("workspace_id")
    .limit(1)
    .executeTakeFirst()
  return member?.workspace_id
}

/** Finds the session of a cookie unless it has ended, and extends its idle time. */
export async function findSession(db: Db, text: string, nowMs: number): Promise<Session | undefined> {
  const row = await db
    .selectFrom("session")
    .innerJoin("operator", "operator.id", "session.operator_id")
    .innerJoin("workspace", "workspace.id", "session.workspace_id")
    // A former member has no session in the workspace.
    .innerJoin("member", (join) =>
      join
        .onRef("member.operator_id", "=", "session.operator_id")
        .onRef("member.workspace_id", "=", "session.workspace_id"),
    )
    .select(["session.hash", "seen_at", "operator.id as operator_id", "email", "role"])
    .select(["workspace.id as workspace_id", "workspace.name", "organisation_id"])
    .select("workspace.created_at as workspace_created_at")
    .select(["requires_second_factor", ownsDefaultWorkspace, hasFactor, isOfProvider])
    .where("session.hash", "=", sha256(text))
    .where("seen_at", ">", nowMs - sessionIdleMs)
    .where("session.created_at", ">", nowMs - sessionLongestMs)
    .executeTakeFirst()
  if (!row) return undefined
  // A full disk must not sign anyone out.
  if (nowMs - row.seen_at >= seenRecordedEveryMs)
    await changeRows(db, "session", { hash: row.hash }, { seen_at: nowMs }).catch(() => {})
  return {
    hash: row.hash,
    operator: { id: row.operator_id, email: row.email },
    workspace: {
      id: row.workspace_id,
      organisationId: row.organisation_id,
      name: row.name,
      createdAt: row.workspace_created_at,
      requiresSecondFactor: row.requires_second_factor === 1,
    },
    role: row.role,
    administers: Boolean(row.administers),
    mustEnrol: row.requires_second_factor === 1 && !row.has_factor && !row.is_of_provider,
  }
}

/** Opened by the OpenID provider, whose business the second factor is. */
function isOfProvider({ exists, selectFrom }: ExpressionBuilder<Schema, "session">) {
  return exists(
    selectFrom("provider_session")
      .select("provider_session.session_hash")
      .whereRef("provider_session.session_hash", "=", "session.hash"),
  ).as("is_of_provider")
}

/** Owner of the default workspace, and not signed out of it. */
function ownsDefaultWorkspace({ exists, selectFrom }: ExpressionBuilder<Schema, "session">) {
  return exists(
    selectFrom("member as own")
      .select("own.role")
      .whereRef("own.operator_id", "=", "session.operator_id")
      .where("own.role", "=", "owner")
      .where("own.workspace_id", "=", (query) =>
        query.selectFrom("workspace").select("id").orderBy("number").limit(1),
      )
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom("shut_session")
              .select("session_hash")
              .whereRef("session_hash", "=", "session.hash")
              .whereRef("shut_session.workspace_id", "=", "own.workspace_id"),
          ),
        ),
      ),
  ).as("administers")
}

function hasFactor({ exists, or, selectFrom }: ExpressionBuilder<Schema, "session">) {
  return or([
    exists(
      selectFrom("totp").select("totp.operator_id").whereRef("totp.operator_id", "=", "session.operator_id"),
    ),
    exists(
      selectFrom("passkey").select("passkey.id").whereRef("passkey.operator_id", "=", "session.operator_id"),
    ),
  ]).as("has_factor")
}

export async function findMembership(
  db: Db,
  operatorId: string,
  workspaceId: string,
): Promise<{ id: string; name: string } | undefined> {
  const member = await findRow(db, "member", { operator_id: operatorId, workspace_id: workspaceId })
  return member && findWorkspace(db, workspaceId)
}

/** More than anybody belongs to; what is done in all of an account's workspaces ends there. */
export const maxWorkspacesOfAccount = 1000

/** The first workspaces that an operator is a member of, by name. */
export async function listOperatorWorkspaces(
  db: Db,
  operatorId: string,
  { atMost, from = 0 }: { atMost: number; from?: number },
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom("member")
    .innerJoin("workspace", "workspace.id", "member.workspace_id")
    .select(["workspace.id", "workspace.name"])
    .where("operator_id", "=", operatorId)
    .orderBy(({ fn }) => fn<string>("lower", ["workspace.name"]))
    .orderBy("workspace.id")
    .limit(atMost)
    .offset(from)
    .execute()
}

/** Ids of the workspaces that a session was signed out of while it showed another one. */
export async function listShutWorkspaces(db: Db, { hash }: Session): Promise<Set<string>> {
  const rows = await db
    .selectFrom("shut_session")
    .select("workspace_id")
    .where("session_hash", "=", hash)
    .execute()
  return new Set(rows.map(({ workspace_id }) => workspace_id))
}

/**
 * Shows another workspace in the session. Resolves to false when the operator is not a member of it. Throws
 * Refusal `forbidden` when the operator was signed out of it while the session showed another one.
 */
export async function switchWorkspace(db: Db, session: Session, workspaceId: string): Promise<boolean> {
  return withLock(db, sessionsLock(session.operator.id), async (transaction) => {
    const place = { session_hash: session.hash, workspace_id: workspaceId }
    if (await findRow(transaction, "shut_session", place))
      throw new Refusal("forbidden", detail("accounts.shutOut"))
    const { numUpdatedRows } = await transaction
      .updateTable("session")
      .set({ workspace_id: workspaceId })
      .where("hash", "=", session.hash)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("member")
            .select("role")
            .where("operator_id", "=", session.operator.id)
            .where("workspace_id", "=", workspaceId),
        ),
      )
      .executeTakeFirst()
    return numUpdatedRows > 0n
  })
}

/** For an operator who has just become a member: lifts an earlier sign-out from the workspace. */
export async function reopenWorkspace(transaction: Db, { hash }: Session, workspaceId: string) {
  await deleteRows(transaction, "shut_session", { session_hash: hash, workspace_id: workspaceId })
  await changeRows(transaction, "session", { hash }, { workspace_id: workspaceId })
}

/** Closes one session, those of an operator in every browser, or all. */
export async function closeSessions(db: Db, which: { hash?: string; operator_id?: string } = {}) {
  await deleteRows(db, "session", which)
}

/**
 * Signs an operator out of one workspace, in every browser, in the caller's transaction. Sessions that show
 * another workspace stay open, since a workspace has no say over another one, but cannot switch back to this
 * one.
 */
export async function closeSessionsIn(transaction: Db, operatorId: string, workspaceId: string) {
  await deleteRows(transaction, "session", { operator_id: operatorId, workspace_id: workspaceId })
  await transaction
    .insertInto("shut_session")
    .columns(["session_hash", "workspace_id"])
    .expression((query) =>
      query
        .selectFrom("session")
        .select((row) => ["hash", row.val(workspaceId).as("workspace_id")])
        .where("operator_id", "=", operatorId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes ended sessions, expired links and invitations, and places not signed in from for long. */
export async function purgeSessions(db: Db, nowMs: number): Promise<void> {
  await deleteInSteps(db, "session", ({ eb, or }) =>
    or([eb("seen_at", "<=", nowMs - sessionIdleMs), eb("created_at", "<=", nowMs - sessionLongestMs)]),
  )
  await deleteInSteps(db, "setup_link", (link) => link("expires_at", "<=", nowMs))
  await deleteInSteps(db, "used_challenge", (challenge) => challenge("expires_at", "<=", nowMs))
  await deleteInSteps(db, "password_link", (link) => link("expires_at", "<=", nowMs))
  await deleteInSteps(db, "invitation", (invitation) => invitation("expires_at", "<=", nowMs))
  // Made by the link of an invitation, and never joined.
  await deleteInSteps(db, "operator", ({ and, not, exists, selectFrom }) =>
    and([
      not(exists(selectFrom("member").select("operator_id").whereRef("operator_id", "=", "operator.id"))),
      not(exists(selectFrom("invitation").select("id").whereRef("invitation.email", "=", "operator.email"))),
    ]),
  )
  await deleteInSteps(db, "sign_in_place", (place) => place("seen_at", "<=", nowMs - placeRetentionMs))
}
