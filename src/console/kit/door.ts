import { recordAction } from "../../accounts/audit-log.ts"
import { mayAct, type Role } from "../../accounts/operator.ts"
import { findProject, listProjects, type Project } from "../../accounts/project.ts"
import type { AskLimits } from "../../accounts/quotas/ask-quota.ts"
import { scopesOf } from "../../accounts/scope.ts"
import { findSession, workspacesOf } from "../../accounts/session.ts"
import type { Assistant } from "../../assistant/ask/ask.ts"
import type { Reindexing } from "../../assistant/indexing/reindexing.ts"
import { Refusal, statusOfCode } from "../../base/errors.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { FormParts } from "../../forms/parts.ts"
import { innermost } from "../../http/innermost.ts"
import type { Services } from "../../ops/checks/services.ts"
import type { EndpointParts } from "../../webhooks/endpoints/owner.ts"
import { refusalOf } from "../../wording/error-replies.ts"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { sessionText } from "./cookie.ts"
import { forgeryField, forgeryToken, requireOwnOrigin, requireToken } from "./forgery.ts"
import { type Filled, readForm, refused } from "./form.ts"
import { journaled } from "./journaled.ts"
import { openOnce } from "./once.ts"
import type { Sent, Taken, Visit } from "./page-context.ts"
import { pendingFilled } from "./pending.tsx"
import { refusedPage } from "./refused-page.tsx"
import { seeOther } from "./reply.ts"
import { signInPage } from "./sign-in-page.tsx"

/** What every page of the console works with. */
export interface ConsoleParts extends FormParts, EndpointParts, Omit<Services, "config"> {
  assistant: Assistant
  messages: FormParts["messages"]
  reindexing: Reindexing
  config: FormParts["config"] &
    Services["config"] & {
      ask: AskLimits & { answerRetentionDays: number }
      journalRetentionDays: number
    }
  removeProject(id: string): Promise<void>
}

interface Context {
  request: Request
  route: string
  /** Absent where the route has none. */
  params?: Record<string, string>
  query: Record<string, string | undefined>
}

type Handler = (context: Context) => Promise<Response>

/**
 * The one way to a page or an action of the console: here a session is asked for, a role, and that the form
 * is ours.
 */
export interface Door {
  /** A page. Who is not signed in is sent to do so, and comes back. */
  page(handle: (visit: Visit) => Promise<Response> | Response, role?: Role): Handler
  /** What is taken out of the console as a file. */
  file(handle: (taken: Taken) => Promise<Response> | Response, role?: Role): Handler
  /**
   * An action. What it refuses is answered by `again`, with what was typed and what is wrong with it; without
   * `again`, by a page that says so.
   */
  action(
    role: Role,
    handle: (sent: Sent) => Promise<Response> | Response,
    again?: (visit: Visit, filled: Filled, status: number) => Promise<Response> | Response,
  ): Handler
}

export function openDoor({ db, clock, vault, log, config }: ConsoleParts): Door {
  const once = openOnce()

  /** Does what the route is there for, and tells the journal once it has succeeded. */
  async function recorded(
    visit: Visit,
    handle: (taken: Taken) => Promise<Response> | Response,
  ): Promise<Response> {
    let done: { subject: string | null; subjectName?: string } | undefined = {
      subject: innermost(visit.route, visit.params) ?? null,
    }
    const reply = await handle({
      ...visit,
      about(subject, subjectName) {
        done = { subject, ...(subjectName !== undefined && { subjectName }) }
      },
      nothing() {
        done = undefined
      },
    })
    const action = journaled[visit.route]
    if (!action || !done || reply.status >= 400 || visit.request.method === "HEAD") return reply
    const { id, email } = visit.session.operator
    const actor = { kind: "operator" as const, id, name: email }
    await recordAction(db, visit.workspaceId, actor, { action, ...done }, clock.now())
    return reply
  }

  async function visitOf({ request, route, params = {}, query }: Context): Promise<Visit | undefined> {
    const text = sessionText(request)
    const nowMs = clock.now()
    const session = text === undefined ? undefined : await findSession(db, text, nowMs)
    if (!session) return undefined
    const [first, ...others] = await listProjects(db, session.workspace.id, { atMost: 2, after: undefined })
    return {
      request,
      route,
      params,
      query,
      session,
      workspaces: await workspacesOf(db, session.operator.id),
      onlyProject: others.length === 0 ? first : undefined,
      workspaceId: session.workspace.id,
      token: forgeryToken(vault, session),
      nowMs,
      may: (role) => mayAct(session.role, role),
      held: scopesOf(session.role),
    }
  }

  function requireRole(visit: Visit, role: Role): void {
    if (visit.may(role)) return
    const sentence = shellMessages.notAllowed(shellMessages.roles[visit.session.role])
    throw new Refusal("forbidden", sentence, { reason: `needs the role ${role}` })
  }

  const page: Door["page"] =
    (handle, role = "viewer") =>
    async (context) => {
      let visit: Visit | undefined
      try {
        visit = await visitOf(context)
        if (!visit) return toSignIn(context.request)
        requireRole(visit, role)
        return await handle(visit)
      } catch (error) {
        return refusedPage(refusalOf(error, context.request, log), visit)
      }
    }

  return {
    page,
    file: (handle, role) => page((visit) => recorded(visit, handle), role),
    action: (role, handle, again) => async (context) => {
      let visit: Visit | undefined
      try {
        requireOwnOrigin(context.request, config.publicUrl)
        // Read first: whoever sends it slowly would act as who they were when it began.
        const values = await readForm(context.request)
        visit = await visitOf(context)
        if (!visit) {
          const pending = pendingFilled(new URL(context.request.url).pathname, values)
          return pending ? signInPage(pending, 401) : toSignIn(context.request)
        }
        requireRole(visit, role)
        const signedIn = visit
        try {
          requireToken(vault, visit.session, values.get(forgeryField) ?? "")
          return await once(values, () => recorded(signedIn, (taken) => handle({ ...taken, values })))
        } catch (error) {
          const refusal = refusalOf(error, context.request, log)
          if (!again) throw refusal
          return await again(signedIn, refused(values, refusal), statusOfCode[refusal.code])
        }
      } catch (error) {
        return refusedPage(refusalOf(error, context.request, log), visit)
      }
    },
  }
}

/** The project that a page is about. A stranger's is one that does not exist. Throws Refusal `not_found`. */
export async function projectOf(db: Db, { params, workspaceId }: Visit): Promise<Project> {
  const project = await findProject(db, params["project"] ?? "", workspaceId)
  if (!project) throw new Refusal("not_found", shellMessages.unknownPage)
  return project
}

function toSignIn(request: Request): Response {
  const { pathname, search } = new URL(request.url)
  const isPage = request.method === "GET" && pathname !== "/console"
  const next = !isPage ? "" : `?next=${encodeURIComponent(pathname + search)}`
  return seeOther(`/console/sign-in${next}`)
}
