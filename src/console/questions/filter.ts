import type { AskedQuestionFilter } from "../../owners/gaps/asked-questions.ts"
import { lastDays } from "../kit/dates.tsx"
import type { FieldProps } from "../kit/forms/fields.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { words } from "./words.fr.ts"

const dayChoices = [7, 30, 90, 365]
const usualDays = 30
/** Specification, part 2 A1: a page's path has 512 characters at most. */
const maxPageLength = 512
const maxSoughtLength = 200

export interface QuestionsFilter {
  days: number
  sinceMs: number
  page: string | undefined
  show: string
  text: string
  asked: AskedQuestionFilter
}

/** Periods to choose from: none is longer than questions are kept. */
function periodChoices(keptDays: number): number[] {
  return [...new Set([...dayChoices.filter((days) => days < keptDays), Math.min(keptDays, 365)])]
}

export function periodField(keptDays: number, days: number): FieldProps {
  const choices = periodChoices(keptDays).map((each) => [String(each), words.days(each)] as const)
  return { name: "days", label: words.period, value: String(days), choices }
}

/** The period is whole days of the owner's time zone, today the last of them. */
export function readFilter(
  { query, nowMs, timezone }: PageContext,
  { keptDays, usual = usualDays }: { keptDays: number; usual?: number },
): QuestionsFilter {
  const days =
    periodChoices(keptDays).find((each) => String(each) === query["days"]) ?? Math.min(usual, keptDays)
  const show =
    query["show"] !== undefined && Object.hasOwn(words.filters, query["show"]) ? query["show"] : "all"
  const page = query["page"]?.slice(0, maxPageLength).replaceAll("\0", "") || undefined
  const text = (query["q"] ?? "").slice(0, maxSoughtLength).replaceAll("\0", "").trim()
  const sinceMs = lastDays(timezone, nowMs, days)[0]?.startMs ?? nowMs
  return {
    days,
    sinceMs,
    page,
    show,
    text,
    asked: {
      sinceMs,
      page,
      text: text === "" ? undefined : text,
      status: show === "answered" || show === "no_answer" ? show : undefined,
      offered: show === "offered" ? true : undefined,
      useful: show === "useful" ? true : show === "useless" ? false : undefined,
      opened: show === "opened" ? true : undefined,
      questionsOnly: show === "no_answer" || show === "offered",
    },
  }
}

/** The filter as parameters, for links and hidden fields. Those without a value are left out. */
export function filterParams({ days, page, show, text }: QuestionsFilter): PageContext["query"] {
  return { days: String(days), page, show: show === "all" ? undefined : show, q: text }
}
