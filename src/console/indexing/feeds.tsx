import type { Project } from "../../accounts/project.ts"
import { hourMs } from "../../base/clock.ts"
import { headersIn, type ListedFeed } from "../../reading/feed.ts"
import { feedKinds, kindNames } from "../../reading/kinds/table.ts"
import { formatTime } from "../kit/dates.tsx"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { usePage, useSubmitted } from "../kit/page-context.ts"
import { words as commonWords } from "../kit/words.fr.ts"
import { siteAddress } from "../projects/new-project.tsx"
import { CrawlFields, feedTitle, GitToken, LinkedDocuments, ProtectedSite } from "./feed.tsx"
import { words } from "./words.fr.ts"

interface CommonProps {
  project: Project
}

export function Feeds({ project, feeds }: CommonProps & { feeds: ListedFeed[] }) {
  const { may, timezone } = usePage()
  return (
    <section aria-labelledby="feeds">
      <h2 id="feeds">{words.feeds}</h2>
      <p class="hint">{feeds.length === 0 ? words.noFeed : words.feedsHint}</p>
      <ul class="rows">
        {feeds.map((feed) => (
          <li key={feed.id}>
            <div>
              <strong>{words.kinds[feed.kind]}</strong>
              <div class="address">{feedTitle(feed)}</div>
              {feed.pages && <div class="hint">{words.namedPages(feed.pages.length)}</div>}
              {feed.crawl && <div class="hint">{words.crawled(feed.crawl.depth, feed.crawl.pages)}</div>}
              {feed.crawl?.parameters.length ? (
                <div class="hint">{words.keptParameters(feed.crawl.parameters)}</div>
              ) : null}
              {feed.include?.length ? <div class="hint">{words.onlyPages(feed.include)}</div> : null}
              {feed.exclude?.length ? <div class="hint">{words.withoutPages(feed.exclude)}</div> : null}
              {feed.documents && <div class="hint">{words.withDocuments}</div>}
              {feedKinds[feed.kind].secret === "headers" && headersIn(feed).length > 0 && (
                <div class="hint">{words.definedHeaders(headersIn(feed).map(({ name }) => name))}</div>
              )}
              <div class="hint">
                {feed.baseUrl !== undefined && `${words.under(feed.baseUrl)} · `}
                {feed.found && `${words.readAs(feed.found)} · `}
                {feed.lastReadAt === null
                  ? words.neverRead
                  : words.lastRead(formatTime(feed.lastReadAt, timezone))}
              </div>
            </div>
            {!feedKinds[feed.kind].isLocal && (
              <a
                href={`/console/projects/${project.id}/indexing/feeds/${feed.id}`}
                aria-label={words.feedSettingsOf(feedTitle(feed))}
              >
                {words.feedSettings}
              </a>
            )}
            {may("editor") && (
              <Form
                action={`/console/projects/${project.id}/indexing/feeds/${feed.id}/removal`}
                confirm={words.removeFeedConfirm}
              >
                <button type="submit" class="quiet" aria-label={words.removeFeedNamed(feedTitle(feed))}>
                  {words.removeFeed}
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface NewFeedProps extends CommonProps {
  isFirst: boolean
  /** Nothing could be read of the feeds that there are. */
  isUnread: boolean
}

/** Open until something is read: a sitemap may be elsewhere. */
export function NewFeed({ project, isFirst, isUnread }: NewFeedProps) {
  const submitted = useSubmitted()
  return (
    <details class="more" open={isFirst || isUnread || submitted.problem !== undefined}>
      <summary>{words.newFeed}</summary>
      <Form action={`/console/projects/${project.id}/indexing/feeds`} send={words.add}>
        <Problem />
        {isUnread && !isFirst && <p class="hint">{words.tryAnother}</p>}
        <Field
          name="kind"
          label={words.kind}
          hint={words.kindHint}
          value="site"
          choices={kindNames
            .filter((name) => !feedKinds[name].isLocal)
            .map((name) => [name, words.kinds[name]] as const)}
        />
        <Field
          name="address"
          type="url"
          label={words.address}
          hint={words.addressHint}
          value={isFirst || isUnread ? siteAddress(project) : ""}
        />
        <CrawlFields />
        <GitFields />
        <Field name="pages" label={words.namedPagesLabel} hint={words.namedPagesHint} rows={3} optional />
        <Field name="include" label={words.include} hint={words.patternsHint} rows={2} optional />
        <Field name="exclude" label={words.exclude} rows={2} optional />
        <LinkedDocuments />
        <ProtectedSite headers={[]} />
      </Form>
    </details>
  )
}

function GitFields() {
  return (
    <details class="more">
      <summary>{words.gitSettings}</summary>
      <Field name="base_url" type="url" label={words.baseUrl} hint={words.baseUrlHint} optional />
      <GitToken />
    </details>
  )
}

const usualHours = [1, 6, 12, 24, 168]

export function ReadingSchedule({ project }: CommonProps) {
  const context = usePage()
  const own = project.everyMs === null ? [] : [project.everyMs / hourMs]
  const hours = [...new Set([...usualHours, ...own])].sort((one, other) => one - other)
  return (
    <section aria-labelledby="rhythm">
      <h2 id="rhythm">{words.schedule}</h2>
      <Form action={`/console/projects/${project.id}/indexing/schedule`} only="every_hours">
        <fieldset disabled={!context.may("editor")} class="row">
          <Field
            name="every_hours"
            label={words.every}
            hint={project.everyMs === null ? words.onDemandHint : words.scheduleHint}
            value={String(own[0] ?? 0)}
            choices={[
              ["0", words.onDemand],
              ...hours.map((each) => [String(each), words.periods(each)] as const),
            ]}
          />
          {context.may("editor") && <button type="submit">{commonWords.save}</button>}
        </fieldset>
      </Form>
    </section>
  )
}
