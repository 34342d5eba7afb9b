/** @jsxImportSource preact */

import type { Project } from "../../accounts/project.ts"
import type { AnswerResult } from "../../assistant/ask/answer.ts"
import type { Gap, GapState } from "../../assistant/insights/gaps.ts"
import { oneLine } from "../../base/text.ts"
import { RowActions, rowName, Tag } from "../kit/components.tsx"
import { formatTime } from "../kit/dates.tsx"
import { Form } from "../kit/forms/fields.tsx"
import { usePage } from "../kit/page-context.ts"
import { Answer } from "./answer.tsx"
import { words } from "./gaps.fr.ts"
import { questionsPath } from "./questions-page.tsx"
import { WriteAnswer } from "./write-answer.tsx"

/** Other phrasings of a gap, and characters of a question, in a row: each has a page of its own. */
const maxOthers = 5
const maxCharacters = 200

/** The list that a gap stands in, to which what is done with it leads back. */
export interface GapPlace {
  project: Pick<Project, "id">
  days: number
  state: GapState
  cursor?: string | undefined
}

interface GapListProps {
  place: GapPlace
  gaps: readonly Gap[]
  /** Results of the gaps that were asked again, by id. */
  retried: ReadonlyMap<string, AnswerResult>
  /** The live generation. */
  generation: number | undefined
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
        {gaps.map((gap) => (
          <GapRow key={gap.id} {...rest} gap={gap} />
        ))}
      </ol>
    </>
  )
}

type GapRowProps = Omit<GapListProps, "gaps" | "id" | "title" | "hint"> & { gap: Gap }

function GapRow({ place: { project, state }, gap, retried, generation }: GapRowProps) {
  const { timezone } = usePage()
  const context = usePage()
  const { id, question, times, lastAt, others, nearest, isBack } = gap
  const result = retried.get(id)
  return (
    <li id={id}>
      <div>
        <a href={questionsPath(project, "questions", `/${id}`)}>
          <strong>{oneLine(question, maxCharacters)}</strong>
        </a>{" "}
        {isBack && (
          <span title={words.backHint}>
            <Tag mood="warn">{words.back}</Tag>
          </span>
        )}{" "}
        {state === "open" && !result && generation !== undefined && generation > gap.generation && (
          <Tag mood="plain">{words.read}</Tag>
        )}{" "}
        {result && (
          <Tag mood={result.status === "answered" ? "good" : "warn"}>
            {result.status === "answered" ? words.wouldAnswer : words.wouldNot}
          </Tag>
        )}
        {result?.status === "answered" && (
          <details>
            <summary>{words.seeAnswer}</summary>
            <Answer id={id} answer={result.answer} sources={result.sources} />
          </details>
        )}
        {others.length > 0 && (
          <details>
            <summary>{words.others(others.length)}</summary>
            <ul>
              {others.slice(0, maxOthers).map((other) => (
                <li key={other}>{oneLine(other, maxCharacters)}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {context.may("editor") && <GapActions project={project} state={state} gap={gap} />}
      <div class="hint nearest">
        {words.times(times)}
        {", "}
        {words.last(formatTime(lastAt, timezone, context.nowMs))}
        {nearest.length > 0 && (
          <span>
            {" · "}
            {words.nearest}{" "}
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

/** Their buttons send the forms of `<GapForms>`. */
function GapActions({
  project,
  state,
  gap: { id, ...gap },
}: Pick<GapPlace, "project" | "state"> & Pick<GapRowProps, "gap">) {
  const question = rowName(gap.question)
  return (
    <RowActions of={question}>
      {state !== "off_topic" && <WriteAnswer projectId={project.id} answerId={id} question={question} />}
      {state === "open" ? (
        <>
          <button type="submit" form="treat" {...named(id)} aria-label={words.treatNamed(question)}>
            {words.treat}
          </button>
          <button type="submit" form="set-aside" {...named(id)} aria-label={words.offTopicNamed(question)}>
            {words.setOffTopic}
          </button>
          <button type="submit" form="retry" {...named(id)} aria-label={words.retryNamed(question)}>
            {words.retry}
          </button>
        </>
      ) : (
        <button type="submit" form="reopen" {...named(id)} aria-label={words.reopenNamed(question)}>
          {words.reopen}
        </button>
      )}
    </RowActions>
  )
}

const named = (id: string) => ({ class: "quiet", name: "gap", value: id })

/** The forms by which something is done with a gap of the page. */
export function GapForms({ place }: Pick<GapListProps, "place">) {
  const marks = addressOf(place, "/marks")
  if (place.state !== "open") return <Form forRows="reopen" action={marks} />
  return (
    <>
      <Form forRows="treat" action={marks}>
        <input type="hidden" name="mark" value="treated" />
      </Form>
      <Form forRows="set-aside" action={marks}>
        <input type="hidden" name="mark" value="off_topic" />
      </Form>
      <Form forRows="retry" action={`${addressOf(place, "/trials")}#retried`} />
    </>
  )
}

export function addressOf({ project, days, state, cursor }: GapPlace, action = ""): string {
  const from = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`
  return questionsPath(project, "gaps", `${action}?days=${days}&state=${state}${from}`)
}
