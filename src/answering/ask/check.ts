import type { Project } from "../../accounts/project.ts"
import { detail } from "../../base/errors.ts"
import { visitorAddress } from "../../http/client.ts"
import type { LiveIndex } from "../../indexing/live-index.ts"
import { type Limit, visitorOn } from "../../limits/limit.ts"
import { take } from "../../limits/take.ts"
import { askedEdition } from "../editions/edition-index.ts"
import { sureThreshold } from "../retrieval/thresholds.ts"
import { answerDepsFor, answerQuestion } from "./answer.ts"
import type { Assistant } from "./ask.ts"
import { findChosen } from "./chosen.ts"
import type { CitedAnswer } from "./citations.ts"
import { questionsIn } from "./message-questions.ts"

/** Longest part of a message that is looked at, in code points. */
const maxCheckedLength = 1000
/** A message of more characters says more than its question: it is not looked for as a whole. */
const maxWholeLength = 200
/** Messages of one visitor, and of all visitors of a project, that are looked at. */
const limits = { key: "checks", retryAfterSeconds: 60 } as const
const perVisitor: Limit = { ...limits, points: 20, per: "hour", on: "visitor" }
const perProject: Limit = { ...limits, points: 60, per: "minute", on: "project" }

interface OfferedAnswer extends CitedAnswer {
  /** It consists of lines of the pages, and is not the owner's own. */
  isQuoted: boolean
}

/**
 * The answer to a message that a visitor is about to send: the owner's own, else the documentation's where that is
 * sure. Undefined without one, for a message that asks nothing, and while this node has more questions than it can
 * work on: the message is sent all the same.
 * Works on this machine alone, so that no external model learns of the message. Stores nothing, and counts against
 * no limit on questions. Throws Refusal `rate_limited` or `unavailable`.
 */
export async function checkMessage(
  assistant: Assistant,
  project: Project,
  text: string,
  address: string,
  signal: AbortSignal,
): Promise<OfferedAnswer | undefined> {
  const message = [...text.trim().toWellFormed()].slice(0, maxCheckedLength).join("").trim()
  const questions = questionsIn(message)
  if (questions.length === 0 || !project.assistantEnabled) return undefined
  const live = await assistant.liveIndex(project.id)
  if (!live) return undefined
  await countCheck(assistant, project.id, address)
  const leave = assistant.queue.enter()
  if (!leave) return undefined
  // The sentence before a question may name what it is about: « J’ai perdu ma clé. Comment faire ? »
  const parts = message.length > maxWholeLength ? questions : [...new Set([...questions, message])]
  try {
    return await findAnswer(assistant, project, live, parts, signal)
  } finally {
    leave()
  }
}

async function findAnswer(
  assistant: Assistant,
  project: Project,
  live: LiveIndex,
  parts: readonly string[],
  signal: AbortSignal,
): Promise<OfferedAnswer | undefined> {
  const edition = await askedEdition(live.index, project, {})
  const requests = parts.map((question) => ({
    question,
    page: undefined,
    previous: [],
    language: project.language,
  }))
  const deps = {
    ...answerDepsFor(assistant, { ...project, answers: "extractive" }),
    threshold: sureThreshold,
  }
  for (const request of requests) {
    const chosen = await findChosen(deps, project, live, edition, request, signal)
    if (chosen) return { answer: chosen.answer, sources: chosen.sources, isQuoted: false }
  }
  for (const request of requests) {
    const { result } = await answerQuestion(deps, edition, request, signal)
    const { status, answer, sources } = result
    if (status === "answered") return { answer, sources, isQuoted: true }
  }
  return undefined
}

/** Throws Refusal `rate_limited`. */
async function countCheck(
  { relaxed, clock, vault, timezone }: Assistant,
  projectId: string,
  address: string,
): Promise<void> {
  const at = { timezone, nowMs: clock.now() }
  const visitor = visitorOn(vault, `${projectId} ${visitorAddress(address)}`, at)
  const refusal = detail("assistant.tooManyChecks")
  await relaxed.transaction().execute(async (transaction) => {
    await take(transaction, perVisitor, visitor, at, refusal)
    await take(transaction, perProject, projectId, at, refusal)
  })
}
