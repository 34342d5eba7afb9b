import type { Project } from "../../accounts/project.ts"
import {
  acceptRun,
  addQuestion,
  importQuestions,
  removeQuestion,
  startRun,
} from "../../owners/evaluation/operations.ts"
import { listSetQuestions, type SetQuestion } from "../../owners/evaluation/question-set.ts"
import { comparedWith, isUnderWay, listSetRuns, type SetRun } from "../../owners/evaluation/set-run.ts"
import { unknownPages } from "../../owners/evaluation/unknown-pages.ts"
import { findAskedQuestion } from "../../owners/gaps/asked-questions.ts"
import { percent } from "../kit/chart.tsx"
import {
  More,
  pageOfList,
  QuietButton,
  RowActions,
  rowName,
  Section,
  Table,
  Tag,
  Totals,
} from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { formatTime, Time } from "../kit/dates.tsx"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { type PageContext, usePage, useSubmitted } from "../kit/page-context.ts"
import { performs, projectInAddress } from "../kit/page-handlers.ts"
import { words } from "./evaluation.fr.ts"
import { questionsPage, questionsPath } from "./questions-page.tsx"
import { RowTrial, RowTrials } from "./row-trial.tsx"
import { words as questionWords } from "./words.fr.ts"

const shownRuns = 20
const shownQuestions = 30

/** « Évaluation » : questions whose right answer is known, tried after each reading. */
export function evaluationPages({ db }: ConsoleDeps) {
  async function showPage(context: PageContext): Promise<Response> {
    const project = await projectInAddress(db, context)
    const [questions, runs] = await Promise.all([
      listSetQuestions(db, project.id),
      listSetRuns(db, project.id, { after: undefined, atMost: shownRuns }),
    ])
    const done = runs.filter(({ endedAt }) => endedAt !== null)
    // The page of a run is read again each second.
    const isRunning = runs[0] !== undefined && isUnderWay(runs[0], context.nowMs)
    const expected = isRunning ? [] : questions.map(({ page }) => page)
    const unknown = await unknownPages(db, project.id, expected)
    const { added, addedUnknown, imported, removed, accepted, started } = words
    return questionsPage(
      context,
      {
        project,
        tab: "evaluation",
        flash: { added, addedUnknown, imported, removed, accepted, started },
        intro: words.intro,
      },
      <>
        <Summary project={project} hasQuestions={questions.length > 0} runs={runs} isRunning={isRunning} />
        {questions.length > 0 && (
          <QuestionTable project={project} questions={questions} last={done[0]} unknown={unknown} />
        )}
        {context.may("editor") && (
          <>
            <AddForm project={project} asked={await questionToAdd(project, context.query["answer"])} />
            <ImportForm project={project} />
          </>
        )}
        {done.length > 0 && <History runs={done} />}
      </>,
    )
  }

  /** The visitor's question that is to become one of the set, with the page that its answer cites. */
  async function questionToAdd(project: Project, answerId: string | undefined) {
    const original = answerId ? await findAskedQuestion(db, project.id, answerId) : undefined
    const page = original?.sources[0]?.url.split("#")[0]
    return original && { question: original.question, page }
  }

  const backTo = ({ params }: PageContext, done: string) =>
    `${questionsPath({ id: params["project"] ?? "" }, "evaluation")}?done=${done}`

  return {
    page: showPage,
    addQuestion: performs(addQuestion, {
      show: showPage,
      async leadsTo({ page }, context) {
        const unknown = await unknownPages(db, context.params["project"] ?? "", [page])
        return backTo(context, unknown.size > 0 ? "addedUnknown" : "added")
      },
    }),
    importQuestions: performs(importQuestions, {
      show: showPage,
      leadsTo: (_, context) => backTo(context, "imported"),
    }),
    startRun: performs(startRun, { leadsTo: (_, context) => backTo(context, "started") }),
    acceptRun: performs(acceptRun, {
      input: () => ({ accepted: true }),
      leadsTo: (_, context) => backTo(context, "accepted"),
    }),
    removeQuestion: performs(removeQuestion, { leadsTo: (_, context) => backTo(context, "removed") }),
  }
}

interface SummaryProps {
  project: Project
  hasQuestions: boolean
  runs: readonly SetRun[]
  isRunning: boolean
}

function Summary({ project, hasQuestions, runs, isRunning }: SummaryProps) {
  const { may, timezone } = usePage()
  const done = runs.find(({ endedAt }) => endedAt !== null)
  const base = done && comparedWith(runs, done.id)
  return (
    <section
      id="evaluation"
      aria-label={words.resultLabel}
      data-refresh={isRunning ? questionsPath(project, "evaluation") : undefined}
    >
      {!hasQuestions && <p>{words.none}</p>}
      {done && (
        <>
          <Totals of={[[words.resultLabel, words.result(done.passed, done.total)]]} />
          <meter class="meter" min={0} max={done.total} value={done.passed} aria-label={words.resultLabel} />
          <p class="hint">{words.lastRun(formatTime(done.startedAt, timezone))}</p>
        </>
      )}
      {hasQuestions && !done && !isRunning && <p>{words.never}</p>}
      {isRunning && <p role="status">{words.running(runs[0]?.total ?? 0)}</p>}
      {done && done.lost > 0 && !done.isAccepted && (
        <div class="notice">
          <p>
            <strong>
              {words.fell(done.lost, base && formatTime(base.startedAt, timezone), base?.passed)}
            </strong>{" "}
            {words.fellHint} {may("editor") && words.acceptHint}
          </p>
          {may("editor") && (
            <Form
              action={questionsPath(project, "evaluation", `/runs/${done.id}/acceptance`)}
              send={words.accept}
              look="quiet"
            />
          )}
        </div>
      )}
      {done && done.lost > 0 && done.isAccepted && <p class="hint">{words.agreed}</p>}
      {hasQuestions && may("editor") && project.indexedAt !== null && !isRunning && (
        <Form action={questionsPath(project, "evaluation", "/runs")} send={words.run} look="quiet" />
      )}
    </section>
  )
}

