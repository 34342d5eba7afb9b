import type { Project } from "../../accounts/project.ts"
import type { AskedQuestion, FoundQuestions } from "../../owners/gaps/asked-questions.ts"
import { addressWith, LinkButton, More, RowActions, rowName, Section, Tag } from "../kit/components.tsx"
import { Time } from "../kit/dates.tsx"
import { Filter } from "../kit/forms/filter.tsx"
import { usePage } from "../kit/page-context.ts"
import { Answer, SourceLink } from "./answer.tsx"
import { filterParams, type QuestionsFilter } from "./filter.ts"
import { questionsPath } from "./questions-page.tsx"
import { ReasonList } from "./reasons.tsx"
import { RowTrial, RowTrials } from "./row-trial.tsx"
import { words } from "./words.fr.ts"
import { WriteAnswer } from "./write-answer.tsx"

export const pageSize = 25

interface ListProps {
  project: Pick<Project, "id">
  filter: QuestionsFilter
  found: FoundQuestions
  /** Number of questions in each conversation, by the id of its first. */
  sizes: ReadonlyMap<string, number>
}

export function AskedList({ project, filter, found, sizes }: ListProps) {
  const { may } = usePage()
  const { asked, next, isCutShort } = found
  const path = questionsPath(project, "questions")
  const query = filterParams(filter)
  const { days, page } = query
  return (
    <Section id="asked" title={words.list}>
      <Filter
        action={`${path}#asked`}
        kept={{ days, page }}
        fields={[
          { name: "q", type: "search", label: words.search, value: filter.text, maxLength: 200 },
          { name: "show", label: words.filter, value: filter.show, choices: Object.entries(words.filters) },
        ]}
        show={words.find}
      >
        <LinkButton href={addressWith(`${path}/questions.csv`, query)} label={words.download} download />
      </Filter>
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
      <RowTrials />
      {isCutShort && <p class="notice">{words.cutShort}</p>}
      <More address={addressWith(`${path}#asked`, query)} cursor={next} name="after" />
      {asked.length > 0 && may("editor") && <p class="hint next">{words.whyHint}</p>}
    </Section>
  )
}

interface AskedProps extends Pick<ListProps, "project"> {
  asked: AskedQuestion
  /** Number of questions in its conversation; undefined for one that stands alone. */
  conversation?: number | undefined
  isOpen?: boolean
  /** How many who asked the same opened a page beside their answer. */
  openedBy?: number | undefined
}

/** A question, what became of it, and what can be done with it. Its answer unfolds below it. */
export function Asked({ project, asked, conversation, isOpen = false, openedBy = 0 }: AskedProps) {
  const context = usePage()
  const { id, question, page, status, related, reasons, courtesy, askedAt } = asked
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
      {status === "answered" || related.length > 0 || reasons ? (
        <details open={isOpen}>
          <summary>{heading}</summary>
          {status === "answered" && <Answer {...asked} />}
          {openedBy > 0 && <p class="hint">{words.openedBy(openedBy, status)}</p>}
          {reasons && (
            <ReasonList
              about={{ projectId: project.id, question, answerId: id }}
              isAnswered={status === "answered"}
              reasons={reasons}
              nearest={related[0]}
            />
          )}
          {related.length > 0 && <Related asked={asked} />}
        </details>
      ) : (
        <div class="alone">{heading}</div>
      )}
      {(isEditable || conversation !== undefined) && (
        <RowActions of={rowName(question)}>
          {conversation !== undefined && (
            <LinkButton
              href={questionsPath(project, "questions", `/${id}`)}
              label={words.conversation(conversation)}
            />
          )}
          {isEditable && <Actions project={project} asked={asked} />}
        </RowActions>
      )}
    </li>
  )
}

function Outcome({
  asked: { status, courtesy, chosenId, via, useful, reason, related, opened },
}: Pick<AskedProps, "asked">) {
  const isOffered = related.length > 0
  return (
    <>
      {courtesy !== null && <Tag mood="plain">{words.courtesies[courtesy]}</Tag>}
      {courtesy === null && status === "no_answer" && (
        <Tag mood="warn">{isOffered ? words.offered : words.noAnswer}</Tag>
      )}{" "}
      {via === "mcp" && <Tag mood="plain">{words.byProgram}</Tag>}{" "}
      {chosenId !== null && <Tag mood="good">{words.chosen}</Tag>}{" "}
      {useful !== null && (
        <Tag mood={useful ? "good" : "bad"}>
          {useful ? words.wasUseful : reason === null ? words.wasUseless : words.wasUselessBecause[reason]}
        </Tag>
      )}
      {opened.length > 0 && <Opened>{words.wasOpened[status]}</Opened>}
    </>
  )
}

/** Doubt about an answer. The blank before it is written only with it: a long list has many rows without. */
function Opened({ children }: { children: string }) {
  return (
    <>
      {" "}
      <Tag mood="warn">{children}</Tag>
    </>
  )
}

/** Passages that were offered beside an answer, or in its place: then with the lines that were shown open. */
function Related({ asked: { id, status, related, opened } }: Pick<AskedProps, "asked">) {
  const title = status === "answered" ? words.next : words.related
  const lines = status === "answered" ? undefined : related[0]?.excerpt
  return (
    <>
      <p class="hint">{title(related.length, lines !== undefined)}</p>
      {lines !== undefined && <Answer id={id} answer={lines} sources={[]} />}
      <ul>
        {related.map((source, place) => (
          <li key={place}>
            <SourceLink {...source} />
            {opened.includes(place + 1) && <Opened>{words.openedPlace}</Opened>}
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
      <LinkButton
        href={`${questionsPath(project, "evaluation", `?answer=${id}`)}#add`}
        label={words.evaluate}
        spoken={words.evaluateNamed(name)}
      />
      <RowTrial question={question} label={words.why} spoken={words.whyNamed(name)} />
    </>
  )
}
