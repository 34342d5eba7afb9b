import { type Clock, secondMs } from "../../clock.ts"
import type { Db } from "../../db/connection.ts"
import type { AssistantTables } from "../../db/tables/assistant.ts"
import { Refusal } from "../../errors.ts"
import { sentences } from "../sentences.ts"
import type { Indexed, IndexingOptions, Progress } from "./indexing.ts"

/** The last indexing of a project, or the one going on. */
export interface IndexingRun {
  state: "running" | "ended" | "interrupted"
  startedAt: number
  endedAt: number | null
  phase: Progress["phase"]
  done: number
  /** null while nobody knows. */
  total: number | null
  /** null unless it has ended. */
  outcome: RunOutcome | null
}

/** What came of an indexing. */
export type RunOutcome =
  | (Pick<Indexed, "documents" | "passages" | "unchanged" | "removed" | "seconds"> & {
      /** How many pages were left out. */
      skipped: number
      /** Feeds that were left as they were. */
      refused: (Trouble & { feedId: string })[]
    })
  | { trouble: Trouble }

/** `sentence` in French for people, `reason` in English with the particulars. */
export interface Trouble {
  sentence: string
  reason: string
  /** It would have removed more than half of the documents: it can be forced. */
  isForcible: boolean
}

const beatEveryMs = secondMs
/** A process that is silent for so long has died. */
const silentMs = 15 * secondMs

/**
 * Does the work and keeps how far it is, every second, and what came of it: for whoever looks, in whichever
 * process. Nothing comes of a resumable run that is called off: it is left as one that was interrupted.
 */
export async function recordRun(
  { db, clock }: { db: Db; clock: Clock },
  projectId: string,
  { onProgress, resumable, signal }: Pick<IndexingOptions, "onProgress" | "resumable" | "signal">,
  work: (onProgress: (progress: Progress) => void) => Promise<Indexed>,
): Promise<Indexed> {
  let latest: Progress = { phase: "reading", done: 0, total: undefined }
  const startedAt = clock.now()
  const record = (outcome: RunOutcome | null, beatAt = clock.now()) =>
    keepRun(db, {
      project_id: projectId,
      started_at: startedAt,
      beat_at: beatAt,
      ended_at: outcome && clock.now(),
      phase: latest.phase,
      done: latest.done,
      total: latest.total ?? null,
      outcome: outcome && JSON.stringify(outcome),
    })
  await record(null)
  const beat = setInterval(() => record(null).catch(() => {}), beatEveryMs)
  try {
    const indexed = await work((progress) => {
      latest = progress
      onProgress(progress)
    })
    clearInterval(beat)
    await record(outcomeOf(indexed))
    return indexed
  } catch (error) {
    clearInterval(beat)
    if (resumable && signal.aborted) await record(null, 0)
    else await record({ trouble: troubleOf(error) })
    throw error
  } finally {
    clearInterval(beat)
  }
}

/** Keeps why a run came to nothing whose process could not say so itself. */
export async function recordFailure(
  db: Db,
  projectId: string,
  trouble: Pick<Trouble, "sentence" | "reason">,
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
  const row = await db
    .selectFrom("indexing_run")
    .selectAll()
    .where("project_id", "=", projectId)
    .executeTakeFirst()
  if (!row) return undefined
  const isSilent = nowMs - row.beat_at > silentMs
  return {
    state: row.ended_at !== null ? "ended" : isSilent ? "interrupted" : "running",
    startedAt: row.started_at,
    endedAt: row.ended_at,
    phase: row.phase,
    done: row.done,
    total: row.total,
    outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as RunOutcome),
  }
}

async function keepRun(db: Db, row: AssistantTables["indexing_run"]): Promise<void> {
  const { project_id: _, ...changed } = row
  await db
    .insertInto("indexing_run")
    .values(row)
    .onConflict((conflict) => conflict.column("project_id").doUpdateSet(changed))
    .execute()
}

function outcomeOf(indexed: Indexed): RunOutcome {
  const { documents, passages, unchanged, removed, seconds } = indexed
  return {
    documents,
    passages,
    unchanged,
    removed,
    seconds,
    skipped: indexed.skipped.length,
    refused: indexed.refused.map(({ feed, refusal }) => ({ feedId: feed.id, ...troubleOf(refusal) })),
  }
}

function troubleOf(error: unknown): Trouble {
  if (!(error instanceof Refusal))
    return { sentence: sentences.indexingFailed, reason: "", isForcible: false }
  const { sentence, message, code } = error
  return {
    sentence: sentence || sentences.indexingStopped,
    reason: message,
    isForcible: code === "conflict" && sentence === sentences.tooMuchRemoved,
  }
}
