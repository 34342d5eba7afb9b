export interface OperatorTables {
  operator: Operator
  member: Member
  session: Session
  shut_session: ShutSession
  invitation: Invitation
  setup_link: SetupLink
  sign_in_try: SignInTry
  sign_in_place: SignInPlace
}

/** A person who signs in to the console. */
interface Operator {
  id: string
  /** In lower case. */
  email: string
  /** argon2id, in its own text form. */
  password_hash: string
  created_at: number
}

/** What each role may do holds what the one before it may. */
export type Role = "viewer" | "editor" | "owner"

/** An operator in a workspace. */
interface Member {
  workspace_id: string
  operator_id: string
  role: Role
  created_at: number
}

/** A browser that is signed in; signed out, its row is deleted. */
interface Session {
  /** SHA-256 of what the cookie holds, base64url: 32 random bytes need no slow hash. */
  hash: string
  operator_id: string
  /** The workspace that is shown. */
  workspace_id: string
  created_at: number
  seen_at: number
}

/**
 * A browser that was signed out of a workspace while it showed another: it may not show this one until
 * somebody signs in anew.
 */
interface ShutSession {
  session_hash: string
  workspace_id: string
}

/**
 * Lets whoever holds its link, and signs in under its address, become a member. Accepted or revoked, its row
 * is deleted.
 */
interface Invitation {
  id: string
  workspace_id: string
  /** In lower case. */
  email: string
  role: Role
  /** SHA-256 of what the link holds, base64url. */
  hash: string
  created_at: number
  expires_at: number
}

/** Lets whoever can read the log, or the machine, make the first operator. Void as soon as there is one. */
interface SetupLink {
  /** SHA-256, base64url. */
  hash: string
  expires_at: number
}

/**
 * How often signing in was tried lately without success: `account:<keyed hash>`, `address:…`, `pair:…` of
 * both, `browser:…`.
 */
interface SignInTry {
  subject: string
  tries: number
  last_at: number
}

/** From where an operator has signed in: nobody else's tries at the account slow whoever comes from there. */
interface SignInPlace {
  /** Keyed hash of the account with a network address, or with what a browser holds. */
  place: string
  operator_id: string
  seen_at: number
}
