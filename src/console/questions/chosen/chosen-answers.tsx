import type { Project } from "../../../accounts/project.ts"
import { changeProject } from "../../../accounts/projects/operations.ts"
import { withoutMarkers } from "../../../answering/ask/citations.ts"
import { listPageAddresses, sourcesAt } from "../../../answering/chosen/chosen-sources.ts"
import { citedText } from "../../../answering/chosen/chosen-text.ts"
import { teamPagePath } from "../../../answering/chosen/team-answer-url.ts"
import { dayMs } from "../../../base/clock.ts"
import { Refusal } from "../../../base/errors.ts"
import { oneLine } from "../../../base/text.ts"
import { liveGeneration } from "../../../indexing/generation.ts"
import {
  type ChosenAnswer,
  listChosenAnswers,
  requireChosenAnswer,
} from "../../../owners/chosen/chosen-answer.ts"
import { addChosen, changeChosen, removeChosen } from "../../../owners/chosen/operations.ts"
import { countByColumn, findAskedQuestion } from "../../../owners/gaps/asked-questions.ts"
import { applyGapMark, listGaps } from "../../../owners/gaps/gaps.ts"
import { nearestPassages } from "../../../owners/gaps/nearest-passages.ts"
import { markdownText } from "../../../style/markdown.ts"
import {
  addressWith,
  Empty,
  LinkButton,
  More,
  pageOfList,
  RowActions,
  rowName,
  Section,
  Tag,
} from "../../kit/components.tsx"
import type { ConsoleDeps } from "../../kit/console-deps.ts"
import { formatTime } from "../../kit/dates.tsx"
import { Field, Form } from "../../kit/forms/fields.tsx"
import { type PageContext, type SubmittedContext, usePage } from "../../kit/page-context.ts"
import { performs, projectInAddress } from "../../kit/page-handlers.ts"
import { words as commonWords } from "../../kit/words.fr.ts"
import { Answer, sourceName } from "../answer.tsx"
import { questionsPage, questionsPath } from "../questions-page.tsx"
import { RowTrial, RowTrials } from "../row-trial.tsx"
import { words as questionWords } from "../words.fr.ts"
import { AnswerEditorScript, ChosenForm, type OfferedSource } from "./chosen-form.tsx"
import { words } from "./words.fr.ts"

const countedDays = 30
const shownAnswers = 30
/** Characters in a row of an answer, and of its question. */
const maxBeginning = 160
const maxExcerptLength = 160
const offeredPassages = 6
/** Pages whose addresses are offered while one is typed. */
const maxListedPages = 300
/** Specification, part 2 A1: a question has 1000 characters at most. */
const maxQuestionLength = 1000
/** Other phrasings of a gap that the form of its answer begins with. */
const offeredPhrasings = 4

/** « Vos réponses » : the answers that the owner writes for a question. */
export function chosenPages(deps: ConsoleDeps) {
  const list = (context: PageContext) => showList(deps, context)
  const form = (context: PageContext) => showForm(deps, context)
  const chosenForm = (context: PageContext) => showChosenForm(deps, context)
  /** The gap that the form was opened from has its answer now. */
  async function treated({ project }: { project: Project }, { values, nowMs }: SubmittedContext) {
    const gap = await findGap(deps, project, values.get("from") ?? undefined, nowMs)
    if (gap) await applyGapMark(deps.db, project.id, gap, "treated")
    return `${questionsPath(project, "chosen")}?done=saved`
  }

  return {
    page: list,
    newPage: form,
    addChosen: performs(addChosen, {
      show: form,
      input: sourcesIn,
      leadsTo: treated,
    }),
    changeListing: performs(changeProject, {
      show: list,
      input: (values) => ({ team_page_listed: values.has("listed") }),
      leadsTo: (project) => `${questionsPath(project, "chosen")}?done=listed`,
    }),
    answerPage: (context: PageContext) => showOne(deps, context),
    editPage: chosenForm,
    changeChosen: performs(changeChosen, {
      show: chosenForm,
      input: sourcesIn,
      leadsTo: treated,
    }),
    removeChosen: performs(removeChosen, {
      leadsTo: (_, { params }) => `${questionsPath({ id: params["project"] ?? "" }, "chosen")}?done=removed`,
    }),
  }
}

