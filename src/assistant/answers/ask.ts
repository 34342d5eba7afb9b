import { type Clock, dayIn } from "../../clock.ts"
import type { Db } from "../../db/connection.ts"
import { Refusal } from "../../errors.ts"
import { visitorAddress } from "../../http/client.ts"
import type { Vault } from "../../vault.ts"
import { type AskLimits, countAsk, giveBack, type Reservation, reserveAsk } from "../../workspaces/limit.ts"
import { isDeclared } from "../../workspaces/origin.ts"
import { findProject, type Project } from "../../workspaces/project.ts"
import type { LiveIndex } from "../indexing/live-index.ts"
import { normalisedPath } from "../retrieval/retrieve.ts"
import { sentences } from "../sentences.ts"
import type { Answerer } from "./answerer.ts"
import type { AskRequest } from "./ask-request.ts"
import { type AskReply, cachedOutcome, cacheKeyOf, conversation, keepAnswer } from "./kept-answer.ts"
import { outcomeOf } from "./outcome.ts"

/** What answering takes. */
export interface Assistant {
  db: Db
  clock: Clock
  vault: Vault
  timezone: string
  limits: AskLimits
  answerer: Answerer
  answerTimeoutMs: number
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

/**
 * Answers a visitor's question. The order of the lines decides which error a caller sees. What this resolves to is stored
 * and counted. Throws Refusal with a code of the specification's part 7 A; then nothing was counted.
 */
export async function ask(
  assistant: Assistant,
  asked: AskRequest,
  caller: Caller,
  signal: AbortSignal,
): Promise<{ reply: AskReply; cached: boolean }> {
  const project = await knownProject(assistant, asked.project)
  requireDeclaredOrigin(project, caller.origin)
  requireEnabledAssistant(project)
  const live = await requireIndex(assistant, project)
  const reservation = await reserve(assistant, project, caller)
  try {
    const previous = await conversation(assistant.db, project.id, asked.previous, assistant.clock.now())
    const cacheKey = previous.length === 0 ? cacheKeyFor(assistant, live, asked) : null
    const cached = cacheKey === null ? undefined : await cachedOutcome(assistant.db, project.id, cacheKey)
    const { outcome } = cached
      ? { outcome: cached }
      : await outcomeOf(assistant, live.index, { ...asked, previous, language: project.language }, signal)
    const kept = { ...asked, projectId: project.id, generation: live.generation, cacheKey, outcome }
    const reply = await assistant.db.transaction().execute(async (transaction) => {
      await countAsk(transaction, reservation)
      return keepAnswer(transaction, kept, assistant.clock.now())
    })
    return { reply, cached: cached !== undefined }
  } catch (error) {
    await giveBack(assistant.db, reservation)
    throw error
  }
}

async function knownProject({ db }: Assistant, id: string): Promise<Project> {
  const project = await findProject(db, id)
  if (!project) throw new Refusal("project_not_found", sentences.projectNotFound)
  return project
}

/** Specification, part 5 A. Also for whoever speaks about an answer of the project. */
export function requireDeclaredOrigin(project: Project, origin: string | null): void {
  if (!isDeclared(origin, project.origins))
    throw new Refusal("origin_not_allowed", sentences.originNotAllowed)
}

function requireEnabledAssistant(project: Project): void {
  if (!project.assistantEnabled) throw new Refusal("assistant_disabled", sentences.assistantDisabled)
}

/** Also for the command line. */
export async function requireIndex({ liveIndex }: Assistant, { id }: Project): Promise<LiveIndex> {
  const live = await liveIndex(id)
  if (live) return live
  throw new Refusal("not_indexed", sentences.notIndexed, {
    reason: `project ${id} is not indexed yet: guichet index ${id} --help shows how`,
  })
}

/** The visitor is known by a keyed hash that changes with the day and the project: it cannot be followed across either. */
function reserve(assistant: Assistant, project: Project, { address }: Caller): Promise<Reservation> {
  const { db, clock, vault, timezone, limits } = assistant
  const nowMs = clock.now()
  const person = [dayIn(timezone, nowMs), project.id, visitorAddress(address)].join(" ")
  const visitor = vault.fingerprint(person, "visitor")
  return reserveAsk(db, { project, visitor }, limits, timezone, nowMs)
}

function cacheKeyFor(
  { answerer }: Assistant,
  { generation }: LiveIndex,
  { question, page }: AskRequest,
): string {
  return cacheKeyOf({
    question,
    page: page === undefined ? null : normalisedPath(page),
    generation,
    answerer: answerer.version,
  })
}
