import { type Detail, detail } from "../../../base/errors.ts"
import { dateText } from "../dates.ts"

/** Which pages a site publishes beside those whose time it is. */
export interface Publication {
  /** Pages whose day is still to come. */
  future: boolean
  expired: boolean
  drafts: boolean
  nowMs: number
}

/** The first and the last moment of a page. */
export interface PublicationDates {
  begins?: NamedDate | undefined
  ends?: NamedDate | undefined
}

/** A date, and the attribute that gives it. */
interface NamedDate {
  name: string
  ms: number
}

/** Why a page with these dates is not published at this moment; undefined when it is. */
export function dateReason(
  { begins, ends }: PublicationDates,
  { future, expired, nowMs }: Publication,
): Detail | undefined {
  if (begins && !future && begins.ms > nowMs) {
    const { name, day } = shownDate(begins)
    return detail("reading.futureDate", { name, day })
  }
  if (ends && !expired && ends.ms < nowMs) {
    const { name, day } = shownDate(ends)
    return detail("reading.pastDate", { name, day })
  }
  return undefined
}

/** The attributes that may give the day of a page's publication. The first that a page has counts. */
export const dateAttributes = ["publishdate", "pubdate", "published", "date"]

/** The values of the attributes that may give the day of a page's publication, in the order in which they count. */
export function publicationDays(attributes: Record<string, unknown>): unknown[] {
  const values = byLowerName(attributes)
  return dateAttributes.map((name) => values.get(name))
}

/** The first of these attributes that is a date. */
export function firstDate(
  attributes: Record<string, unknown>,
  names: readonly string[],
): NamedDate | undefined {
  const values = byLowerName(attributes)
  for (const name of names) {
    const ms = timeMs(values.get(name))
    if (ms !== undefined) return { name, ms }
  }
  return undefined
}

function byLowerName(attributes: Record<string, unknown>): Map<string, unknown> {
  return new Map(Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Dates without a time zone are those of UTC. */
export function timeMs(value: unknown): number | undefined {
  const [, year, month = "", day = "", rest = ""] =
    /^(\d{4})-(\d\d?)-(\d\d?)(.{0,40})$/.exec(dateText(value)) ?? []
  if (year === undefined) return undefined
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
  const [, clock = "00:00", zone = "Z"] =
    /^[T ]+(\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?$/i.exec(rest) ?? []
  const ms = Date.parse(`${date}T${clock}${zone.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2")}`)
  return Number.isNaN(ms) ? undefined : ms
}

function shownDate({ name, ms }: NamedDate): { name: string; day: string } {
  return { name, day: new Date(ms).toISOString().slice(0, 10) }
}
