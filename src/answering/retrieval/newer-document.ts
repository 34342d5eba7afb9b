import { fold } from "../../base/text.ts"
import { memoizePerPassage } from "../../index/lance/passage-cache.ts"
import { calendarDay, lastDayIn } from "../../reading/formats/dates.ts"
import type { Passage } from "../../reading/formats/document.ts"

/**
 * Whether a passage is of a later document of the same name: this year's charter beside last year's, the
 * minutes of June beside those of March. A page without a date is neither older nor newer than another.
 */
export function isNewer(one: Passage, other: Passage): boolean {
  if (one.document === other.document || !haveSameName(one, other)) return false
  const [day, before] = [dayOf(one), dayOf(other)]
  // « 2022 » and « 24 juin 2022 » cannot be told apart in time.
  const length = Math.min(day.length, before.length)
  return length > 0 && day.slice(0, length) > before.slice(0, length)
}

/** Whether titles, or names of files, consist of the same words besides their dates. */
function haveSameName(one: Passage, other: Passage): boolean {
  return [wordsOfTitle, wordsOfFileName].some((wordsOf) => {
    const [words, others] = [wordsOf(one), wordsOf(other)]
    return words.size > 0 && words.size === others.size && words.isSubsetOf(others)
  })
}

const wordsOfTitle = memoizePerPassage(
  ({ title }: Passage): ReadonlySet<string> =>
    new Set(
      fold(title)
        .replace(monthNames, " ")
        .match(/\p{L}{3,}/gu),
    ),
)

/** With numbers that are no dates: `article12` and `article13` are two pages. None of a script that makes many. */
const wordsOfFileName = memoizePerPassage(({ document }: Passage): ReadonlySet<string> => {
  if (document.includes("?")) return new Set()
  const name = document.slice(document.lastIndexOf("/") + 1).replace(/\.\w{2,5}$/, "")
  const undated = fold(name).replace(dates, " ").replace(monthNames, " ")
  return new Set(/\p{L}{3}/u.test(undated) ? undated.match(/\p{L}{3,}\p{N}*|\p{N}{3,}/gu) : [])
})

/** `2022-06-24`, `2022-06` or `2022`; empty for a document without a date. */
const dayOf = memoizePerPassage(({ title, document, markdown, published }: Passage): string => {
  const said = markdown.slice(0, beginning).match(validity)?.join("\n") ?? ""
  return published ?? dayIn(title) ?? dayIn(document) ?? dayIn(said) ?? ""
})

/** The day that a name gives in digits or words, else its last year: « 2021-2022 » holds until 2022. */
function dayIn(name: string): string | undefined {
  const { y1, m1, d1, y2, m2, d2 } = digits.exec(name)?.groups ?? {}
  const day = lastDayIn(name) ?? calendarDay(y1 ?? y2, m1 ?? m2, d1 ?? d2)
  if (day !== undefined) return day
  const month = digitsOfMonth.exec(name)?.groups
  if (month) return `${month["year"]}-${month["month"]}`
  return name.match(years)?.sort().at(-1)
}

/** `20220624`, `2022_06_24`, `24-06-2022` */
const digits =
  /(?<!\d)(?<y1>20\d\d)[-_. ]?(?<m1>0[1-9]|1[0-2])[-_. ]?(?<d1>0[1-9]|[12]\d|3[01])(?!\d)|(?<!\d)(?<d2>\d{1,2})[-_. ](?<m2>\d{1,2})[-_. ](?<y2>20\d\d)(?!\d)/
/** `202206`, `2022-06` */
const digitsOfMonth = /(?<!\d)(?<year>20\d\d)[-_. ]?(?<month>0[1-9]|1[0-2])(?!\d)/
/** All of them. */
const dates =
  /(?<!\d)(?:20\d\d[-_. ]?(?:0[1-9]|1[0-2])(?:[-_. ]?(?:0[1-9]|[12]\d|3[01]))?|\d{1,2}[-_. ]\d{1,2}[-_. ]20\d\d|(?:19|20)\d\d)(?!\d)/g
const years = /(?<!\d)(?:19|20)\d\d(?!\d)/g

/** Characters of a text in which it says from when on it holds. */
const beginning = 400
const validity =
  /(?<!\p{L})(?:mise? à jour|à (?:compter|partir) du|en vigueur|applicables?|valables?|saison|année(?: scolaire)?|updated|effective|valid|as of|season)(?!\p{L})[^\n]{0,40}/giu
const monthNames =
  /(?<!\p{L})(?:janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre|january|february|march|april|may|june|july|august|september|october|november|december)(?!\p{L})/gu