async function showList(deps: ConsoleDeps, context: PageContext): Promise<Response> {
  const { db, config } = deps
  const project = await projectInAddress(db, context)
  const [all, given, live] = await Promise.all([
    listChosenAnswers(db, project.id),
    countByColumn(db, project.id, context.nowMs - countedDays * dayMs, "chosen_id"),
    liveGeneration(db, project.id),
  ])
  const { items, cursor } = pageOfList(all, context.query["cursor"], shownAnswers)
  const { saved, removed, listed } = words
  const attached = await findGap(deps, project, context.query["answer"], context.nowMs)
  const setAside = all.filter(({ setAsideAt }) => setAsideAt !== null).length
  return questionsPage(
    context,
    {
      project,
      tab: "chosen",
      flash: { saved, removed, listed },
      intro: words.intro,
      actions: context.may("editor") && (
        <LinkButton href={questionsPath(project, "chosen", "/new")} label={words.add} isMain />
      ),
    },
    <>
      {setAside > 0 && <p class="notice">{words.setAsideCount(setAside)}</p>}
      {!live && <p class="notice">{words.notIndexed}</p>}
      {attached && <p class="notice">{words.attachHint(attached.question)}</p>}
      {all.length === 0 ? (
        <Empty>{words.none}</Empty>
      ) : (
        <section aria-label={words.title}>
          <ul class="rows">
            {items.map((chosen) => (
              <ChosenRow
                key={chosen.id}
                project={project}
                chosen={chosen}
                given={given}
                attached={attached?.id}
              />
            ))}
          </ul>
          <RowTrials />
          <More
            address={addressWith(questionsPath(project, "chosen"), { answer: attached?.id })}
            cursor={cursor}
          />
        </section>
      )}
      {all.some(({ sources }) => sources.length === 0) && (
        <TeamPage project={project} address={config.publicUrl + teamPagePath(project.id)} />
      )}
    </>,
  )
}

async function showOne({ db, config }: ConsoleDeps, context: PageContext): Promise<Response> {
  const project = await projectInAddress(db, context)
  const chosen = await requireChosenAnswer(db, project.id, context.params["answer"] ?? "")
  const givenCounts = await countByColumn(db, project.id, context.nowMs - countedDays * dayMs, "chosen_id")
  const { id, questions, answer, sources, setAsideAt } = chosen
  const [question = "", ...others] = questions
  const sourceByAddress = new Map(
    (await sourcesAt(db, project.id, sources)).map((each) => [each.address, each.found]),
  )
  const own = {
    title: project.name,
    section: words.ownPage,
    url: config.publicUrl + teamPagePath(project.id),
  }
  const cited = sources.map((url) => sourceByAddress.get(url) ?? { title: url, section: words.gone, url })
  const citedAnswer = citedText(answer, sources.length > 0 ? cited : [own])
  return questionsPage(
    context,
    {
      project,
      tab: "chosen",
      title: question,
      back: { href: questionsPath(project, "chosen"), name: words.back },
      actions: context.may("editor") && (
        <LinkButton href={questionsPath(project, "chosen", `/${id}/edit`)} label={words.edit} isMain />
      ),
    },
    <section aria-label={words.answer}>
      <p class="actions">
        <States chosen={chosen} />
      </p>
      {setAsideAt !== null && <p class="notice">{words.setAsideHint}</p>}
      <Answer id={id} answer={citedAnswer?.answer ?? answer} sources={citedAnswer?.sources ?? []} />
      {others.length > 0 && (
        <>
          <h2>{questionWords.others(others.length)}</h2>
          <ul>
            {others.map((other) => (
              <li key={other}>{other}</li>
            ))}
          </ul>
        </>
      )}
      <p class="hint">
        <Facts chosen={chosen} given={givenCounts} />
      </p>
    </section>,
  )
}

