import type { TObject } from "@sinclair/typebox"
import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Role } from "../../accounts/operator.ts"
import type { Project } from "../../accounts/project.ts"
import type { Session } from "../../accounts/session.ts"
import type { SentFile } from "../../http/files/sent-files.ts"
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
  /** The project of the workspace that this browser last opened. */
  lastProject: Pick<Project, "id" | "name"> | undefined
  /** Whether the workspace has an endpoint, a token or a delivery: an application may be, or was, at work. */
  isConnected: boolean
  /** The CSRF token for every form of the page; `<Form>` of fields.tsx sends it. */
  token: string
  nowMs: number
  timezone: string
  /** The form that the page shows again with its values and problems. */
  submitted: SubmittedForm
  may(role: Role): boolean
  /** The rights of the operator's role as scopes, to compare with the rights an action would grant. */
  held: readonly string[]
}

/** The page with these values in its forms, not submitted. */
export function withValues(context: PageContext, values: URLSearchParams): PageContext {
  return { ...context, submitted: { ...untouched, values } }
}

/** By default the operation is about what the address names. Throws Refusal as `perform` does. */
type Perform = <Schema extends TObject | undefined, Result>(
  operation: Operation<ConsoleDeps, Schema, Result>,
  given?: Record<string, unknown>,
  ids?: Record<string, string>,
) => Promise<Result>

/** A submitted form. What it performs is recorded in the audit log. */
export interface SubmittedContext extends PageContext {
  values: URLSearchParams
  /** Empty unless the form sends files. */
  files: readonly SentFile[]
  perform: Perform
}

/** Provided by `page`. A page for visitors who are not signed in has none. */
export const CurrentPage = createContext<PageContext | undefined>(undefined)

/** Provided by `page` and `plainPage`, and by each `<Form>` that is not the one that was submitted. */
export const Submitted = createContext<SubmittedForm>(untouched)

export function usePage(): PageContext {
  const context = useContext(CurrentPage)
  if (!context) throw new Error("this page has no signed-in operator")
  return context
}

/** The submitted state around a component. `only`: on a page with several forms, the one that has this field. */
export function useSubmitted(only?: string): SubmittedForm {
  const submitted = useContext(Submitted)
  return only === undefined || submitted.values.has(only) ? submitted : untouched
}
