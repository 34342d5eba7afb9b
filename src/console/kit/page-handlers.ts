import type { TObject } from "@sinclair/typebox"
import { mayAct, type Role } from "../../accounts/operator.ts"
import { findProject, listProjectNames, type Project, projectNames } from "../../accounts/project.ts"
import { findSession, listOperatorWorkspaces } from "../../accounts/session.ts"
import { listTokens } from "../../accounts/token.ts"
import { Refusal, required } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { compressed } from "../../http/compress.ts"
import { extendForLists } from "../../http/extend-timeout.ts"
import { isMultipart, readSentFiles } from "../../http/files/sent-files.ts"
import { type Address, type RequestContext, type Route, routeAt } from "../../http/routes.ts"
import type { Caller, Operation } from "../../operations/operation.ts"
import { perform } from "../../operations/perform.ts"
import { roleScopes } from "../../operations/scope.ts"
import { listEndpoints } from "../../webhooks/endpoints/endpoint.ts"
import { hasDeliveries } from "../../webhooks/messages/delivery-log.ts"
import { toRefusal } from "../../wording/error-replies.ts"
import type { ConsoleDeps } from "./console-deps.ts"
import { inputIn } from "./forms/input.ts"
import { requireUnchanged } from "./forms/optimistic-lock.tsx"
import { pendingForm } from "./forms/pending-form.tsx"
import { openSingleSubmit } from "./forms/single-submit.ts"
import { readForm, refused, untouched } from "./forms/submitted-form.ts"
import {
  maxSwitchable,
  maxSwitchableWorkspaces,
  type PageContext,
  type SubmittedContext,
  withValues,
} from "./page-context.ts"
import { findOtherWorkspace, refusedPage } from "./refused-page.tsx"
import { seeOther } from "./reply.ts"
import { browserText, lastProjectIn, sessionText } from "./session/cookie.ts"
import { csrfField, csrfToken, requireCsrfToken, requireOwnOrigin } from "./session/csrf.ts"
import { openSignInPage, type SignInPage } from "./session/sign-in-page.tsx"
import { words as commonWords } from "./words.fr.ts"

type Handler = (context: RequestContext) => Promise<Response>

type Show = (context: PageContext) => Promise<Response> | Response

interface Row {
  /** The page that shows a refusal, with the submitted values and their problems; a page of its own by default. */
  show?: Show
  takesFiles?: true
}

/** Performs the operation several times, or looks at its subject first. */
interface ActingRow extends Row {
  act(context: SubmittedContext): Promise<string | Response>
}

interface PerformingRow<Result> extends Row {
  /** A page that is shown in place of the work: the form was only rearranged. */
  instead?(context: SubmittedContext): Promise<Response | undefined>
  /** The record that the page showed: the form is refused where it has changed since (optimistic locking). */
  record?(context: SubmittedContext): Promise<object>
  /** By noun, the ids that the address does not name. */
  ids?(context: SubmittedContext): Record<string, string>
  /**
   * The operation's fields that the form does not have by their name and kind (input.ts reads these), or that are read
   * otherwise.
   */
  input?(
    values: URLSearchParams,
    context: SubmittedContext,
  ): Record<string, unknown> | Promise<Record<string, unknown>>
  /** The page that follows: its address, or the page itself. */
  leadsTo(result: Result, context: SubmittedContext): string | Response | Promise<string | Response>
}

/** Answers at an address that needs an operator: a page, or what a form or a link brings about. */
export type Answer = Show | Act

interface Act {
  operation?: object
  handler(deps: HandlerDeps, role: Role): Handler
}

interface HandlerDeps extends ConsoleDeps {
  singleSubmit: ReturnType<typeof openSingleSubmit>
  signInPage: SignInPage
}

/**
 * The lines of a table whose routes need an operator. Each checks the session and the role; an action also checks that
 * the form comes from our own page. A visitor without a session is led to the sign-in, and back from there.
 */
