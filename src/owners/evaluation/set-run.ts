import { findProject, type Project } from "../../accounts/project.ts"
import { requireIndex } from "../../answering/ask/admit.ts"
import { answerDepsFor } from "../../answering/ask/answer.ts"
import type { Assistant } from "../../answering/ask/ask.ts"
import { answerAsVisitor } from "../../answering/ask/chosen.ts"
import { normalisedPath } from "../../answering/retrieval/retrieve.ts"
import { sleep } from "../../base/async.ts"
import { minuteMs, secondMs } from "../../base/clock.ts"
import { type Detail, detail, Refusal, required } from "../../base/errors.ts"
import { idsOf, newId } from "../../base/ids.ts"
import { camelNames } from "../../base/names.ts"
import type { Db } from "../../db/connection.ts"
import type { Row } from "../../db/schema.ts"
import type { PageRequest } from "../../db/search.ts"
import { changeRows, deleteRows, findRow, insertRows, rowsOf } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import type { LiveIndex } from "../../indexing/live-index.ts"
import { plain } from "./answer-scores.ts"
import { listSetQuestions, type SetQuestion } from "./question-set.ts"

/** Result of a question of the set. */
export interface QuestionResult {
  id: string
  /** `passed`, or what its answer lacks. */
  outcome: "passed" | "unanswered" | "other_page" | "other_text"
}

/** A run of a project's whole evaluation set. */
export interface SetRun {
  id: string
  generation: number
  startedAt: number
  /** null: it goes on, or its process died. */
  endedAt: number | null
  total: number
  passed: number
  results: QuestionResult[]
  /** Questions that passed in the run it is compared with, and no longer do. */
  lost: number
  /** The owner agrees with what was lost. */
  isAccepted: boolean
}

/** A run that did not end by then is over: its process died. The longest set takes a minute. */
const lostAfterMs = 15 * minuteMs
/** Visitors come first: a question that gets no place beside them is asked again, for so long in all of a run. */
const patience = { pauseMs: secondMs, runMs: 10 * minuteMs }
/** Runs of a project that are kept. */
const keptRuns = 60

/**
 * Tries the project with every question of its set, and keeps what came of it; `done` resolves when all of them have
 * been asked, and rejects when one of them fails; of such a run nothing is kept. A crowd of visitors only delays it.
 * Answers are extracted, even where a
 * model writes those of visitors: a reading changes what is found, and no provider is paid for it. Nothing is counted
 * or kept as a visitor's. Throws Refusal: `conflict` without a set and while another run goes on, `not_indexed`.
 */
export async function startSetRun(assistant: Assistant, project: Project) {
  const { db, clock } = assistant
  const questions = await listSetQuestions(db, project.id)
  if (questions.length === 0)
    throw new Refusal("conflict", detail("assistant.setEmpty", { project: project.id }))
  const live = await requireIndex(assistant, project)
  const id = await beginRun(db, project.id, live.generation, questions.length, clock.now())
  return { id, done: askAll(assistant, project, live, questions, id) }
}

async function askAll(
  assistant: Assistant,
  project: Project,
  live: LiveIndex,
  questions: readonly SetQuestion[],
  id: string,
): Promise<SetRun> {
  const { db, clock } = assistant
  const patientUntilMs = performance.now() + patience.runMs
  try {
    const results: QuestionResult[] = []
    for (const question of questions) {
      const outcome = await patiently(() => judgeQuestion(assistant, project, live, question), patientUntilMs)
      results.push({ id: question.id, outcome })
    }
    await endRun(db, project.id, id, results, clock.now())
  } catch (error) {
    // Left open, it would keep others from starting.
    await deleteRows(db, "evaluation_run", { id, ended_at: null }).catch(() => {})
    throw error
  }
  return requireSetRun(db, project.id, id)
}

