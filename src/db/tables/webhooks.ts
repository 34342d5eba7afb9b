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
}

/** A registered webhook address. */
interface Endpoint {
  id: string
  workspace_id: string
  url: string
  description: string
  active: 0 | 1
  /**
   * 0: gets every form of its workspace. 1: those of its projects and forms alone, and so none once these are
   * all deleted: what belongs to one client of an agency never falls to the endpoint of another.
   */
  limited: 0 | 1
  /** JSON: the sealed secrets that sign, the current one first (webhooks/secret.ts). */
  secrets: string
  created_at: number
}

/** A limited endpoint gets the forms of these projects. */
interface EndpointProject {
  endpoint_id: string
  project_id: string
}

/** A limited endpoint gets these forms. */
interface EndpointForm {
  endpoint_id: string
  form_id: string
}

/** One event to send; its id is `webhook-id`. */
interface Message {
  id: string
  workspace_id: string
  /** The form response it tells of; null for a test message. */
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
  /** What it is found by within the webhooks; ascends as deliveries come in. Others know the `id`. */
  number: Generated<number>
  id: string
  message_id: string
  endpoint_id: string
  /** `pending` as long as an automatic attempt is due. */
  state: DeliveryState
  /** How many of the 8 automatic attempts are used up. */
  attempts_made: number
  created_at: number
  /** When it stopped being pending. */
  ended_at: number | null
  /**
   * When the next automatic attempt is due. An attempt in flight ends only what is due since the time it was
   * claimed for.
   */
  due_at: number | null
  due_late: Late
  /** When it is to be sent again by hand. */
  resend_at: number | null
  resend_late: Late
}

/** 0: a first attempt, or one that a person waits for. 1: everything else, which gives way to those. */
export type Late = 0 | 1

export type AttemptKind = "automatic" | "manual"

/** What came of an attempt. */
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

/** One HTTP try that was made, or was about to be made when its process ended. */
interface Attempt {
  delivery_number: number
  /** Of those of the delivery, in the order in which they ended: the first is 1. */
  number: number
  kind: AttemptKind
  /** When it began. */
  at: number
  outcome: Outcome
  status: number | null
  duration_ms: number | null
  response_excerpt: string | null
}

/** What one process is sending, or is about to: nobody else sends it meanwhile. */
export interface LeaseRow {
  holder: string
  /** After that the process is taken to have died. */
  until: number
  /** JSON: numbers of deliveries, by the kind of attempt. */
  held: string
}

/** Stands as long as every attempt at an endpoint fails; its next success removes it. */
interface EndpointFailure {
  endpoint_id: string
  first_at: number
  last_at: number
  /** What the endpoint answered last. */
  outcome: Outcome
  status: number | null
  /** When the owner was last told. */
  told_at: number | null
}
