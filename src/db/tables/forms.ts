export interface FormTables {
  form: Form
  form_wording: FormWording
  form_response: FormResponse
  form_response_address: FormResponseAddress
  form_response_text: FormResponseText
  consent_token: ConsentToken
  recent_visit: RecentVisit
  form_visit: FormVisit
  form_notice: FormNotice
}

interface Form {
  id: string
  /** Pages post to `/f/<public_id>`. */
  public_id: string
  project_id: string
  name: string
  /** JSON: the fields in order (`Field[]` of forms/field.ts). */
  fields: string
  /** Current text of the consent box; null when the form has none. */
  consent_text: string | null
  /** Double opt-in: a consent is confirmed by a link sent by mail. */
  consent_confirmation: 0 | 1
  redirect_url: string | null
  retention_days: number | null
  /** Address that is notified of new responses, and whether the mail shows the values. */
  owner_mail_to: string | null
  owner_mail_contents: 0 | 1
  /** Whether `/f/<public_id>` shows the form as a page. */
  hosted: 0 | 1
  /** Whether the person who wrote gets a mail that it arrived. */
  receipt: 0 | 1
  /** Text of the send button, and what is shown once the form is sent; null for the usual ones. */
  button: string | null
  thanks: string | null
  created_at: number
  /** Set when a form is deleted. Its responses are then deleted in small batches, and the row last. */
  removed_at: number | null
}

/** Every text a form's consent box has had, since a page may still show an older one. */
interface FormWording {
  form_id: string
  /** Value sent by the box, which identifies the text shown beside it. */
  mark: string
  text: string
}

interface FormResponse {
  id: string
  form_id: string
  state: "received" | "held" | "unwanted"
  /** The check that stopped it. */
  stopped_by: "trap" | "speed" | "rate" | null
  /** JSON: one string per field, by variable name. */
  field_values: string
  /** Address from the form's e-mail field. */
  email: string | null
  consent_status: "pending" | "confirmed" | null
  consent_text: string | null
  consent_at: number | null
  /** When the link in the mail was followed. */
  consent_confirmed_at: number | null
  page: string
  /** SHA-256 of the page's `guichet_key` and the contents. A second post with both is the same response. */
  idempotency_hash: string | null
  /** The answer that the visitor had read. It may be purged before the response is. */
  answer_id: string | null
  created_at: number
  /** When somebody of the workspace first opened it. */
  read_at: number | null
}

/** The words of a response, by which it is found (forms/responses/response-words.ts). */
interface FormResponseText {
  response_id: string
  /** Folded, each once and after a blank. */
  text: string
}

/**
 * Every e-mail address, in lower case, that is the whole value of any field of a response. Finds a person.
 */
interface FormResponseAddress {
  address: string
  response_id: string
}

/** The link of a double opt-in, of which only the hash is stored. */
interface ConsentToken {
  /** SHA-256, base64url. */
  hash: string
  response_id: string
  expires_at: number
  used_at: number | null
}

/**
 * State of a rate limit (GCRA, accounts/quotas/rate-limit.ts): one row per subject, purged within a minute
 * once its whole allowance is available again.
 */
interface RecentVisit {
  /** `apart:<keyed hash of an address>`, `consent:…`, `notice:<form>` */
  subject: string
  /** Theoretical arrival time, in milliseconds and fractions. */
  until: number
}

/**
 * Posts and bytes stored on one day: by a visitor in one form, by a visitor in all forms, and by everybody in
 * one form. Deleted once the day is over.
 */
interface FormVisit {
  /** `2026-11-20`, in the owner's time zone. */
  day: string
  /** Keyed hash of the visitor's address, which changes every day; empty means everybody. */
  visitor: string
  /** Empty means all forms. */
  form_id: string
  posts: number
  bytes: number
  /**
   * For a visitor in all forms: theoretical arrival time of the limit per minute, in milliseconds and
   * fractions (accounts/quotas/rate-limit.ts).
   */
  until: number
}

/** New responses that wait to be announced in one mail, a while after the first of them. */
interface FormNotice {
  form_id: string
  waiting: number
  since: number
}
