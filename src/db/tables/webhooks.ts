export interface WebhookTables {
  endpoint: Endpoint
  endpoint_project: EndpointProject
  endpoint_form: EndpointForm
}

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
  /** Sealed by the vault for `endpoint secret <id>`. */
  secret: string
  /** The one before the last rotation, sealed alike; signs until `previous_secret_until`. */
  previous_secret: string | null
  previous_secret_until: number | null
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
