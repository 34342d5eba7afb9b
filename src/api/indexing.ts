import type { Static } from "@sinclair/typebox"
import type { Project } from "../accounts/project.ts"
import { projectOf } from "../accounts/projects/operations.ts"
import { isoTime } from "../base/clock.ts"
import { detail, required } from "../base/errors.ts"
import { shown } from "../http/record/json.ts"
import { listOf } from "../http/record/schemas.ts"
import type { ReplyLanguage } from "../http/reply-language.ts"
import { type IndexingRun, lastRun, type RunOutcome, type Trouble } from "../indexing/indexing-run.ts"
import { addFeed, changeFeed, readFeeds, removeFeed } from "../indexing/operations.ts"
import { type LeftOutPage, listIndexedPages, listLeftOutPages } from "../indexing/page-state.ts"
import {
  documentRecord,
  indexRunRecord,
  leftOutPageRecord,
  pageRecord,
  pageSearch,
} from "../indexing/record.ts"
import { showPage, whyLeftOut } from "../indexing/shown-page.ts"
import { idOf } from "../operations/operation.ts"
import { headersIn, type ListedFeed, listFeeds, requireFeed } from "../reading/feed.ts"
import { removeFile, requireUploadFeed, uploadFiles } from "../reading/kinds/upload/operations.ts"
import { uploadedRecord, uploadRecord } from "../reading/kinds/upload/record.ts"
import { listUploads, type Upload, uploadUrl } from "../reading/kinds/upload/uploads.ts"
import { feedRecord } from "../reading/record.ts"
import { englishMessage, inEnglish } from "../wording/english.ts"
import { userMessage } from "../wording/user-message.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers } from "./kit/handlers.ts"

type ShownPage = NonNullable<Awaited<ReturnType<typeof showPage>>>
type IndexRun = Static<typeof indexRunRecord>

export const shownFeed = shown(feedRecord, (feed: ListedFeed) => ({
  base_url: feed.baseUrl ?? null,
  url_style: feed.urlStyle ?? null,
  generator: feed.urlStyle ? (feed.generator ?? "auto") : null,
  generator_found: feed.found,
  include: feed.include ?? [],
  exclude: feed.exclude ?? [],
  pages: feed.pages ?? [],
  headers: headersIn(feed),
  documents: feed.documents === true,
  crawl: feed.crawl ?? null,
}))

const leftOutPage = shown(leftOutPageRecord, ({ feedId, detail }: LeftOutPage) => ({
  feed: feedId,
  detail: detail === null ? null : inEnglish(detail),
}))

const shownRun = shown(indexRunRecord, ({ outcome }: IndexingRun) => ({
  outcome: outcome && outcomeJson(outcome),
}))

const waiting: IndexRun = {
  state: "waiting",
  started_at: null,
  ended_at: null,
  phase: null,
  done: 0,
  total: null,
  outcome: null,
}

/**
 * The part of `/api/v1/projects/:id` about documentation: feeds, index runs, documents, and the pages that
 * were left out.
 */
