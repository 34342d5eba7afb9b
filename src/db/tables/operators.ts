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
  /** argon2id, in its standard text form. */
  password_hash: string
  created_at: number
}

/** Each role includes the rights of the one before. */
export type Role = "viewer" | "editor" | "owner"

/** An operator in a workspace. */
interface Member {
  workspace_id: string
  operator_id: string
  role: Role
  created_at: number
}

/** A signed-in browser. Signing out deletes the row. */
interface Session {
  /** SHA-256 of the cookie's text, base64url: 32 random bytes need no slow hash. */
  hash: string
  operator_id: string
  /** The workspace that the browser shows. */
  workspace_id: string
  created_at: number
  seen_at: number
}

/**
 * A browser that was signed out of a workspace while it showed another one. It may not show this one again
 * until the operator signs in anew.
 */
interface ShutSession {
  session_hash: string
  workspace_id: string
}

/**
 * Lets a person who has the link and signs in with the address become a member. Accepting or revoking deletes
 * the row.
 */
interface Invitation {
  id: string
  workspace_id: string
  /** In lower case. */
  email: string
  role: Role
  /** SHA-256 of the text in the link, base64url. */
  hash: string
  created_at: number
  expires_at: number
}

/** Lets a person who can read the log create the first operator. Void as soon as there is an owner. */
interface SetupLink {
  /** SHA-256, base64url. */
  hash: string
  expires_at: number
}

/** Number of recent failed tries to sign in. */
interface SignInTry {
  /** `account:<keyed hash>`, `address:…`, `pair:…` of both, or `browser:…`. */
  subject: string
  tries: number
  last_at: number
}

/** Place from where an operator has signed in. Other people's tries at the account do not slow it. */
interface SignInPlace {
  /** Keyed hash of the account with a network address, or with a browser's cookie. */
  place: string
  operator_id: string
  seen_at: number
}
