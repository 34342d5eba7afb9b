import { type Clock, secondMs } from "../base/clock.ts"
import { detail, type Explanation, hasCode, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import type { Row } from "../db/schema.ts"
import { changeRows, findRow } from "../db/store.ts"
import { eachOf } from "../db/words.ts"
import { write } from "../db/writes.ts"
import type { Spent } from "../index/embedding/embed-passages.ts"
import type { Generator } from "../reading/generators/names.ts"
import type { Feed } from "../reading/kinds/table.ts"
import { removesTooMuch } from "./reading.ts"
import type { SkippedPage } from "./unfinished-reading.ts"

export interface Progress {
  phase: "reading" | "building" | "embedding"
  /** Pages read, documents built into the index, or passages that have their vector. */
  done: number
  /** Undefined while unknown. */
  total: number | undefined
  spent?: Readonly<Spent>
}

/** The result of an indexing. */
export interface IndexingResult {
  /** Documents of the whole index; `passages` counts the same way. */
  documents: number
  passages: number
  unchanged: number
  removed: number
  skipped: SkippedPage[]
  /** Pages that were tried, those skipped included. */
  pages: number
  /** Folders whose generator was set or recognised. */
  generators: { feed: Feed; generator: Generator }[]
  /** Feeds that could not be read or would have lost too much. Their documents stay as they were. */
  refused: { feed: Feed; refusal: Refusal }[]
  /** Cost of the vectors; undefined when passages have none. */
  spent: Readonly<Spent> | undefined
  /** Passages whose vectors a later run makes; until then words alone find passages. */
  missingVectors: number
  /** Why the embedded model made none of them; the words answer all the same. */
  vectorFailure: Refusal | undefined
  seconds: number
}

export interface RunOptions {
  signal: AbortSignal
  /** Whether the run resumes at its next turn after `signal` is aborted. */
  resumable?: boolean
  /** The run reads and removes nothing: the outcome of the last reading stays, and it alone tells of pages. */
  keepsReading: boolean
  onProgress(progress: Progress): void
}

/** The last indexing of a project, or the running one. */
export interface IndexingRun {
  state: "running" | "ended" | "interrupted"
  startedAt: number
  endedAt: number | null
  phase: Progress["phase"]
  done: number
  /** null while unknown. */
  total: number | null
  /** null unless the run has ended. */
  outcome: RunOutcome | null
}

/** The result of an ended run, as it is stored. */
export type RunOutcome = ReadingOutcome | { trouble: Trouble }

type ReadingOutcome = Pick<IndexingResult, "documents" | "passages" | "unchanged" | "removed" | "seconds"> & {
  /** Number of pages left out. */
  skipped: number
  /** Pages that could not be read this time, and all that were tried; absent from runs of earlier versions. */
  failed?: number
  pages?: number
  /** Feeds whose documents stay as they were. */
  refused: (Trouble & { feedId: string })[]
  /** Why the embedded model made no vectors, so that words alone find the passages. */
  vectorFailure?: Explanation
}

/** Why a run, or the reading of one feed, failed. */
export interface Trouble {
  /** The sentence for a person. */
  told: Explanation
  /** The particulars; empty when there are none. */
  reason: Explanation
  /** Whether `force` would let it pass: it would have removed more than half of the documents. */
  isForcible: boolean
  /** The reading went through, without many of its pages. */
  isPartial?: true
}

const beatEveryMs = secondMs
/** A run without a heartbeat for this long belongs to a process that died. */
const silentMs = 15 * secondMs

/**
 * Does the work, and stores its progress every second and its outcome, where every process can see them. A
 * resumable run that is aborted stores no outcome and counts as interrupted. Once another run has begun, this one
 * stores nothing more.
 */
export async function recordRun(
  { db, clock }: { db: Db; clock: Clock },
  projectId: string,
  { onProgress, resumable, signal, keepsReading }: RunOptions,
  work: (onProgress: (progress: Progress) => void) => Promise<IndexingResult>,
): Promise<IndexingResult> {
  let latest: Progress = { phase: keepsReading ? "building" : "reading", done: 0, total: undefined }
  const startedAt = clock.now()
  const earlier = keepsReading ? await readingOutcome(db, projectId) : undefined
  const rowOf = (outcome: RunOutcome | null, beatAt = clock.now()) => ({
    project_id: projectId,
    started_at: startedAt,
    beat_at: beatAt,
    ended_at: outcome && clock.now(),
    phase: latest.phase,
    done: latest.done,
    total: latest.total ?? null,
    outcome: outcome || earlier ? JSON.stringify(outcome ?? earlier) : null,
  })
  const record = (outcome: RunOutcome | null, beatAt?: number) => changeRun(db, rowOf(outcome, beatAt))
  await beginRun(db, rowOf(null))
  const beat = setInterval(() => record(null).catch(() => {}), beatEveryMs)
  try {
    const indexed = await work((progress) => {
      latest = progress
      onProgress(progress)
    })
    clearInterval(beat)
    await record(outcomeOf(indexed, earlier))
    return indexed
  } catch (error) {
    clearInterval(beat)
    if (resumable && signal.aborted) await record(null, 0)
    else if (earlier && isModelBroken(error)) await record({ ...earlier, vectorFailure: error.reason })
    else await record({ trouble: troubleOf(error) })
    throw error
  } finally {
    clearInterval(beat)
  }
}

/** Stores the failure of a run whose process was killed. */
export async function recordFailure(
  db: Db,
  projectId: string,
  trouble: Pick<Trouble, "told" | "reason">,
  nowMs: number,
): Promise<void> {
  const outcome = JSON.stringify({ trouble: { ...trouble, isForcible: false } } satisfies RunOutcome)
  const ended = { ended_at: nowMs, outcome }
  await db
    .insertInto("indexing_run")
    .values({
      project_id: projectId,
      started_at: nowMs,
      beat_at: nowMs,
      phase: "reading",
      done: 0,
      total: null,
      ...ended,
    })
    .onConflict((conflict) => conflict.column("project_id").doUpdateSet(ended))
    .execute()
}

export async function lastRun(db: Db, projectId: string, nowMs: number): Promise<IndexingRun | undefined> {
  const row = await findRow(db, "indexing_run", { project_id: projectId })
  if (!row) return undefined
  const isSilent = nowMs - row.beat_at > silentMs
  return {
    state: row.ended_at !== null ? "ended" : isSilent ? "interrupted" : "running",
    startedAt: row.started_at,
    endedAt: row.ended_at,
    phase: row.phase,
    done: row.done,
    total: row.total,
    outcome: row.ended_at === null || row.outcome === null ? null : storedOutcome(row.outcome),
  }
}

/** Troubles of the last indexing of each of these projects, by project id; of one that went well, none. */
export async function troublesOf(db: Db, projectIds: readonly string[]): Promise<Map<string, Trouble>> {
  if (projectIds.length === 0) return new Map()
  const rows = await db
    .selectFrom("indexing_run")
    .select(["project_id", "outcome"])
    .where("project_id", "in", eachOf(db, JSON.stringify(projectIds)))
    .where("ended_at", "is not", null)
    .where("outcome", "is not", null)
    .execute()
  return new Map(
    rows.flatMap(({ project_id, outcome }) => {
      const stored = storedOutcome(outcome as string)
      const trouble = "trouble" in stored ? stored.trouble : (stored.refused[0] ?? halfUnread(stored))
      return trouble ? [[project_id, trouble] as const] : []
    }),
  )
}

/** A few pages that fail are told beside the others; half of a site calls for its owner. */
function halfUnread(outcome: ReadingOutcome): Trouble | undefined {
  const told = unreadPages(outcome)
  const { failed = 0, pages = 0 } = outcome
  return told && failed * 2 >= pages ? { told, reason: "", isForcible: false, isPartial: true } : undefined
}

/**
 * Earlier versions stored the sentence of a trouble (before version 11 of the database), and its reason in
 * English (before version 14). Both are shown as they stand.
 */
function storedOutcome(text: string): RunOutcome {
  return JSON.parse(text, (_, value) =>
    typeof value?.sentence === "string" ? { ...value, told: value.sentence } : value,
  )
}

export const beginRun = write(
  "beginRun",
  async (db: Db, row: Omit<Row<"indexing_run">, "failure_told">): Promise<void> => {
    const { project_id: _, ...changed } = row
    await db
      .insertInto("indexing_run")
      .values(row)
      .onConflict((conflict) => conflict.column("project_id").doUpdateSet(changed))
      .execute()
  },
)

export const changeRun = write(
  "changeRun",
  async (db: Db, row: Omit<Row<"indexing_run">, "failure_told">): Promise<void> => {
    const { project_id, started_at, ...changed } = row
    await changeRows(db, "indexing_run", { project_id, started_at }, changed)
  },
)

/** The outcome of the last reading; undefined when it failed. */
async function readingOutcome(db: Db, projectId: string): Promise<ReadingOutcome | undefined> {
  const row = await findRow(db, "indexing_run", { project_id: projectId })
  if (!row?.outcome) return undefined
  const outcome = storedOutcome(row.outcome)
  return "trouble" in outcome ? undefined : outcome
}

function outcomeOf(indexed: IndexingResult, earlier: ReadingOutcome | undefined): RunOutcome {
  const { documents, passages, unchanged, removed, seconds, vectorFailure } = indexed
  const failure = vectorFailure && { vectorFailure: vectorFailure.reason }
  if (earlier) {
    const { vectorFailure: _, ...kept } = earlier
    return { ...kept, documents, passages, ...failure }
  }
  return {
    ...failure,
    documents,
    passages,
    unchanged,
    removed,
    seconds,
    skipped: indexed.skipped.length,
    failed: countFailed(indexed),
    pages: indexed.pages,
    refused: indexed.refused.map(({ feed, refusal }) => ({ feedId: feed.id, ...troubleOf(refusal) })),
  }
}

export function countFailed({ skipped }: Pick<IndexingResult, "skipped">): number {
  return skipped.filter(({ reason }) => reason === "failed").length
}

/** Tells of a reading that went through without all its pages: a site may have stopped answering. */
export function unreadPages({ failed = 0, pages = 0 }: Pick<ReadingOutcome, "failed" | "pages">) {
  return failed > 0 ? detail("assistant.pagesUnread", { failed, pages }) : undefined
}

/** The embedded model cannot make vectors on this machine, or not at present. */
export function isModelBroken(error: unknown): error is Refusal {
  return hasCode(error, "assistant.embeddingFailed")
}

function troubleOf(error: unknown): Trouble {
  if (!(error instanceof Refusal))
    return { told: detail("assistant.indexingFailed"), reason: "", isForcible: false }
  const told = error.detail || detail("assistant.indexingStopped")
  return { told, reason: error.reason, isForcible: hasCode(error, removesTooMuch) }
}
