export interface WebhookTables {
  endpoint: Endpoint
  endpoint_project: EndpointProject
  endpoint_form: EndpointForm
  message: Message
  delivery: Delivery
  attempt: Attempt
  due_attempt: DueAttempt
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
   * 0: gets every form of its workspace. 1: those of its projects and forms alone, and so none once these are all deleted:
   * what belongs to one client of an agency never falls to the endpoint of another.
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

export type DeliveryState = "pending" | "delivered" | "failed" | "cancelled"

/** One message for one endpoint. */
interface Delivery {
  id: string
  message_id: string
  endpoint_id: string
  /** `pending` as long as an automatic attempt stands in `due_attempt`. */
  state: DeliveryState
  /** How many of the 8 automatic attempts are used up. */
  attempts_made: number
  created_at: number
  /** When it stopped being pending. */
  ended_at: number | null
}

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

/** One HTTP try that was made; its id sorts by the time it began. */
interface Attempt {
  delivery_id: string
  id: string
  kind: AttemptKind
  at: number
  outcome: Outcome
  status: number | null
  duration_ms: number | null
  response_excerpt: string | null
}

/** An attempt still to be made, or in flight. */
interface DueAttempt {
  delivery_id: string
  kind: AttemptKind
  endpoint_id: string
  /** 0: a first attempt, or one that a person waits for. 1: everything else, which gives way to those. */
  late: 0 | 1
  due_at: number
  /** The delivery's, so that a claim need not look there. */
  message_id: string
  /** The claim: the id of the attempt in flight. */
  attempt_id: string | null
  /**
   * Until when the claim holds; after that its process is taken to have died. Not in the index, so that to claim moves nothing there:
   * what is claimed stays at the head of its lane, few rows to pass over.
   */
  leased_until: number | null
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
