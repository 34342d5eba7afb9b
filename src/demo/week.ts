import type { Project } from "../accounts/project.ts"
import { answerDepsFor } from "../answering/ask/answer.ts"
import { answerAsVisitor } from "../answering/ask/chosen.ts"
import { recordFeedback } from "../answering/ask/feedback.ts"
import { storeAnswer } from "../answering/ask/store-answer.ts"
import type { App } from "../app.ts"
import { sleep } from "../base/async.ts"
import { type Clock, dayMs, minuteMs, secondMs, systemClock } from "../base/clock.ts"
import type { Form } from "../forms/definition/form.ts"
import { parseSubmission } from "../forms/submission/parse-submission.ts"
import { submit } from "../forms/submission/submit.ts"
import { timingToken } from "../forms/submission/timing-token.ts"
import type { LiveIndex } from "../indexing/live-index.ts"
import { words } from "./words.fr.ts"

/** The clock of the demo, which begins days ago so that a week can pass before anybody looks. */
export interface DemoClock extends Clock {
  behindMs: number
}

export function demoClock(): DemoClock {
  const clock: DemoClock = {
    behindMs: weekDays * dayMs,
    now: () => systemClock.now() - clock.behindMs,
  }
  return clock
}

const weekDays = 7
/** Questions of each day, the oldest first. */
const questionsADay = [3, 5, 4, 7, 2, 4, 6]
/** A delivery that takes longer is not waited for. */
const patienceMs = 5 * secondMs

interface DemoSite {
  app: App
  clock: DemoClock
  project: Project
  form: Form
}

/**
 * A week of questions and messages, by the ways of real ones: each is answered, stored and delivered at its own time.
 * Afterwards the clock is right.
 */
export async function fillWeek(site: DemoSite): Promise<void> {
  const { app, clock, project } = site
  const live = await app.assistant.liveIndex(project.id)
  if (!live) throw new Error("the demo's documentation is not indexed")
  const endMs = systemClock.now()
  let asked = 0
  for (const [day, count] of questionsADay.entries()) {
    const dayEndMs = endMs - (weekDays - 1 - day) * dayMs
    for (let left = count; left > 0; left--) await askAt(site, live, asked++, dayEndMs - left * 53 * minuteMs)
    for (const [at, message] of words.messages.entries())
      if (at % weekDays === day) await writeAt(site, message, dayEndMs - (at + 3) * 7 * minuteMs)
  }
  // As somebody does who pastes a text and sends it at once.
  await writeAt(site, words.hasty, endMs - 12 * minuteMs, true)
  clock.behindMs = 0
}

async function askAt(
  { app, project }: DemoSite,
  live: LiveIndex,
  number: number,
  atMs: number,
): Promise<void> {
  const question = words.asked[number % words.asked.length] as string
  const page = words.askedOn[number % words.askedOn.length]
  const deps = { ...app.assistant, ...answerDepsFor(app.assistant, { ...project, answers: "extractive" }) }
  const request = { question, page, previous: [], language: project.language }
  const { signal } = new AbortController()
  const { result } = await answerAsVisitor(deps, project, live, { page }, request, signal)
  const answer = {
    projectId: project.id,
    question,
    page,
    generation: live.generation,
    cacheKey: null,
    result,
  }
  const { id, status } = await storeAnswer(app.db, answer, atMs)
  if (status === "answered" && number % 3 === 0)
    await recordFeedback(app.db, id, { useful: number % 2 === 0, reason: null })
}

async function writeAt(
  { app, clock, project, form }: DemoSite,
  message: Record<string, string>,
  atMs: number,
  isHasty = false,
): Promise<void> {
  clock.behindMs = systemClock.now() - atMs
  const texts = new Map(Object.entries(message))
  if (isHasty) texts.set("guichet_started", timingToken(app.vault, form.id, clock.now()))
  const post = { texts, lists: new Map(), unreadable: new Set<string>(), files: new Map() }
  const parsed = parseSubmission(form, post, project.language)
  const page = `${project.site}/docs/`
  await submit(app, form, { post, parsed, page, visitor: `demo ${atMs}`, answerId: null })
  await firstAttempts(app)
}

/** Resolves once every delivery was tried, so that the log has it at its time. */
async function firstAttempts({ db, clock }: App): Promise<void> {
  const endsMs = performance.now() + patienceMs
  while (performance.now() < endsMs) {
    const due = await db
      .selectFrom("delivery")
      .select("id")
      .where("state", "=", "pending")
      .where("attempts_made", "=", 0)
      .where("due_at", "<=", clock.now())
      .limit(1)
      .executeTakeFirst()
    if (!due) return
    await sleep(10)
  }
}
