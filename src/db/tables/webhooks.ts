import type { FailureCause } from "../../outbound/failure.ts"
import {
  belongsTo,
  bytes,
  flag,
  integer,
  integerOf,
  orNull,
  real,
  serial,
  table,
  text,
  textOf,
  withDefault,
} from "./table.ts"

export type EndpointKind = "https" | "test"

export const testAnswers = ["ok", "error", "redirect", "silence"] as const
/** `silence`: nothing for 20 seconds, which is longer than a receiver has. */
export type TestAnswer = (typeof testAnswers)[number]

export const ratePeriods = ["second", "minute", "hour"] as const
export type RatePeriod = (typeof ratePeriods)[number]

export const deliveryStates = ["pending", "delivered", "failed", "cancelled"] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Priority. 0: a first attempt, or one that a person waits for. 1: all others, which come after. */
export type Late = 0 | 1

/** When the next attempt is due, by itself or because a person asked for it, and its priority. */
export const dueColumns = [
  ["due_at", "due_is_late"],
  ["resend_at", "resend_is_late"],
] as const

export type AttemptKind = "automatic" | "manual"

/** How an attempt ended. */
export type Outcome =
  | "delivered"
  | "http_status"
  | "timeout"
  | "dns"
  | "connection"
  | "tls"
  | "protocol"
  | "private_address"
  | "interrupted"

