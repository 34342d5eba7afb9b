/** @jsxImportSource preact */

import type { Project } from "../../accounts/project.ts"
import { withoutMarkers } from "../../assistant/ask/citations.ts"
import {
  type ChosenAnswer,
  listChosenAnswers,
  requireChosenAnswer,
} from "../../assistant/chosen/chosen-answer.ts"
import { listPageAddresses, sourcesOf } from "../../assistant/chosen/chosen-sources.ts"
import { citedText } from "../../assistant/chosen/chosen-text.ts"
import { addChosen, changeChosen, removeChosen } from "../../assistant/chosen/operations.ts"
import { liveGeneration } from "../../assistant/indexing/generation.ts"
import { countByColumn, findAskedQuestion } from "../../assistant/insights/asked-questions.ts"
import { applyGapMark, type Gap, listGaps } from "../../assistant/insights/gaps.ts"
import { nearestPassages } from "../../assistant/insights/nearest-passages.ts"
import { dayMs } from "../../base/clock.ts"
import { Refusal } from "../../base/errors.ts"
import { oneLine } from "../../base/text.ts"
import { More, pageOfList, RowActions, rowName, Tag } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { formatTime } from "../kit/dates.tsx"
import { Form } from "../kit/forms/fields.tsx"
import type { SubmittedForm } from "../kit/forms/submitted-form.ts"
import { markdownText } from "../kit/markdown.ts"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { type Pages, projectOf } from "../kit/page-handlers.ts"
import { Answer } from "./answer.tsx"
import { words } from "./chosen.fr.ts"
import { ChosenForm, type OfferedSource, valuesOf } from "./chosen-form.tsx"
import { questionsPage, questionsPath } from "./questions-page.tsx"
import { RowTrial, RowTrials } from "./row-trial.tsx"

const countedDays = 30
const shownAnswers = 30
/** Characters in a row of an answer, and of its question. */
const maxBeginning = 160
const offeredPassages = 6
/** Pages whose addresses are offered while one is typed. */
const maxListedPages = 300
/** Specification, part 2 A1: a question has 1000 characters at most. */
const maxQuestionLength = 1000
/** Other phrasings of a gap that the form of its answer begins with. */
const offeredPhrasings = 4

