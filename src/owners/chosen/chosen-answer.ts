import type { Project } from "../../accounts/project.ts"
import { findSources } from "../../answering/chosen/chosen-sources.ts"
import { hasMarkerInCode, markersIn } from "../../answering/chosen/chosen-text.ts"
import { onTeamPage, teamPagePortion } from "../../answering/chosen/team-answer-url.ts"
import { type Detail, detail, Refusal, required, requireRoom } from "../../base/errors.ts"
import { idsOf, newId } from "../../base/ids.ts"
import { camelNames } from "../../base/names.ts"
import { maxUrlLength, parsedUrl } from "../../base/text.ts"
import type { Db } from "../../db/connection.ts"
import type { Row } from "../../db/schema.ts"
import type { PageRequest } from "../../db/search.ts"
import { changeRows, countOf, deleteRows, findRow, insertRows, rowsOf } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { analyse } from "../../index/text/analyse.ts"
import { liveGeneration } from "../../indexing/generation.ts"

/** An answer that the owner wrote for a question. */
export interface ChosenAnswer {
  id: string
  /** Phrasings of one question. */
  questions: string[]
  /** Markdown with a marker `[^n]` for the n-th of the sources. */
  answer: string
  /** Addresses of the passages that it cites; without any, it cites itself on the team's page. */
  sources: string[]
  createdAt: number
  changedAt: number
  /** Number of sources that were not in the index when they were last looked for. */
  missing: number
  /** Since when it is not given, because none of its sources is in the index; null while it is given. */
  setAsideAt: number | null
}

export interface NewChosenAnswer {
  questions: readonly string[]
  answer: string
  sources?: readonly string[]
}

type Checked = Required<NewChosenAnswer> & { generation: number | null }

/** Limits of one project. The messages `assistant.chosen…` name the same numbers. */
export const chosenLimits = {
  answers: 200,
  questions: 10,
  questionLength: 1000,
  answerLength: 5000,
  sources: 10,
} as const

/**
 * Adds an answer; visitors get it at once. Throws Refusal: `invalid_request` with an entry for each field at fault,
 * `conflict` for one too many, `not_indexed` while there is nothing of the sources that could be cited. `isRead`: false
 * for pages that are read later; then their sources are looked for.
 */
export async function addChosenAnswer(
  db: Db,
  project: Pick<Project, "id" | "language">,
  wanted: NewChosenAnswer,
  nowMs: number,
  { isRead = true } = {},
): Promise<ChosenAnswer> {
  const checked = await checkedAnswer(db, project, wanted, isRead)
  const id = newId("cho", nowMs)
  await withLock(db, `chosen:${project.id}`, async (transaction) => {
    const count = await countOf(transaction, "chosen_answer", { project_id: project.id })
    requireRoom(count, chosenLimits.answers, "assistant.tooManyChosen")
    await insertRows(transaction, "chosen_answer", {
      id,
      project_id: project.id,
      ...columns(checked),
      created_at: nowMs,
      changed_at: nowMs,
    })
    await replaceQuestions(transaction, id, checked.questions)
  })
  return requireChosenAnswer(db, project.id, id)
}

/** Throws as `addChosenAnswer` does, and Refusal `not_found`. */
export async function changeChosenAnswer(
  db: Db,
  project: Pick<Project, "id" | "language">,
  id: string,
  change: Partial<NewChosenAnswer>,
  nowMs: number,
): Promise<ChosenAnswer> {
  const before = await requireChosenAnswer(db, project.id, id)
  const checked = await checkedAnswer(db, project, { ...before, ...change })
  await withLock(db, `chosen:${project.id}`, async (transaction) => {
    const row = required(await findRow(transaction, "chosen_answer", { id }), unknown(project.id, id))
    // Grows with each change, so that a cached copy can be told to be older.
    const changed_at = Math.max(nowMs, row.changed_at + 1)
    await changeRows(transaction, "chosen_answer", { id }, { ...columns(checked), changed_at })
    await replaceQuestions(transaction, id, checked.questions)
  })
  return requireChosenAnswer(db, project.id, id)
}

/** Throws Refusal `not_found`, also for an answer of another project. */
export async function removeChosenAnswer(db: Db, projectId: string, id: string): Promise<void> {
  const [removed] = await deleteRows(db, "chosen_answer", { id, project_id: projectId })
  required(removed, unknown(projectId, id))
}