async function patiently<Result>(ask: () => Promise<Result>, untilMs: number): Promise<Result> {
  for (;;)
    try {
      return await ask()
    } catch (error) {
      const isUnavailable = error instanceof Refusal && error.code === "unavailable"
      if (!isUnavailable || performance.now() > untilMs) throw error
      await sleep(patience.pauseMs)
    }
}

async function judgeQuestion(
  assistant: Assistant,
  project: Project,
  live: LiveIndex,
  { question, page, text }: SetQuestion,
): Promise<QuestionResult["outcome"]> {
  const deps = answerDepsFor(assistant, { ...project, answers: "extractive" })
  const request = { question, page: undefined, previous: [], language: project.language }
  const { signal } = new AbortController()
  // Asked where it is expected to be answered.
  const { result } = await answerAsVisitor(deps, project, live, { page: page ?? undefined }, request, signal)
  if (result.status === "no_answer") return "unanswered"
  const pages = result.sources.map(({ url }) => normalisedPath(URL.parse(url)?.pathname ?? ""))
  if (page !== null && !pages.includes(page)) return "other_page"
  if (text !== null && !plain(result.answer).includes(plain(text))) return "other_text"
  return "passed"
}

async function beginRun(db: Db, projectId: string, generation: number, total: number, nowMs: number) {
  const id = newId("run", nowMs)
  await withLock(db, `evaluation:${projectId}`, async (transaction) => {
    const [last] = await listSetRuns(transaction, projectId, { after: undefined, atMost: 1 })
    if (last && isUnderWay(last, nowMs))
      throw new Refusal("conflict", detail("assistant.setRunning", { project: projectId }))
    await insertRows(transaction, "evaluation_run", {
      id,
      project_id: projectId,
      generation,
      started_at: nowMs,
      ended_at: null,
      total,
      passed: 0,
      results: "[]",
      lost: 0,
      is_accepted: 0,
    })
  })
  return id
}

export function isUnderWay({ endedAt, startedAt }: SetRun, nowMs: number): boolean {
  return endedAt === null && Math.abs(nowMs - startedAt) < lostAfterMs
}

async function endRun(db: Db, projectId: string, id: string, results: QuestionResult[], nowMs: number) {
  await withLock(db, `evaluation:${projectId}`, async (transaction) => {
    const compared = comparedWith(await listSetRuns(transaction, projectId), id)
    const ended = {
      ended_at: nowMs,
      passed: passedIds(results).size,
      results: JSON.stringify(results),
      lost: compared ? lostSince(compared.results, results) : 0,
    }
    await changeRows(transaction, "evaluation_run", { id }, ended)
    const old = transaction
      .selectFrom("evaluation_run")
      .select("id")
      .where("project_id", "=", projectId)
      .orderBy("id", "desc")
      .limit(Number.MAX_SAFE_INTEGER)
      .offset(keptRuns)
    await transaction.deleteFrom("evaluation_run").where("id", "in", old).execute()
  })
}

/**
 * The run that run `id` is compared with: the last one before it that lost nothing, or whose loss the owner agrees
 * with. `runs`: newest first.
 */
export function comparedWith(runs: readonly SetRun[], id: string): SetRun | undefined {
  return runs.find((run) => run.id < id && run.endedAt !== null && (run.lost === 0 || run.isAccepted))
}

/**
 * By how many the number of questions that pass has fallen, over those of both runs. Questions that were added or
 * removed meanwhile change nothing.
 */
export function lostSince(before: readonly QuestionResult[], now: readonly QuestionResult[]): number {
  const ids = new Set(idsOf(now))
  const both = new Set(before.flatMap(({ id }) => (ids.has(id) ? [id] : [])))
  const passed = passedIds(now).intersection(both).size
  return Math.max(0, passedIds(before).intersection(both).size - passed)
}

function passedIds(results: readonly QuestionResult[]): Set<string> {
  return new Set(results.flatMap(({ id, outcome }) => (outcome === "passed" ? [id] : [])))
}