export function indexingHandlers(deps: ApiDeps) {
  const { db, clock, reindexing } = deps
  const { performs, shows, lists } = handlers(deps)

  async function listRuns({ id }: Project): Promise<IndexRun[]> {
    const run = await lastRun(db, id, clock.now())
    const isWaiting = (await reindexing.isBusy(id)) && run?.state !== "running"
    return [...(isWaiting ? [waiting] : []), ...(run ? [shownRun.json(run)] : [])]
  }

  return {
    listFeeds: lists(shownFeed, async (call, { after }) => {
      const feeds = await listFeeds(db, (await projectOf(deps, call)).id)
      return feeds.toReversed().filter(({ id }) => after === undefined || id < after)
    }),
    addFeed: performs(addFeed, { status: 201, ...shownFeed }),
    showFeed: shows(shownFeed, async (call) =>
      requireFeed(db, (await projectOf(deps, call)).id, idOf(call, "feed")),
    ),
    changeFeed: performs(changeFeed, { status: 200, ...shownFeed }),
    removeFeed: performs(removeFeed, { status: 202, ...shownFeed }),
    listRuns: shows(
      { schema: listOf(indexRunRecord), json: (items: IndexRun[]) => ({ items, next_cursor: null }) },
      async (call) => listRuns(await projectOf(deps, call)),
    ),
    startRun: performs(readFeeds, {
      status: 202,
      schema: indexRunRecord,
      json: () => waiting,
      refuses: [409],
    }),
    listDocuments: lists(
      shown(documentRecord),
      async ({ query: { search = "" }, ...call }, part) =>
        listIndexedPages(db, (await projectOf(deps, call)).id, { search, ...part }),
      { query: pageSearch },
    ),
    showPage: shows({ schema: pageRecord, json: pageJson }, async (call) => {
      const stored = await showPage(db, (await projectOf(deps, call)).id, idOf(call, "page"))
      return required(stored, detail("assistant.pageNotFound"))
    }),
    listLeftOut: lists(
      leftOutPage,
      async ({ query: { search = "" }, ...call }, { after, atMost }) => {
        const { id } = await projectOf(deps, call)
        const afterPage = after && Buffer.from(after, "base64url").toString()
        return listLeftOutPages(db, id, { search, after: afterPage, atMost })
      },
      {
        query: pageSearch,
        keyOf: ({ feedId, page }) => Buffer.from(`${feedId}|${page}`).toString("base64url"),
      },
    ),
  }
}

const uploadShown = shown(uploadRecord, ({ file }: Upload & { url: string }) => ({
  bytes: file.bytes,
  media_type: file.mediaType,
  created_at: isoTime(file.createdAt),
}))

/** `/api/v1/projects/:id/feeds/:feedId/uploads`: the files of a feed that takes uploads. */
export function uploadHandlers(deps: ApiDeps) {
  const { performs, lists } = handlers(deps)
  const withUrl = (address: string) => (upload: Upload) => ({
    ...upload,
    url: uploadUrl(deps.config.publicUrl, address, upload),
  })

  return {
    list: lists(uploadShown, async (call, part) => {
      const project = await projectOf(deps, call)
      const feed = await requireUploadFeed(deps.db, project.id, idOf(call, "feed"))
      return (await listUploads(deps.db, feed.id, part)).map(withUrl(feed.address))
    }),
    add: performs(uploadFiles, {
      status: 201,
      schema: uploadedRecord,
      json: ({ feed, items, others, leftOut }) => ({
        items: items.map(withUrl(feed.address)).map(uploadShown.json),
        others,
        left_out: leftOut.map(({ name, why }) => ({ name, reason: userMessage(why) })),
      }),
      refuses: [409, 429],
      takesFiles: true,
      maxBodyBytes: 16 * 1024 ** 2,
    }),
    remove: performs(removeFile),
  }
}

function pageJson(shown: ShownPage, language: ReplyLanguage): Static<typeof pageRecord> {
  const inWords = language === "en" ? englishMessage : userMessage
  if ("leftOut" in shown) {
    const { page, reason, detail: told } = shown.leftOut
    const nothing = {
      id: null,
      url: null,
      title: null,
      read_at: null,
      text: [],
      truncated: false,
      left_out: [],
    }
    return { ...nothing, page, reason, detail: told && inWords(told) }
  }
  const { id, page, url, title, readAt, sections, isCut, leftOut } = shown.read
  return {
    id,
    page,
    url,
    title,
    read_at: isoTime(readAt),
    reason: null,
    detail: null,
    text: sections,
    truncated: isCut,
    left_out: leftOut.map(({ reason, text }) => ({ reason, why: inWords(whyLeftOut[reason]), text })),
  }
}

function outcomeJson(outcome: RunOutcome) {
  if ("trouble" in outcome) return { trouble: troubleJson(outcome.trouble) }
  const { vectorFailure, ...told } = outcome
  return {
    ...told,
    ...(vectorFailure !== undefined && { vectorFailure: inEnglish(vectorFailure) }),
    refused: outcome.refused.map(({ feedId, ...trouble }) => ({ ...troubleJson(trouble), feedId })),
  }
}

function troubleJson({ told, reason, isForcible }: Trouble) {
  return { sentence: userMessage(told), reason: inEnglish(reason), isForcible }
}
