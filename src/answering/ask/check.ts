import type { Project } from "../../accounts/project.ts"
import { detail } from "../../base/errors.ts"
import { visitorAddress } from "../../http/client.ts"
import type { LiveIndex } from "../../indexing/live-index.ts"
import { type Limit, visitorOn } from "../../limits/limit.ts"
import { take } from "../../limits/take.ts"
import { askedEdition } from "../editions/edition-index.ts"
import { answerDepsFor, answerQuestion } from "./answer.ts"
import type { Assistant } from "./ask.ts"
import { findChosen } from "./chosen.ts"
import type { CitedAnswer } from "./citations.ts"
import { courtesyOf } from "./courtesy.ts"

/** Longest part of a message that is looked at, in code points. */
const maxCheckedLength = 1000
/** Questions in a message for which the owner may have chosen an answer. */
const maxQuestions = 3
/** Messages of one visitor, and of all visitors of a project, that are looked at. */
const limits = { key: "checks", retryAfterSeconds: 60 } as const
const perVisitor: Limit = { ...limits, points: 20, per: "hour", on: "visitor" }
const perProject: Limit = { ...limits, points: 60, per: "minute", on: "project" }

/**
 * The answer to a message that a visitor is about to send: the owner's own, else the documentation's. Undefined
 * without an answer, and while this node has more questions than it can work on: the message is sent all the same.
 * Works on this machine alone, so that no external model learns of the message. Stores nothing, and counts against
 * no limit on questions. Throws Refusal `rate_limited` or `unavailable`.
 */
export async function checkMessage(
  assistant: Assistant,
  project: Project,
  text: string,
  address: string,
  signal: AbortSignal,
): Promise<CitedAnswer | undefined> {
  const question = [...text.trim().toWellFormed()].slice(0, maxCheckedLength).join("").trim()
  if (question.length < 2 || !project.assistantEnabled) return undefined
  const live = await assistant.liveIndex(project.id)
  if (!live) return undefined
  await countCheck(assistant, project.id, address)
  const leave = assistant.queue.enter()
  if (!leave) return undefined
  try {
    return await findAnswer(assistant, project, live, question, signal)
  } finally {
    leave()
  }
}

async function findAnswer(
  assistant: Assistant,
  project: Project,
  live: LiveIndex,
  question: string,
  signal: AbortSignal,
): Promise<CitedAnswer | undefined> {
  const edition = await askedEdition(live.index, project, {})
  const request = { question, page: undefined, previous: [], language: project.language }
  const deps = answerDepsFor(assistant, { ...project, answers: "extractive" })
  for (const part of [question, ...questionsIn(question)]) {
    const chosen = await findChosen(deps, project, live, edition, { ...request, question: part }, signal)
    if (chosen) return { answer: chosen.answer, sources: chosen.sources }
  }
  const { result } = await answerQuestion(deps, edition, request, signal)
  return result.status === "answered" ? { answer: result.answer, sources: result.sources } : undefined
}

/** A chosen answer is found by a question as it is asked: a message has greetings and a story around it. */
function questionsIn(message: string): string[] {
  return message
    .split(/(?<=[.!?\n])/)
    .filter((part) => part.endsWith("?"))
    .slice(0, maxQuestions)
    .map((part) => {
      const [start = "", ...rest] = part.split(",")
      return courtesyOf(start) && rest.length > 0 ? rest.join(",") : part
    })
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
