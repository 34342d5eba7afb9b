/** @jsxImportSource preact */
import { Elysia } from "elysia"
import type { Project } from "../../accounts/project.ts"
import {
  addChosenAnswer,
  type ChosenAnswer,
  changeChosenAnswer,
  listChosenAnswers,
  type NewChosenAnswer,
  removeChosenAnswer,
  requireChosenAnswer,
} from "../../assistant/chosen/chosen-answer.ts"
import { type FoundSource, listPageAddresses, sourcesOf } from "../../assistant/chosen/chosen-sources.ts"
import { citedText } from "../../assistant/chosen/chosen-text.ts"
import { liveGeneration } from "../../assistant/indexing/generation.ts"
import { countGivenChosen, findAskedQuestion } from "../../assistant/insights/asked-questions.ts"
import { type Gap, listGaps, markGap } from "../../assistant/insights/gaps.ts"
import { nearestPassages } from "../../assistant/insights/nearest-passages.ts"
import { dayMs } from "../../base/clock.ts"
import { Refusal } from "../../base/errors.ts"
import { Tag } from "../kit/components.tsx"
import { formatTime } from "../kit/dates.tsx"
import { flashMessage } from "../kit/flash.ts"
import { Form } from "../kit/forms/fields.tsx"
import { type FormState, untouched } from "../kit/forms/form-state.ts"
import type { PageContext } from "../kit/page-context.ts"
import { type ConsoleDeps, type PageHandlers, projectOf } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { messages } from "../messages/chosen.fr.ts"
import { Answer } from "./answer.tsx"
import { ChosenForm, type OfferedSource, valuesOf } from "./chosen-form.tsx"
import { questionsPage, questionsPath } from "./questions-page.tsx"

const countedDays = 30
const offeredPassages = 6
/** Pages whose addresses are offered while one is typed. */
const maxListedPages = 300
/** Specification, part 2 A1: a question has 1000 characters at most. */
const maxQuestionLength = 1000
/** Other phrasings of a gap that the form of its answer begins with. */
const offeredPhrasings = 4

