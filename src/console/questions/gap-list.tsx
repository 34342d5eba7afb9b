/** @jsxImportSource preact */
import type { Project } from "../../accounts/project.ts"
import type { AnswerResult } from "../../assistant/ask/answer.ts"
import type { Gap, GapState } from "../../assistant/insights/gaps.ts"
import { formatTime } from "../kit/dates.tsx"
import { Form } from "../kit/forms/fields.tsx"
import { answerHtml } from "../kit/markdown.ts"
import type { PageContext } from "../kit/page-context.ts"
import { messages } from "../messages/gaps.fr.ts"
import { questionsPath } from "./questions-page.tsx"
import { WriteAnswer } from "./write-answer.tsx"

const maxShown = 40
const maxOthers = 10

interface GapListProps {
  context: PageContext
  project: Pick<Project, "id">
  days: number
  state: GapState
  gaps: readonly Gap[]
  /** Results of the gaps that were asked again, by id. */
  retried: ReadonlyMap<string, AnswerResult>
  /** The live generation. */
  generation: number | undefined
  timezone: string
  id?: string
  title?: string
  hint?: string
}

export function GapList({ id, title, hint, gaps, ...rest }: GapListProps) {
  return (
    <>
      {title && <h2 id={id}>{title}</h2>}
      {hint && <p class="hint">{hint}</p>}
      <ol class="rows">
        {gaps.slice(0, maxShown).map((gap) => (
          <GapRow key={gap.id} {...rest} gap={gap} />
        ))}
      </ol>
      {gaps.length > maxShown && <p class="hint">{messages.more(gaps.length - maxShown)}</p>}
    </>
  )
}

type GapRowProps = Omit<GapListProps, "gaps" | "id" | "title" | "hint"> & { gap: Gap }

function GapRow({ context, project, days, state, gap, retried, generation, timezone }: GapRowProps) {
  const { id, question, times, lastAt, others, nearest, isBack } = gap
  const result = retried.get(id)
  return (
    <li>
      <div>
        <a class="plain" href={questionsPath(project, "questions", `/${id}`)}>
          <strong>{question}</strong>
        </a>{" "}
        {isBack && (
          <span class="tag warn" title={messages.backHint}>
            {messages.back}
          </span>
        )}{" "}
        {state === "open" && !result && generation !== undefined && generation > gap.generation && (
          <span class="tag">{messages.read}</span>
        )}{" "}
        {result && (
          <span class={result.status === "answered" ? "tag good" : "tag warn"}>
            {result.status === "answered" ? messages.wouldAnswer : messages.wouldNot}
          </span>
        )}
        <div class="hint">
          {messages.times(times)}
          {", "}
          {messages.last(formatTime(lastAt, timezone))}
        </div>
        {nearest.length > 0 && (
          <div class="hint">
            {messages.nearest}{" "}
            {nearest.map(({ title, section, url }, place) => (
              <>
                {place > 0 && ", "}
                <a key={url} href={url} rel="noreferrer">
                  {section ? `${title} › ${section}` : title}
                </a>
              </>
            ))}
          </div>
        )}
        {result?.status === "answered" && (
          <details>
            <summary>{messages.seeAnswer}</summary>
            <div class="quote" dangerouslySetInnerHTML={{ __html: answerHtml(result.answer, id) }} />
            <ol>
              {result.sources.map(({ n, title, section, url }) => (
                <li key={n} value={n} id={`source-${id}-${n}`}>
                  <a href={url} rel="noreferrer">
                    {section ? `${title} › ${section}` : title}
                  </a>
                </li>
              ))}
            </ol>
          </details>
        )}
        {others.length > 0 && (
          <details>
            <summary>{messages.others(others.length)}</summary>
            <ul>
              {others.slice(0, maxOthers).map((other) => (
                <li key={other}>{other}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {context.may("editor") && (
        <GapActions context={context} project={project} days={days} state={state} gap={gap} />
      )}
    </li>
  )
}

function GapActions({
  context,
  project,
  days,
  state,
  gap: { id, question },
}: Pick<GapRowProps, "context" | "project" | "days" | "state" | "gap">) {
  return (
    <div class="actions own">
      {state !== "off_topic" && <WriteAnswer projectId={project.id} answerId={id} question={question} />}
      <Form context={context} action={addressOf(project, days, state, "/marks")}>
        <input type="hidden" name="gap" value={id} />
        {state === "open" ? (
          <>
            <button
              type="submit"
              class="quiet"
              name="mark"
              value="treated"
              aria-label={messages.treatNamed(question)}
            >
              {messages.treat}
            </button>{" "}
            <button
              type="submit"
              class="quiet"
              name="mark"
              value="off_topic"
              aria-label={messages.offTopicNamed(question)}
            >
              {messages.setOffTopic}
            </button>
          </>
        ) : (
          <button type="submit" class="quiet" aria-label={messages.reopenNamed(question)}>
            {messages.reopen}
          </button>
        )}
      </Form>
      {state === "open" && (
        <Form context={context} action={`${addressOf(project, days, state, "/trials")}#retried`}>
          <input type="hidden" name="gap" value={id} />
          <button type="submit" class="quiet" aria-label={messages.retryNamed(question)}>
            {messages.retry}
          </button>
        </Form>
      )}
    </div>
  )
}

export function addressOf(project: Pick<Project, "id">, days: number, state: GapState, action = ""): string {
  return questionsPath(project, "gaps", `${action}?days=${days}&state=${state}`)
}
