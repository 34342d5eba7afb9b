import type { Project } from "../../accounts/project.ts"
import { minuteMs } from "../../base/clock.ts"
import { prepared } from "../../db/prepared.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import { splitterVersion } from "../documents/passages.ts"
import type { Feed } from "../feeds/feed.ts"
import { recipe } from "../index/lance.ts"
import { forgetVersions, unstage } from "./stored-document.ts"
import type { SkippedPage } from "./unfinished-reading.ts"
import { forgetReading } from "./unfinished-reading.ts"

/** One index of a project that answers. */
export interface LiveGeneration {
  number: number
  recipe: string
  passages: number
  seal: string
}

/** A question in flight may still read the table that was replaced; none takes as long as this. */
export const replacedKeptMs = 5 * minuteMs

/**
 * What an index of the project is built with today. A generation with another recipe is built again. Where
 * answers are extracted, passages have no vectors: a model would have to be told of them.
 */
export function recipeFor(
  { language, answers }: Pick<Project, "language" | "answers">,
  embeddingName: string | undefined,
): string {
  return [recipe, `splitter-${splitterVersion}`, language, answers === "written" ? embeddingName : undefined]
    .filter((part) => part !== undefined)
    .join(" ")
}

/** Name of the table of a generation. */
export function tableName(projectId: string, generation: number): string {
  return `${projectId}_${generation}`
}

export async function liveGeneration(db: Db, projectId: string): Promise<LiveGeneration | undefined> {
  return (await liveOf(db, { projectId })).rows[0]
}

const liveOf = prepared<{ projectId: string }, LiveGeneration>((value, db) =>
  db
    .selectFrom("generation")
    .select(["number", "recipe", "passages", "seal"])
    .where("project_id", "=", value("projectId"))
    .where("live", "=", 1)
    .compile(),
)

/**
 * Begins the next generation; its number has never answered before. The caller holds the project's lock, so
 * that what else is being built was left by a process that died: it is forgotten first.
 */
export async function beginGeneration(
  db: Db,
  projectId: string,
  recipe: string,
  nowMs: number,
): Promise<number> {
  for (const { number } of await unfinished(db, projectId)) await abandonGeneration(db, projectId, number)
  await forgetReading(db, projectId)
  const { last } = await db
    .selectFrom("generation")
    .select(({ fn }) => fn.max("number").as("last"))
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow()
  if (last !== null) await forgetVersions(db, projectId, last)
  const number = (last ?? 0) + 1
  await db
    .insertInto("generation")
    .values({
      project_id: projectId,
      number,
      recipe,
      documents: 0,
      passages: 0,
      seal: "",
      built_at: nowMs,
      live: 0,
      replaced_at: null,
    })
    .execute()
  return number
}

/** The generation of an unfinished reading is built with what is asked for today. */
export async function continueGeneration(
  db: Db,
  projectId: string,
  number: number,
  recipe: string,
): Promise<void> {
  await db
    .updateTable("generation")
    .set({ recipe })
    .where("project_id", "=", projectId)
    .where("number", "=", number)
    .execute()
}

/**
 * Forgets a generation that never answered; its table, which no row names any more, is dropped with the
 * unused ones.
 */
export async function abandonGeneration(db: Db, projectId: string, number: number): Promise<void> {
  await forgetReading(db, projectId)
  await unstage(db, projectId, number)
  await db
    .deleteFrom("generation")
    .where("project_id", "=", projectId)
    .where("number", "=", number)
    .where("live", "=", 0)
    .execute()
}

/** What comes into force together with a generation. */
export interface Switch {
  projectId: string
  number: number
  documents: number
  passages: number
  /** What the files of the index were when it was built. */
  seal: string
  /** Feeds that were read, with the pages they left out. */
  read: { feed: Feed; skipped: SkippedPage[] }[]
  /** A feed that goes with its documents. */
  removedFeedId: string | undefined
}

/**
 * The moment at which a new generation answers and its documents are in force: one short transaction. A
 * generation without a passage answers nothing: then none is live, and the project is not indexed.
 */
export async function switchGeneration(db: Db, change: Switch, nowMs: number): Promise<void> {
  const { projectId, number, documents, passages, seal } = change
  await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable("generation")
      .set({ live: 0, replaced_at: nowMs })
      .where("project_id", "=", projectId)
      .where("live", "=", 1)
      .execute()
    await transaction
      .updateTable("generation")
      .set({
        documents,
        passages,
        seal,
        built_at: nowMs,
        ...(passages > 0 ? { live: 1 as const } : { replaced_at: nowMs }),
      })
      .where("project_id", "=", projectId)
      .where("number", "=", number)
      .execute()
    await recordReadings(transaction, change.read, nowMs)
    if (change.removedFeedId !== undefined)
      await transaction.deleteFrom("feed").where("id", "=", change.removedFeedId).execute()
  })
}

/** Keeps when feeds were read and which of their pages were left out. */
export async function recordReadings(db: Db, read: Switch["read"], nowMs: number): Promise<void> {
  for (const { feed, skipped } of read) {
    await db.updateTable("feed").set({ last_read_at: nowMs }).where("id", "=", feed.id).execute()
    await db.deleteFrom("left_out_page").where("feed_id", "=", feed.id).execute()
    for (let start = 0; start < skipped.length; start += 1000) {
      const rows = skipped.slice(start, start + 1000).map((page) => ({ feed_id: feed.id, ...page }))
      await db
        .insertInto("left_out_page")
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  }
}

function unfinished(db: Db, projectId: string) {
  return db
    .selectFrom("generation")
    .select("number")
    .where("project_id", "=", projectId)
    .where("live", "=", 0)
    .where("replaced_at", "is", null)
    .execute()
}
