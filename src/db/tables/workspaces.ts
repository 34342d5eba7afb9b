import { belongsTo, flag, integer, mayName, orNull, real, table, text, textOf, withDefault } from "./table.ts"

export const workspaceTables = {
  organisation: table({
    id: text,
    name: text,
    created_at: integer,
  }).with({ hasRowId: true }),

  workspace: table({
    id: text,
    organisation_id: belongsTo("organisation"),
    name: text,
    created_at: integer,
    /**
     * Order in which workspaces were added. Ids do not give it: those of one millisecond, or made after the
     * clock was set back, sort differently.
     */
    number: withDefault(integer, 0),
    /** Whether members have to add a second factor before anything else. */
    requires_second_factor: withDefault(flag, 0),
    /** The workspace whose part of the machine it shares, because it was added from there; null: it has its own. */
    share_id: orNull(text),
    /** It is being read in from a file. */
    is_unfinished: withDefault(flag, 0),
  }).with({ hasRowId: true }),

  project: table({
    id: text,
    workspace_id: belongsTo("workspace"),
    name: text,
    /** The site's address, without a final slash. Its origin is always allowed. */
    site: text,
    language: textOf<"fr" | "en">(),
    assistant_enabled: flag,
    answers: withDefault(textOf<"written" | "extractive">(), "written"),
    /** The project's own limits; null means the setting of the service. */
    per_minute: orNull(integer),
    per_visitor_day: orNull(integer),
    per_day: orNull(integer),
    /** Time between two readings of the feeds; null: only on demand. */
    every_ms: orNull(integer),
    created_at: integer,
    /** The assistant's word for the site: `documentation`, `site`, or the owner's word with its article. */
    kind_word: withDefault(text, "documentation"),
    /** The owner's sentence after a refusal. */
    no_answer_more: orNull(text),
    /** Whether search engines may list the page of the answers that its team wrote. */
    team_page_listed: withDefault(flag, 0),
    /** Whether programs may ask and search by the Model Context Protocol. */
    mcp_enabled: withDefault(flag, 0),
    /** Whether the service publishes `llms.txt` and `llms-full.txt`. */
    llms_enabled: withDefault(flag, 0),
    /** JSON: versions or languages of the documentation (`Edition[]` of accounts/projects/editions.ts). */
    editions: withDefault(text, "[]"),
    /** Whether the default edition may answer what that of the page does not. */
    edition_fallback: withDefault(flag, 0),
    /** How sure a quotation has to be (`answering/retrieval/thresholds.ts`). */
    answer_threshold: withDefault(textOf<"prudent" | "balanced" | "talkative">(), "prudent"),
  }).with({ hasRowId: true }),

  /** The other declared addresses of a project, normalised (scheme, host, port). */
  project_origin: table({
    project_id: belongsTo("project"),
    origin: text,
  }).with({ key: ["project_id", "origin"] }),

  /** How a project's widget looks. A project without a row has the usual look. */
  widget_settings: table({
    project_id: belongsTo("project"),
    title: orNull(text),
    introduction: orNull(text),
    /** JSON: the suggested questions (`string[]`). */
    suggestions: text,
    /** `#0b5c8a` */
    color: orNull(text),
    position: textOf<"right" | "left">(),
    /** The form that visitors are offered where there is no answer, and the field that takes the question. */
    contact_form_id: mayName("form"),
    contact_field: orNull(text),
    /** `site`: that of the page. */
    theme: withDefault(textOf<"site" | "light" | "dark">(), "site"),
    /** Words of the button. */
    button: orNull(text),
    /** null: that of the page. */
    language: orNull(textOf<"fr" | "en">()),
    /** Address of an image of the site, for our own pages. */
    logo: orNull(text),
    /** Whether the panel begins with a search of pages. */
    search: withDefault(flag, 0),
    /** `dsfr`: the design system of the French State, for its sites alone. */
    look: withDefault(textOf<"guichet" | "dsfr">(), "guichet"),
    /** Whether the owner confirmed that the site is one of the State. */
    state_site: withDefault(flag, 0),
  }).with({
    indexes: { widget_settings_by_form: { on: ["contact_form_id"] } },
  }),

  /** When a page last loaded the widget of a project. Written once a minute at most. */
  widget_sighting: table({ project_id: belongsTo("project"), seen_at: integer }),

  /** How often an answer was offered before a form was sent, and how often it made the form needless. */
  contact_count: table({
    project_id: belongsTo("project"),
    /** `2026-11-20`, in the owner's time zone. */
    day: text,
    offered: integer,
    solved: integer,
  }).with({ key: ["project_id", "day"] }),

  /** A bearer token of the management API. Only its hash is stored; revoking moves it to `revoked_token`. */
  token: table({
    id: text,
    workspace_id: belongsTo("workspace"),
    name: text,
    /** SHA-256 of the whole token, base64url: 32 random bytes need no slow hash. */
    hash: text,
    /** Space-separated. */
    scopes: text,
    created_at: integer,
    last_used_at: orNull(integer),
    /** When it opens nothing any more; null: never. */
    expires_at: orNull(integer),
  }).with({ unique: [["hash"]], hasRowId: true }),

  /** The hash of a token that was revoked, so that who still sends it is told so. */
  revoked_token: table({
    hash: text,
    workspace_id: belongsTo("workspace"),
    revoked_at: integer,
  }).with({
    indexes: {
      revoked_token_by_workspace: { on: ["workspace_id", "revoked_at"] },
      revoked_token_by_age: { on: ["revoked_at"] },
    },
  }),

  /** A request that a token may repeat without doing it twice, and the reply that it gets again. */
  idempotency_key: table({
    token_id: belongsTo("token"),
    /** Keyed hash of what the caller sent. */
    key: text,
    /** Keyed hash of the request. */
    request: text,
    created_at: integer,
    /** Length of `reply`. */
    bytes: integer,
    /** Null while the request is being done, and after a crash in the middle of it. */
    status: orNull(integer),
    /** Sealed; null where it is too long to be kept. */
    reply: orNull(text),
  }).with({
    key: ["token_id", "key"],
    indexes: {
      idempotency_key_by_token: { on: ["token_id", "created_at", "bytes"] },
      idempotency_key_by_age: { on: ["created_at"] },
    },
    hasRowId: true,
  }),

  /** How much of a limit is used (src/limits). */
  limit_count: table({
    /** `2026-11-20` or `2026-11`, in the owner's time zone; empty for a limit that rolls on. */
    period: text,
    /** `visitor:<project>:<keyed hash>`, `project:<id>`, `organisation:<id>`, `post:<form>`, … */
    subject: text,
    /** Points of the period. */
    used: integer,
    /** When all points of a limit that rolls on are there again, in milliseconds and fractions. */
    until: withDefault(real, 0),
  }).with({
    key: ["period", "subject"],
    indexes: { limit_count_rolling: { on: ["period", "until"], where: "period = ''" } },
  }),

  /**
   * A question of the last minute: reserved while it is being answered, counted once its answer is stored.
   * After a crash a reservation expires with its minute, uncounted.
   */
  recent_ask: table({
    id: text,
    organisation_id: text,
    project_id: text,
    /** Keyed hash of the visitor's address, which changes every day. */
    visitor: text,
    day: text,
    at: integer,
    counted: flag,
  }).with({
    indexes: {
      recent_ask_by_project: { on: ["project_id", "at"] },
      recent_ask_reserved: { on: ["organisation_id", "at"], where: "counted = 0" },
    },
  }),

  /**
   * When a recurring job last began, so that a start of the service catches up on runs missed while stopped.
   */
  job: table({
    name: text,
    last_run_at: integer,
    /** The node that runs it. Once that node is gone, another one takes the run over. */
    node_id: orNull(text),
  }),

  /** One running service on a PostgreSQL database, timed by the clock of the server alone. Empty on SQLite. */
  node: table({
    id: text,
    /** Name of its machine. */
    host: text,
    version: text,
    /** How its processor calculates vectors (`processorArithmetic`); empty where none are made. */
    arithmetic: withDefault(text, ""),
    started_at: integer,
    beat_at: integer,
  }),

  /** Entry of the audit log. Kept for a configured time; names no visitor. */
  audit_log: table({
    id: text,
    workspace_id: belongsTo("workspace"),
    actor_kind: textOf<"operator" | "token" | "service">(),
    actor_id: text,
    /** The name at that time. */
    actor_name: text,
    /** An `Action` of operations/audit-log.ts. */
    action: text,
    subject: orNull(text),
    subject_name: orNull(text),
    at: integer,
    /** The project it was done in; it may be gone since. */
    project_id: orNull(text),
  }).with({
    indexes: {
      audit_log_by_workspace: { on: ["workspace_id", "id"] },
      audit_log_by_age: { on: ["at"] },
    },
    hasRowId: true,
  }),
}
