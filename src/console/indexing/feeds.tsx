/** @jsxImportSource preact */

import type { Project } from "../../accounts/project.ts"
import type { listFeeds } from "../../assistant/feeds/feed.ts"
import { hourMs } from "../../base/clock.ts"
import { Choice, Field, Form, Problem } from "../kit/fields.tsx"
import { type Filled, untouched } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { timeText } from "../kit/time.tsx"
import { sentences } from "../sentences/indexing.ts"
import { sentences as shell } from "../sentences/shell.ts"

interface CommonProps {
  visit: Visit
  project: Project
  timezone: string
}

/** Where the documentation is read from. */
export function Feeds({
  visit,
  project,
  timezone,
  feeds,
}: CommonProps & { feeds: Awaited<ReturnType<typeof listFeeds>> }) {
  return (
    <section aria-labelledby="feeds">
      <h2 id="feeds">{sentences.feeds}</h2>
      <p class="hint">{feeds.length === 0 ? sentences.noFeed : sentences.feedsHint}</p>
      <ul class="rows">
        {feeds.map((feed) => (
          <li key={feed.id}>
            <div>
              <strong>{sentences.kinds[feed.kind]}</strong>
              <div class="address">{feed.address}</div>
              <div class="hint">
                {feed.kind === "dir" && `${sentences.under(feed.baseUrl)} · `}
                {feed.lastReadAt === null
                  ? sentences.neverRead
                  : sentences.lastRead(timeText(feed.lastReadAt, timezone))}
              </div>
            </div>
            {visit.may("editor") && (
              <Form
                visit={visit}
                action={`/console/projects/${project.id}/indexing/feeds/${feed.id}/removal`}
                confirm={sentences.removeFeedConfirm}
              >
                <button type="submit" class="quiet" aria-label={sentences.removeFeedNamed(feed.address)}>
                  {sentences.removeFeed}
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

export function NewFeed({
  visit,
  project,
  filled,
  isFirst,
}: CommonProps & { filled: Filled; isFirst: boolean }) {
  const form = (
    <Form visit={visit} action={`/console/projects/${project.id}/indexing/feeds`}>
      <Problem filled={filled} />
      <Choice
        filled={filled}
        name="kind"
        label={sentences.kind}
        hint={sentences.kindHint}
        value="sitemap"
        choices={[
          ["sitemap", sentences.kinds.sitemap],
          ["llms", sentences.kinds.llms],
        ]}
      />
      <Field
        filled={filled}
        name="address"
        type="url"
        label={sentences.address}
        hint={sentences.addressHint}
        value={isFirst ? `${project.origins[0]}/sitemap.xml` : ""}
      />
      <button type="submit">{sentences.add}</button>
    </Form>
  )
  return (
    <details class="more" open={isFirst || filled.problem !== undefined}>
      <summary>{sentences.newFeed}</summary>
      {form}
    </details>
  )
}

const usualHours = [1, 6, 12, 24, 168]

/** How often the feeds are read by themselves. */
export function Rhythm({ visit, project }: CommonProps) {
  const own = project.everyMs === null ? [] : [project.everyMs / hourMs]
  const hours = [...new Set([...usualHours, ...own])].sort((one, other) => one - other)
  return (
    <section aria-labelledby="rhythm">
      <h2 id="rhythm">{sentences.schedule}</h2>
      <Form visit={visit} action={`/console/projects/${project.id}/indexing/schedule`}>
        <fieldset disabled={!visit.may("editor")} class="row">
          <Choice
            filled={untouched}
            name="every_hours"
            label={sentences.every}
            hint={sentences.scheduleHint}
            value={String(own[0] ?? 0)}
            choices={[
              ["0", sentences.onDemand],
              ...hours.map((each) => [String(each), sentences.periods(each)] as const),
            ]}
          />
          {visit.may("editor") && <button type="submit">{shell.save}</button>}
        </fieldset>
      </Form>
    </section>
  )
}
