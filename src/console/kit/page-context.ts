import type { Role } from "../../accounts/operator.ts"
import type { Project } from "../../accounts/project.ts"
import type { Session } from "../../accounts/session.ts"

/** A page being opened by somebody who is signed in. */
export interface Visit {
  request: Request
  /** `/console/projects/:project` */
  route: string
  params: Record<string, string>
  query: Record<string, string | undefined>
  session: Session
  workspaceId: string
  /** Those the operator may be shown. */
  workspaces: { id: string; name: string }[]
  /** The project of a workspace that has a single one: pages that are about none lead to it. */
  onlyProject: Project | undefined
  /** To be sent with every form of the page (`<Form>` of fields.tsx does). */
  token: string
  nowMs: number
  may(role: Role): boolean
  /** The same, as scopes: what is held against the rule of privileges. */
  held: readonly string[]
}

/** Something being done or taken, which the journal is told of. */
export interface Taken extends Visit {
  /** Tells the journal what it was done to, when the address does not name it. */
  about(subject: string | null, name?: string): void
  /** Tells it that nothing was done: a form was only rearranged, a question only asked. */
  nothing(): void
}

/** A form being sent. */
export interface Sent extends Taken {
  values: URLSearchParams
}