async function showForm(deps: ConsoleDeps, context: PageContext, chosen?: ChosenAnswer): Promise<Response> {
  const project = await projectInAddress(deps.db, context)
  const answerId = context.submitted.values.get("from") ?? context.query["answer"]
  const suggested = chosen && !answerId ? [] : await suggestedQuestions(deps, context, project, answerId)
  const questions = chosen ? [...chosen.questions, ...suggested.slice(0, 1)] : suggested
  const typed = context.submitted.values.get("questions")?.trim().split(/\r?\n/)[0]
  return questionsPage(
    context,
    {
      project,
      tab: "chosen",
      title: chosen ? words.editTitle : words.newTitle,
      back: { href: questionsPath(project, "chosen"), name: words.back },
      flash: { saved: words.saved },
      head: <AnswerEditorScript />,
    },
    <>
      <ChosenForm
        action={questionsPath(project, "chosen", chosen ? `/${chosen.id}` : "")}
        from={answerId}
        questions={questions}
        answer={chosen?.answer ?? ""}
        pages={await listPageAddresses(deps.db, project.id, maxListedPages)}
        offered={await offeredSources(deps, context, project, chosen, typed || questions[0])}
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

async function showChosenForm(deps: ConsoleDeps, context: PageContext): Promise<Response> {
  const project = await projectInAddress(deps.db, context)
  const chosen = await requireChosenAnswer(deps.db, project.id, context.params["answer"] ?? "")
  return showForm(deps, context, chosen)
}

/** Phrasings of the answer's gap, the most frequent first; without a gap, the question that it answered. */
async function suggestedQuestions(
  deps: ConsoleDeps,
  context: PageContext,
  project: Project,
  answerId: string | undefined,
) {
  const gap = await findGap(deps, project, answerId, context.nowMs)
  if (gap) return [gap.question, ...gap.others.slice(0, offeredPhrasings)]
  const original = answerId ? await findAskedQuestion(deps.db, project.id, answerId) : undefined
  const question = original?.question ?? context.query["question"]?.slice(0, maxQuestionLength)
  return question ? [question] : []
}

async function findGap(
  { db, config }: ConsoleDeps,
  project: Project,
  answerId: string | undefined,
  nowMs: number,
) {
  if (!answerId) return undefined
  const gaps = await listGaps(db, project, nowMs - config.ask.answerRetentionDays * dayMs)
  return gaps.find(({ asked }) => asked.some(({ id }) => id === answerId))
}

/** The answer's own sources and those just typed, then the passages nearest to the question. */
async function offeredSources(
  { db, assistant }: ConsoleDeps,
  { request, submitted: { values } }: PageContext,
  project: Project,
  chosen: ChosenAnswer | undefined,
  question: string | undefined,
): Promise<OfferedSource[]> {
  const ticked = values.has("answer") ? values.getAll("source").slice(0, 50) : (chosen?.sources ?? [])
  const offered = new Map<string, OfferedSource>()
  for (const { address, found } of await sourcesAt(db, project.id, ticked))
    offered.set(address, {
      address,
      label: found ? sourceName(found) : address,
      isGone: !found,
      isTicked: true,
    })
  const typed = question?.slice(0, maxQuestionLength)
  const near = typed
    ? await nearestPassages(assistant, project, typed, offeredPassages, request.signal).catch(withoutPassages)
    : []
  for (const { url, title, headings, markdown } of near) {
    if (offered.has(url)) continue
    const label = [title, ...headings].join(" › ")
    const excerpt = oneLine(markdownText(markdown), maxExcerptLength)
    offered.set(url, { address: url, label, excerpt, isGone: false, isTicked: false })
  }
  return [...offered.values()]
}

function TeamPage({ project, address }: { project: Project; address: string }) {
  return (
    <Section id="team-page" title={words.teamPage} hint={words.teamPageHint}>
      <p>
        <a href={address} target="_blank" rel="noreferrer">
          {words.seeTeamPage}
        </a>
      </p>
      {usePage().may("editor") && (
        <Form action={questionsPath(project, "chosen", "/listing")} send={commonWords.save} look="quiet">
          <Field name="listed" type="box" label={words.teamPageListed} checked={project.teamPageListed} />
        </Form>
      )}
    </Section>
  )
}

interface ChosenProps {
  chosen: ChosenAnswer
  given: ReadonlyMap<string, number>
}

/** The whole of an answer is on its own page. */
function ChosenRow({
  project,
  chosen,
  given,
  attached,
}: ChosenProps & { project: Project; attached: string | undefined }) {
  const { may } = usePage()
  const { id, questions, answer } = chosen
  const [question = "", ...others] = questions
  const named = rowName(question)
  const path = questionsPath(project, "chosen", `/${id}`)
  return (
    <li>
      <div>
        <a href={path}>{oneLine(question, maxBeginning)}</a> <States chosen={chosen} />
        <div>{oneLine(markdownText(withoutMarkers(answer)), maxBeginning)}</div>
        <div class="hint">
          {others.length > 0 && `${questionWords.others(others.length)} · `}
          <Facts chosen={chosen} given={given} />
        </div>
      </div>
      {may("editor") && (
        <RowActions of={named}>
          <LinkButton
            href={addressWith(`${path}/edit`, { answer: attached })}
            label={attached ? words.attach : words.edit}
            spoken={attached ? words.attachNamed(named) : words.editNamed(named)}
            isMain={attached !== undefined}
          />
          <RowTrial question={question} label={words.example} spoken={words.exampleNamed(named)} />
        </RowActions>
      )}
    </li>
  )
}

function States({ chosen: { setAsideAt, missing } }: Pick<ChosenProps, "chosen">) {
  if (setAsideAt !== null) return <Tag mood="bad">{words.setAside}</Tag>
  return missing > 0 ? <Tag mood="warn">{words.partial}</Tag> : null
}

function Facts({ chosen: { id, sources, changedAt }, given }: ChosenProps) {
  const { timezone } = usePage()
  const changed = words.changed(formatTime(changedAt, timezone))
  const cited = sources.length > 0 ? words.sourceCount(sources.length) : words.ownPage
  return [cited, words.given(given.get(id) ?? 0), changed].join(" · ")
}

function sourcesIn(values: URLSearchParams) {
  return {
    sources: ["source", "others"].flatMap((name) => values.getAll(name)).filter((url) => url.trim() !== ""),
  }
}

/** The form is of use without passages to offer. */
function withoutPassages(error: unknown): [] {
  if (error instanceof Refusal && ["not_indexed", "unavailable"].includes(error.code)) return []
  throw error
}
