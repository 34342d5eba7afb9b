import { createHash, randomBytes } from "node:crypto"
import { dayMs, hourMs, minuteMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/sqlite/connection.ts"
import type { Account, Operator, Role } from "./operator.ts"
import type { Workspace } from "./workspace.ts"

/** A browser that is signed in, and what it may do in the workspace it shows. */
export interface Session {
  /** Names it to our own code; what its browser holds cannot be told from it. */
  hash: string
  operator: Operator
  workspace: Workspace
  role: Role
}

/** Whichever comes first ends a session. */
export const sessionIdleMs = 12 * hourMs
export const sessionLongestMs = 14 * dayMs
/** Every page would otherwise cost a durable write. */
const seenRecordedEveryMs = 5 * minuteMs

/**
 * Signs a browser in to a workspace of the operator: the wanted one, or else the one that was seen last.
 * Resolves to what it is to hold: 256 random bits, kept by us as a hash alone; to undefined for who is a
 * member of none, or whose password was changed since it was looked at: that ended every session.
 */
export async function openSession(
  db: Db,
  operator: Operator & Partial<Account>,
  nowMs: number,
  wantedWorkspaceId = "",
): Promise<{ text: string } | undefined> {
  const text = randomBytes(32).toString("base64url")
  return db.transaction().execute(async (transaction) => {
    const workspaceId = await openingWorkspace(transaction, operator, wantedWorkspaceId)
    if (workspaceId === undefined) return undefined
    await transaction
      .insertInto("session")
      .values({
        hash: hashOf(text),
        operator_id: operator.id,
        workspace_id: workspaceId,
        created_at: nowMs,
        seen_at: nowMs,
      })
      .execute()
    return { text }
  })
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
      "desc",
    )
    .orderBy("workspace_id")
    .limit(1)
    .executeTakeFirst()
  return member?.workspace_id
}

/** The session that a browser's cookie names, if it still stands; it then goes on. */
export async function findSession(db: Db, text: string, nowMs: number): Promise<Session | undefined> {
  const row = await db
    .selectFrom("session")
    .innerJoin("operator", "operator.id", "session.operator_id")
    .innerJoin("workspace", "workspace.id", "session.workspace_id")
    // Who is no member any more has no session there.
    .innerJoin("member", (join) =>
      join
        .onRef("member.operator_id", "=", "session.operator_id")
        .onRef("member.workspace_id", "=", "session.workspace_id"),
    )
    .select(["session.hash", "seen_at", "operator.id as operator_id", "email", "role"])
    .select(["workspace.id as workspace_id", "workspace.name", "organisation_id"])
    .select("workspace.created_at as workspace_created_at")
    .where("session.hash", "=", hashOf(text))
    .where("seen_at", ">", nowMs - sessionIdleMs)
    .where("session.created_at", ">", nowMs - sessionLongestMs)
    .executeTakeFirst()
  if (!row) return undefined
  if (nowMs - row.seen_at >= seenRecordedEveryMs) await recordSeen(db, row.hash, nowMs)
  return {
    hash: row.hash,
    operator: { id: row.operator_id, email: row.email },
    workspace: {
      id: row.workspace_id,
      organisationId: row.organisation_id,
      name: row.name,
      createdAt: row.workspace_created_at,
    },
    role: row.role,
  }
}

/** The workspaces that an operator is a member of, by name. */
export async function workspacesOf(db: Db, operatorId: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom("member")
    .innerJoin("workspace", "workspace.id", "member.workspace_id")
    .select(["workspace.id", "workspace.name"])
    .where("operator_id", "=", operatorId)
    .orderBy("workspace.name")
    .orderBy("workspace.id")
    .execute()
}

/**
 * Shows another workspace. False when the operator is no member of it. Throws Refusal `forbidden` when they
 * were signed out of it while this session showed another: what was ended stays ended.
 */
export async function switchWorkspace(db: Db, session: Session, workspaceId: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const shut = await transaction
      .selectFrom("shut_session")
      .select("session_hash")
      .where("session_hash", "=", session.hash)
      .where("workspace_id", "=", workspaceId)
      .executeTakeFirst()
    if (shut)
      throw new Refusal("forbidden", detail("accounts.shutOut"), { reason: "signed out of that workspace" })
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

/**
 * In the caller's transaction, for who has just become a member: shows the workspace, also to whom it was
 * shut as a member of before.
 */
export async function reopenWorkspace(
  transaction: Db,
  { hash }: Session,
  workspaceId: string,
): Promise<void> {
  await transaction
    .deleteFrom("shut_session")
    .where("session_hash", "=", hash)
    .where("workspace_id", "=", workspaceId)
    .execute()
  await transaction
    .updateTable("session")
    .set({ workspace_id: workspaceId })
    .where("hash", "=", hash)
    .execute()
}

export async function closeSession(db: Db, { hash }: Session): Promise<void> {
  await db.deleteFrom("session").where("hash", "=", hash).execute()
}

/** Signs everybody out. */
export async function closeAllSessions(db: Db): Promise<void> {
  await db.deleteFrom("session").execute()
}

/** Signs the operator out in every browser. */
export async function closeEverySession(db: Db, operatorId: string): Promise<void> {
  await db.deleteFrom("session").where("operator_id", "=", operatorId).execute()
}

/**
 * In the caller's transaction: signs the operator out of one workspace, in every browser. What they do
 * elsewhere goes on, since a workspace has no say in another one's people; but a session that shows another
 * one does not come back to this one.
 */
export async function closeSessionsIn(
  transaction: Db,
  operatorId: string,
  workspaceId: string,
): Promise<void> {
  await transaction
    .deleteFrom("session")
    .where("operator_id", "=", operatorId)
    .where("workspace_id", "=", workspaceId)
    .execute()
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

/** Forgets sessions that have ended, links that are void, and tries of long ago. */
export async function purgeSessions(db: Db, nowMs: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom("session")
      .where((row) =>
        row.or([
          row("seen_at", "<=", nowMs - sessionIdleMs),
          row("created_at", "<=", nowMs - sessionLongestMs),
        ]),
      )
      .execute()
    await transaction.deleteFrom("setup_link").where("expires_at", "<=", nowMs).execute()
    await transaction.deleteFrom("invitation").where("expires_at", "<=", nowMs).execute()
    await transaction
      .deleteFrom("sign_in_try")
      .where("last_at", "<=", nowMs - dayMs)
      .execute()
  })
}

/** A full disk must not sign anybody out. */
async function recordSeen(db: Db, hash: string, nowMs: number): Promise<void> {
  await db
    .updateTable("session")
    .set({ seen_at: nowMs })
    .where("hash", "=", hash)
    .execute()
    .catch(() => {})
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url")
}
