import { dayMs } from "../base/clock.ts"
import { type Detail, detail, Refusal, required, requireRoom } from "../base/errors.ts"
import { newId } from "../base/ids.ts"
import { isObject } from "../base/names.ts"
import type { Db } from "../db/connection.ts"
import { deleteBelongings } from "../db/delete-in-steps.ts"
import type { Row } from "../db/schema.ts"
import { changeRows } from "../db/store.ts"
import { withLock } from "../db/with-lock.ts"
import { write } from "../db/writes.ts"
import { readFields, refuseWrong, type Wrong } from "../http/record/fields.ts"
import { headerNames } from "../http/record/own-headers.ts"
import type { Generator } from "./generators/names.ts"
import { type Feed, feedKinds, type KindName } from "./kinds/table.ts"
import { requireHttps, type SealHeaders } from "./own-headers.ts"
import { patternProblem } from "./page-patterns.ts"

/** A feed that is not stored yet. */
export type FeedSource = Omit<Feed, "id" | "projectId" | "sealedHeaders">

/** Feeds of one project. The message of `assistant.tooManyFeeds` names the same number. */
export const maxFeeds = 50

/**
 * Adds a feed to a project, or updates the one with the same kind and address. The first one that is read over the
 * network brings daily readings, unless the project has a rhythm already. Throws Refusal `conflict` when
 * the project has `maxFeeds` already, and `invalid_request` as `settingsJson` and `seal` do.
 */
export async function saveFeed(
  db: Db,
  projectId: string,
  source: FeedSource,
  nowMs: number,
  seal: SealHeaders = (_, stored) => stored,
): Promise<{ feed: Feed; added: boolean }> {
  const newFeedId = newId("feed", nowMs)
  const { kind, address } = source
  const settings = settingsJson(source)
  const row = await withLock(db, `feeds:${projectId}`, async (transaction) => {
    const feeds = await listFeeds(transaction, projectId)
    const before = feeds.find((each) => each.kind === kind && each.address === address)
    const others = feeds.filter((feed) => feed !== before)
    const id = before?.id ?? newFeedId
    const headers = seal(id, before?.sealedHeaders ?? null)
    requireHttps(source, headers)
    requireRoom(others.length, maxFeeds, "assistant.tooManyFeeds")
    const row = await transaction
      .insertInto("feed")
      .values({
        id,
        project_id: projectId,
        kind,
        address,
        settings,
        headers,
        created_at: nowMs,
        last_read_at: null,
        generator_found: null,
      })
      .onConflict((conflict) =>
        conflict.columns(["project_id", "kind", "address"]).doUpdateSet({ settings, headers }),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
    const isFirstRemote = !before && isRemote(source) && !others.some(isRemote)
    if (isFirstRemote) await readDaily(transaction, projectId)
    return row
  })
  return { feed: toFeed(row), added: row.id === newFeedId }
}

/** A part of the settings; what is absent or undefined stays. */
type SettingsChange = { [Name in keyof FeedSource]?: Partial<FeedSource[Name]> | undefined }

/**
 * Changes the headers and some settings. Throws Refusal `not_found`, `invalid_request` for headers of a folder and for
 * links where none are followed, and as `seal` does.
 */
export async function changeFeed(
  db: Db,
  projectId: string,
  id: string,
  { seal, ...change }: SettingsChange & { seal: SealHeaders },
): Promise<void> {
  await withLock(db, `feeds:${projectId}`, async (transaction) => {
    const feed = await requireFeed(transaction, projectId, id)
    const headers = seal(id, feed.sealedHeaders ?? null)
    requireHttps(feed, headers)
    if (change.crawl && !feed.crawl) throw wrongFeed({ crawl: detail("assistant.notCrawled") })
    const settings = settingsJson({ ...feed, ...withChange(feed.kind, feed, change) })
    await changeRows(transaction, "feed", { id }, { headers, settings })
  })
}

/** The settings of a kind, with a change of some, or of a part of one. Members that it does not have are ignored. */
export function withChange(kind: KindName, settings: object, change: object): Partial<Feed> {
  const before = { ...feedKinds[kind].usual, ...settings } as Record<string, unknown>
  for (const [name, value] of Object.entries(change))
    if (value !== undefined)
      before[name] = isObject(value) ? { ...(before[name] as object), ...value } : value
  return settingsOf(kind, before)
}

function settingsOf(kind: KindName, members: Record<string, unknown>): Partial<Feed> {
  const names = Object.keys(feedKinds[kind].settings.properties)
  return Object.fromEntries(
    names.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])),
  )
}

