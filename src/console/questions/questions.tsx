import { LRUCache } from "lru-cache"
import type { Project } from "../../accounts/project.ts"
import { foldedQuestion } from "../../answering/ask/store-answer.ts"
import { hourMs } from "../../base/clock.ts"
import { Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { fileName } from "../../http/file-name.ts"
import { countOpened, listAskedQuestions, newestAnswerId } from "../../owners/gaps/asked-questions.ts"
import { askedOnPages, mostCitedPages } from "../../owners/gaps/cited-pages.ts"
import { conversationSizes, conversationWith } from "../../owners/gaps/conversation.ts"
import {
  type DayOfQuestions,
  hasQuestions,
  noQuestions,
  questionsByDay,
  sumOfQuestions,
} from "../../owners/gaps/daily-questions.ts"
import { frequentQuestions } from "../../owners/gaps/frequent-questions.ts"
import { exportQuestions } from "../../owners/gaps/operations.ts"
import { questionsCsv } from "../../wording/questions-csv.ts"
import { Chart, ChartKeys, percent, type Series } from "../kit/chart.tsx"
import { cursorOfPageWith, More, pageOfList } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { lastDays } from "../kit/dates.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { downloads, projectInAddress } from "../kit/page-handlers.ts"
import { words as commonWords } from "../kit/words.fr.ts"
import { type QuestionsFilter, readFilter } from "./filter.ts"
import { Asked, AskedList, pageSize } from "./question-lists.tsx"
import { PeriodFilter, PeriodTotals, Ranking } from "./question-overview.tsx"
import { questionsPage, questionsPath } from "./questions-page.tsx"
import { RowTrials } from "./row-trial.tsx"
import { words } from "./words.fr.ts"

const maxListed = 8
const maxPages = 50
/** Questions shown of a conversation, with their answers open. */
const shownOfConversation = 30
const maxRemembered = 50

/** Statistics and lists of visitors' questions, and their conversations. */
export function questionPages(deps: ConsoleDeps) {
  const { db, exports, config } = deps
  const { timezone } = config
  const keptDays = config.ask.answerRetentionDays
  const readLists = openLists(deps)

  return {
    page: (context: PageContext) => showPage(deps, readLists, context),
    exportQuestions: downloads(exportQuestions, (project, context) => {
      const { request, session, nowMs } = context
      const table = questionsCsv(db, project.id, readFilter(context, { keptDays }).asked, timezone)
      const at = { timezone, nowMs }
      const name = fileName(["questions", session.workspace.name, project.name], "csv", at)
      return exports.reply(request, session.operator.id, name, table)
    }),
    conversation: (context: PageContext) => showConversation(deps, context),
  }
}

async function countLists(db: Db, project: Project, { sinceMs, page }: QuestionsFilter) {
  const [frequent, cited, pages] = await Promise.all([
    frequentQuestions(db, project, { sinceMs, page, atMost: maxListed }),
    mostCitedPages(db, project.id, { sinceMs, page, atMost: maxListed }),
    askedOnPages(db, project.id, sinceMs, maxPages),
  ])
  return { frequent, cited, pages }
}

type ReadLists = ReturnType<typeof openLists>

/** Remembers the lists of a project until its next question or removal, for an hour at most. */
function openLists({ db }: ConsoleDeps) {
  const remembered = new LRUCache<string, ReturnType<typeof countLists>>({ max: maxRemembered })
  /** `asked`: number of questions of the period. */
  return async (project: Project, filter: QuestionsFilter, asked: number, nowMs: number) => {
    const newest = await newestAnswerId(db, project.id)
    const hour = Math.floor(nowMs / hourMs)
    const key = JSON.stringify([project.id, filter.days, filter.page, newest, asked, hour])
    const lists = remembered.get(key) ?? countLists(db, project, filter)
    remembered.set(key, lists)
    lists.catch(() => remembered.delete(key))
    return lists
  }
}

async function showPage(deps: ConsoleDeps, readLists: ReadLists, context: PageContext): Promise<Response> {
  const { db, config } = deps
  const keptDays = config.ask.answerRetentionDays
  const project = await projectInAddress(db, context)
  const filter = readFilter(context, { keptDays })
  const { days } = filter
  const path = questionsPath(project, "questions")
  // The period before can only be compared while it is still kept in full.
  const isComparable = 2 * days <= keptDays
  const spans = lastDays(config.timezone, context.nowMs, isComparable ? 2 * days : days)
  const part = { after: context.query["after"] || undefined, atMost: pageSize }
  const [counted, found] = await Promise.all([
    questionsByDay(db, [project.id], spans, filter.page),
    listAskedQuestions(db, project.id, filter.asked, part),
  ])
  const counts = counted.get(project.id) ?? []
  const now = sumOfQuestions(counts.slice(-days))
  const before = isComparable ? sumOfQuestions(counts.slice(0, days)) : undefined
  const questions = found.asked
  const [lists, sizes] = await Promise.all([
    readLists(project, filter, now.asked, context.nowMs),
    conversationSizes(db, project.id, questions),
  ])
  const isNone = now.asked === 0 && questions.length === 0 && filter.text === "" && filter.show === "all"
  const isEmpty = isNone && !(await hasQuestions(db, project.id))
  const share = percent(now.asked === 0 ? 0 : now.answered / now.asked)
  return questionsPage(
    context,
    { project, tab: "questions" },
    <>
      <section aria-label={words.period}>
        {!isEmpty && <PeriodFilter path={path} filter={filter} keptDays={keptDays} pages={lists.pages} />}
        {isNone ? (
          <p>
            <strong>{words.none}</strong> {words.noneYet}
          </p>
        ) : (
          <>
            <PeriodTotals now={now} before={before} days={days} />
            <AnsweredChart periods={toPeriods(spans.slice(-days), counts.slice(-days))} share={share} />
          </>
        )}
      </section>
      {!isNone && (
        <>
          <Rankings path={path} lists={lists} />
          <AskedList project={project} filter={filter} found={found} sizes={sizes} />
        </>
      )}
      <p class="hint">{words.kept(keptDays)}</p>
    </>,
  )
}

function Rankings({ path, lists }: { path: string; lists: Awaited<ReturnType<ReadLists>> }) {
  return (
    <div class="columns">
      <Ranking
        id="frequent"
        title={words.frequent}
        none={words.noFrequent}
        items={lists.frequent.map(({ question, times, asked }) => ({
          name: question,
          href: `${path}/${asked[0]?.id}`,
          times: words.times(times),
        }))}
      />
      <Ranking
        id="cited"
        title={words.cited}
        none={words.noCited}
        items={lists.cited.map(({ title, url, answers }) => ({
          name: title,
          href: url,
          rel: "noreferrer",
          times: words.citedTimes(answers),
        }))}
      />
    </div>
  )
}

async function showConversation({ db }: ConsoleDeps, context: PageContext): Promise<Response> {
  const project = await projectInAddress(db, context)
  const conversation = await conversationWith(db, project.id, context.params["answer"] ?? "")
  if (!conversation) throw new Refusal("not_found", commonWords.unknownPage)
  const wanted = conversation.find(({ id }) => id === context.params["answer"])
  const before = wanted && cursorOfPageWith(conversation, wanted, shownOfConversation)
  const after = context.query["cursor"] ?? before
  const { items, cursor } = pageOfList(conversation, after, shownOfConversation)
  const folded = items.map(({ question }) => foldedQuestion(question))
  const openedBy = await countOpened(db, project.id, folded)
  const path = questionsPath(project, "questions")
  const title = conversation.length > 1 ? words.conversationTitle : words.questionTitle
  return questionsPage(
    context,
    { project, tab: "questions", title, back: { href: path, name: words.allQuestions } },
    <section>
      <ol class="rows asked">
        {items.map((asked) => (
          <Asked
            key={asked.id}
            project={project}
            asked={asked}
            openedBy={openedBy.get(foldedQuestion(asked.question))}
            isOpen
          />
        ))}
      </ol>
      <RowTrials />
      <More address={`${path}/${context.params["answer"]}`} cursor={cursor} />
    </section>,
  )
}

/** Chart of the questions with and without an answer over time, with the answered share of each day or week. */
function AnsweredChart({ periods, share }: { periods: readonly Period[]; share: string }) {
  // The chart begins there.
  const [first, last] = [periods.find(({ asked }) => asked > 0), periods.at(-1)]
  const series: Series[] = [
    { name: words.withAnswer, tone: "main", values: periods.map(({ answered }) => answered) },
    { name: words.noAnswer, tone: "warn", values: periods.map(({ asked, answered }) => asked - answered) },
  ]
  return (
    <>
      <div class="over-time">
        <h2>{words.overTime}</h2>
        <ChartKeys series={series} />
      </div>
      <Chart
        label={words.chart(first?.from ?? "", last?.to ?? "", share)}
        unit={words.day}
        labels={periods.map(({ label }) => label)}
        series={series}
        rate={{
          name: words.share,
          values: periods.map(({ asked, answered }) => (asked === 0 ? null : answered / asked)),
        }}
      />
    </>
  )
}

/** The number of questions in one day, or in one week of a longer range. */
interface Period {
  label: string
  /** First and last day, such as `20 nov.`; equal when the period is a single day. */
  from: string
  to: string
  asked: number
  answered: number
}

/** A chart with more points becomes unreadable, so a longer range is grouped by week. */
const maxDailyPoints = 31

/** A period a day, days without questions too. More than `maxDailyPoints` days are grouped into weeks. */
function toPeriods(days: readonly { label: string }[], counts: readonly DayOfQuestions[]): Period[] {
  const all = days.map(({ label }, place) => {
    const { asked, answered } = counts[place] ?? noQuestions
    return { label, from: label, to: label, asked, answered }
  })
  return all.length > maxDailyPoints ? weeks(all) : all
}

function weeks(days: Period[]): Period[] {
  const periods: Period[] = []
  for (let end = days.length; end > 0; end -= 7) {
    const week = days.slice(Math.max(end - 7, 0), end)
    const [{ from }, { to }] = [week[0] as Period, week.at(-1) as Period]
    periods.unshift({
      label: words.weekOf(from),
      from,
      to,
      asked: week.reduce((sum, { asked }) => sum + asked, 0),
      answered: week.reduce((sum, { answered }) => sum + answered, 0),
    })
  }
  return periods
}
