/** @jsxImportSource preact */
import type { Project } from "../../accounts/project.ts"
import type { AskedQuestion } from "../../assistant/insights/asked-questions.ts"
import type { QuestionGroup } from "../../assistant/insights/group-questions.ts"
import { formatTime, Time } from "../kit/dates.tsx"
import { Form } from "../kit/forms/fields.tsx"
import { answerHtml } from "../kit/markdown.ts"
import type { PageContext } from "../kit/page-context.ts"
import { messages } from "../messages/questions.fr.ts"
import { messages as shellMessages } from "../messages/shell.fr.ts"

export const pageSize = 30
const maxGroups = 20

/** Unanswered questions by group. They tell the owner what the documentation lacks. */
export function UnansweredQuestions({ groups, timezone }: { groups: QuestionGroup[]; timezone: string }) {
  return (
    <section aria-labelledby="missing">
      <h2 id="missing">{messages.missing}</h2>
      <p class="hint">{groups.length === 0 ? messages.nothingMissing : messages.missingHint}</p>
      <ol class="rows">
        {groups.slice(0, maxGroups).map(({ question, times, lastAt, others }) => (
          <li key={question}>
            <div>
              <strong>{question}</strong>
              <div class="hint">
                {messages.times(times)}
                {", "}
                {messages.last(formatTime(lastAt, timezone))}
              </div>
              {others.length > 0 && (
                <details>
                  <summary>{messages.others(others.length)}</summary>
                  <ul>
                    {others.map((other) => (
                      <li key={other}>{other}</li>
                    ))}
                  </ul>
                </details>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

interface ListProps {
  context: PageContext
  project: Pick<Project, "id">
  path: string
  days: number
  show: string
  /** Holds one question more than the page shows when another page follows. */
  asked: AskedQuestion[]
  timezone: string
}

/** Questions with their answers, newest first. */
export function AskedList({ context, project, path, days, show, asked, timezone }: ListProps) {
  const shown = asked.slice(0, pageSize)
  const address = (more: Record<string, string>) =>
    new URLSearchParams({ days: String(days), show, ...more }).toString()
  return (
    <section aria-labelledby="asked">
      <h2 id="asked">{messages.list}</h2>
      <form method="get" action={`${path}#asked`} class="row">
        <input type="hidden" name="days" value={days} />
        <div class="field">
          <label for="show">{messages.filter}</label>
          <select id="show" name="show">
            {Object.entries(messages.filters).map(([value, label]) => (
              <option key={value} value={value} selected={value === show}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" class="quiet">
          {messages.show}
        </button>
        <a class="button quiet" href={`${path}/questions.csv?${address({})}`} download>
          {messages.download}
        </a>
      </form>
      {shown.length === 0 && <p>{messages.none}</p>}
      {shown.length > 0 && context.may("editor") && <p class="hint">{messages.whyHint}</p>}
      <ul class="rows">
        {shown.map((each) => (
          <Asked key={each.id} context={context} project={project} asked={each} timezone={timezone} />
        ))}
      </ul>
      {asked.length > pageSize && (
        <p>
          <a href={`${path}?${address({ after: shown.at(-1)?.id ?? "" })}#asked`}>{shellMessages.next}</a>
        </p>
      )}
    </section>
  )
}

type AskedProps = Pick<ListProps, "context" | "project" | "timezone"> & { asked: AskedQuestion }

function Asked({ context, project, asked, timezone }: AskedProps) {
  const { question, page, status, answer, sources, related, useful, reason, courtesy, askedAt } = asked
  return (
    <li>
      <div>
        <strong>{question}</strong>{" "}
        {courtesy !== null && <span class="tag">{messages.courtesies[courtesy]}</span>}
        {courtesy === null && status === "no_answer" && <span class="tag warn">{messages.noAnswer}</span>}{" "}
        {useful !== null && (
          <span class={useful ? "tag good" : "tag bad"}>
            {useful
              ? messages.wasUseful
              : reason === null
                ? messages.wasUseless
                : messages.wasUselessBecause[reason]}
          </span>
        )}
        <div class="hint">
          <Time at={askedAt} timezone={timezone} />
          {page && ` · ${messages.from(page)}`}
        </div>
        {status === "answered" && (
          <details>
            <summary>{messages.seeAnswer}</summary>
            <div class="quote" dangerouslySetInnerHTML={{ __html: answerHtml(answer, asked.id) }} />
            <ol>
              {sources.map(({ n, title, section, url }) => (
                <li key={n} value={n} id={`source-${asked.id}-${n}`}>
                  <a href={url} rel="noreferrer">
                    {section ? `${title} › ${section}` : title}
                  </a>
                </li>
              ))}
            </ol>
          </details>
        )}
        {related.length > 0 && (
          <details>
            <summary>{messages.related(related.length)}</summary>
            <ul>
              {related.map(({ title, section, url }) => (
                <li key={url}>
                  <a href={url} rel="noreferrer">
                    {section ? `${title} › ${section}` : title}
                  </a>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {courtesy === null && context.may("editor") && (
        <Form context={context} action={`/console/projects/${project.id}/trials#trial`}>
          <input type="hidden" name="question" value={question} />
          <button type="submit" class="quiet" aria-label={messages.whyNamed(question)}>
            {messages.why}
          </button>
        </Form>
      )}
    </li>
  )
}