/** Throws Refusal `not_found`, also for an answer of another project. */
export async function requireChosenAnswer(db: Db, projectId: string, id: string): Promise<ChosenAnswer> {
  const [found] = await withQuestions(db, await rowsOf(db, "chosen_answer", { id, project_id: projectId }))
  return required(found, unknown(projectId, id))
}

/** Newest first. */
export async function listChosenAnswers(db: Db, projectId: string, part?: PageRequest) {
  return withQuestions(db, await rowsOf(db, "chosen_answer", { project_id: projectId }, part))
}

/**
 * The answers that cite no page, oldest first, which a page of their own shows: the portion that begins with the
 * answer `from`, or with the first. `next`: the first answer of the next portion; null at the end.
 */
export async function teamPage(db: Db, projectId: string, from?: string) {
  const { ids, next } = await teamPagePortion(db, projectId, from)
  const rows = await onTeamPage(db, projectId).where("id", "in", ids).selectAll().orderBy("id").execute()
  return { answers: await withQuestions(db, rows), next }
}

/** Adds the phrasings. */
async function withQuestions(db: Db, rows: Row<"chosen_answer">[]): Promise<ChosenAnswer[]> {
  if (rows.length === 0) return []
  const questions = await db
    .selectFrom("chosen_question")
    .select(["chosen_id", "question"])
    .where("chosen_id", "in", idsOf(rows))
    .orderBy("chosen_id")
    .orderBy("place")
    .execute()
  const byAnswer = Map.groupBy(questions, ({ chosen_id }) => chosen_id)
  return rows.map(({ project_id, checked_generation, ...row }) => ({
    ...camelNames(row),
    questions: (byAnswer.get(row.id) ?? []).map(({ question }) => question),
    sources: JSON.parse(row.sources) as string[],
  }))
}

/** Keeps the vectors of the phrasings that stay. */
async function replaceQuestions(transaction: Db, id: string, questions: readonly string[]): Promise<void> {
  const before = await deleteRows(transaction, "chosen_question", { chosen_id: id })
  await insertRows(
    transaction,
    "chosen_question",
    questions.map((question, place) => {
      const same = before.find((each) => each.question === question)
      return { chosen_id: id, place, question, model: same?.model ?? null, vector: same?.vector ?? null }
    }),
  )
}

/** Checks beyond the schema: whether the project's index has its sources, and searches its words. */
async function checkedAnswer(
  db: Db,
  { id: projectId, language }: Pick<Project, "id" | "language">,
  { questions, answer, sources = [] }: NewChosenAnswer,
  isRead = true,
): Promise<Checked> {
  const fields: Record<string, Detail> = {}
  const markers = markersIn(answer)
  if (hasMarkerInCode(answer)) fields["answer"] = detail("assistant.chosenMarkerInCode")
  else if (Math.max(0, ...markers) > sources.length || markers.includes(0))
    fields["answer"] = detail("assistant.chosenMarker", { sources: sources.length })
  if (questions.some((question) => analyse(question, language).length === 0))
    fields["questions"] = detail("assistant.chosenQuestions", { maximum: chosenLimits.questions })
  const live = isRead ? await liveGeneration(db, projectId) : undefined
  if (isRead && !live && sources.length > 0) throw new Refusal("not_indexed", detail("assistant.notIndexed"))
  const unknown = live && (await unknownAddress(db, projectId, live.number, sources))
  if (unknown !== undefined) fields["sources"] = detail("assistant.chosenSource", { address: unknown })
  if (Object.keys(fields).length > 0)
    throw new Refusal("invalid_request", detail("assistant.invalidChosen"), { fields })
  return { questions, answer, sources, generation: live?.number ?? null }
}

function columns({ answer, sources, generation }: Checked) {
  return {
    answer,
    sources: JSON.stringify(sources),
    checked_generation: generation,
    missing: 0,
    set_aside_at: null,
  }
}

async function unknownAddress(db: Db, projectId: string, generation: number, sources: readonly string[]) {
  const malformed = sources.find(
    (address) => address.length > maxUrlLength || !/^https?:$/.test(parsedUrl(address)?.protocol ?? ""),
  )
  if (malformed !== undefined) return malformed.slice(0, 200)
  const foundSources = await findSources(db, projectId, generation, sources)
  return sources.find((_, at) => !foundSources[at])
}

function unknown(project: string, id: string): Detail {
  return detail("assistant.chosenNotFound", { project, id })
}
