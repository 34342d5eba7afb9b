import type { TObject } from "@sinclair/typebox"
import { mayAct, type Role, roles } from "../../accounts/operator.ts"
import { findProject, listProjectNames, type Project } from "../../accounts/project.ts"
import { findSession, workspacesOf } from "../../accounts/session.ts"
import { Refusal, required } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { compressed } from "../../http/compress.ts"
import { extendReplyTimeout } from "../../http/extend-timeout.ts"
import type { Caller, Operation } from "../../operations/operation.ts"
import { perform } from "../../operations/perform.ts"
import { allows, type Right, scopesOf } from "../../operations/scope.ts"
import { toRefusal } from "../../wording/error-replies.ts"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import type { ConsoleDeps } from "./console-deps.ts"
import { browserText, sessionText } from "./cookie.ts"
import { csrfField, csrfToken, requireCsrfToken, requireOwnOrigin } from "./csrf.ts"
import { pendingForm } from "./forms/pending-form.tsx"
import { openSingleSubmit } from "./forms/single-submit.ts"
import { readForm, refused, untouched } from "./forms/submitted-form.ts"
import {
  type ActionContext,
  maxSwitchable,
  maxSwitchableWorkspaces,
  type PageContext,
  type SubmittedContext,
} from "./page-context.ts"
import { otherWorkspaceOf, refusedPage } from "./refused-page.tsx"
import { seeOther } from "./reply.ts"
import { signInPage } from "./sign-in-page.tsx"

/** The part of an Elysia context that the handlers read. */
interface RouteContext {
  request: Request
  route: string
  /** Absent where the route has none. */
  params?: Record<string, string>
  query: Record<string, string | undefined>
}

type Handler = (route: RouteContext) => Promise<Response>

/**
 * Builds the handler of every route of the console that needs an operator. Each handler checks the session
 * and the role; an action also checks that the form comes from our own page.
 */
type Show = (context: PageContext) => Promise<Response> | Response

/** How a form of the console performs an operation. */
export interface PerformingRow<Result> {
  /** A higher one than the operation asks for. */
  role?: Role
  /** A page that is shown in place of the work: the form was only rearranged. */
  instead?(context: SubmittedContext): Promise<Response | undefined>
  /** By noun, the ids that the address does not name. */
  ids?(context: SubmittedContext): Record<string, string>
  /** The operation's fields, from what was typed. */
  input?(
    values: URLSearchParams,
    context: SubmittedContext,
  ): Record<string, unknown> | Promise<Record<string, unknown>>
  /** The page that follows: its address, or the page itself. */
  leadsTo(result: Result, context: SubmittedContext): string | Response | Promise<string | Response>
}

export interface PageHandlers {
  /** A page. A visitor without a session is redirected to sign in, and from there back to the page. */
  page(show: Show, role?: Role): Handler
  /** A download. It is recorded in the audit log as an action is. */
  file(handle: (context: ActionContext) => Promise<Response> | Response, role?: Role): Handler
  /**
   * An action. A refusal is answered by the page `show`, with the submitted values and their problems, or by a page
   * of its own where `show` is absent.
   */
  action(
    role: Role,
    handle: (context: SubmittedContext) => Promise<Response> | Response,
    show?: Show,
  ): Handler
  /** An action that is one operation: the last arguments of its route. */
  performs<Schema extends TObject | undefined, Result>(
    operation: Operation<ConsoleDeps, Schema, Result>,
    row: PerformingRow<Result>,
    show?: Show,
  ): PerformingRoute
  /** A download that is one operation. A HEAD request exports nothing, so it is not recorded. */
  downloads<Result>(
    operation: Operation<ConsoleDeps, undefined, Result>,
    file: (result: Result, context: PageContext) => Response,
  ): PerformingRoute
}

type PerformingRoute = readonly [Handler, { parse: "none"; detail: object }]

