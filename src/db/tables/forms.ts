import { belongsTo, flag, integer, mayName, orNull, table, text, textOf, withDefault } from "./table.ts"

export const formTables = {
  form: table({
    id: text,
    /** Pages post to `/f/<public_id>`. */
    public_id: text,
    project_id: belongsTo("project"),
    name: text,
    /** JSON: the fields in order (`Field[]` of forms/field.ts). */
    fields: text,
    /** Current text of the consent box; null when the form has none. */
    consent_text: orNull(text),
    /** Double opt-in: a consent is confirmed by a link sent by mail. */
    consent_confirmation: flag,
    redirect_url: orNull(text),
    retention_days: orNull(integer),
    /** JSON: addresses that get mails about new responses (`NoticeAddress[]` of forms/definition/notify.ts), if any. */
    notify: orNull(text),
    /** Whether these mails show the values. */
    notify_contents: flag,
    /** Whether `/f/<public_id>` shows the form as a page. */
    hosted: withDefault(flag, 0),
    /** Whether the person who wrote gets a mail that it arrived. */
    receipt: withDefault(flag, 0),
    /** Text of the send button, and what is shown once the form is sent; null for the usual ones. */
    button: orNull(text),
    thanks: orNull(text),
    created_at: integer,
    /** Set when a form is deleted. Its responses are then deleted in small batches, and the row last. */
    removed_at: orNull(integer),
    /** From when until when it takes responses, and how many at most. */
    opens_at: orNull(integer),
    closes_at: orNull(integer),
    max_responses: orNull(integer),
    /** Whether a post needs a proof of work. */
    proof_of_work: withDefault(flag, 0),
    /** Whether the address of its own page may fill in its fields. */
    prefill: withDefault(flag, 0),
  }).with({
    unique: [["public_id"]],
    indexes: { form_by_project: { on: ["project_id"] } },
    hasRowId: true,
  }),

  /** Every text a form's consent box has had, since a page may still show an older one. */
  form_wording: table({
    form_id: belongsTo("form"),
    /** Value sent by the box, which identifies the text shown beside it. */
    mark: text,
    text: text,
  }).with({ key: ["form_id", "mark"] }),

  form_response: table({
    id: text,
    form_id: belongsTo("form"),
    state: textOf<"received" | "held" | "unwanted">(),
    /** The check that stopped it. */
    stopped_by: orNull(textOf<"trap" | "speed" | "rate">()),
    /** JSON: one string per field, by variable name. */
    field_values: text,
    /** Address from the form's e-mail field. */
    email: orNull(text),
    consent_status: orNull(textOf<"pending" | "confirmed">()),
    consent_text: orNull(text),
    consent_at: orNull(integer),
    /** When the link in the mail was followed. */
    consent_confirmed_at: orNull(integer),
    page: text,
    /** SHA-256 of the page's `guichet_key` and the contents. A second post with both is the same response. */
    idempotency_hash: orNull(text),
    /** The answer that the visitor had read. It may be purged before the response is. */
    answer_id: orNull(text),
    created_at: integer,
    /** When a member of the workspace first opened it. */
    read_at: orNull(integer),
    /** How far the workspace is with it, and the member who has it. */
    progress: withDefault(textOf<"todo" | "doing" | "done">(), "todo"),
    assignee: mayName("operator"),
  }).with({
    indexes: {
      form_response_by_form: { on: ["form_id", "state", "id"] },
      form_response_by_age: { on: ["form_id", "created_at"] },
      form_response_once: {
        on: ["form_id", "idempotency_hash"],
        isUnique: true,
        where: "idempotency_hash IS NOT NULL",
      },
      form_response_by_assignee: { on: ["assignee", "form_id"], where: "assignee IS NOT NULL" },
      form_response_unread: { on: ["form_id", "state", "id"], where: "read_at IS NULL" },
    },
    hasRowId: true,
  }),

  /**
   * Every e-mail address, in lower case, that is the whole value of any field of a response. Finds a person.
   */
  form_response_address: table({
    address: text,
    response_id: belongsTo("form_response"),
  }).with({
    key: ["address", "response_id"],
    indexes: { form_response_address_by_response: { on: ["response_id"] } },
  }),

  /** The words of a response, by which it is found (forms/responses/response-words.ts). */
  form_response_text: table({
    response_id: belongsTo("form_response"),
    /** Folded, each once and after a blank. */
    text: text,
  }),

  /** A file that came with a response. */
  form_response_file: table({
    file_id: belongsTo("stored_file"),
    response_id: belongsTo("form_response"),
    /** Variable name of its field. */
    field: text,
    /** From 0 on, among the files of the response. */
    place: integer,
    /** As the visitor's was called, cleaned. */
    name: text,
  }).with({
    indexes: { form_response_file_by_response: { on: ["response_id", "place"] } },
  }),

  /** Notes of the workspace about a response. */
  form_response_note: table({
    id: text,
    response_id: belongsTo("form_response"),
    /** Name of the operator or token at the time. */
    author: text,
    note: text,
    created_at: integer,
  }).with({
    indexes: { form_response_note_by_response: { on: ["response_id", "id"] } },
    hasRowId: true,
  }),

  /** The link of a double opt-in, of which only the hash is stored. */
  consent_token: table({
    /** SHA-256, base64url. */
    hash: text,
    response_id: belongsTo("form_response"),
    expires_at: integer,
    used_at: orNull(integer),
  }).with({
    unique: [["response_id"]],
    indexes: { consent_token_unused: { on: ["expires_at"], where: "used_at IS NULL" } },
  }),

  /** The link by which an address confirms that it wants mails about a form; only its hash is stored. */
  notice_token: table({
    /** SHA-256, base64url. */
    hash: text,
    form_id: belongsTo("form"),
    /** Its `addressKey`. */
    address: text,
    expires_at: integer,
  }).with({
    indexes: {
      notice_token_by_form: { on: ["form_id"] },
      notice_token_by_expiry: { on: ["expires_at"] },
    },
  }),

  /** New responses that wait to be announced in one mail, a while after the first of them. */
  form_notice: table({
    form_id: belongsTo("form"),
    waiting: integer,
    since: integer,
  }),
}
