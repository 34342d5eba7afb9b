import { scheduleReadings } from "../../accounts/projects/operations.ts"
import { everyBounds } from "../../accounts/projects/record.ts"
import { hourMs } from "../../base/clock.ts"
import { lastRun } from "../../indexing/indexing-run.ts"
import { addFeed, readFeeds, removeFeed } from "../../indexing/operations.ts"
import { countPages } from "../../indexing/page-state.ts"
import { listFeeds } from "../../reading/feed.ts"
import { isAsked } from "../home/steps.ts"
import { addressWith } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { headersIn } from "../kit/forms/own-headers.tsx"
import { Head } from "../kit/head.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { performs, projectInAddress } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { TrialSection } from "../projects/trial.tsx"
import { crawlIn } from "./feed.tsx"
import { Feeds, NewFeed, ReadingSchedule, wantedKind } from "./feeds.tsx"
import { IndexingState } from "./indexing-state.tsx"
import { readMeaning } from "./meaning.ts"
import { PageList, readPageList } from "./page-list.tsx"
import { words } from "./words.fr.ts"

/** The page about a project's documentation: feeds, progress of the reading, and the result for each page. */
export function indexingPages(deps: ConsoleDeps) {
  const { db, reindexing } = deps

  async function showPage(context: PageContext): Promise<Response> {
    const project = await projectInAddress(db, context)
    const [feeds, run, counts, list, meaning, asked] = await Promise.all([
      listFeeds(db, project.id),
      lastRun(db, project.id, context.nowMs),
      countPages(db, project.id),
      readPageList(db, project.id, context.query),
      readMeaning(deps, project),
      isAsked(deps, context, project),
    ])
    const isBusy = await reindexing.isBusy(project.id)
    const { created, createdRead, feedAdded, feedChanged, feedRemoved, started, scheduled } = words
    const sentences = { created, createdRead, feedAdded, feedChanged, feedRemoved, started, scheduled }
    return page(
      context,
      { title: words.title, current: "indexing", project, flash: sentences },
      <>
        <Head title={words.title} />
        <IndexingState
          address={addressWith(`/console/projects/${project.id}/indexing`, { kind: wantedKind(context) })}
          project={project}
          run={run}
          isBusy={isBusy}
          counts={counts}
          hasFeed={feeds.length > 0}
          meaning={meaning}
        />
        {context.may("editor") && asked === false && project.indexedAt !== null && (
          <TrialSection project={project} />
        )}
        <Feeds project={project} feeds={feeds} />
        {context.may("editor") && (
          <NewFeed
            project={project}
            isFirst={feeds.length === 0}
            isUnread={project.indexedAt === null && !isBusy}
          />
        )}
        {feeds.length > 0 && <ReadingSchedule project={project} />}
        {(counts.indexed > 0 || counts.leftOut > 0) && (
          <PageList project={project} counts={counts} list={list} />
        )}
      </>,
    )
  }

  return {
    page: showPage,
    addFeed: performs(addFeed, {
      show: showPage,
      input: (values) => ({
        // As it was typed: the whole URL is asked for.
        address: values.get("kind") === "upload" ? values.get("address") || undefined : values.get("address"),
        include: linesIn(values.get("include")),
        exclude: linesIn(values.get("exclude")),
        headers: headersIn(values),
        documents: values.has("documents"),
        base_url: values.get("base_url") || undefined,
        token: values.get("token") || undefined,
        crawl: values.get("kind") === "crawl" ? crawlIn(values) : undefined,
        pages: values.get("kind") === "pages" ? linesIn(values.get("pages")) : undefined,
      }),
      async leadsTo({ id, kind, projectId }) {
        // Nothing is there to be read yet.
        if (kind === "upload") return `/console/projects/${projectId}/indexing/feeds/${id}`
        await reindexing.readNow(projectId, { force: false })
        return `/console/projects/${projectId}/indexing?done=feedAdded`
      },
    }),
    removeFeed: performs(removeFeed, {
      leadsTo: ({ projectId }) => `/console/projects/${projectId}/indexing?done=feedRemoved`,
    }),
    readFeeds: performs(readFeeds, {
      leadsTo: (_, { params }) => `/console/projects/${params["project"]}/indexing?done=started`,
    }),
    scheduleReadings: performs(scheduleReadings, {
      input(values) {
        const everyMs = Math.round(Number(values.get("every_hours")) * hourMs)
        const isPeriod = everyMs >= everyBounds.shortestMs && everyMs <= everyBounds.longestMs
        return { every_ms: isPeriod ? everyMs : null }
      },
      leadsTo: (_, { params }) => `/console/projects/${params["project"]}/indexing?done=scheduled`,
    }),
  }
}

/** Patterns hold no blanks. */
function linesIn(typed: string | null): string[] {
  return (typed ?? "").split(/\s+/).filter(Boolean)
}
