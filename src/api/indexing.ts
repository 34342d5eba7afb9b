import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { requireProject } from "../accounts/project.ts"
import { type ListedFeed, listFeeds, requireFeed } from "../assistant/feeds/feed.ts"
import { lastRun, type RunOutcome, type Trouble } from "../assistant/indexing/indexing-run.ts"
import { addFeed, type IndexingDeps, readFeeds, removeFeed } from "../assistant/indexing/operations.ts"
import { listIndexedPages, listLeftOutPages } from "../assistant/indexing/page-state.ts"
import { showPage, whyLeftOut } from "../assistant/indexing/shown-page.ts"
import { isoTime } from "../base/clock.ts"
import { detail, required } from "../base/errors.ts"
import type { PageRequest } from "../db/search.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { inEnglish } from "../wording/english.ts"
import { userMessage } from "../wording/user-message.ts"
import { area } from "./kit/area.ts"
import {
  documentAnswer,
  type FeedAnswer,
  feedAnswer,
  type IndexRunAnswer,
  indexRunAnswer,
  leftOutPageAnswer,
  type PageAnswer,
  pageAnswer,
  pageSearch,
} from "./schemas/assistant.ts"

/**
 * The part of `/api/v1/projects/:id` about documentation: feeds, index runs, documents, and the pages that
 * were left out.
 */
export function indexingRoutes(deps: IndexingDeps) {
  const { db, clock, reindexing } = deps

  async function runsOf(projectId: string): Promise<IndexRunAnswer[]> {
    const run = await lastRun(db, projectId, clock.now())
    const isWaiting = (await reindexing.isBusy(projectId)) && run?.state !== "running"
    const last = run && {
      ...run,
      started_at: isoTime(run.startedAt),
      ended_at: run.endedAt === null ? null : isoTime(run.endedAt),
      outcome: run.outcome && outcomeJson(run.outcome),
    }
    if (!last) return isWaiting ? [waiting] : []
    const { startedAt: _, endedAt: __, ...shown } = last
    return isWaiting ? [waiting, shown] : [shown]
  }

  const { bearer, operation, performs } = area(deps, "projects")

  return new Elysia({ name: "indexing", prefix: "/api/v1/projects/:id" })
    .use(bearer)
    .get(
      "/feeds",
      async ({ params, query, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        const newest = (await listFeeds(db, project.id)).toReversed()
        const read = async ({ after }: PageRequest) =>
          newest.filter(({ id }) => after === undefined || id < after)
        return listPage(query, read, feedJson)
      },
      operation({
        query: pageQuery,
        answers: { 200: listOf(feedAnswer) },
      }),
    )
    .post("/feeds", ...performs(addFeed, { status: 201, schema: feedAnswer, json: feedJson }))
    .get(
      "/feeds/:feedId",
      async ({ params, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        return feedJson(await requireFeed(db, project.id, params.feedId))
      },
      operation({ answers: { 200: feedAnswer } }),
    )
    .delete("/feeds/:feedId", ...performs(removeFeed, { status: 202, schema: feedAnswer, json: feedJson }))
    .get(
      "/index-runs",
      async ({ params, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        return { items: await runsOf(project.id), next_cursor: null }
      },
      operation({
        answers: { 200: listOf(indexRunAnswer) },
      }),
    )
    .post(
      "/index-runs",
      ...performs(readFeeds, { status: 202, schema: indexRunAnswer, json: () => waiting, refuses: [409] }),
    )
    .get(
      "/documents",
      async ({ params, query, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        const search = query["search"] ?? ""
        return listPage(
          query,
          (part) => listIndexedPages(db, project.id, { search, ...part }),
          ({ id, url, title, readAt }) => ({ id, url, title, read_at: isoTime(readAt) }),
        )
      },
      operation({
        query: Type.Composite([pageSearch, pageQuery]),
        answers: { 200: listOf(documentAnswer) },
      }),
    )
    .get(
      "/pages/:pageId",
      async ({ params, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        const shown = await showPage(db, project.id, params.pageId)
        return pageJson(required(shown, detail("assistant.pageNotFound")))
      },
      operation({ answers: { 200: pageAnswer } }),
    )
    .get(
      "/left-out-pages",
      async ({ params, query, workspaceId }) => {
        const project = await requireProject(db, params.id, workspaceId)
        const search = query["search"] ?? ""
        return listPage(
          query,
          ({ after, atMost }) => {
            const afterPage = after && Buffer.from(after, "base64url").toString()
            return listLeftOutPages(db, project.id, { search, after: afterPage, atMost })
          },
          ({ feedId, page, reason, detail }) => ({
            feed: feedId,
            page,
            reason,
            detail: detail === null ? null : inEnglish(detail),
          }),
          ({ feedId, page }) => Buffer.from(`${feedId}|${page}`).toString("base64url"),
        )
      },
      operation({
        query: Type.Composite([pageSearch, pageQuery]),
        answers: { 200: listOf(leftOutPageAnswer) },
      }),
    )
}

const waiting: IndexRunAnswer = {
  state: "waiting",
  started_at: null,
  ended_at: null,
  phase: null,
  done: 0,
  total: null,
  outcome: null,
}

export function feedJson(feed: ListedFeed): FeedAnswer {
  return {
    id: feed.id,
    kind: feed.kind,
    address: feed.address,
    base_url: feed.kind === "dir" ? feed.baseUrl : null,
    url_style: feed.kind === "dir" ? feed.urlStyle : null,
    generator: feed.kind === "dir" ? (feed.generator ?? "auto") : null,
    generator_found: feed.found,
    include: [...(feed.include ?? [])],
    exclude: [...(feed.exclude ?? [])],
    last_read_at: feed.lastReadAt === null ? null : isoTime(feed.lastReadAt),
  }
}

function pageJson(shown: NonNullable<Awaited<ReturnType<typeof showPage>>>): PageAnswer {
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
    return { ...nothing, page, reason, detail: told && userMessage(told) }
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
    left_out: leftOut.map(({ reason, text }) => ({ reason, why: userMessage(whyLeftOut[reason]), text })),
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