/** Newest first. */
export async function listSetRuns(
  db: Db,
  projectId: string,
  part: Partial<PageRequest> = { atMost: keptRuns },
): Promise<SetRun[]> {
  return (await rowsOf(db, "evaluation_run", { project_id: projectId }, part)).map(toSetRun)
}

/** Throws Refusal `not_found`, also for a run of another project. */
export async function requireSetRun(db: Db, projectId: string, id: string): Promise<SetRun> {
  const row = await findRow(db, "evaluation_run", { id, project_id: projectId })
  return toSetRun(required(row, unknownRun(projectId, id)))
}

/**
 * Whether the owner agrees with what was lost: later runs are then compared with this one. Throws Refusal `not_found`,
 * also for a run that goes on.
 */
export async function acceptSetRun(db: Db, projectId: string, id: string, isAccepted: boolean) {
  const { numUpdatedRows } = await db
    .updateTable("evaluation_run")
    .set({ is_accepted: isAccepted ? 1 : 0 })
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .where("ended_at", "is not", null)
    .executeTakeFirstOrThrow()
  required(numUpdatedRows === 0n ? undefined : id, unknownRun(projectId, id))
}

function unknownRun(project: string, id: string): Detail {
  return detail("assistant.setRunNotFound", { project, id })
}

/** Projects with a set whose live generation none of their runs has tried, oldest index first. */
async function untriedProjects(db: Db): Promise<{ id: string; builtAt: number }[]> {
  return db
    .selectFrom("generation")
    .select(["generation.project_id as id", "built_at as builtAt"])
    .where("live", "=", 1)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("evaluation_question")
          .select("evaluation_question.id")
          .whereRef("evaluation_question.project_id", "=", "generation.project_id"),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("evaluation_run")
            .select("evaluation_run.id")
            .whereRef("evaluation_run.project_id", "=", "generation.project_id")
            .whereRef("evaluation_run.generation", "=", "generation.number")
            .where("evaluation_run.ended_at", "is not", null),
        ),
      ),
    )
    .orderBy("built_at")
    .limit(maxProjects)
    .execute()
}

/** In one round of a job that runs every minute. */
const maxProjects = 20
/** Words answer first and vectors follow: without them for so long, the set is tried as visitors are answered. */
const vectorsWithinMs = 60 * minuteMs

interface AfterReadingDeps {
  assistant: Assistant
  /** Projects whose vectors are still being made. */
  wordsOnlyIndexes(): Promise<{ projectId: string }[]>
  /** Told of a run in which fewer questions pass than before. */
  onFall(project: Project, run: SetRun): Promise<void>
  /** Told of a run that failed, which is tried again in the next round. */
  onFailure(projectId: string, error: unknown): void
}

/** Tries every project that was read since its last run. */
export async function runSetsAfterReadings(deps: AfterReadingDeps, signal: AbortSignal): Promise<void> {
  const { assistant, wordsOnlyIndexes, onFall, onFailure } = deps
  const untried = await untriedProjects(assistant.db)
  if (untried.length === 0) return
  const wordsOnly = new Set((await wordsOnlyIndexes()).map(({ projectId }) => projectId))
  for (const { id, builtAt } of untried) {
    if (signal.aborted) return
    if (wordsOnly.has(id) && assistant.clock.now() - builtAt < vectorsWithinMs) continue
    const project = await findProject(assistant.db, id)
    if (!project) continue
    try {
      const run = await (await startSetRun(assistant, project)).done
      if (run.lost > 0) await onFall(project, run)
    } catch (error) {
      // Another caller, or another node, tries it at this moment.
      if (!(error instanceof Refusal && error.code === "conflict")) onFailure(id, error)
    }
  }
}

function toSetRun({ project_id, ...columns }: Row<"evaluation_run">): SetRun {
  return {
    ...camelNames(columns),
    results: JSON.parse(columns.results) as QuestionResult[],
    isAccepted: columns.is_accepted === 1,
  }
}