/** « Réponses choisies » : the answers that the owner writes for a question. */
export function chosenPages(handlers: PageHandlers, { db, clock, assistant, config }: ConsoleDeps) {
  const { timezone } = config

  async function showList(context: PageContext): Promise<Response> {
    const project = await projectOf(db, context)
    const [all, given, live] = await Promise.all([
      listChosenAnswers(db, project.id),
      countGivenChosen(db, project.id, context.nowMs - countedDays * dayMs),
      liveGeneration(db, project.id),
    ])
    const addresses = [...new Set(all.flatMap(({ sources }) => sources))]
    const found = new Map(
      (await sourcesOf(db, project.id, addresses)).map((source) => [source.address, source.found]),
    )
    const { saved, removed } = messages
    const setAside = all.filter(({ setAsideAt }) => setAsideAt !== null).length
    return questionsPage(
      context,
      {
        project,
        tab: "chosen",
        flash: flashMessage(context.query, { saved, removed }),
        intro: messages.intro,
        actions: context.may("editor") && live && (
          <a class="button" href={questionsPath(project, "chosen", "/new")}>
            {messages.add}
          </a>
        ),
      },
      <>
        {setAside > 0 && <p class="notice">{messages.setAsideCount(setAside)}</p>}
        {!live && <p class="notice">{messages.notIndexed}</p>}
        {all.length === 0 ? (
          <section class="empty">
            <p>{messages.none}</p>
          </section>
        ) : (
          <ul class="things">
            {all.map((chosen) => (
              <Chosen
                key={chosen.id}
                context={context}
                project={project}
                chosen={chosen}
                found={found}
                given={given.get(chosen.id) ?? 0}
                timezone={timezone}
              />
            ))}
          </ul>
        )}
      </>,
    )
  }

  async function showForm(
    context: PageContext,
    formState: FormState,
    status: number,
    chosen?: ChosenAnswer,
  ): Promise<Response> {
    const project = await projectOf(db, context)
    const answerId = formState.values.get("from") ?? context.query["answer"]
    const gap = chosen ? undefined : await gapOf(project, answerId, context.nowMs)
    const asked = chosen || gap ? undefined : await askedOf(project, answerId)
    const given = asked?.question ?? context.query["question"]?.slice(0, maxQuestionLength)
    const questions = chosen?.questions ?? gap?.slice(0, 1 + offeredPhrasings) ?? (given ? [given] : [])
    const [question = questions[0]] = valuesOf(formState.values).questions
    return questionsPage(
      context,
      {
        project,
        tab: "chosen",
        title: chosen ? messages.editTitle : messages.newTitle,
        status,
        back: { href: questionsPath(project, "chosen"), name: messages.back },
        flash: flashMessage(context.query, { saved: messages.saved }),
      },
      <>
        <ChosenForm
          context={context}
          action={questionsPath(project, "chosen", chosen ? `/${chosen.id}` : "")}
          formState={formState}
          from={answerId}
          questions={questions}
          answer={chosen?.answer ?? ""}
          pages={await listPageAddresses(db, project.id, maxListedPages)}
          offered={
            await offeredSources(context, project, formState, chosen, question?.slice(0, maxQuestionLength))
          }
        />
        {chosen && (
          <Form
            context={context}
            action={questionsPath(project, "chosen", `/${chosen.id}/removal`)}
            confirm={messages.removeConfirm}
          >
            <button type="submit" class="grave">
              {messages.remove}
            </button>
          </Form>
        )}
      </>,
    )
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
    { values }: FormState,
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
    const further = near.flatMap(({ url, title, headings }) => {
      if (known.has(url)) return []
      known.add(url)
      return [{ address: url, label: [title, ...headings].join(" › "), isGone: false, isTicked: false }]
    })
    return [...own, ...further]
  }

  async function save(
    context: PageContext & { values: URLSearchParams },
    work: (project: Project, wanted: NewChosenAnswer) => Promise<ChosenAnswer>,
  ) {
    const project = await projectOf(db, context)
    const chosen = await work(project, valuesOf(context.values))
    await assistant.chosen?.prepare(project.id, project.language)
    return { project, chosen }
  }

  return new Elysia({ name: "console-chosen", prefix: "/console/projects/:project/questions/chosen" })
    .get("", handlers.page(showList))
    .get(
      "/new",
      handlers.page((context) => showForm(context, untouched, 200), "editor"),
    )
    .post(
      "",
      handlers.action(
        "editor",
        async (context) => {
          const { project, chosen } = await save(context, (project, wanted) =>
            addChosenAnswer(db, project, wanted, clock.now()),
          )
          const gap = await findGap(project, context.values.get("from") ?? undefined, context.nowMs)
          if (gap) await markGap(db, project.id, gap, "treated")
          context.setAuditSubject(chosen.id)
          return seeOther(`${questionsPath(project, "chosen")}?done=saved`)
        },
        (context, formState, status) => showForm(context, formState, status),
      ),
      { parse: "none" },
    )
    .get(
      "/:chosen",
      handlers.page(async (context) => {
        const project = await projectOf(db, context)
        const chosen = await requireChosenAnswer(db, project.id, context.params["chosen"] ?? "")
        return showForm(context, untouched, 200, chosen)
      }, "editor"),
    )
    .post(
      "/:chosen",
      handlers.action(
        "editor",
        async (context) => {
          const id = context.params["chosen"] ?? ""
          const { project } = await save(context, (project, wanted) =>
            changeChosenAnswer(db, project, id, wanted, clock.now()),
          )
          return seeOther(`${questionsPath(project, "chosen")}?done=saved`)
        },
        async (context, formState, status) => {
          const project = await projectOf(db, context)
          const chosen = await requireChosenAnswer(db, project.id, context.params["chosen"] ?? "")
          return showForm(context, formState, status, chosen)
        },
      ),
      { parse: "none" },
    )
    .post(
      "/:chosen/removal",
      handlers.action("editor", async (context) => {
        const project = await projectOf(db, context)
        const id = context.params["chosen"] ?? ""
        await removeChosenAnswer(db, project.id, id)
        context.setAuditSubject(id)
        return seeOther(`${questionsPath(project, "chosen")}?done=removed`)
      }),
      { parse: "none" },
    )
}

interface ChosenProps {
  context: PageContext
  project: Pick<Project, "id">
  chosen: ChosenAnswer
  /** The passage at each address in the live index. */
  found: ReadonlyMap<string, FoundSource | undefined>
  given: number
  timezone: string
}

function Chosen({ context, project, chosen, found, given, timezone }: ChosenProps) {
  const { id, questions, answer, sources, changedAt, missing, setAsideAt } = chosen
  const [question = "", ...others] = questions
  const shown = citedText(
    answer,
    sources.map((url) => found.get(url) ?? { title: url, section: messages.gone, url }),
  )
  return (
    <li>
      <h2>
        {question} {setAsideAt !== null && <Tag mood="bad">{messages.setAside}</Tag>}
        {setAsideAt === null && missing > 0 && <Tag mood="warn">{messages.partial}</Tag>}
      </h2>
      {setAsideAt !== null && <p class="notice">{messages.setAsideHint}</p>}
      <Answer id={id} answer={shown?.answer ?? answer} sources={shown?.sources ?? []} />
      {others.length > 0 && (
        <details class="options">
          <summary>{messages.others(others.length)}</summary>
          <ul>
            {others.map((other) => (
              <li key={other}>{other}</li>
            ))}
          </ul>
        </details>
      )}
      <p class="hint">
        {messages.given(given)}
        {" · "}
        {messages.changed(formatTime(changedAt, timezone))}
      </p>
      {context.may("editor") && (
        <div class="actions">
          <a
            class="button quiet"
            href={questionsPath(project, "chosen", `/${id}`)}
            aria-label={messages.editNamed(question)}
          >
            {messages.edit}
          </a>
          <Form context={context} action={`/console/projects/${project.id}/trials#trial`}>
            <input type="hidden" name="question" value={question} />
            <button type="submit" class="quiet">
              {messages.example}
            </button>
          </Form>
        </div>
      )}
    </li>
  )
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
