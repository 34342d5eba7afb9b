/** @jsxImportSource preact */

import type { Project } from "../../accounts/project.ts"
import type { listFeeds } from "../../assistant/feeds/feed.ts"
import { hourMs } from "../../base/clock.ts"
import { Choice, Field, Form, Problem } from "../kit/fields.tsx"
import { type Filled, untouched } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { timeText } from "../kit/time.tsx"
import { messages } from "../messages/indexing.fr.ts"
import { messages as shellMessages } from "../messages/shell.fr.ts"

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
      <h2 id="feeds">{messages.feeds}</h2>
      <p class="hint">{feeds.length === 0 ? messages.noFeed : messages.feedsHint}</p>
      <ul class="rows">
        {feeds.map((feed) => (
          <li key={feed.id}>
            <div>
              <strong>{messages.kinds[feed.kind]}</strong>
              <div class="address">{feed.address}</div>
              <div class="hint">
                {feed.kind === "dir" && `${messages.under(feed.baseUrl)} · `}
                {feed.lastReadAt === null
                  ? messages.neverRead
                  : messages.lastRead(timeText(feed.lastReadAt, timezone))}
              </div>
            </div>
            {visit.may("editor") && (
              <Form
                visit={visit}
                action={`/console/projects/${project.id}/indexing/feeds/${feed.id}/removal`}
                confirm={messages.removeFeedConfirm}
              >
                <button type="submit" class="quiet" aria-label={messages.removeFeedNamed(feed.address)}>
                  {messages.removeFeed}
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
        label={messages.kind}
        hint={messages.kindHint}
        value="sitemap"
        choices={[
          ["sitemap", messages.kinds.sitemap],
          ["llms", messages.kinds.llms],
        ]}
      />
      <Field
        filled={filled}
        name="address"
        type="url"
        label={messages.address}
        hint={messages.addressHint}
        value={isFirst ? `${project.origins[0]}/sitemap.xml` : ""}
      />
      <button type="submit">{messages.add}</button>
    </Form>
  )
  return (
    <details class="more" open={isFirst || filled.problem !== undefined}>
      <summary>{messages.newFeed}</summary>
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
      <h2 id="rhythm">{messages.schedule}</h2>
      <Form visit={visit} action={`/console/projects/${project.id}/indexing/schedule`}>
        <fieldset disabled={!visit.may("editor")} class="row">
          <Choice
            filled={untouched}
            name="every_hours"
            label={messages.every}
            hint={messages.scheduleHint}
            value={String(own[0] ?? 0)}
            choices={[
              ["0", messages.onDemand],
              ...hours.map((each) => [String(each), messages.periods(each)] as const),
            ]}
          />
          {visit.may("editor") && <button type="submit">{shellMessages.save}</button>}
        </fieldset>
      </Form>
    </section>
  )
}
