import { percent } from "../kit/chart.tsx"
import { Section, Totals } from "../kit/components.tsx"
import { Filter } from "../kit/forms/filter.tsx"
import { filterParams, periodField, type QuestionsFilter } from "./filter.ts"
import { words } from "./words.fr.ts"

interface PeriodFilterProps {
  path: string
  filter: QuestionsFilter
  keptDays: number
  /** Pages on which something was asked, most asked first. */
  pages: readonly { page: string; asked: number }[]
}

/** Period and page of everything on the page. They apply at once where scripts run. */
export function PeriodFilter({ path, filter, keptDays, pages }: PeriodFilterProps) {
  const { days, page } = filter
  const { show, q } = filterParams(filter)
  const listed = pages.map(
    (each) => [each.page, `${each.page} (${each.asked.toLocaleString("fr")})`] as const,
  )
  const unlisted =
    page === undefined || pages.some((each) => each.page === page) ? [] : [[page, page] as const]
  const choices = [["", words.allPages], ...unlisted, ...listed] as const
  const pageField = { name: "page", label: words.page, value: page ?? "", choices }
  const fields = [periodField(keptDays, days), ...(choices.length > 1 ? [pageField] : [])]
  return <Filter action={path} kept={{ show, q }} fields={fields} isAtOnce />
}

interface Total {
  asked: number
  answered: number
  useful: number
  useless: number
  opened: number
}

/** The figures of the period, each against the period before where that one is still kept. */
export function PeriodTotals({ now, before, days }: { now: Total; before: Total | undefined; days: number }) {
  const isCompared = before !== undefined && before.asked > 0
  const change = (name: keyof Total) => (isCompared ? countChange(now[name], before[name], days) : undefined)
  const answeredShare = ({ asked, answered }: Total) => (asked === 0 ? 0 : answered / asked)
  const points =
    isCompared && now.asked > 0
      ? pointChange(Math.round(100 * answeredShare(now)) - Math.round(100 * answeredShare(before)), days)
      : undefined
  const counted = (name: Exclude<keyof Total, "answered">) =>
    [words[name], withChange(now[name].toLocaleString("fr"), change(name))] as const
  const share = [words.answered, withChange(percent(answeredShare(now)), points)] as const
  return <Totals of={[counted("asked"), share, counted("useful"), counted("useless"), counted("opened")]} />
}

function withChange(figure: string, change: string | undefined) {
  return (
    <>
      {figure}
      {change && <span class="hint change">{change}</span>}
    </>
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

export function Ranking({ id, none, title, items }: RankingProps) {
  return (
    <Section id={id} title={title}>
      {items.length === 0 && <p class="hint">{none}</p>}
      <ol class="rows ranked">
        {items.map(({ name, href, times, rel }) => (
          <li key={href}>
            <div>
              <a href={href} rel={rel}>
                {name}
              </a>
            </div>
            <span class="number">{times}</span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

interface RankingProps {
  id: string
  title: string
  none: string
  items: readonly { name: string; href: string; times: string; rel?: string }[]
}
