import { belongsTo, flag, integer, orNull, table, text, textOf, withDefault } from "./table.ts"

/** Each role includes the rights of the one before. */
export type Role = "viewer" | "editor" | "owner"

export const operatorTables = {
  /** A person who signs in to the console. */
  operator: table({
    id: text,
    /** In lower case. */
    email: text,
    /** argon2id, in its standard text form. */
    password_hash: text,
    created_at: integer,
    /** Where password sign-in is off, until when the password that the machine's owner gave still signs in. */
    password_until: orNull(integer),
    /** Since when the address is its holder's: they read a mail to it, or a provider or the machine's owner vouched. */
    proven_at: orNull(integer),
  }).with({ unique: [["email"]], hasRowId: true }),

  /** An operator in a workspace. */
  member: table({
    workspace_id: belongsTo("workspace"),
    operator_id: belongsTo("operator"),
    role: textOf<Role>(),
    created_at: integer,
    /** 1: groups of the OpenID provider gave the role. */
    by_groups: withDefault(flag, 0),
  }).with({
    key: ["workspace_id", "operator_id"],
    indexes: { member_by_operator: { on: ["operator_id"] } },
  }),

  /** A signed-in browser. Signing out deletes the row. */
  session: table({
    /** SHA-256 of the cookie's text, base64url: 32 random bytes need no slow hash. */
    hash: text,
    operator_id: belongsTo("operator"),
    /** The workspace that the browser shows. */
    workspace_id: belongsTo("workspace"),
    created_at: integer,
    seen_at: integer,
    /** `User-Agent` of the sign-in, cut: the operator tells browsers apart by it. */
    user_agent: orNull(text),
  }).with({
    indexes: { session_by_operator: { on: ["operator_id"] } },
  }),

  /**
   * A browser that was signed out of a workspace while it showed another one. It may not show this one again
   * until the operator signs in anew.
   */
  shut_session: table({
    session_hash: belongsTo("session"),
    workspace_id: belongsTo("workspace"),
  }).with({
    key: ["session_hash", "workspace_id"],
    indexes: { shut_session_by_workspace: { on: ["workspace_id"] } },
  }),

  /**
   * Lets a person who has the link and signs in with the address become a member. Accepting or revoking deletes
   * the row.
   */
  invitation: table({
    id: text,
    workspace_id: belongsTo("workspace"),
    /** In lower case. */
    email: text,
    role: textOf<Role>(),
    /** SHA-256 of the text in the link, base64url. */
    hash: text,
    created_at: integer,
    expires_at: integer,
    /** The same of the link in the mail, which the inviter does not see: it proves the address. */
    mailed_hash: orNull(text),
  }).with({
    unique: [["hash"], ["workspace_id", "email"]],
    indexes: {
      invitation_by_mailed_hash: { on: ["mailed_hash"], where: "mailed_hash IS NOT NULL" },
    },
    hasRowId: true,
  }),

  /** Lets a person who can read the log create the first operator. Void as soon as there is an owner. */
  setup_link: table({
    /** SHA-256, base64url. */
    hash: text,
    expires_at: integer,
  }),

  /**
   * Lets the person who reads the mails of an address choose another password, once. A row is made for every address
   * that is asked for, so that the reply takes as long for one without an account.
   */
  password_link: table({
    /** SHA-256 of the text in the link, base64url. */
    hash: text,
    /** In lower case. */
    email: text,
    /** The workspace whose owner made it: void once the account belongs to another one too. */
    workspace_id: belongsTo("workspace", orNull(text)),
    expires_at: integer,
  }).with({
    indexes: {
      password_link_by_email: { on: ["email"] },
      password_link_by_workspace: { on: ["workspace_id"], where: "workspace_id IS NOT NULL" },
      password_link_by_expiry: { on: ["expires_at"] },
    },
  }),

  /** A person of an OpenID provider, who signs in to an account. An account has one of each provider. */
  operator_identity: table({
    /** `iss` and `sub` of the provider's tokens. */
    issuer: text,
    subject: text,
    operator_id: belongsTo("operator"),
    created_at: integer,
  }).with({ key: ["issuer", "subject"], unique: [["operator_id", "issuer"]] }),

  /** A session that the OpenID provider opened. */
  provider_session: table({
    session_hash: belongsTo("session"),
    /** Encrypted: by it the session at the provider is ended too. */
    id_token: text,
  }),

  /** The secret of an operator's authenticator app (RFC 6238). */
  totp: table({
    operator_id: belongsTo("operator"),
    /** Encrypted; base32. */
    sealed: text,
    /** The step of the last code that was used: neither it nor an earlier one is taken again. */
    last_step: integer,
    created_at: integer,
  }),

  /** The public part of a key pair of an operator's device (WebAuthn). */
  passkey: table({
    /** That of the credential, base64url. */
    id: text,
    operator_id: belongsTo("operator"),
    name: text,
    /** COSE, base64url. */
    public_key: text,
    /** Uses that the device has counted; 0: it counts none. */
    counter: integer,
    created_at: integer,
    last_used_at: orNull(integer),
  }).with({
    indexes: { passkey_by_operator: { on: ["operator_id"] } },
    hasRowId: true,
  }),

  /** A challenge that a device has answered: the same answer is not taken again. */
  used_challenge: table({
    /** SHA-256, base64url. */
    hash: text,
    expires_at: integer,
  }).with({
    indexes: { used_challenge_by_expiry: { on: ["expires_at"] } },
  }),

  /** Signs an operator in once in place of a second factor. */
  recovery_code: table({
    operator_id: belongsTo("operator"),
    /** SHA-256, base64url: 118 random bits need no slow hash. */
    hash: text,
  }).with({ key: ["operator_id", "hash"] }),

  /** Place from where an operator has signed in. Other people's tries at the account do not slow it. */
  sign_in_place: table({
    /** Keyed hash of the account with a network address, or with a browser's cookie. */
    place: text,
    operator_id: belongsTo("operator"),
    seen_at: integer,
  }).with({
    indexes: { sign_in_place_by_operator: { on: ["operator_id", "seen_at"] } },
  }),
}