export const webhookTables = {
  /** A registered webhook address. */
  endpoint: table({
    id: text,
    workspace_id: belongsTo("workspace"),
    url: text,
    description: text,
    active: flag,
    /**
     * 0: gets every form of its workspace. 1: only gets the forms listed for it, and therefore none once these
     * are all deleted, so that data of one client of an agency never reaches the endpoint of another.
     */
    filtered: flag,
    /** JSON: the sealed secrets that sign, the current one first (webhooks/secret.ts). */
    secrets: text,
    created_at: integer,
    /** `test`: the receiver within the program (webhooks/delivery/test-receiver.ts), whatever `url` says. */
    kind: withDefault(textOf<EndpointKind>(), "https"),
    /** The answer of that receiver; null for the others. */
    test_answer: orNull(textOf<TestAnswer>()),
    /** JSON: names and sealed values of the owner's own headers (webhooks/endpoints/own-headers.ts); null: none. */
    headers: orNull(text),
    /** JSON: values that fields of its forms must have (webhooks/endpoints/conditions.ts); null: any. */
    conditions: orNull(text),
    /** 1: one message after the other. */
    in_order: withDefault(flag, 0),
    /** So many messages in each of these periods; null: as many as it takes. */
    rate: orNull(integer),
    rate_per: orNull(textOf<RatePeriod>()),
    /** JSON: the events that it gets (webhooks/endpoints/event-types.ts); null: messages of forms alone. */
    events: orNull(text),
    /** The days of waiting that its owner was last told of; 0: nothing of it waited as long. */
    waiting_told: withDefault(integer, 0),
  }).with({
    indexes: {
      endpoint_by_workspace: { on: ["workspace_id", "id"] },
      endpoint_test: { on: ["workspace_id"], isUnique: true, where: "kind = 'test'" },
    },
    hasRowId: true,
  }),

  /** A project whose forms a filtered endpoint gets. */
  endpoint_project: table({
    endpoint_id: belongsTo("endpoint"),
    project_id: belongsTo("project"),
  }).with({ key: ["endpoint_id", "project_id"] }),

  /** A form that a filtered endpoint gets. */
  endpoint_form: table({
    endpoint_id: belongsTo("endpoint"),
    form_id: belongsTo("form"),
  }).with({ key: ["endpoint_id", "form_id"] }),

  /** One event to send; its id is `webhook-id`. */
  message: table({
    id: text,
    workspace_id: belongsTo("workspace"),
    /** The form response it announces; null for a test message and other events. */
    response_id: orNull(text),
    type: text,
    /** The exact bytes that are signed and sent; null once erased. */
    payload: orNull(bytes),
    created_at: integer,
    form_id: orNull(text),
    /** Who wrote, for lists: the e-mail address, else the first value; null once erased. */
    person: orNull(text),
    /** The beginning of all values, folded, for the search of the log; null once erased. */
    search_text: orNull(text),
    /** The project that an event is about; null for a message of a form. */
    project_id: orNull(belongsTo("project")),
  }).with({
    indexes: {
      message_by_project: { on: ["project_id"], where: "project_id IS NOT NULL" },
      message_by_response: { on: ["response_id"], where: "response_id IS NOT NULL" },
      message_by_workspace: { on: ["workspace_id", "id", "form_id", "search_text"] },
    },
    hasRowId: true,
  }),

  /** One message for one endpoint. */
  delivery: table({
    /** Key within the webhooks, in order of creation. Other code uses `id`. */
    number: serial,
    id: text,
    message_id: belongsTo("message"),
    endpoint_id: text,
    /** `pending` as long as an automatic attempt is due, or waits for its turn. */
    state: textOf<DeliveryState>(),
    /** Number of the automatic attempts already made. */
    attempts_made: integer,
    created_at: integer,
    /** When it left the state `pending`. */
    ended_at: orNull(integer),
    /**
     * When the next automatic attempt is due. An attempt in flight completes only the due time that it was
     * claimed for.
     */
    due_at: orNull(integer),
    due_is_late: integerOf<Late>(),
    /** When a manual attempt is due. */
    resend_at: orNull(integer),
    resend_is_late: integerOf<Late>(),
    /** How the last attempt ended; null before the first. */
    last_outcome: orNull(textOf<Outcome>()),
    last_status: orNull(integer),
    last_duration_ms: orNull(integer),
    last_cause: orNull(textOf<FailureCause>()),
    /** When the replay was started that last made an attempt due, which makes known what came of it. */
    replayed_at: orNull(integer),
    /**
     * Since when it waits for its turn, with an attempt to come that is not due: automatic where it is `pending`, else
     * one of a replay. null: it does not wait.
     */
    waits_since: orNull(integer),
    /** Set where the service cancelled it: it had waited for its turn as long as the log is kept. */
    cancel_reason: orNull(textOf<"waited">()),
  }).with({
    unique: [["id"]],
    indexes: {
      delivery_by_message: { on: ["message_id", "endpoint_id"], isUnique: true },
      delivery_by_endpoint: { on: ["endpoint_id", "id"] },
      delivery_undelivered: {
        on: ["endpoint_id", "state", "id"],
        where: "state IN ('failed', 'cancelled')",
      },
      delivery_due: { on: ["due_is_late", "endpoint_id", "due_at"], where: "due_at IS NOT NULL" },
      delivery_replayed: { on: ["endpoint_id", "replayed_at"], where: "replayed_at IS NOT NULL" },
      delivery_waiting: { on: ["endpoint_id", "number"], where: "waits_since IS NOT NULL" },
      delivery_resend: { on: ["resend_is_late", "endpoint_id", "resend_at"], where: "resend_at IS NOT NULL" },
    },
    postgres: "SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)",
  }),

  /** One HTTP try that was made, or that was about to be made when its process died. */
  attempt: table({
    delivery_number: belongsTo("delivery", integer),
    /** Number within the delivery, from 1, in the order in which attempts ended. */
    number: integer,
    kind: textOf<AttemptKind>(),
    /** When it began. */
    at: integer,
    outcome: textOf<Outcome>(),
    status: orNull(integer),
    duration_ms: orNull(integer),
    response_excerpt: orNull(text),
    /** JSON: `[name, value]` pairs (delivery/excerpt.ts); null without an answer, and once erased. */
    response_headers: orNull(text),
    /** Why there was no answer, where that has a name. */
    cause: orNull(textOf<FailureCause>()),
    /** Address and port, of an attempt that failed there. */
    address: orNull(text),
  }).with({ key: ["delivery_number", "number"] }),

  /** Deliveries that one process is sending or about to send, which no other process sends meanwhile. */
  lease: table({
    holder: text,
    /** Expiry: afterwards the process is presumed dead. */
    until: integer,
    /** JSON: numbers of deliveries, by kind of attempt. */
    held: text,
  }),

  /** Exists while all attempts at an application fail. The next success deletes it. */
  endpoint_failure: table({
    endpoint_id: belongsTo("endpoint"),
    first_at: integer,
    last_at: integer,
    /** Outcome of the last attempt. */
    outcome: textOf<Outcome>(),
    status: orNull(integer),
    /** When the owner was last notified. */
    notified_at: orNull(integer),
    /** Cause of that outcome. */
    cause: orNull(textOf<FailureCause>()),
  }),

  /** Counters of an endpoint in one hour. Hold no personal data. */
  endpoint_hour: table({
    endpoint_id: belongsTo("endpoint"),
    /** Start of the hour, in UTC. */
    hour_at: integer,
    /** Deliveries that became delivered. */
    delivered: integer,
    /** Attempts that failed. An interrupted one says nothing about the endpoint. */
    failed_attempts: integer,
    /** Deliveries whose automatic attempts were used up. */
    given_up: integer,
    /** null: nothing was delivered in this hour. */
    last_delivered_at: orNull(integer),
  }).with({
    key: ["endpoint_id", "hour_at"],
    indexes: { endpoint_hour_by_age: { on: ["hour_at"] } },
    postgres: "SET (fillfactor = 50)",
  }),

  /** When the next attempt at an endpoint with a rate is due, by an even spread of those before. */
  endpoint_pace: table({ endpoint_id: belongsTo("endpoint"), free_at: real }),

  /** A request that the receiver of a `test` endpoint took. Its body is the payload of the message. */
  test_request: table({
    id: text,
    endpoint_id: belongsTo("endpoint"),
    message_id: belongsTo("message"),
    at: integer,
    /** JSON: `[name, value]` pairs. */
    headers: text,
    body_bytes: integer,
    /** As a receiver that follows the specification (part 5 B) finds it. */
    signature: textOf<"right" | "wrong" | "late">(),
    /** The one that was given. */
    answer: textOf<TestAnswer>(),
  }).with({
    indexes: {
      test_request_by_endpoint: { on: ["endpoint_id", "id"] },
      test_request_by_message: { on: ["message_id"] },
    },
  }),

  /** Numbers the messages of a workspace for those who poll, in the order in which they came to be seen. */
  message_order: table({
    /** Never used twice, so that a cursor outlives what it points at. */
    position: serial,
    workspace_id: text,
    message_id: belongsTo("message"),
  }).with({
    indexes: {
      message_order_by_message: { on: ["message_id"], isUnique: true },
      message_order_by_workspace: { on: ["workspace_id", "position"] },
    },
  }),
}
