import type { Project } from "../../accounts/project.ts"
import type { AnswerResult } from "../../answering/ask/answer.ts"
import { oneLine } from "../../base/text.ts"
import type { Gap, GapState } from "../../owners/gaps/gaps.ts"
import { addressWith, QuietButton, RowActions, rowName, Tag } from "../kit/components.tsx"
import { useDate } from "../kit/dates.tsx"
import { Form, type FormProps } from "../kit/forms/fields.tsx"
import { usePage } from "../kit/page-context.ts"
import { Answer, SourceLink } from "./answer.tsx"
import { words } from "./gaps.fr.ts"
import { questionsPath } from "./questions-page.tsx"
import { words as questionWords } from "./words.fr.ts"
import { AttachAnswer, WriteAnswer } from "./write-answer.tsx"

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
  retried: ReadonlyMap<string, AnswerResult>
  generation: number | undefined
  /** Whether the owner has written an answer, which a gap can be attached to. */
  isAttachable: boolean
}

/** Gaps to be treated stand in two lists. */
export function GapList({ gaps, ...row }: GapListProps) {
  const lists: { id?: string; title?: string; hint?: string; gaps: readonly Gap[] }[] =
    row.place.state === "open"
      ? [
          { id: "near", title: words.near, gaps: gaps.filter((gap) => !isFar(gap)) },
          { id: "far", title: words.far, hint: words.farHint, gaps: gaps.filter(isFar) },
        ]
      : [{ gaps }]
  return lists.map(
    (list) =>
      list.gaps.length > 0 && (
        <>
          {list.title && <h2 id={list.id}>{list.title}</h2>}
          {list.hint && <p class="hint">{list.hint}</p>}
          <ol class="rows gaps">
            {list.gaps.map((gap) => (
              <GapRow key={gap.id} {...row} gap={gap} />
            ))}
          </ol>
        </>
      ),
  )
}

export function isFar({ nearest }: Gap): boolean {
  return nearest.length === 0
}

type GapRowProps = Omit<GapListProps, "gaps"> & { gap: Gap }

function GapRow({ place: { project, state }, gap, retried, generation, isAttachable }: GapRowProps) {
  const { may } = usePage()
  const date = useDate()
  const { id, question, times, lastAt, others, nearest, isBack } = gap
  const result = retried.get(id)
  const isAnswered = result?.status === "answered"
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
          <Tag mood={isAnswered ? "good" : "warn"}>{isAnswered ? words.wouldAnswer : words.wouldNot}</Tag>
        )}
        {isAnswered && (
          <details>
            <summary>{words.seeAnswer}</summary>
            <Answer {...result} id={id} />
          </details>
        )}
        {others.length > 0 && (
          <details>
            <summary>{questionWords.others(others.length)}</summary>
            <ul>
              {others.slice(0, maxOthers).map((other) => (
                <li key={other}>{oneLine(other, maxCharacters)}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {may("editor") && <GapActions project={project} state={state} gap={gap} isAttachable={isAttachable} />}
      <div class="hint nearest">
        {questionWords.times(times)}
        {", "}
        {words.last(date(lastAt))}
        {nearest.length > 0 && (
          <span>
            {" · "}
            {words.nearest}{" "}
            {nearest.map((source, place) => (
              <span key={source.url}>
                {place > 0 && ", "}
                <SourceLink {...source} />
              </span>
            ))}
          </span>
        )}
      </div>
    </li>
  )
}

const reopen = [["reopen", words.reopen, words.reopenNamed]] as const
/** By state, what can be done with a gap. The names are those of `<GapForms>`. */
const actions = {
  open: [
    ["treat", words.treat, words.treatNamed],
    ["set-aside", words.setOffTopic, words.offTopicNamed],
    ["retry", words.retry, words.retryNamed],
  ],
  treated: reopen,
  off_topic: reopen,
} as const

type GapActionsProps = Omit<GapPlace, "days"> & Pick<GapRowProps, "gap" | "isAttachable">

function GapActions({ project, state, gap, isAttachable }: GapActionsProps) {
  const question = rowName(gap.question)
  const about = { projectId: project.id, answerId: gap.id, question }
  return (
    <RowActions of={question}>
      {state !== "off_topic" && <WriteAnswer {...about} />}
      {state === "open" && isAttachable && <AttachAnswer {...about} />}
      {actions[state].map(([form, label, named]) => (
        <QuietButton
          key={form}
          form={form}
          label={label}
          spoken={named(question)}
          name="gap"
          value={gap.id}
        />
      ))}
    </RowActions>
  )
}

/** The forms by which something is done with a gap of the page. */
export function GapForms({ place }: Pick<GapListProps, "place">) {
  if (place.state !== "open") return <Form forRows="reopen" action={gapsAddress(place, "/marks")} />
  return (
    <>
      <MarkForm place={place} forRows="treat" mark="treated" />
      <MarkForm place={place} forRows="set-aside" mark="off_topic" />
      <Form forRows="retry" action={`${gapsAddress(place, "/trials")}#retried`} />
    </>
  )
}

interface MarkFormProps extends Pick<FormProps, "forRows" | "send"> {
  place: GapPlace
  mark: GapState
  /** Ids of the gaps, where no row names one. */
  gaps?: readonly string[]
  isUndone?: boolean
}

export function MarkForm({ place, mark, gaps = [], isUndone = false, ...form }: MarkFormProps) {
  return (
    <Form action={gapsAddress(place, "/marks")} look="quiet" {...form}>
      {isUndone && <input type="hidden" name="undo" value="yes" />}
      {mark !== "open" && <input type="hidden" name="mark" value={mark} />}
      {gaps.map((id) => (
        <input key={id} type="hidden" name="gap" value={id} />
      ))}
    </Form>
  )
}

export function gapsAddress({ project, days, state, cursor }: GapPlace, action = ""): string {
  return addressWith(questionsPath(project, "gaps", action), { days: String(days), state, cursor })
}
