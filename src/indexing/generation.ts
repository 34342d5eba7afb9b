import { minuteMs } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import { lookup } from "../db/lookup.ts"
import { changeRows, insertMissing, insertRows } from "../db/store.ts"
import { withLock } from "../db/with-lock.ts"
import { write } from "../db/writes.ts"
import { notKept } from "../reading/formats/document.ts"
import { type RepeatedText, repeatedTextJson } from "../reading/formats/repeated.ts"
import type { Generator } from "../reading/generators/names.ts"
import type { Feed } from "../reading/kinds/table.ts"
import { type Building, indexSubject, isInHands, unfinished, whileBuilding } from "./building.ts"
import { forgetVersions, unstage } from "./stored-document.ts"
import { detailColumns, forgetHandledOf, forgetReading, type SkippedPage } from "./unfinished-reading.ts"

/** The generation that answers questions of a project. */
export interface LiveGeneration {
  number: number
  indexFormat: string
  passages: number
  checksum: string
  /** Key of the archive that other nodes fetch. null: there is none. */
  archive: string | null
}

/** Time for which a replaced table is kept: longer than any question that may still read it. */
export const replacedKeptMs = 5 * minuteMs

/** Name of the table of a generation. */
export function tableName(projectId: string, generation: number): string {
  return `${projectId}_${generation}`
}

export function projectOf(tableName: string): string {
  return tableName.slice(0, tableName.lastIndexOf("_"))
}

/** The newest generation of a project before `number` that has one of these tables. */
export function newestBefore(number: number, projectId: string, tables: readonly string[]) {
  const numbers = tables
    .filter((table) => table.startsWith(`${projectId}_`))
    .map((table) => Number(table.slice(projectId.length + 1)))
  return numbers.filter((other) => other < number).sort((one, other) => other - one)[0]
}

export async function liveGeneration(db: Db, projectId: string): Promise<LiveGeneration | undefined> {
  return (await liveOf(db, projectId))[0]
}

const liveOf = lookup<LiveGeneration>((isWanted, db) =>
  db
    .selectFrom("generation")
    .select(["number", "index_format as indexFormat", "passages", "checksum", "archive", "project_id as key"])
    .where(isWanted("project_id"))
    .where("live", "=", 1)
    .compile(),
)

/**
 * Begins the next generation, with a number that was never used before. The caller holds the project's lock,
 * so any other unfinished generation was left by a process that died, or that lost the lock: it is abandoned.
 */
export const beginGeneration = write(
  "beginGeneration",
  async (db: Db, projectId: string, indexFormat: string, nowMs: number): Promise<Building> => {
    const { last, number } = await withLock(db, indexSubject(projectId), async (transaction) => {
      for (const { number } of await unfinished(transaction, projectId).execute())
        await abandon(transaction, projectId, number, nowMs)
      await forgetReading(transaction, projectId)
      const { last } = await transaction
        .selectFrom("generation")
        .select(({ fn }) => fn.max("number").as("last"))
        .where("project_id", "=", projectId)
        .executeTakeFirstOrThrow()
      const number = 1 + (last ?? 0)
      await insertRows(transaction, "generation", {
        project_id: projectId,
        number,
        index_format: indexFormat,
        documents: 0,
        passages: 0,
        checksum: "",
        built_at: nowMs,
        live: 0,
        replaced_at: null,
        archive: null,
      })
      return { last, number }
    })
    await forgetHandledOf(db, projectId)
    if (last !== null) await forgetVersions(db, projectId, last)
    return { projectId, number, since: nowMs }
  },
)

/**
 * Resumes the generation of an unfinished reading, whichever node began it; the settings may ask for another format
 * by now. Undefined when it was abandoned meanwhile.
 */
export const resumeGeneration = write(
  "resumeGeneration",
  async (db: Db, projectId: string, number: number, indexFormat: string): Promise<Building | undefined> => {
    return withLock(db, indexSubject(projectId), async (transaction) => {
      const resumed = await transaction
        .updateTable("generation")
        .set((row) => ({ index_format: indexFormat, built_at: row("built_at", "+", 1) }))
        .where("project_id", "=", projectId)
        .where("number", "=", number)
        .where("live", "=", 0)
        .where("replaced_at", "is", null)
        .returning("built_at as since")
        .executeTakeFirst()
      return resumed && { projectId, number, ...resumed }
    })
  },
)

