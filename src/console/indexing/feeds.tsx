import type { Project } from "../../accounts/project.ts"
import { hourMs } from "../../base/clock.ts"
import { headersIn, type ListedFeed } from "../../reading/feed.ts"
import { feedKinds, kindNames } from "../../reading/kinds/table.ts"
import { Section } from "../kit/components.tsx"
import { formatTime } from "../kit/dates.tsx"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { firstProblem } from "../kit/forms/own-headers.tsx"
import { type PageContext, usePage, useSubmitted } from "../kit/page-context.ts"
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
    <Section id="feeds" title={words.feeds} hint={feeds.length === 0 ? words.noFeed : words.feedsHint}>
      <ul class="rows">
        {feeds.map((feed) => (
          <li key={feed.id}>
            <div>
              <strong>{words.kinds[feed.kind]}</strong>
              <div class="address">{feedTitle(feed)}</div>
              {notesOn(feed).map((note) => (
                <div key={note} class="hint">
                  {note}
                </div>
              ))}
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
                send={words.remove}
                spoken={words.removeNamed(feedTitle(feed))}
                look="quiet"
              />
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

type OfferedKind = keyof typeof words.kindHints
/** Settings of a feed beside its address, in words. */
function notesOn(feed: ListedFeed): string[] {
  const { pages, crawl, include = [], exclude = [], documents, kind } = feed
  const headers = feedKinds[kind].secret === "headers" ? headersIn(feed) : []
  return [
    pages && words.namedPages(pages.length),
    crawl && words.crawled(crawl.depth, crawl.pages),
    crawl && crawl.parameters.length > 0 && words.keptParameters(crawl.parameters),
    include.length > 0 && words.onlyPages(include),
    exclude.length > 0 && words.withoutPages(exclude),
    documents && words.withDocuments,
    headers.length > 0 && words.definedHeaders(headers.map(({ name }) => name)),
  ].filter((note) => typeof note === "string")
}

const offeredKinds = kindNames.filter((name): name is OfferedKind => !feedKinds[name].isLocal)

/** The kind of the feed that is being added: the one submitted or chosen by a link. */
export function wantedKind({ submitted, query }: PageContext): string | undefined {
  return submitted.values.get("kind") ?? query["kind"]
}

interface NewFeedProps extends CommonProps {
  isFirst: boolean
  /** Nothing could be read of the feeds that there are. */
  isUnread: boolean
}

/** First the kinds, then the fields of one. Open, on the site, until something is read: a sitemap may be elsewhere. */
export function NewFeed({ project, isFirst, isUnread }: NewFeedProps) {
  const wanted = wantedKind(usePage()) ?? (isFirst || isUnread ? "site" : undefined)
  const kind = offeredKinds.find((name) => name === wanted)
  const path = `/console/projects/${project.id}/indexing`
  return (
    <details id="new" class="more" open={wanted !== undefined}>
      <summary>{words.newFeed}</summary>
      {isUnread && !isFirst && <p class="hint">{words.tryAnother}</p>}
      {kind === undefined ? (
        <ul class="templates">
          {offeredKinds.map((name) => (
            <li key={name}>
              <a href={`${path}?kind=${name}#new`}>
                <strong>{words.kinds[name]}</strong>
                <span class="hint">{words.kindHints[name]}</span>
              </a>
            </li>
          ))}
        </ul>
      ) : (
        <Form action={`${path}/feeds`} send={kind === "upload" ? words.addUpload : words.add}>
          <Problem />
          <input type="hidden" name="kind" value={kind} />
          <p>
            <strong>{words.kinds[kind]}</strong> <a href={`${path}?kind=other#new`}>{words.otherKind}</a>
          </p>
          <KindFields kind={kind} project={project} />
        </Form>
      )}
    </details>
  )
}

/** The fields that a feed of this kind has; those that most leave alone are folded. */
function KindFields({ kind, project }: CommonProps & { kind: OfferedKind }) {
  const { input, secret, usualAddress } = feedKinds[kind]
  const { problems } = useSubmitted()
  const isOnSite = usualAddress === undefined && secret !== "token"
  const isOpen = ["include", "exclude", "headers"].some((name) => firstProblem(problems, name) !== undefined)
  return (
    <>
      <Field
        name="address"
        type="url"
        label={words.address}
        hint={words.addressHints[kind] ?? words.onSite}
        value={isOnSite ? siteAddress(project) : ""}
        optional={usualAddress !== undefined}
      />
      {"pages" in input && (
        <Field name="pages" label={words.kinds.pages} hint={words.namedPagesHint} rows={3} />
      )}
      {"base_url" in input && (
        <Field name="base_url" type="url" label={words.baseUrl} hint={words.baseUrlHint} optional />
      )}
      {secret === "token" && <GitToken />}
      {"crawl" in input && <CrawlFields />}
      <details class="options" open={isOpen}>
        <summary>{words.further}</summary>
        <Field name="include" label={words.include} hint={words.patternsHint} rows={2} optional />
        <Field name="exclude" label={words.exclude} rows={2} optional />
        {"documents" in input && <LinkedDocuments />}
        {secret === "headers" && <ProtectedSite headers={[]} />}
      </details>
    </>
  )
}

const usualHours = [1, 6, 12, 24, 168]

export function ReadingSchedule({ project }: CommonProps) {
  const context = usePage()
  const own = project.everyMs === null ? [] : [project.everyMs / hourMs]
  const hours = [...new Set([...usualHours, ...own])].sort((one, other) => one - other)
  const choices = [
    ["0", words.onDemand] as const,
    ...hours.map((each) => [String(each), words.periods(each)] as const),
  ]
  const value = String(own[0] ?? 0)
  return (
    <details class="more">
      <summary>
        {words.schedule}
        {"\u00a0: "}
        {new Map(choices).get(value)}
      </summary>
      <Form action={`/console/projects/${project.id}/indexing/schedule`} only="every_hours">
        <fieldset disabled={!context.may("editor")} class="row">
          <Field
            name="every_hours"
            label={words.every}
            hint={project.everyMs === null ? words.onDemandHint : words.scheduleHint}
            value={value}
            choices={choices}
          />
          {context.may("editor") && <button type="submit">{commonWords.save}</button>}
        </fieldset>
      </Form>
    </details>
  )
}
