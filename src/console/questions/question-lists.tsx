/** @jsxImportSource preact */
import type { Project } from "../../accounts/project.ts"
import type { AskedQuestion } from "../../assistant/insights/asked-questions.ts"
import { Time } from "../kit/dates.tsx"
import { Form } from "../kit/forms/fields.tsx"
import { answerHtml } from "../kit/markdown.ts"
import type { PageContext } from "../kit/page-context.ts"
import { messages } from "../messages/questions.fr.ts"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { type QuestionsFilter, queryOf } from "./filter.ts"
import { questionsPath } from "./questions-page.tsx"
import { WriteAnswer } from "./write-answer.tsx"

export const pageSize = 30

interface ListProps {
  context: PageContext
  project: Pick<Project, "id">
  filter: QuestionsFilter
  asked: readonly AskedQuestion[]
  hasMore: boolean
  /** Number of questions in each conversation, by the id of its first. */
  sizes: ReadonlyMap<string, number>
  timezone: string
}

/** Questions with their answers, newest first. */
export function AskedList({ context, project, filter, asked, hasMore, sizes, timezone }: ListProps) {
  const path = questionsPath(project, "questions")
  const query = queryOf(filter)
  const address = (more: Record<string, string>) => new URLSearchParams({ ...query, ...more }).toString()
  const { days, page } = query
  return (
    <section aria-labelledby="asked">
      <h2 id="asked">{messages.list}</h2>
      <form method="get" action={`${path}#asked`} class="row" data-at-once>
        <input type="hidden" name="days" value={days} />
        {page && <input type="hidden" name="page" value={page} />}
        <div class="field">
          <label for="q">{messages.search}</label>
          <input id="q" name="q" type="search" value={filter.text} maxLength={200} />
        </div>
        <div class="field">
          <label for="show">{messages.filter}</label>
          <select id="show" name="show">
            {Object.entries(messages.filters).map(([value, label]) => (
              <option key={value} value={value} selected={value === filter.show}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" class="quiet">
          {messages.find}
        </button>
        <a class="button quiet" href={`${path}/questions.csv?${address({})}`} download>
          {messages.download}
        </a>
      </form>
      {asked.length === 0 && <p>{filter.text === "" ? messages.none : messages.noneFound}</p>}
      {asked.length > 0 && context.may("editor") && <p class="hint">{messages.whyHint}</p>}
      <ul class="rows">
        {asked.map((each) => (
          <Asked
            key={each.id}
            context={context}
            project={project}
            asked={each}
            timezone={timezone}
            conversation={sizes.get(each.conversation ?? each.id)}
          />
        ))}
      </ul>
      {hasMore && (
        <p>
          <a href={`${path}?${address({ after: asked.at(-1)?.id ?? "" })}#asked`}>{shellMessages.next}</a>
        </p>
      )}
    </section>
  )
}

interface AskedProps extends Pick<ListProps, "context" | "project" | "timezone"> {
  asked: AskedQuestion
  /** Number of questions in its conversation; undefined for one that stands alone. */
  conversation?: number | undefined
  /** Shows the answer without a click. */
  isOpen?: boolean
}

export function Asked({ context, project, asked, timezone, conversation, isOpen = false }: AskedProps) {
  const { question, page, status, answer, sources, related, useful, reason, courtesy, askedAt, chosenId } =
    asked
  return (
    <li>
      <div>
        <strong>{question}</strong>{" "}
        {courtesy !== null && <span class="tag">{messages.courtesies[courtesy]}</span>}
        {courtesy === null && status === "no_answer" && <span class="tag warn">{messages.noAnswer}</span>}{" "}
        {chosenId !== null && <span class="tag good">{messages.chosen}</span>}{" "}
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
          {conversation !== undefined && (
            <>
              {" · "}
              <a href={questionsPath(project, "questions", `/${asked.id}`)}>
                {messages.conversation(conversation)}
              </a>
            </>
          )}
        </div>
        {status === "answered" && (
          <details open={isOpen}>
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
          <details open={isOpen}>
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
        <Actions context={context} project={project} asked={asked} />
      )}
    </li>
  )
}

function Actions({ context, project, asked }: Pick<AskedProps, "context" | "project" | "asked">) {
  const { id, question, chosenId } = asked
  return (
    <div class="actions own">
      <WriteAnswer projectId={project.id} answerId={id} question={question} chosenId={chosenId} />
      <a
        class="button quiet"
        href={`${questionsPath(project, "evaluation", `?answer=${id}`)}#add`}
        aria-label={messages.evaluateNamed(question)}
      >
        {messages.evaluate}
      </a>
      <Form context={context} action={`/console/projects/${project.id}/trials#trial`}>
        <input type="hidden" name="question" value={question} />
        <button type="submit" class="quiet" aria-label={messages.whyNamed(question)}>
          {messages.why}
        </button>
      </Form>
    </div>
  )
}
