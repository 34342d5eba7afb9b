/** @jsxImportSource preact */
import type { Project } from "../../accounts/project.ts"
import type { CitedPage } from "../../assistant/insights/cited-pages.ts"
import type { QuestionGroup } from "../../assistant/insights/group-questions.ts"
import { percent } from "../kit/chart.tsx"
import { type QuestionsFilter, queryOf } from "./filter.ts"
import { questionsPath } from "./questions-page.tsx"
import { words } from "./words.fr.ts"

interface PeriodFilterProps {
  path: string
  filter: QuestionsFilter
  choices: readonly number[]
  /** Pages on which something was asked, most asked first. */
  pages: readonly { page: string; asked: number }[]
}

/** Period and page of everything on the page. They apply at once where scripts run. */
export function PeriodFilter({ path, filter, choices, pages }: PeriodFilterProps) {
  const { days, page } = filter
  const { show, q } = queryOf(filter)
  const isListed = page === undefined || pages.some((each) => each.page === page)
  return (
    <form method="get" action={path} class="filter" data-at-once>
      {show && <input type="hidden" name="show" value={show} />}
      {q && <input type="hidden" name="q" value={q} />}
      <div class="row">
        <div class="field">
          <label for="days" id="period">
            {words.period}
          </label>
          <select id="days" name="days">
            {choices.map((each) => (
              <option key={each} value={each} selected={each === days}>
                {words.days(each)}
              </option>
            ))}
          </select>
        </div>
        {(pages.length > 0 || page !== undefined) && (
          <div class="field">
            <label for="page">{words.page}</label>
            <select id="page" name="page">
              <option value="">{words.allPages}</option>
              {!isListed && (
                <option value={page} selected>
                  {page}
                </option>
              )}
              {pages.map((each) => (
                <option key={each.page} value={each.page} selected={each.page === page}>
                  {`${each.page} (${each.asked.toLocaleString("fr")})`}
                </option>
              ))}
            </select>
          </div>
        )}
        <button type="submit" class="quiet" data-without-script>
          {words.show}
        </button>
      </div>
    </form>
  )
}

interface Total {
  asked: number
  answered: number
  useful: number
  useless: number
}

/** The figures of the period, each against the period before where that one is still kept. */
export function Totals({ now, before, days }: { now: Total; before: Total | undefined; days: number }) {
  const isCompared = before !== undefined && before.asked > 0
  const change = (name: keyof Total) => (isCompared ? countChange(now[name], before[name], days) : undefined)
  const shareOf = ({ asked, answered }: Total) => (asked === 0 ? 0 : answered / asked)
  return (
    <dl class="totals">
      <Figure label={words.asked} value={now.asked.toLocaleString("fr")} change={change("asked")} />
      <Figure
        label={words.answered}
        value={percent(shareOf(now))}
        change={
          isCompared && now.asked > 0
            ? pointChange(Math.round(100 * shareOf(now)) - Math.round(100 * shareOf(before)), days)
            : undefined
        }
      />
      <Figure label={words.useful} value={now.useful.toLocaleString("fr")} change={change("useful")} />
      <Figure label={words.useless} value={now.useless.toLocaleString("fr")} change={change("useless")} />
    </dl>
  )
}

function Figure({ label, value, change }: { label: string; value: string; change: string | undefined }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        {change && <span class="hint change">{change}</span>}
      </dd>
    </div>
  )
}

function countChange(now: number, before: number, days: number): string | undefined {
  if (before === 0) return undefined
  if (now === before) return words.same(days)
  const change = now / before - 1
  const share = Math.abs(change).toLocaleString("fr", { style: "percent" })
  return words.before(`${change > 0 ? "+" : "−"}${share}`, days)
}

function pointChange(points: number, days: number): string {
  return points === 0 ? words.same(days) : words.before(words.points(points), days)
}

/** The questions that were asked several times. */
export function FrequentQuestions({
  project,
  groups,
}: {
  project: Pick<Project, "id">
  groups: readonly QuestionGroup<{ id: string; question: string; askedAt: number }>[]
}) {
  return (
    <section aria-labelledby="frequent">
      <h2 id="frequent">{words.frequent}</h2>
      {groups.length === 0 && <p class="hint">{words.noFrequent}</p>}
      <ol class="rows ranked">
        {groups.map(({ question, times, asked }) => (
          <li key={question}>
            <div>
              <a href={questionsPath(project, "questions", `/${asked[0]?.id}`)}>{question}</a>
            </div>
            <span class="number">{words.times(times)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

export function CitedPages({ pages }: { pages: readonly CitedPage[] }) {
  return (
    <section aria-labelledby="cited">
      <h2 id="cited">{words.cited}</h2>
      {pages.length === 0 && <p class="hint">{words.noCited}</p>}
      <ol class="rows ranked">
        {pages.map(({ title, url, answers }) => (
          <li key={url}>
            <div>
              <a href={url} rel="noreferrer">
                {title}
              </a>
            </div>
            <span class="number">{words.citedTimes(answers)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
