/** @jsxImportSource preact */
import { Elysia } from "elysia"
import {
  type AskedQuestionFilter,
  countAskedQuestions,
  listAskedQuestions,
} from "../../assistant/insights/asked-questions.ts"
import { groupUnanswered } from "../../assistant/insights/unanswered.ts"
import { dayMs } from "../../base/clock.ts"
import { questionsCsv } from "../../wording/questions-csv.ts"
import type { PageContext } from "../kit/page-context.ts"
import { type ConsoleDeps, type PageHandlers, projectOf } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/questions.fr.ts"
import { AnsweredChart, percent } from "./answered-chart.tsx"
import { periodsOf } from "./periods.ts"
import { AskedList, pageSize, UnansweredQuestions } from "./question-lists.tsx"

const dayChoices = [7, 30, 90, 365]
const usualDays = 30

/** Statistics and lists of visitors' questions, and the questions that the documentation does not answer. */
export function questionPages(handlers: PageHandlers, { db, exports, config }: ConsoleDeps) {
  const { timezone } = config
  const keptDays = config.ask.answerRetentionDays
  const choices = [...new Set([...dayChoices.filter((days) => days < keptDays), Math.min(keptDays, 365)])]

  function filterOf({ query, nowMs }: PageContext): {
    days: number
    show: string
    filter: AskedQuestionFilter
  } {
    const days = choices.find((days) => String(days) === query["days"]) ?? Math.min(usualDays, keptDays)
    const show =
      query["show"] !== undefined && Object.hasOwn(messages.filters, query["show"]) ? query["show"] : "all"
    const status = show === "answered" || show === "no_answer" ? show : undefined
    const useful = show === "useful" ? true : show === "useless" ? false : undefined
    return {
      days,
      show,
      filter: { sinceMs: nowMs - days * dayMs, status, useful, questionsOnly: show === "no_answer" },
    }
  }

  async function showPage(context: PageContext): Promise<Response> {
    const project = await projectOf(db, context)
    const { days, show, filter } = filterOf(context)
    const { sinceMs } = filter
    const part = { after: context.query["after"] || undefined, atMost: pageSize + 1 }
    const [counts, asked, missing] = await Promise.all([
      countAskedQuestions(db, project.id, sinceMs),
      listAskedQuestions(db, project.id, filter, part),
      groupUnanswered(db, project, sinceMs),
    ])
    const sum = (name: "asked" | "answered" | "useful" | "useless") =>
      counts.reduce((total, count) => total + count[name], 0)
    const total = {
      asked: sum("asked"),
      answered: sum("answered"),
      useful: sum("useful"),
      useless: sum("useless"),
    }
    const share = percent(total.asked === 0 ? 0 : total.answered / total.asked)
    const path = `/console/projects/${project.id}/questions`
    return page(
      context,
      { title: messages.title, current: "questions", project },
      <>
        <h1>{messages.title}</h1>
        <section aria-labelledby="period">
          <form method="get" action={path} class="row">
            <div class="field">
              <label for="days" id="period">
                {messages.period}
              </label>
              <select id="days" name="days">
                {choices.map((each) => (
                  <option key={each} value={each} selected={each === days}>
                    {messages.days(each)}
                  </option>
                ))}
              </select>
            </div>
            <button type="submit" class="quiet">
              {messages.show}
            </button>
          </form>
          {total.asked === 0 ? (
            <p>
              <strong>{messages.none}</strong> {messages.noneYet}
            </p>
          ) : (
            <>
              <dl class="totals">
                <Total label={messages.asked} value={total.asked.toLocaleString("fr")} />
                <Total label={messages.answered} value={share} />
                <Total label={messages.useful} value={total.useful.toLocaleString("fr")} />
                <Total label={messages.useless} value={total.useless.toLocaleString("fr")} />
              </dl>
              <h2>{messages.overTime}</h2>
              <AnsweredChart
                periods={periodsOf(counts, { sinceMs, nowMs: context.nowMs, timezone })}
                share={share}
              />
            </>
          )}
          <p class="hint">{messages.kept(keptDays)}</p>
        </section>
        {total.asked > 0 && <UnansweredQuestions groups={missing} timezone={timezone} />}
        {total.asked > 0 && (
          <AskedList
            context={context}
            project={project}
            path={path}
            days={days}
            show={show}
            asked={asked}
            timezone={timezone}
          />
        )}
      </>,
    )
  }

  return new Elysia({ name: "console-questions", prefix: "/console/projects/:project/questions" })
    .get("", handlers.page(showPage))
    .get(
      "/questions.csv",
      handlers.file(async (context) => {
        const project = await projectOf(db, context)
        context.setAuditSubject(project.id, project.name)
        const table = questionsCsv(db, project.id, filterOf(context).filter, timezone)
        return exports.reply(context.request, context.session.operator.id, "questions", table)
      }),
    )
}

function Total({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