/** Builds it in another format than it was begun with. */
export const changeFormat = write(
  "changeFormat",
  async (db: Db, building: Building, indexFormat: string): Promise<void> => {
    const { projectId: project_id, number } = building
    await whileBuilding(db, building, (transaction) =>
      changeRows(transaction, "generation", { project_id, number }, { index_format: indexFormat }),
    )
  },
)

/**
 * Abandons a generation that never answered; nothing when another builder has done so, or goes on with it. Its table
 * is dropped later, with the unused ones.
 */
export const abandonGeneration = write(
  "abandonGeneration",
  async (db: Db, building: Building, nowMs: number): Promise<void> => {
    const { projectId, number } = building
    const isDone = await withLock(db, indexSubject(projectId), async (transaction) => {
      if (!(await isInHands(transaction, building))) return false
      await abandon(transaction, projectId, number, nowMs)
      await forgetReading(transaction, projectId)
      return true
    })
    if (isDone) await forgetHandledOf(db, projectId)
  },
)

/** The row stays until a later one is there, so that its number is not used again. */
async function abandon(transaction: Db, projectId: string, number: number, nowMs: number): Promise<void> {
  await unstage(transaction, projectId, number)
  await changeRows(transaction, "generation", { project_id: projectId, number }, { replaced_at: nowMs })
}

/** Whether a generation was not built to the end: it never answered, and its table is unused. */
export function isAbandoned(row: { replaced_at: number | null; checksum: string | null }): boolean {
  return row.replaced_at !== null && row.checksum === ""
}

/** Changes that take effect together when a generation becomes live. */
export interface Switch {
  building: Building
  documents: number
  passages: number
  /** Checksum of the files of the index. */
  checksum: string
  /** Key of its archive, which is in the store by now; null where nodes share none. */
  archive: string | null
  /** Feeds that were read, with the pages that were left out. */
  read: { feed: Feed; generator?: Generator | undefined; skipped: SkippedPage[]; repeated: RepeatedText }[]
}

/**
 * Makes a new generation and its documents live in one short transaction. When it has no passage, no
 * generation is live and the project counts as not indexed. Throws Refusal `conflict` when the generation is no
 * longer in its builder's hands.
 */
export const switchGeneration = write("switchGeneration", async (db: Db, change: Switch, nowMs: number) => {
  const { building, documents, passages, checksum, archive } = change
  const { projectId, number } = building
  await whileBuilding(db, building, async (transaction) => {
    await changeRows(
      transaction,
      "generation",
      { project_id: projectId, live: 1 },
      { live: 0, replaced_at: nowMs },
    )
    await changeRows(
      transaction,
      "generation",
      { project_id: projectId, number },
      {
        documents,
        passages,
        checksum,
        archive,
        built_at: nowMs,
        ...(passages > 0 ? { live: 1 as const } : { replaced_at: nowMs }),
      },
    )
    await recordReadings(transaction, change.read, nowMs)
    await forgetReading(transaction, projectId)
  })
})

/** The same where the live generation stays: nothing has changed. */
export const recordUnchanged = write(
  "recordUnchanged",
  (db: Db, building: Building, read: Switch["read"], nowMs: number): Promise<void> =>
    whileBuilding(db, building, (transaction) => recordReadings(transaction, read, nowMs)),
)

/** Stores the time of the readings, and replaces the feeds' left-out pages. */
export async function recordReadings(db: Db, read: Switch["read"], nowMs: number): Promise<void> {
  for (const { feed, generator = null, skipped, repeated } of read) {
    await changeRows(
      db,
      "feed",
      { id: feed.id },
      { last_read_at: nowMs, generator_found: generator, repeated: repeatedTextJson(repeated) },
    )
    await db
      .deleteFrom("left_out_page")
      .where("feed_id", "=", feed.id)
      .where("reason", "!=", notKept)
      .execute()
    for (let start = 0; start < skipped.length; start += 1000) {
      const rows = skipped
        .slice(start, start + 1000)
        .map(({ page, reason, detail }) => ({ feed_id: feed.id, page, reason, ...detailColumns(detail) }))
      await insertMissing(db, "left_out_page", rows)
    }
  }
}