/** « Réponses choisies » : the answers that the owner writes for a question. */
export function chosenPages(pages: Pages, { db, assistant, config }: ConsoleDeps) {
  const { timezone } = config

  async function showList(context: PageContext): Promise<Response> {
    const project = await projectOf(db, context)
    const [all, given, live] = await Promise.all([
      listChosenAnswers(db, project.id),
      countByColumn(db, project.id, context.nowMs - countedDays * dayMs, "chosen_id"),
      liveGeneration(db, project.id),
    ])
    const { items, cursor } = pageOfList(all, context.query["cursor"], shownAnswers)
    const { saved, removed } = words
    const setAside = all.filter(({ setAsideAt }) => setAsideAt !== null).length
    return questionsPage(
      context,
      {
        project,
        tab: "chosen",
        flash: { saved, removed },
        intro: words.intro,
        actions: context.may("editor") && live && (
          <a class="button" href={questionsPath(project, "chosen", "/new")}>
            {words.add}
          </a>
        ),
      },
      <>
        {setAside > 0 && <p class="notice">{words.setAsideCount(setAside)}</p>}
        {!live && <p class="notice">{words.notIndexed}</p>}
        {all.length === 0 ? (
          <section class="empty">
            <p>{words.none}</p>
          </section>
        ) : (
          <section aria-label={words.title}>
            <ul class="rows">
              {items.map((chosen) => (
                <ChosenRow
                  key={chosen.id}
                  project={project}
                  chosen={chosen}
                  given={given.get(chosen.id) ?? 0}
                />
              ))}
            </ul>
            <RowTrials project={project} />
            <More address={questionsPath(project, "chosen")} cursor={cursor} />
          </section>
        )}
      </>,
    )
  }

  async function showOne(context: PageContext): Promise<Response> {
    const project = await projectOf(db, context)
    const chosen = await requireChosenAnswer(db, project.id, context.params["answer"] ?? "")
    const given = await countByColumn(db, project.id, context.nowMs - countedDays * dayMs, "chosen_id")
    const { id, questions, answer, sources, setAsideAt } = chosen
    const [question = "", ...others] = questions
    const found = new Map(
      (await sourcesOf(db, project.id, sources)).map((source) => [source.address, source.found]),
    )
    const shown = citedText(
      answer,
      sources.map((url) => found.get(url) ?? { title: url, section: words.gone, url }),
    )
    return questionsPage(
      context,
      {
        project,
        tab: "chosen",
        title: question,
        back: { href: questionsPath(project, "chosen"), name: words.back },
        actions: context.may("editor") && (
          <a class="button" href={questionsPath(project, "chosen", `/${id}/edit`)}>
            {words.edit}
          </a>
        ),
      },
      <section aria-label={words.answer}>
        <p class="actions">
          <States chosen={chosen} />
        </p>
        {setAsideAt !== null && <p class="notice">{words.setAsideHint}</p>}
        <Answer id={id} answer={shown?.answer ?? answer} sources={shown?.sources ?? []} />
        {others.length > 0 && (
          <>
            <h2>{words.others(others.length)}</h2>
            <ul>
              {others.map((other) => (
                <li key={other}>{other}</li>
              ))}
            </ul>
          </>
        )}
        <p class="hint">{factsOf(chosen, given.get(id) ?? 0, timezone)}</p>
      </section>,
    )
  }

  async function showForm(context: PageContext, chosen?: ChosenAnswer): Promise<Response> {
    const project = await projectOf(db, context)
    const answerId = context.submitted.values.get("from") ?? context.query["answer"]
    const gap = chosen ? undefined : await gapOf(project, answerId, context.nowMs)
    const asked = chosen || gap ? undefined : await askedOf(project, answerId)
    const given = asked?.question ?? context.query["question"]?.slice(0, maxQuestionLength)
    const questions = chosen?.questions ?? gap?.slice(0, 1 + offeredPhrasings) ?? (given ? [given] : [])
    const [question = questions[0]] = valuesOf(context.submitted.values).questions
    return questionsPage(
      context,
      {
        project,
        tab: "chosen",
        title: chosen ? words.editTitle : words.newTitle,
        back: { href: questionsPath(project, "chosen"), name: words.back },
        flash: { saved: words.saved },
      },
      <>
        <ChosenForm
          action={questionsPath(project, "chosen", chosen ? `/${chosen.id}` : "")}
          from={answerId}
          questions={questions}
          answer={chosen?.answer ?? ""}
          pages={await listPageAddresses(db, project.id, maxListedPages)}
          offered={
            await offeredSources(
              context,
              project,
              context.submitted,
              chosen,
              question?.slice(0, maxQuestionLength),
            )
          }
        />
        {chosen && (
          <Form
            action={questionsPath(project, "chosen", `/${chosen.id}/removal`)}
            confirm={words.removeConfirm}
            send={words.remove}
            look="grave"
          />
        )}
      </>,
    )
  }

  async function showChosenForm(context: PageContext): Promise<Response> {
    const project = await projectOf(db, context)
    return showForm(context, await requireChosenAnswer(db, project.id, context.params["answer"] ?? ""))
  }

  /** The phrasings of the gap that an answer belongs to, the most frequent first. */
  async function gapOf(project: Project, answerId: string | undefined, nowMs: number) {
    const gap = await findGap(project, answerId, nowMs)
    return gap && [gap.question, ...gap.others]
  }

  async function findGap(
    project: Project,
    answerId: string | undefined,
    nowMs: number,
  ): Promise<Gap | undefined> {
    if (!answerId) return undefined
    const gaps = await listGaps(db, project, nowMs - config.ask.answerRetentionDays * dayMs)
    return gaps.find(({ asked }) => asked.some(({ id }) => id === answerId))
  }

  async function askedOf(project: Project, answerId: string | undefined) {
    return answerId ? findAskedQuestion(db, project.id, answerId) : undefined
  }

  /** The answer's own sources and those just typed, then the passages nearest to the question. */
  async function offeredSources(
    context: PageContext,
    project: Project,
    { values }: SubmittedForm,
    chosen: ChosenAnswer | undefined,
    question: string | undefined,
  ): Promise<OfferedSource[]> {
    const ticked = values.has("answer") ? values.getAll("source").slice(0, 50) : (chosen?.sources ?? [])
    const own = (await sourcesOf(db, project.id, ticked)).map(({ address, found }) => ({
      address,
      label: found ? labelOf(found.title, found.section) : address,
      isGone: found === undefined,
      isTicked: true,
    }))
    const near = question
      ? await nearestPassages(assistant, project, question, offeredPassages, context.request.signal).catch(
          noneWithout(["not_indexed", "unavailable"]),
        )
      : []
    const known = new Set(own.map(({ address }) => address))
    const further = near.flatMap(({ url, title, headings, markdown }) => {
      if (known.has(url)) return []
      known.add(url)
      const label = [title, ...headings].join(" › ")
      return [{ address: url, label, excerpt: excerptOf(markdown), isGone: false, isTicked: false }]
    })
    return [...own, ...further]
  }

  pages
    .at("/console/projects/:project/questions/chosen")
    .page("", showList)
    .page("/new", showForm, "editor")
    .performs("", addChosen, {
      show: showForm,
      input: (values) => ({ ...valuesOf(values) }),
      async leadsTo({ project }, { values, nowMs }) {
        const gap = await findGap(project, values.get("from") ?? undefined, nowMs)
        if (gap) await applyGapMark(db, project.id, gap, "treated")
        return `${questionsPath(project, "chosen")}?done=saved`
      },
    })
    .page("/:answer", showOne)
    .page("/:answer/edit", showChosenForm, "editor")
    .performs("/:answer", changeChosen, {
      show: showChosenForm,
      input: (values) => ({ ...valuesOf(values) }),
      leadsTo: ({ project }) => `${questionsPath(project, "chosen")}?done=saved`,
    })
    .performs("/:answer/removal", removeChosen, {
      leadsTo: (project) => `${questionsPath(project, "chosen")}?done=removed`,
    })
}