export function pageRoutes(deps: ConsoleDeps, table: Record<Address, readonly [Role, Answer]>): Route[] {
  const handlerDeps = { ...deps, singleSubmit: openSingleSubmit(), signInPage: openSignInPage(deps) }
  return Object.entries(table).map(([address, [role, answer]]) => {
    if (typeof answer === "function")
      return routeAt(address, role, sentCompressed(pageHandler(deps, answer, role)))
    const { handler, ...operation } = answer
    return routeAt(address, role, { handle: handler(handlerDeps, role), ...operation })
  })
}

/** An action that performs no operation: the audit log needs no entry of it, or it has one of its own. */
export function action(
  handle: (context: SubmittedContext) => Promise<Response> | Response,
  show?: Show,
): Act {
  const act = (context: SubmittedContext) => {
    extendForLists(context.request)
    return handle(context)
  }
  return { handler: (deps, role) => sentCompressed(actionHandler(deps, role, act, show)) }
}

export function performs<Schema extends TObject | undefined, Result>(
  operation: Operation<ConsoleDeps, Schema, Result>,
  row: PerformingRow<Result> | ActingRow,
): Act {
  const act = async (context: SubmittedContext) => {
    const next = await ("act" in row ? row.act(context) : performOnce(operation, row, context))
    return typeof next === "string" ? seeOther(next) : next
  }
  return {
    operation,
    handler: (deps, role) => sentCompressed(actionHandler(deps, role, act, row.show, row.takesFiles)),
  }
}

/** A download that is one operation. A HEAD request exports nothing, so it is not recorded. */
export function downloads<Result>(
  operation: Operation<ConsoleDeps, undefined, Result>,
  file: (result: Result, context: PageContext) => Response,
): Act {
  return {
    operation,
    handler: (deps, role) =>
      pageHandler(
        deps,
        (context) => {
          const effective = context.request.method === "HEAD" ? { ...operation, audit: null } : operation
          return perform(effective, deps, operatorCaller(context), context.params, {}, (result) =>
            file(result, context),
          )
        },
        role,
      ),
  }
}

async function readContext(
  { db, clock, vault, config }: ConsoleDeps,
  opened: RequestContext,
): Promise<PageContext | undefined> {
  const { request, route, params = {}, query } = opened
  const text = sessionText(request)
  const nowMs = clock.now()
  const session = text === undefined ? undefined : await findSession(db, text, nowMs)
  if (!session) return undefined
  const workspaceId = session.workspace.id
  const first = { atMost: 1, after: undefined }
  const [projects, workspaces, endpoints, tokens] = await Promise.all([
    listProjectNames(db, workspaceId, maxSwitchable + 1),
    listOperatorWorkspaces(db, session.operator.id, { atMost: maxSwitchableWorkspaces }),
    listEndpoints(db, workspaceId, first),
    listTokens(db, workspaceId, first),
  ])
  const lastId = lastProjectIn(request)
  return {
    request,
    route,
    params,
    query,
    session,
    workspaces,
    projects,
    lastProject: lastId === undefined ? undefined : await namedProject(db, workspaceId, projects, lastId),
    isConnected: endpoints.length + tokens.length > 0 || (await hasDeliveries(db, workspaceId)),
    workspaceId,
    token: csrfToken(vault, session),
    nowMs,
    timezone: config.timezone,
    submitted: untouched,
    may: (role) => mayAct(session.role, role),
    held: roleScopes(session.role),
  }
}

/** `known` holds only the first of many projects. */
async function namedProject(db: Db, workspaceId: string, known: PageContext["projects"], id: string) {
  const match = known.find((project) => project.id === id)
  if (match || known.length <= maxSwitchable) return match
  const name = (await projectNames(db, workspaceId, [id])).get(id)
  return name === undefined ? undefined : { id, name }
}

function requireRole(context: PageContext, role: Role): void {
  if (context.may(role)) return
  const sentence = commonWords.notAllowed(commonWords.roles[context.session.role])
  throw new Refusal("forbidden", sentence, { reason: `needs the role ${role}` })
}

function pageHandler(deps: ConsoleDeps, show: Show, role: Role): Handler {
  return async (route) => {
    let context: PageContext | undefined
    try {
      context = await readContext(deps, route)
      if (!context) return toSignIn(route.request)
      if (mustEnrolFirst(context)) return seeOther(enrolmentPage)
      requireRole(context, role)
      extendForLists(route.request)
      return await show(context)
    } catch (error) {
      const refusal = toRefusal(error, route.request, deps.log)
      if (!context || refusal.code !== "not_found") return refusedPage(refusal, context)
      return refusedPage(refusal, context, await findOtherWorkspace(deps.db, context))
    }
  }
}

