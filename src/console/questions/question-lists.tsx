/** @jsxImportSource preact */

import type { Project } from "../../accounts/project.ts"
import type { AskedQuestion, FoundQuestions } from "../../assistant/insights/asked-questions.ts"
import { RowActions, rowName, Tag } from "../kit/components.tsx"
import { Time } from "../kit/dates.tsx"
import { usePage } from "../kit/page-context.ts"
import { words as commonWords } from "../kit/words.fr.ts"
import { Answer } from "./answer.tsx"
import { type QuestionsFilter, queryOf } from "./filter.ts"
import { questionsPath } from "./questions-page.tsx"
import { RowTrial, RowTrials } from "./row-trial.tsx"
import { words } from "./words.fr.ts"
import { WriteAnswer } from "./write-answer.tsx"

export const pageSize = 30

interface ListProps {
  project: Pick<Project, "id">
  filter: QuestionsFilter
  found: FoundQuestions
  /** Number of questions in each conversation, by the id of its first. */
  sizes: ReadonlyMap<string, number>
}

/** Questions with their answers, newest first. */
export function AskedList({ project, filter, found, sizes }: ListProps) {
  const context = usePage()
  const { asked, next, isCutShort } = found
  const path = questionsPath(project, "questions")
  const query = queryOf(filter)
  const address = (more: Record<string, string>) => new URLSearchParams({ ...query, ...more }).toString()
  const { days, page } = query
  return (
    <section aria-labelledby="asked">
      <h2 id="asked">{words.list}</h2>
      <form method="get" action={`${path}#asked`} class="filter" data-at-once>
        <input type="hidden" name="days" value={days} />
        {page && <input type="hidden" name="page" value={page} />}
        <div class="row">
          <div class="field">
            <label for="q">{words.search}</label>
            <input id="q" name="q" type="search" value={filter.text} maxLength={200} />
          </div>
          <div class="field">
            <label for="show">{words.filter}</label>
            <select id="show" name="show">
              {Object.entries(words.filters).map(([value, label]) => (
                <option key={value} value={value} selected={value === filter.show}>
                  {label}
                </option>
              ))}
            </select>
          </div>
          <button type="submit" class="quiet">
            {words.find}
          </button>
          <a class="button quiet" href={`${path}/questions.csv?${address({})}`} download>
            {words.download}
          </a>
        </div>
      </form>
      {asked.length === 0 && !isCutShort && <p>{filter.text === "" ? words.none : words.noneFound}</p>}
      <ul class="rows asked">
        {asked.map((each) => (
          <Asked
            key={each.id}
            project={project}
            asked={each}
            conversation={sizes.get(each.conversation ?? each.id)}
          />
        ))}
      </ul>
      <RowTrials project={project} />
      {isCutShort && <p class="notice">{words.cutShort}</p>}
      {next !== null && (
        <p class="next">
          <a class="button quiet" href={`${path}?${address({ after: next })}#asked`}>
            {commonWords.next}
          </a>
        </p>
      )}
      {asked.length > 0 && context.may("editor") && <p class="hint">{words.whyHint}</p>}
    </section>
  )
}

interface AskedProps extends Pick<ListProps, "project"> {
  asked: AskedQuestion
  /** Number of questions in its conversation; undefined for one that stands alone. */
  conversation?: number | undefined
  /** Shows the answer without a click. */
  isOpen?: boolean
}

/** A question, what became of it, and what can be done with it. Its answer unfolds below it. */
export function Asked({ project, asked, conversation, isOpen = false }: AskedProps) {
  const context = usePage()
  const { id, question, page, status, related, courtesy, askedAt } = asked
  const heading = (
    <>
      <strong>{question}</strong> <Outcome asked={asked} />
      <span class="hint">
        <Time at={askedAt} />
        {page && ` · ${words.from(page)}`}
      </span>
    </>
  )
  const isEditable = courtesy === null && context.may("editor")
  return (
    <li>
      {status === "answered" || related.length > 0 ? (
        <details open={isOpen}>
          <summary>{heading}</summary>
          {status === "answered" && <Answer {...asked} />}
          {related.length > 0 && <Related related={related} />}
        </details>
      ) : (
        <div class="alone">{heading}</div>
      )}
      {(isEditable || conversation !== undefined) && (
        <RowActions of={rowName(question)}>
          {conversation !== undefined && (
            <a class="button quiet" href={questionsPath(project, "questions", `/${id}`)}>
              {words.conversation(conversation)}
            </a>
          )}
          {isEditable && <Actions project={project} asked={asked} />}
        </RowActions>
      )}
    </li>
  )
}

/** What became of a question, in a word or two. */
function Outcome({ asked: { status, courtesy, chosenId, useful, reason } }: Pick<AskedProps, "asked">) {
  return (
    <>
      {courtesy !== null && <Tag mood="plain">{words.courtesies[courtesy]}</Tag>}
      {courtesy === null && status === "no_answer" && <Tag mood="warn">{words.noAnswer}</Tag>}{" "}
      {chosenId !== null && <Tag mood="good">{words.chosen}</Tag>}{" "}
      {useful !== null && (
        <Tag mood={useful ? "good" : "bad"}>
          {useful ? words.wasUseful : reason === null ? words.wasUseless : words.wasUselessBecause[reason]}
        </Tag>
      )}
    </>
  )
}

/** Pages that were offered instead of an answer. */
function Related({ related }: Pick<AskedQuestion, "related">) {
  return (
    <>
      <p class="hint">{words.related(related.length)}</p>
      <ul>
        {related.map(({ title, section, url }) => (
          <li key={url}>
            <a href={url} rel="noreferrer">
              {section ? `${title} › ${section}` : title}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

function Actions({ project, asked }: Pick<AskedProps, "project" | "asked">) {
  const { id, question, chosenId } = asked
  const name = rowName(question)
  return (
    <>
      <WriteAnswer projectId={project.id} answerId={id} question={question} chosenId={chosenId} />
      <a
        class="button quiet"
        href={`${questionsPath(project, "evaluation", `?answer=${id}`)}#add`}
        aria-label={words.evaluateNamed(name)}
      >
        {words.evaluate}
      </a>
      <RowTrial question={question} label={words.why} name={words.whyNamed(name)} />
    </>
  )
}
