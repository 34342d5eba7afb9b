import { isDeclared } from "../../accounts/origin.ts"
import { findProject, type Project } from "../../accounts/project.ts"
import {
  type AskLimits,
  countAsk,
  giveBack,
  type Reservation,
  reserveAsk,
} from "../../accounts/quotas/ask-quota.ts"
import { type Clock, dayIn } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { Vault } from "../../db/vault.ts"
import { visitorAddress } from "../../http/client.ts"
import type { LiveIndex } from "../indexing/live-index.ts"
import { normalisedPath } from "../retrieval/retrieve.ts"
import type { CitedPiece } from "./answer.ts"
import type { AskRequest } from "./ask-request.ts"
import { type AskReply, cachedOutcome, cacheKeyOf, conversation, keepAnswer } from "./kept-answer.ts"
import { type Answering, answeringOf, outcomeOf } from "./outcome.ts"

/** What answering takes. */
export interface Assistant extends Answering {
  db: Db
  /** For places within the limits: one that a crash forgets was never counted. */
  relaxed: Db
  clock: Clock
  vault: Vault
  timezone: string
  limits: AskLimits
  /** The index that answers for a project at this moment; undefined while there is none. */
  liveIndex(projectId: string): Promise<LiveIndex | undefined>
}

/** Who asks. */
export interface Caller {
  /** The `Origin` header as it came. */
  origin: string | null
  /** The client's address. */
  address: string
}

/** A question that was let in: it holds a place within every limit until it is answered. */
export interface Accepted {
  /**
   * Answers it; `onPiece` is told each piece as it comes. What this resolves to is stored and counted. Throws Refusal
   * `unavailable` or `not_indexed`; then nothing was counted, unless whoever asked had read a sentence and left.
   */
  answer(signal: AbortSignal, onPiece?: (piece: CitedPiece) => void): Promise<Reply>
}

export interface Reply {
  reply: AskReply
  cached: boolean
}

/** Answers a visitor's question, as `accept` and `answer` say. */
export async function ask(
  assistant: Assistant,
  asked: AskRequest,
  caller: Caller,
  signal: AbortSignal,
): Promise<Reply> {
  const accepted = await accept(assistant, asked, caller)
  return accepted.answer(signal)
}

/**
 * Lets a question in, to be answered at once. The order of the lines decides which error a caller sees.
 * Throws Refusal with a code of the specification's part 7 A.
 */
export async function accept(assistant: Assistant, asked: AskRequest, caller: Caller): Promise<Accepted> {
  const project = await requireProject(assistant, asked.project)
  requireDeclaredOrigin(project, caller.origin)
  requireEnabledAssistant(project)
  const live = await requireIndex(assistant, project)
  const reservation = await reserve(assistant, project, caller)
  const admission = { assistant: answeringOf(assistant, project), project, live, reservation }
  return { answer: (signal, onPiece) => answerAccepted(admission, asked, signal, onPiece) }
}

interface Admission {
  assistant: Assistant
  project: Project
  live: LiveIndex
  reservation: Reservation
}

async function answerAccepted(
  { assistant, project, live, reservation }: Admission,
  asked: AskRequest,
  signal: AbortSignal,
  onPiece?: (piece: CitedPiece) => void,
): Promise<Reply> {
  let hasRead = false
  const give = (piece: CitedPiece) => {
    hasRead = true
    onPiece?.(piece)
  }
  try {
    const previous = await conversation(assistant.db, project.id, asked.previous, assistant.clock.now())
    const cacheKey = previous.length === 0 ? cacheKeyFor(assistant, project, live, asked) : null
    const cached = cacheKey === null ? undefined : await cachedOutcome(assistant.db, project.id, cacheKey)
    const wanted = { ...asked, previous, language: project.language }
    const { outcome, isFallback } = cached
      ? { outcome: cached, isFallback: false }
      : await outcomeOf(assistant, live.index, wanted, signal, onPiece && give)
    const kept = {
      ...asked,
      projectId: project.id,
      generation: live.generation,
      cacheKey: isFallback ? null : cacheKey,
      outcome,
    }
    const reply = await assistant.db.transaction().execute(async (transaction) => {
      await countAsk(transaction, reservation)
      return keepAnswer(transaction, kept, assistant.clock.now())
    })
    return { reply, cached: cached !== undefined }
  } catch (error) {
    // Whoever reads sentences and leaves before the last would otherwise read on without limit, at the
    // owner's cost.
    if (hasRead && signal.aborted)
      await assistant.db.transaction().execute((transaction) => countAsk(transaction, reservation))
    else await giveBack(assistant.relaxed, reservation)
    // Whatever went wrong with a project that was removed meanwhile: it is not there.
    await requireProject(assistant, project.id)
    throw error
  }
}

async function requireProject({ db }: Assistant, id: string): Promise<Project> {
  const project = await findProject(db, id)
  if (!project) throw new Refusal("project_not_found", detail("assistant.projectNotFound"))
  return project
}

/** Specification, part 5 A. Also for whoever speaks about an answer of the project. */
export function requireDeclaredOrigin(project: Project, origin: string | null): void {
  if (!isDeclared(origin, project.origins))
    throw new Refusal("origin_not_allowed", detail("assistant.originNotAllowed"))
}

function requireEnabledAssistant(project: Project): void {
  if (!project.assistantEnabled)
    throw new Refusal("assistant_disabled", detail("assistant.assistantDisabled"))
}

/** Also for the command line. */
export async function requireIndex({ liveIndex }: Assistant, { id }: Project): Promise<LiveIndex> {
  const live = await liveIndex(id)
  if (live) return live
  throw new Refusal("not_indexed", detail("assistant.notIndexed"), {
    reason: `project ${id} is not indexed yet: guichet index ${id} --help shows how`,
  })
}

/**
 * The visitor is known by a keyed hash that changes with the day and the project: it cannot be followed
 * across either.
 */
function reserve(assistant: Assistant, project: Project, { address }: Caller): Promise<Reservation> {
  const { relaxed, clock, vault, timezone, limits } = assistant
  const nowMs = clock.now()
  const person = [dayIn(timezone, nowMs), project.id, visitorAddress(address)].join(" ")
  const visitor = vault.fingerprint(person, "visitor")
  return reserveAsk(relaxed, { project, visitor }, limits, timezone, nowMs)
}

function cacheKeyFor(
  { answerer }: Assistant,
  { language }: Project,
  { generation }: LiveIndex,
  { question, page }: AskRequest,
): string {
  return cacheKeyOf({
    question,
    page: page === undefined ? null : normalisedPath(page),
    generation,
    answerer: answerer.version,
    language,
  })
}