interface ChosenProps {
  project: Pick<Project, "id">
  chosen: ChosenAnswer
  given: number
}

/** The whole of an answer is on its own page. */
function ChosenRow({ project, chosen, given }: ChosenProps) {
  const { timezone } = usePage()
  const context = usePage()
  const { id, questions, answer } = chosen
  const [question = "", ...others] = questions
  const named = rowName(question)
  return (
    <li>
      <div>
        <a href={questionsPath(project, "chosen", `/${id}`)}>{oneLine(question, maxBeginning)}</a>{" "}
        <States chosen={chosen} />
        <div>{oneLine(markdownText(withoutMarkers(answer)), maxBeginning)}</div>
        <div class="hint">
          {others.length > 0 && `${words.others(others.length)} · `}
          {factsOf(chosen, given, timezone)}
        </div>
      </div>
      {context.may("editor") && (
        <RowActions of={named}>
          <a
            class="button quiet"
            href={questionsPath(project, "chosen", `/${id}/edit`)}
            aria-label={words.editNamed(named)}
          >
            {words.edit}
          </a>
          <RowTrial question={question} label={words.example} name={words.exampleNamed(named)} />
        </RowActions>
      )}
    </li>
  )
}

function States({ chosen: { setAsideAt, missing } }: Pick<ChosenProps, "chosen">) {
  if (setAsideAt !== null) return <Tag mood="bad">{words.setAside}</Tag>
  return missing > 0 ? <Tag mood="warn">{words.partial}</Tag> : null
}

function factsOf({ sources, changedAt }: ChosenAnswer, given: number, timezone: string): string {
  return [
    words.sourceCount(sources.length),
    words.given(given),
    words.changed(formatTime(changedAt, timezone)),
  ].join(" · ")
}

function labelOf(title: string, section: string | null): string {
  return section ? `${title} › ${section}` : title
}

/** The form is of use without passages to offer. */
function noneWithout(codes: readonly string[]) {
  return (error: unknown): [] => {
    if (error instanceof Refusal && codes.includes(error.code)) return []
    throw error
  }
}

const maxExcerptLength = 160

/** The beginning of a passage, to tell what would be cited. */
function excerptOf(markdown: string): string {
  return oneLine(markdownText(markdown), maxExcerptLength)
}
