import type { Language } from "../../accounts/project.ts"
import { calendarDay, dateText, lastDayIn, yearAfter } from "./dates.ts"
import type { Document, PageKind, Passage } from "./document.ts"

/** A folder whose pages are news, one by one. */
const newsFolder =
  /(?:^|\/)_?(?:posts?|blog|news|actualit[ée]s?|actus?|articles?|[ée]v[ée]nements?|events?|agenda)\//iu
/** The name of a file or an address that begins with a day: `2024-06-02-titre`, `/2024/06/02/titre`. */
const dayInName = /(?:^|\/)(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-_/]/
/** An attribute's or an element's own date. */
const givenDay = /^\s{0,9}(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/

/**
 * The day on which a page was published as news, by its name, or by a date that it gives where its folder holds news.
 * Pages of a documentation give dates too, which say nothing of what they tell.
 */
export function publishedOn(
  { path, url }: Pick<Document, "path" | "url">,
  dates: readonly unknown[],
): string | undefined {
  const named = dayInName.exec(path) ?? dayInName.exec(URL.parse(url)?.pathname ?? "")
  if (!named && !newsFolder.test(path) && !newsFolder.test(url)) return undefined
  return dayGiven(dates) ?? (named ? calendarDay(named[1], named[2], named[3]) : undefined)
}

/** The first of the dates that an attribute or an element gives. */
export function dayGiven(dates: readonly unknown[]): string | undefined {
  for (const date of dates) {
    const [, year, month, day] = givenDay.exec(dateText(date)) ?? []
    const published = calendarDay(year, month, day)
    if (published !== undefined) return published
  }
  return undefined
}

/**
 * The last day on which news may still hold: the last one that it speaks of, else a year after it was published, since
 * what returns, returns every year. undefined for what is no news.
 */
export function holdsUntil(
  texts: readonly string[],
  published: string | undefined,
  kind: PageKind | undefined,
): string | undefined {
  if (published === undefined && kind !== "news") return undefined
  const last = lastDayIn(texts.join("\n"))
  if (published === undefined) return last && yearAfter(last)
  return last !== undefined && last > published ? last : yearAfter(published)
}

/** The title of a page; of news, with the day of its publication unless it says the year: a visitor has to know it. */
export function datedTitle(
  { title, published }: Pick<Passage, "title" | "published">,
  language: Language,
): string {
  if (published === undefined || title.includes(published.slice(0, 4))) return title
  return `${title} (${longDate[language].format(new Date(published))})`
}

const longDate: Record<Language, Intl.DateTimeFormat> = {
  fr: new Intl.DateTimeFormat("fr", { dateStyle: "long", timeZone: "UTC" }),
  en: new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }),
}
