import { findProject, type Language, type Project } from "../../accounts/project.ts"
import type { AskLimits, Reservation } from "../../accounts/quotas/ask-limits.ts"
import { giveBack, reserveAsk } from "../../accounts/quotas/ask-quota.ts"
import type { Clock } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { isDeclared } from "../../base/origin.ts"
import type { Db } from "../../db/connection.ts"
import type { Vault } from "../../db/vault.ts"
import { visitorAddress } from "../../http/client.ts"
import type { LiveIndex } from "../../indexing/live-index.ts"
import { visitorOn } from "../../limits/limit.ts"
import { type AskedEdition, askedEdition, type Place } from "../editions/edition-index.ts"
import type { AskRequest } from "./ask-request.ts"
import type { AskQueue } from "./queue.ts"

export interface AdmitDeps {
  db: Db
  /** Holds reservations within the limits. A reservation that a power cut loses was never counted. */
  relaxed: Db
  clock: Clock
  vault: Vault
  timezone: string
  limits: AskLimits
  /** Where questions wait while this node works on others. */
  queue: AskQueue
  /** The index that answers for a project now; undefined while the project has none. */
  liveIndex(projectId: string): Promise<LiveIndex | undefined>
}

export interface Caller {
  /** The `Origin` header, unchanged. */
  origin: string | null
  /** IP address of the client. */
  address: string
  /** Language of the visitor's page; undefined where it is unknown or not one of ours. */
  language?: Language | undefined
  /** Set for a program that asks through another door than a page's. */
  via?: "mcp"
  /** Aborted when the client goes away. */
  signal: AbortSignal
}

/** A question that passed every check. It is to be answered at once: its reservation lasts a minute. */
export interface AdmittedQuestion {
  request: AskRequest
  project: Project
  /** Language of a refusal. */
  language: Language
  live: LiveIndex
  asked: AskedEdition
  via: Caller["via"]
  /** The place within every limit, until the question is counted or the place is given back. */
  reservation: Reservation
  /** Gives back the place among the questions at work. */
  leave(): void
}

/**
 * Checks a question, reserves its place within the limits and waits for its turn. The order of the lines decides
 * which error a caller sees. Throws Refusal with a code of the specification's part 7 A.
 */
export async function admit(deps: AdmitDeps, request: AskRequest, caller: Caller): Promise<AdmittedQuestion> {
  const project = await requireAskedProject(deps, request.project)
  requireDeclaredOrigin(project, caller.origin)
  return admitTo(deps, project, request, caller, { origin: caller.origin, page: request.page })
}

/** The same for a caller whose origin was judged by the rule of another door. */
export async function admitTo(
  deps: AdmitDeps,
  project: Project,
  request: AskRequest,
  caller: Omit<Caller, "origin">,
  place: Place,
): Promise<AdmittedQuestion> {
  const live = await requireOpen(deps, project)
  const edition = await askedEdition(live.index, project, place)
  const reservation = await reserve(deps, project, caller)
  const leave = deps.queue.enter() ?? (await waitForTurn(deps, project, reservation, caller))
  const language = caller.language ?? project.language
  return { request, project, language, live, asked: edition, via: caller.via, reservation, leave }
}

/** The index of a project whose assistant is on. Throws Refusal `assistant_disabled` or `not_indexed`. */
export async function requireOpen(deps: Pick<AdmitDeps, "liveIndex">, project: Project): Promise<LiveIndex> {
  requireEnabledAssistant(project)
  return requireIndex(deps, project)
}

/** A question that gets no turn counts nowhere. Throws Refusal `unavailable`. */
async function waitForTurn(
  { queue, relaxed }: AdmitDeps,
  { id }: Project,
  reservation: Reservation,
  { signal }: Pick<Caller, "signal">,
): Promise<() => void> {
  try {
    return await queue.wait(id, signal)
  } catch (error) {
    await giveBack(relaxed, reservation)
    throw error
  }
}

/** Throws Refusal `project_not_found`. */
export async function requireAskedProject({ db }: Pick<AdmitDeps, "db">, id: string): Promise<Project> {
  const project = await findProject(db, id)
  if (!project) throw new Refusal("project_not_found", detail("assistant.projectNotFound"))
  return project
}

/** Specification, part 5 A; feedback obeys the same rule. Throws Refusal `origin_not_allowed`. */
export function requireDeclaredOrigin(project: Project, origin: string | null): void {
  if (!isDeclared(origin, project.origins))
    throw new Refusal("origin_not_allowed", detail("assistant.originNotAllowed"))
}

/** Throws Refusal `assistant_disabled`. */
export function requireEnabledAssistant(project: Project): void {
  if (!project.assistantEnabled)
    throw new Refusal("assistant_disabled", detail("assistant.assistantDisabled"))
}

/** Throws Refusal `not_indexed`, whose reason tells a user of the command line what to do. */
export async function requireIndex(
  { liveIndex }: Pick<AdmitDeps, "liveIndex">,
  { id, indexedAt }: Project,
): Promise<LiveIndex> {
  const live = await liveIndex(id)
  if (live) return live
  const reason =
    indexedAt === null
      ? `project ${id} is not indexed yet: guichet index ${id} --help shows how`
      : `the index of project ${id} is missing, or of another version: the service builds it again when it starts`
  throw new Refusal("not_indexed", detail("assistant.notIndexed"), { reason })
}

function reserve(deps: AdmitDeps, project: Project, { address }: Pick<Caller, "address">) {
  const { relaxed, clock, timezone, limits } = deps
  const at = { timezone, nowMs: clock.now() }
  return reserveAsk(relaxed, { project, visitor: visitorHash(deps, project, address) }, limits, at)
}

/**
 * Identifies the visitor by a keyed hash of day, project and address, so that visitors cannot be followed from one
 * day or project to another.
 */
export function visitorHash(
  { clock, vault, timezone }: Pick<AdmitDeps, "clock" | "vault" | "timezone">,
  { id }: Project,
  address: string,
): string {
  return visitorOn(vault, `${id} ${visitorAddress(address)}`, { timezone, nowMs: clock.now() })
}