const moods = { passed: "good", unanswered: "bad", other_page: "warn", other_text: "warn" } as const

interface QuestionTableProps {
  project: Project
  questions: readonly SetQuestion[]
  last: SetRun | undefined
  /** Expected pages that are not in the index, each with the indexed pages whose addresses resemble it. */
  unknown: ReadonlyMap<string, readonly string[]>
}

function QuestionTable({ project, questions, last, unknown }: QuestionTableProps) {
  const { may, query } = usePage()
  const path = questionsPath(project, "evaluation")
  const outcomes = new Map(last?.results.map(({ id, outcome }) => [id, outcome]))
  // Questions that need a look come first.
  const order = ({ id, page }: SetQuestion) => {
    const outcome = outcomes.get(id)
    if (page !== null && unknown.has(page)) return 0
    return outcome === "passed" ? 2 : outcome === undefined ? 1 : 0
  }
  const sorted = questions.toSorted((one, other) => order(one) - order(other))
  const { items, cursor } = pageOfList(sorted, query["cursor"], shownQuestions)
  return (
    <Section id="questions" title={words.questions}>
      <ul class="rows">
        {items.map(({ id, question, page, text }) => {
          const outcome = outcomes.get(id)
          const named = rowName(question)
          const expected = [
            ...(page === null ? [] : [words.expectedPage(page)]),
            ...(text === null ? [] : [words.expectedText(text)]),
          ]
          return (
            <li key={id}>
              <div>
                <strong>{question}</strong>{" "}
                <Tag mood={outcome ? moods[outcome] : "plain"}>{words.outcomes[outcome ?? "untried"]}</Tag>
                <div class="hint">
                  {words.expected}
                  {"\u00a0: "}
                  {expected.join(", ")}
                </div>
                {page !== null && unknown.has(page) && (
                  <p class="wrong">{words.unknownPage(unknown.get(page) ?? [])}</p>
                )}
              </div>
              {may("editor") && (
                <RowActions of={named}>
                  {outcome && outcome !== "passed" && (
                    <RowTrial
                      question={question}
                      label={questionWords.why}
                      spoken={questionWords.whyNamed(named)}
                    />
                  )}
                  <QuietButton
                    form="remove"
                    formaction={`${path}/${id}/removal`}
                    label={words.remove}
                    spoken={words.removeNamed(named)}
                  />
                </RowActions>
              )}
            </li>
          )
        })}
      </ul>
      {may("editor") && (
        <>
          <RowTrials />
          <Form forRows="remove" action={path} confirm={words.removeConfirm} />
        </>
      )}
      <More address={path} cursor={cursor} />
    </Section>
  )
}

interface FormProps {
  project: Project
  asked?: { question: string; page: string | undefined } | undefined
}

function AddForm({ project, asked }: FormProps) {
  return (
    <Form action={`${questionsPath(project, "evaluation")}#add`} only="question" send={words.addButton}>
      <h2 id="add">{words.add}</h2>
      <Problem />
      <Field name="question" label={words.question} value={asked?.question} />
      <div class="pair">
        <Field name="page" label={words.page} hint={words.pageHint} value={asked?.page} />
        <Field name="text" label={words.text} hint={words.textHint} optional />
      </div>
    </Form>
  )
}

function ImportForm({ project }: FormProps) {
  const submitted = useSubmitted("rows")
  return (
    <details class="more" open={submitted.problem !== undefined}>
      <summary>{words.import}</summary>
      <Form action={questionsPath(project, "evaluation", "/imports")} only="rows" send={words.importButton}>
        <Problem />
        <Field name="rows" label={words.rows} hint={words.rowsHint} rows={6} />
      </Form>
    </details>
  )
}

function History({ runs }: { runs: readonly SetRun[] }) {
  return (
    <Section id="history" title={words.history}>
      <Table
        label={words.historyTable}
        head={[words.when, words.resultLabel, words.share, words.lost]}
        figures={3}
      >
        {runs.map(({ id, startedAt, passed, total, lost }) => (
          <tr key={id}>
            <td>
              <Time at={startedAt} withYear />
            </td>
            <td class="number">{words.result(passed, total)}</td>
            <td class="number">{percent(total === 0 ? 0 : passed / total)}</td>
            <td class="number">{lost === 0 ? "" : lost.toLocaleString("fr")}</td>
          </tr>
        ))}
      </Table>
    </Section>
  )
}