export function createPageHandlers(deps: ConsoleDeps): PageHandlers {
  const { db, clock, vault, log, config } = deps
  const singleSubmit = openSingleSubmit()

  /** Runs `handle`, which may perform operations. */
  async function acting(
    context: PageContext,
    handle: (context: ActionContext) => Promise<Response> | Response,
  ): Promise<Response> {
    const caller = callerOf(context)
    return await handle({
      ...context,
      perform: (operation, given, ids = context.params) => perform(operation, deps, caller, ids, given),
    })
  }

  async function contextOf(opened: RouteContext): Promise<PageContext | undefined> {
    const { request, route, params = {}, query } = opened
    const text = sessionText(request)
    const nowMs = clock.now()
    const session = text === undefined ? undefined : await findSession(db, text, nowMs)
    if (!session) return undefined
    // The body is read by now. Lists are read in portions, in one line with all others.
    extendReplyTimeout(request)
    const projects = await listProjectNames(db, session.workspace.id, maxSwitchable + 1)
    return {
      request,
      route,
      params,
      query,
      session,
      workspaces: await workspacesOf(db, session.operator.id, { atMost: maxSwitchableWorkspaces }),
      projects,
      workspaceId: session.workspace.id,
      token: csrfToken(vault, session),
      nowMs,
      submitted: untouched,
      may: (role) => mayAct(session.role, role),
      held: scopesOf(session.role),
    }
  }

  function requireRole(context: PageContext, role: Role): void {
    if (context.may(role)) return
    const sentence = shellMessages.notAllowed(shellMessages.roles[context.session.role])
    throw new Refusal("forbidden", sentence, { reason: `needs the role ${role}` })
  }

  const page: PageHandlers["page"] =
    (handle, role = "viewer") =>
    async (route) => {
      let context: PageContext | undefined
      try {
        context = await contextOf(route)
        if (!context) return toSignIn(route.request)
        requireRole(context, role)
        return await handle(context)
      } catch (error) {
        const refusal = toRefusal(error, route.request, log)
        if (!context || refusal.code !== "not_found") return refusedPage(refusal, context)
        return refusedPage(refusal, context, await otherWorkspaceOf(db, context))
      }
    }

  const action: PageHandlers["action"] = (role, handle, show) => async (route) => {
    let context: PageContext | undefined
    try {
      requireOwnOrigin(route.request, config.publicUrl)
      // The body is read before the session is checked. Otherwise a slow sender would act with the rights
      // of the moment the request began, even if they are revoked meanwhile.
      const values = await readForm(route.request)
      context = await contextOf(route)
      if (!context) {
        const pending = pendingForm(new URL(route.request.url).pathname, values)
        return pending ? signInPage(pending) : toSignIn(route.request)
      }
      requireRole(context, role)
      const signedIn = context
      try {
        requireCsrfToken(vault, context.session, values.get(csrfField) ?? "")
        return await singleSubmit(values, () =>
          acting({ ...signedIn, submitted: { ...untouched, values } }, (action) =>
            handle({ ...action, values }),
          ),
        )
      } catch (error) {
        const refusal = toRefusal(error, route.request, log)
        if (!show) throw refusal
        return await show({ ...signedIn, submitted: refused(values, refusal) })
      }
    } catch (error) {
      return refusedPage(toRefusal(error, route.request, log), context)
    }
  }

  const performs: PageHandlers["performs"] = (operation, row, show) => {
    const { role = roleFor(operation.needs), instead, ids, input, leadsTo } = row
    const handler = action(
      role,
      async (context) => {
        const rearranged = await instead?.(context)
        if (rearranged) return rearranged
        const given = await input?.(context.values, context)
        const result = await context.perform(operation, given, ids?.(context))
        const next = await leadsTo(result, context)
        return typeof next === "string" ? seeOther(next) : next
      },
      show,
    )
    return [sentCompressed(handler), { parse: "none", detail: { operation } }]
  }

  const downloads: PageHandlers["downloads"] = (operation, file) => {
    const handler = page((context) => {
      const asked = context.request.method === "HEAD" ? { ...operation, audit: null } : operation
      return perform(asked, deps, callerOf(context), context.params, {}, (result) => file(result, context))
    }, roleFor(operation.needs))
    return [handler, { parse: "none", detail: { operation } }]
  }

  return {
    page: (handle, role) => sentCompressed(page(handle, role)),
    file: (handle, role) => page((context) => acting(context, handle), role),
    action: (role, handle, show) => sentCompressed(action(role, handle, show)),
    performs,
    downloads,
  }
}

function callerOf({ request, session, workspaceId, held }: PageContext): Caller {
  const { id, email } = session.operator
  const browser = browserText(request)
  return { kind: "operator", id, name: email, workspaceId, held, request, browser, signal: request.signal }
}

/** The lowest role that may do it. */
function roleFor(needs: readonly Right[]): Role {
  return roles.find((role) => needs.every((scope) => allows(scopesOf(role), scope))) ?? "owner"
}

function sentCompressed(handler: Handler): Handler {
  return async (route) => compressed(route.request, await handler(route))
}

/**
 * The project in the page's address. Throws Refusal `not_found` for an unknown project and for one of another
 * workspace.
 */
export async function projectOf(db: Db, { params, workspaceId }: PageContext): Promise<Project> {
  return required(await findProject(db, params["project"] ?? "", workspaceId), shellMessages.unknownPage)
}

function toSignIn(request: Request): Response {
  const { pathname, search } = new URL(request.url)
  const isPage = request.method === "GET" && pathname !== "/console"
  const next = !isPage ? "" : `?next=${encodeURIComponent(pathname + search)}`
  return seeOther(`/console/sign-in${next}`)
}
