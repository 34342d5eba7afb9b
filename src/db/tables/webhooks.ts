import type { Generated } from "kysely"

export interface WebhookTables {
  endpoint: Endpoint
  endpoint_project: EndpointProject
  endpoint_form: EndpointForm
  message: Message
  delivery: Delivery
  attempt: Attempt
  lease: LeaseRow
  endpoint_failure: EndpointFailure
  endpoint_hour: EndpointHour
}

/** A registered webhook address. */
interface Endpoint {
  id: string
  workspace_id: string
  url: string
  description: string
  active: 0 | 1
  /**
   * 0: gets every form of its workspace. 1: only gets the forms listed for it, and therefore none once these
   * are all deleted, so that data of one client of an agency never reaches the endpoint of another.
   */
  limited: 0 | 1
  /** JSON: the sealed secrets that sign, the current one first (webhooks/secret.ts). */
  secrets: string
  created_at: number
}

/** A project whose forms a limited endpoint gets. */
interface EndpointProject {
  endpoint_id: string
  project_id: string
}

/** A form that a limited endpoint gets. */
interface EndpointForm {
  endpoint_id: string
  form_id: string
}

/** One event to send; its id is `webhook-id`. */
interface Message {
  id: string
  workspace_id: string
  /** The form response it announces; null for a test message. */
  response_id: string | null
  type: string
  /** The exact bytes that are signed and sent; null once erased. */
  payload: Uint8Array | null
  created_at: number
}

export const deliveryStates = ["pending", "delivered", "failed", "cancelled"] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** One message for one endpoint. */
interface Delivery {
  /** Key within the webhooks, in order of creation. Other code uses `id`. */
  number: Generated<number>
  id: string
  message_id: string
  endpoint_id: string
  /** `pending` as long as an automatic attempt is due. */
  state: DeliveryState
  /** Number of the 8 automatic attempts already made. */
  attempts_made: number
  created_at: number
  /** When it left the state `pending`. */
  ended_at: number | null
  /**
   * When the next automatic attempt is due. An attempt in flight completes only the due time that it was
   * claimed for.
   */
  due_at: number | null
  due_late: Late
  /** When a manual attempt is due. */
  resend_at: number | null
  resend_late: Late
}

/** Priority. 0: a first attempt, or one that a person waits for. 1: all others, which come after. */
export type Late = 0 | 1

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

/** One HTTP try that was made, or that was about to be made when its process died. */
interface Attempt {
  delivery_number: number
  /** Number within the delivery, from 1, in the order in which attempts ended. */
  number: number
  kind: AttemptKind
  /** When it began. */
  at: number
  outcome: Outcome
  status: number | null
  duration_ms: number | null
  response_excerpt: string | null
}

/** Deliveries that one process is sending or about to send, which no other process sends meanwhile. */
export interface LeaseRow {
  holder: string
  /** Expiry: afterwards the process is presumed dead. */
  until: number
  /** JSON: numbers of deliveries, by kind of attempt. */
  held: string
}

/** Exists while all attempts at an endpoint fail. The next success deletes it. */
interface EndpointFailure {
  endpoint_id: string
  first_at: number
  last_at: number
  /** Outcome of the last attempt. */
  outcome: Outcome
  status: number | null
  /** When the owner was last notified. */
  told_at: number | null
}

/** What happened at an endpoint in one hour. Holds no personal data. */
interface EndpointHour {
  endpoint_id: string
  /** Start of the hour, in UTC. */
  hour_at: number
  /** Deliveries that became delivered. */
  delivered: number
  /** Attempts that failed. An interrupted one says nothing about the endpoint. */
  failed_attempts: number
  /** Deliveries whose 8 attempts were used up. */
  given_up: number
  /** null: nothing was delivered in this hour. */
  last_delivered_at: number | null
}
