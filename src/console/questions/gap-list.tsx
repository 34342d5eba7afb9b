/** @jsxImportSource preact */
import type { Project } from "../../accounts/project.ts"
import type { AnswerResult } from "../../assistant/ask/answer.ts"
import type { Gap, GapState } from "../../assistant/insights/gaps.ts"
import { RowActions, Tag } from "../kit/components.tsx"
import { formatTime } from "../kit/dates.tsx"
import { Form } from "../kit/forms/fields.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { messages } from "../messages/gaps.fr.ts"
import { Answer } from "./answer.tsx"
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
      <ol class="rows gaps">
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
        <a href={questionsPath(project, "questions", `/${id}`)}>
          <strong>{question}</strong>
        </a>{" "}
        {isBack && (
          <span title={messages.backHint}>
            <Tag mood="warn">{messages.back}</Tag>
          </span>
        )}{" "}
        {state === "open" && !result && generation !== undefined && generation > gap.generation && (
          <Tag mood="plain">{messages.read}</Tag>
        )}{" "}
        {result && (
          <Tag mood={result.status === "answered" ? "good" : "warn"}>
            {result.status === "answered" ? messages.wouldAnswer : messages.wouldNot}
          </Tag>
        )}
        {result?.status === "answered" && (
          <details>
            <summary>{messages.seeAnswer}</summary>
            <Answer id={id} answer={result.answer} sources={result.sources} />
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
      <div class="hint nearest">
        {messages.times(times)}
        {", "}
        {messages.last(formatTime(lastAt, timezone, context.nowMs))}
        {nearest.length > 0 && (
          <span>
            {" · "}
            {messages.nearest}{" "}
            {nearest.map(({ title, section, url }, place) => (
              <span key={url}>
                {place > 0 && ", "}
                <a href={url} rel="noreferrer">
                  {section ? `${title} › ${section}` : title}
                </a>
              </span>
            ))}
          </span>
        )}
      </div>
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
    <RowActions of={question}>
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
            </button>
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
    </RowActions>
  )
}

export function addressOf(project: Pick<Project, "id">, days: number, state: GapState, action = ""): string {
  return questionsPath(project, "gaps", `${action}?days=${days}&state=${state}`)
}
