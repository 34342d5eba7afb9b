export interface WorkspaceTables {
  organisation: Organisation
  workspace: Workspace
  project: Project
  project_origin: ProjectOrigin
  widget_settings: WidgetSettings
  widget_sighting: WidgetSighting
  contact_count: ContactCount
  token: Token
  limit_count: LimitCount
  recent_ask: RecentAsk
  job: Job
  node: NodeRow
  journal_entry: JournalEntry
}

interface Organisation {
  id: string
  name: string
  created_at: number
}

interface Workspace {
  id: string
  organisation_id: string
  name: string
  created_at: number
  /**
   * Order in which workspaces were added. Ids do not give it: those of one millisecond, or made after the
   * clock was set back, sort differently.
   */
  number: number
}

interface Project {
  id: string
  workspace_id: string
  name: string
  /** The site's address, without a final slash. Its origin is always allowed. */
  site: string
  language: "fr" | "en"
  assistant_enabled: 0 | 1
  answers: "written" | "extractive"
  /** The project's own limits; null means the setting of the service. */
  per_minute: number | null
  per_visitor_day: number | null
  per_day: number | null
  /** Time between two readings of the feeds; null: only on demand. */
  every_ms: number | null
  created_at: number
}

/** The other declared addresses of a project, normalised (scheme, host, port). */
interface ProjectOrigin {
  project_id: string
  origin: string
}

/** How a project's widget looks. A project without a row has the usual look. */
interface WidgetSettings {
  project_id: string
  title: string | null
  introduction: string | null
  /** JSON: the suggested questions (`string[]`). */
  suggestions: string
  /** `#0b5c8a` */
  color: string | null
  position: "right" | "left"
  /** The form that visitors are offered where there is no answer, and the field that takes the question. */
  contact_form_id: string | null
  contact_field: string | null
}

/** When a page last loaded the widget of a project. Written once a minute at most. */
interface WidgetSighting {
  project_id: string
  seen_at: number
}

/** How often an answer was offered before a form was sent, and how often it made the form needless. */
interface ContactCount {
  project_id: string
  /** `2026-11-20`, in the owner's time zone. */
  day: string
  offered: number
  solved: number
}

/** A bearer token of the management API, of which only the hash is stored. Revoking deletes the row. */
interface Token {
  id: string
  workspace_id: string
  name: string
  /** SHA-256 of the whole token, base64url: 32 random bytes need no slow hash. */
  hash: string
  /** Space-separated. */
  scopes: string
  created_at: number
  last_used_at: number | null
}

/** Counter of a limit per day or month. */
interface LimitCount {
  /** `visitor:<project>:<hash>`, `project:<id>`, `organisation:<id>`, `mailbox:<hash>`, … */
  subject: string
  /** `2026-11-20` or `2026-11`, in the owner's time zone. */
  period: string
  used: number
}

/**
 * A question of the last minute: reserved while it is being answered, counted once its answer is stored.
 * After a crash a reservation expires with its minute, uncounted. Each new question of a project deletes rows
 * older than a minute.
 */
interface RecentAsk {
  id: string
  organisation_id: string
  project_id: string
  /** Keyed hash of the visitor's address, which changes every day. */
  visitor: string
  day: string
  at: number
  counted: 0 | 1
}

/**
 * When a recurring job last began, so that a start of the service catches up on runs missed while stopped.
 */
interface Job {
  name: string
  last_run_at: number
  /** The node that runs it. Once that node is gone, another one takes the run over. */
  node_id: string | null
}

/** One running service on a PostgreSQL database, timed by the clock of the server alone. Empty on SQLite. */
export interface NodeRow {
  id: string
  /** Name of its machine. */
  host: string
  version: string
  started_at: number
  beat_at: number
}

/** Entry of the audit log. Kept for a configured time; names no visitor. */
interface JournalEntry {
  id: string
  workspace_id: string
  actor_kind: "operator" | "token" | "service"
  actor_id: string
  /** The name at that time. */
  actor_name: string
  /** An `Action` of operations/audit-log.ts. */
  action: string
  subject: string | null
  subject_name: string | null
  at: number
}
