import type { TObject } from "@sinclair/typebox"
import type { Role } from "../../accounts/operator.ts"
import type { Project } from "../../accounts/project.ts"
import type { Session } from "../../accounts/session.ts"
import type { Operation } from "../../operations/operation.ts"
import type { ConsoleDeps } from "./console-deps.ts"
import { type SubmittedForm, untouched } from "./forms/submitted-form.ts"

/** Projects that the switcher of every page names; the list of all of them is one link further. */
export const maxSwitchable = 30
/** Workspaces that the switcher of every page offers; the page of all of them is one link further. */
export const maxSwitchableWorkspaces = 100

/** Everything that a handler knows about a page opened by a signed-in operator. */
export interface PageContext {
  request: Request
  /** `/console/projects/:project` */
  route: string
  params: Record<string, string>
  query: Record<string, string | undefined>
  session: Session
  workspaceId: string
  /** The first workspaces that the operator belongs to, by name. */
  workspaces: { id: string; name: string }[]
  /** The first projects of the workspace by name, one more than the switcher shows where there are more. */
  projects: Pick<Project, "id" | "name">[]
  /** The CSRF token for every form of the page; `<Form>` of fields.tsx sends it. */
  token: string
  nowMs: number
  /** What the page shows again of a submitted form. */
  submitted: SubmittedForm
  may(role: Role): boolean
  /** The rights of the operator's role as scopes, to compare with the rights an action would grant. */
  held: readonly string[]
}

/** The page with these values in its forms, which no one has submitted. */
export function withValues(context: PageContext, values: URLSearchParams): PageContext {
  return { ...context, submitted: { ...untouched, values } }
}

/** By default the operation is about what the address names. Throws Refusal as `perform` does. */
export type Perform = <Schema extends TObject | undefined, Result>(
  operation: Operation<ConsoleDeps, Schema, Result>,
  given?: Record<string, unknown>,
  ids?: Record<string, string>,
) => Promise<Result>

/** An action or a download: what it performs is recorded in the audit log. */
export interface ActionContext extends PageContext {
  perform: Perform
}

/** A submitted form. */
export interface SubmittedContext extends ActionContext {
  values: URLSearchParams
}