function actionHandler(
  deps: HandlerDeps,
  role: Role,
  handle: (context: SubmittedContext) => Promise<Response> | Response,
  show: Show | undefined,
  takesFiles = false,
): Handler {
  const { vault, log, config, singleSubmit, signInPage } = deps
  return async (route) => {
    let context: PageContext | undefined
    try {
      requireOwnOrigin(route.request, config.publicUrl)
      // Only a signed-in operator may send such a large body.
      const sender = takesFiles ? await readContext(deps, route) : undefined
      if (takesFiles && !sender) return toSignIn(route.request)
      const hasFiles = sender && isMultipart(route.request)
      using sent = hasFiles ? await readSentFiles(route.request, sender.workspaceId) : undefined
      // The body is read before the session is checked. Otherwise a slow sender would act with the rights
      // of the moment the request began, even if they are revoked meanwhile.
      const values = sent?.values ?? (await readForm(route.request))
      context = await readContext(deps, route)
      if (!context) {
        const pending = pendingForm(new URL(route.request.url).pathname, values)
        return pending ? signInPage(pending) : toSignIn(route.request)
      }
      if (mustEnrolFirst(context)) return seeOther(enrolmentPage)
      requireRole(context, role)
      const signedIn = context
      try {
        requireCsrfToken(vault, context.session, values.get(csrfField) ?? "")
        const caller = operatorCaller(context)
        const submitted: SubmittedContext = {
          ...withValues(context, values),
          values,
          files: sent?.files ?? [],
          perform: (operation, given, ids = signedIn.params) => perform(operation, deps, caller, ids, given),
        }
        return await singleSubmit(values, () => handle(submitted))
      } catch (error) {
        const refusal = toRefusal(error, route.request, log)
        if (!show) throw refusal
        extendForLists(route.request)
        return await show({ ...signedIn, submitted: refused(values, refusal) })
      }
    } catch (error) {
      return refusedPage(toRefusal(error, route.request, log), context)
    }
  }
}

async function performOnce<Schema extends TObject | undefined, Result>(
  operation: Operation<ConsoleDeps, Schema, Result>,
  { instead, record, ids, input, leadsTo }: PerformingRow<Result>,
  context: SubmittedContext,
): Promise<string | Response> {
  const rearranged = await instead?.(context)
  if (rearranged) return rearranged
  if (record) requireUnchanged(context.values, await record(context))
  const fields = {
    ...(operation.input && inputIn(operation.input, context.values)),
    ...(await input?.(context.values, context)),
  }
  return leadsTo(await context.perform(operation, fields, ids?.(context)), context)
}

const enrolmentPage = "/console/account/two-factor"
/** Open to an operator without a second factor in a workspace that asks for one. */
const openBeforeEnrolment = /^\/console\/(account\/|sign-out|workspace$)/

function mustEnrolFirst({ session, route }: PageContext): boolean {
  return session.mustEnrol && !openBeforeEnrolment.test(route)
}

function operatorCaller({ request, session, workspaceId, held }: PageContext): Caller {
  const { id, email } = session.operator
  const browser = browserText(request)
  return { kind: "operator", id, name: email, workspaceId, held, request, browser, signal: request.signal }
}

function sentCompressed(handler: Handler): Handler {
  return async (route) => compressed(route.request, await handler(route))
}

/** The project in the page's address. Throws Refusal `not_found`, also for one of another workspace. */
export async function projectInAddress(db: Db, { params, workspaceId }: PageContext): Promise<Project> {
  return required(await findProject(db, params["project"] ?? "", workspaceId), commonWords.unknownPage)
}

function toSignIn(request: Request): Response {
  const { pathname, search } = new URL(request.url)
  const isPage = request.method === "GET" && pathname !== "/console"
  const next = !isPage ? "" : `?next=${encodeURIComponent(pathname + search)}`
  return seeOther(`/console/sign-in${next}`)
}
