import type { Project } from "../../accounts/project.ts"
import { consume, subjectOf } from "../../accounts/quotas/rate-limit.ts"
import { hourMs, minuteMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { alone } from "../../db/alone.ts"
import { visitorAddress } from "../../http/client.ts"
import { answerDepsFor, answerQuestion } from "./answer.ts"
import type { Assistant } from "./ask.ts"
import type { CitedAnswer } from "./citations.ts"

/** Longest part of a message that is looked at, in code points. */
const maxCheckedLength = 1000
/** Messages of one visitor, and of all visitors of a project, that are looked at. */
const perVisitor = { count: 20, windowMs: hourMs }
const perProject = { count: 60, windowMs: minuteMs }

/**
 * The documentation's answer to a message that somebody is about to send; undefined when there is none. It is quoted
 * on this machine: no model of others learns of the message. Nothing is stored, and no limit on questions is touched.
 * Throws Refusal `rate_limited` or `unavailable`.
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
  await requirePlace(assistant, project.id, address)
  const request = { question, page: undefined, previous: [], language: project.language }
  const deps = answerDepsFor(assistant, { answers: "extractive" })
  const { result } = await answerQuestion(deps, live.index, request, signal)
  return result.status === "answered" ? { answer: result.answer, sources: result.sources } : undefined
}

async function requirePlace(
  { relaxed, clock, vault, timezone }: Assistant,
  projectId: string,
  address: string,
): Promise<void> {
  const nowMs = clock.now()
  const visitor = subjectOf(vault, "check", `${projectId} ${visitorAddress(address)}`, timezone, nowMs)
  const site = `checks:${projectId}`
  const hasPlace = await alone(
    relaxed,
    [visitor, site],
    async (transaction) =>
      (await consume(transaction, visitor, perVisitor, nowMs)) &&
      (await consume(transaction, site, perProject, nowMs)),
  )
  if (!hasPlace)
    throw new Refusal("rate_limited", detail("assistant.tooManyChecks"), {
      reason: "too many messages checked",
      retryAfterSeconds: 60,
    })
}
