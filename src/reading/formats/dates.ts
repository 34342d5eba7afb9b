/** Days as pages write them, in French or English, with their year: as `2024-06-02`, which sorts as time does. */

/** The months of both languages, by how their names begin. */
const months = [
  /^jan/i,
  /^f[ée][bv]/i,
  /^mar/i,
  /^a[pv]r/i,
  /^ma[iy]/i,
  /^jui?n/i,
  /^jui?l/i,
  /^ao[uû]|^aug/i,
  /^sep/i,
  /^o[ck]t/i,
  /^nov/i,
  /^d[ée]c/i,
] as const

/** 1 to 12; undefined for any other word. */
export function monthNumber(name: string): number | undefined {
  const at = months.findIndex((names) => names.test(name))
  return at < 0 ? undefined : at + 1
}

/** The last of the whole dates that a text says. */
export function lastDayIn(text: string): string | undefined {
  let last: string | undefined
  for (const { groups } of text.matchAll(wholeDate)) {
    const { d1, m1, y1, y2, m2, d2, d3, m3, y3, m4, d4, y4 } = groups ?? {}
    const month = m1 ?? m2 ?? monthNumber(m3 ?? m4 ?? "")
    const day = calendarDay(y1 ?? y2 ?? y3 ?? y4, month, d1 ?? d2 ?? d3 ?? d4)
    if (day !== undefined && (last === undefined || day > last)) last = day
  }
  return last
}

/** A date as it is written; empty for any other value. YAML keeps it a text, TOML makes it one of `Temporal`. */
export function dateText(value: unknown): string {
  if (typeof value === "string") return value.trim()
  return isTemporal(value) ? String(value) : ""
}

/** Whether it is a date or time of TOML. An object that an author wrote may have a `toString` that is no function. */
export function isTemporal(value: unknown): boolean {
  return Object.prototype.toString.call(value).startsWith("[object Temporal.")
}

/** undefined for what is no day of the calendar. */
export function calendarDay(year: unknown, month: unknown, day: unknown): string | undefined {
  const [y, m, d] = [Number(year), Number(month), Number(day)]
  const date = new Date(Date.UTC(y, m - 1, d))
  const isDay = y >= 1000 && y <= 9999 && date.getUTCMonth() === m - 1 && date.getUTCDate() === d
  return isDay ? date.toISOString().slice(0, 10) : undefined
}

export function yearAfter(day: string): string {
  return `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`
}

const wholeDate =
  /(?<![\d/.])(?<d1>\d{1,2})[/.](?<m1>\d{1,2})[/.](?<y1>\d{4})(?!\d)|(?<![\d-])(?<y2>\d{4})-(?<m2>\d{2})-(?<d2>\d{2})(?!\d)|(?<!\d)(?<d3>\d{1,2})(?:er)? (?<m3>\p{L}{3,9})\.? (?<y3>\d{4})(?!\d)|(?<!\p{L})(?<m4>\p{L}{3,9})\.? (?<d4>\d{1,2})(?:st|nd|rd|th)?, (?<y4>\d{4})(?!\d)/gu
