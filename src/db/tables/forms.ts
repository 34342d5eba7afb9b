export interface FormTables {
  form: Form
  form_wording: FormWording
  form_response: FormResponse
  form_response_address: FormResponseAddress
  consent_token: ConsentToken
  recent_visit: RecentVisit
  form_visit: FormVisit
  form_notice: FormNotice
}

interface Form {
  id: string
  /** What pages post to: `/f/<public_id>`. */
  public_id: string
  project_id: string
  name: string
  /** JSON: the fields in order (`Field[]` of forms/field.ts). */
  fields: string
  /** Present wording of the consent box; null: the form has none. */
  consent_text: string | null
  /** Whether a consent waits for the link of a mail. */
  consent_confirmation: 0 | 1
  redirect_url: string | null
  retention_days: number | null
  /** Who is told of a new response, and whether the mail shows what was typed. */
  owner_mail_to: string | null
  owner_mail_contents: 0 | 1
  created_at: number
  /** Set first when a form is deleted: its responses then go in small batches, the row last. */
  removed_at: number | null
}

/** Every wording a form's consent box has had: a page may still show an older one. */
interface FormWording {
  form_id: string
  /** What the box sends as its value: names the wording that stood beside it. */
  mark: string
  text: string
}

interface FormResponse {
  id: string
  form_id: string
  state: "received" | "held" | "unwanted"
  /** What kept it from being received: trap, speed or rate. */
  stopped_by: "trap" | "speed" | "rate" | null
  /** JSON: one string per field, by variable name. */
  field_values: string
  /** Address from the form's e-mail field. */
  email: string | null
  consent_status: "pending" | "confirmed" | null
  consent_text: string | null
  consent_at: number | null
  /** When the link of the mail was followed. */
  consent_confirmed_at: number | null
  page: string
  /** SHA-256 of the page's `guichet_key` and the contents: a second post of both is the same response. */
  idempotency_hash: string | null
  created_at: number
}

/**
 * Every e-mail address in lower case that stands alone in a field of a response, whichever it is: by it a
 * person is found again.
 */
interface FormResponseAddress {
  address: string
  response_id: string
}

/** The link of a double opt-in, known by its hash alone. */
interface ConsentToken {
  /** SHA-256, base64url. */
  hash: string
  response_id: string
  expires_at: number
  used_at: number | null
}

/**
 * How much of an allowance somebody has used: one row each, removed within a minute once all of it is given
 * back.
 */
interface RecentVisit {
  /** `apart:<keyed hash of an address>`, `consent:…`, `notice:<form>` */
  subject: string
  /** When all of it is given back, in milliseconds and fractions of them. */
  until: number
}

/**
 * What one visitor stored on one day in one form and in all of them, and what everybody did in one. Forgotten
 * once the day is over.
 */
interface FormVisit {
  /** `2026-11-20`, in the owner's time zone. */
  day: string
  /** Keyed hash of the visitor's address, another one every day; empty: everybody. */
  visitor: string
  /** Empty: all forms. */
  form_id: string
  posts: number
  bytes: number
  /**
   * Of a visitor in all forms: when all posts of a minute are given back, in milliseconds and fractions of
   * them.
   */
  until: number
}

/** New responses of which the owner is told in one mail, a while after the first of them. */
interface FormNotice {
  form_id: string
  waiting: number
  since: number
}
