/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { changeProject, everyBounds } from "../../accounts/project.ts"
import { listFeeds, saveFeed } from "../../assistant/feeds/feed.ts"
import { checkedFeedSource } from "../../assistant/feeds/feed-source.ts"
import { lastRun } from "../../assistant/indexing/indexing-run.ts"
import { countPages } from "../../assistant/indexing/page-state.ts"
import { hourMs } from "../../base/clock.ts"
import { Refusal } from "../../base/errors.ts"
import { doneOf } from "../kit/done.ts"
import { type ConsoleParts, type Door, projectOf } from "../kit/door.ts"
import { type Filled, untouched } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/indexing.fr.ts"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { Feeds, NewFeed, Rhythm } from "./feeds.tsx"
import { IndexingState } from "./indexing-state.tsx"
import { PageList, pageListOf } from "./page-list.tsx"

/** Where a project's documentation is read from, how its reading goes, and what became of each page. */
export function indexingPages(door: Door, parts: ConsoleParts) {
  const { db, config, reindexing } = parts

  async function shown(visit: Visit, filled: Filled, status: number): Promise<Response> {
    const project = await projectOf(db, visit)
    const [feeds, run, counts, list] = await Promise.all([
      listFeeds(db, project.id),
      lastRun(db, project.id, visit.nowMs),
      countPages(db, project.id),
      pageListOf(db, project.id, visit.query),
    ])
    const isBusy = reindexing.isBusy(project.id)
    const common = { visit, project, timezone: config.timezone }
    const { created, feedAdded, feedRemoved, started, scheduled } = messages
    const done = doneOf(visit.query, { created, feedAdded, feedRemoved, started, scheduled })
    return page(
      visit,
      { title: messages.title, current: "indexing", project, status, done },
      <>
        <h1>{messages.title}</h1>
        <IndexingState {...common} run={run} isBusy={isBusy} counts={counts} hasFeed={feeds.length > 0} />
        <Feeds {...common} feeds={feeds} />
        {visit.may("editor") && <NewFeed {...common} filled={filled} isFirst={feeds.length === 0} />}
        {feeds.length > 0 && <Rhythm {...common} />}
        {(counts.indexed > 0 || counts.leftOut > 0) && <PageList {...common} counts={counts} list={list} />}
      </>,
    )
  }

  async function feedOf(visit: Visit) {
    const project = await projectOf(db, visit)
    const feed = (await listFeeds(db, project.id)).find(({ id }) => id === visit.params["feed"])
    if (!feed) throw new Refusal("not_found", shellMessages.unknownPage)
    return { project, feed }
  }

  return new Elysia({ name: "console-indexing", prefix: "/console/projects/:project/indexing" })
    .get(
      "",
      door.page((visit) => shown(visit, untouched, 200)),
    )
    .post(
      "/feeds",
      door.action(
        "editor",
        async (sent) => {
          const project = await projectOf(db, sent)
          const { values, nowMs } = sent
          const wanted = { kind: values.get("kind") ?? "", address: values.get("address") ?? "" }
          const { feed } = await saveFeed(db, project.id, checkedFeedSource(project, wanted), nowMs)
          sent.about(feed.id, feed.address)
          await reindexing.readNow(project.id, { force: false })
          return seeOther(`/console/projects/${project.id}/indexing?done=feedAdded`)
        },
        shown,
      ),
      { parse: "none" },
    )
    .post(
      "/feeds/:feed/removal",
      door.action("editor", async (sent) => {
        const { project, feed } = await feedOf(sent)
        await reindexing.removeFeed(project.id, feed.id)
        sent.about(feed.id, feed.address)
        return seeOther(`/console/projects/${project.id}/indexing?done=feedRemoved`)
      }),
      { parse: "none" },
    )
    .post(
      "/readings",
      door.action("editor", async (sent) => {
        const { id, name } = await projectOf(db, sent)
        await reindexing.readNow(id, { force: sent.values.get("force") === "yes" })
        sent.about(id, name)
        return seeOther(`/console/projects/${id}/indexing?done=started`)
      }),
      { parse: "none" },
    )
    .post(
      "/schedule",
      door.action("editor", async (sent) => {
        const { id, name } = await projectOf(db, sent)
        sent.about(id, name)
        const everyMs = Math.round(Number(sent.values.get("every_hours")) * hourMs)
        const isPeriod = everyMs >= everyBounds.shortestMs && everyMs <= everyBounds.longestMs
        await changeProject(db, id, { everyMs: isPeriod ? everyMs : null })
        return seeOther(`/console/projects/${id}/indexing?done=scheduled`)
      }),
      { parse: "none" },
    )
}