/** The settings of a feed as they are stored. Throws Refusal `invalid_request` for wrong ones. */
export function settingsJson({ kind: name, ...members }: FeedSource): string {
  const kind = feedKinds[name]
  const settings = settingsOf(name, members)
  const faults = kind.faults?.(settings) ?? {}
  for (const each of ["include", "exclude"] as const) {
    const problem = patternProblem(settings[each] ?? [])
    if (problem) faults[each] = problem
  }
  if (Object.keys(faults).length > 0) throw wrongFeed(faults)
  const wrong: Wrong = {}
  const read = readFields(settings, kind.settings, wrong)
  refuseWrong(wrong, kind.settings)
  return JSON.stringify(read)
}

function wrongFeed(fields: Record<string, Detail>): Refusal {
  const [reason = ""] = Object.values(fields)
  return new Refusal("invalid_request", detail("assistant.invalidFeed"), { fields, reason })
}

/** The names of its own headers. */
export function headersIn({ sealedHeaders }: Feed): { name: string }[] {
  return headerNames(sealedHeaders ?? null)
}

/** For a database whose key is lost: their values can be opened no more. */
export async function forgetHeaders(db: Db): Promise<void> {
  await db.updateTable("feed").set({ headers: null }).where("headers", "is not", null).execute()
}

/** Whether it is read over the network. */
function isRemote({ kind }: Pick<Feed, "kind">): boolean {
  return feedKinds[kind].secret !== undefined
}

/** A site changes without notice: without a rhythm of its own, it is read every day. */
async function readDaily(transaction: Db, projectId: string): Promise<void> {
  await changeRows(transaction, "project", { id: projectId, every_ms: null }, { every_ms: dayMs })
}

/** `found`: the generator of a folder by whose rules it was read last; null when none was recognised. */
export type ListedFeed = Feed & { lastReadAt: number | null; found: Generator | null }

/** The feeds of a project in the order they were added. */
export async function listFeeds(db: Db, projectId: string): Promise<ListedFeed[]> {
  const rows = await db
    .selectFrom("feed")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("id")
    .execute()
  return rows.map((row) => ({
    ...toFeed(row),
    lastReadAt: row.last_read_at,
    found: row.generator_found as Generator | null,
  }))
}

/** Throws Refusal `not_found`, also for a feed of another project. */
export async function requireFeed(db: Db, projectId: string, id: string): Promise<ListedFeed> {
  const feed = (await listFeeds(db, projectId)).find((each) => each.id === id)
  return required(feed, detail("assistant.feedNotFound", { project: projectId, id }))
}

/** The generators of a project's folders, as their last readings found them. */
export async function generatorsFound(db: Db, projectId: string): Promise<string[]> {
  const feeds = await listFeeds(db, projectId)
  return feeds.flatMap(({ address, found }) => (found ? [`${address}: ${found}`] : []))
}

/**
 * Removes a feed that was never read; any other stays. The live index holds documents of a feed that was
 * read, so `indexProject` removes that one.
 */
export async function removeUnreadFeed(db: Db, id: string): Promise<void> {
  await db.deleteFrom("feed").where("id", "=", id).where("last_read_at", "is", null).execute()
}

/**
 * Removes a feed whose documents the live index no longer holds, with whatever there is of it. One that is cut off
 * leaves a feed to be removed again.
 */
export const removeFeed = write("removeFeed", async (db: Db, id: string): Promise<void> => {
  await deleteBelongings(db, "feed", [id])
  await db.deleteFrom("feed").where("id", "=", id).execute()
})

/** Longer than the settings of any kind within their limits. */
const maxSettingsCharacters = 500_000

/** Throws Error for a row that no version of this program wrote. */
function toFeed({ id, project_id: projectId, kind: name, address, headers, settings }: Row<"feed">): Feed {
  const kind = name as KindName
  const stored = settings.length <= maxSettingsCharacters && JSON.parse(settings)
  const wrong: Wrong = {}
  const read = feedKinds[kind] && isObject(stored) && readFields(stored, feedKinds[kind].settings, wrong)
  const faults = Object.keys(wrong).join(", ")
  if (!read || faults) throw new Error(`feed ${id} has settings that its kind, ${name}, has not: ${faults}`)
  return { id, projectId, kind, address, ...(headers !== null && { sealedHeaders: headers }), ...read }
}
