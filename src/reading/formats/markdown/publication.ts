import { type Detail, detail } from "../../../base/errors.ts"
import { dateText } from "../dates.ts"

/** By which dates a generator publishes its pages, as its settings have it. Without one, dates hide nothing. */
export interface Publication {
  by: "hugo" | "jekyll"
  /** Pages whose day is still to come are published too. */
  future: boolean
  expired: boolean
  drafts: boolean
  nowMs: number
}

/**
 * Why a page is not published at this moment; undefined when it is. Pages that merely speak of a day to come have no
 * such attributes.
 */
export function dateReason(
  attributes: Record<string, unknown>,
  path: string,
  { by, future, expired, nowMs }: Publication,
): Detail | undefined {
  const given = new Map(Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value]))
  const dateOf = (names: string[]) => {
    for (const name of names) {
      const ms = timeOf(given.get(name))
      if (ms !== undefined) return { name, ms }
    }
    return undefined
  }
  const begins = by === "hugo" ? dateOf(hugoDates) : jekyllDate(path, dateOf(["date"]))
  if (begins && !future && begins.ms > nowMs) {
    const { name, day } = dayOf(begins)
    return detail("reading.futureDate", { name, day })
  }
  const ends = by === "hugo" ? dateOf(["expirydate", "unpublishdate"]) : undefined
  if (ends && !expired && ends.ms < nowMs) {
    const { name, day } = dayOf(ends)
    return detail("reading.pastDate", { name, day })
  }
  return undefined
}

/** The dates that a page's attributes give for its publication, in the order in which they count. */
export function datesOf(attributes: Record<string, unknown>): unknown[] {
  const given = new Map(Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value]))
  return hugoDates.map((name) => given.get(name))
}

interface Named {
  name: string
  ms: number
}

/** The first of these that a page has is the day of its publication (gohugo.io/configuration/front-matter). */
const hugoDates = ["publishdate", "pubdate", "published", "date"]

/** Only posts and documents of collections have a day; it may stand in the name of the file. */
function jekyllDate(path: string, given: Named | undefined): Named | undefined {
  if (!/(?:^|\/)_[^/]+\//.test(path)) return undefined
  const file = path.slice(path.lastIndexOf("/") + 1)
  const isPost = /(?:^|\/)_posts\//.test(path)
  const ms = isPost ? timeOf(/^(\d{4}-\d\d?-\d\d?)-/.exec(file)?.[1]) : undefined
  return given ?? (ms === undefined ? undefined : { name: "date", ms })
}

/** Dates without a time zone are those of UTC. */
function timeOf(value: unknown): number | undefined {
  const [, year, month = "", day = "", rest = ""] =
    /^(\d{4})-(\d\d?)-(\d\d?)(.{0,40})$/.exec(dateText(value)) ?? []
  if (year === undefined) return undefined
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
  const [, clock = "00:00", zone = "Z"] =
    /^[T ]+(\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?$/i.exec(rest) ?? []
  const ms = Date.parse(`${date}T${clock}${zone.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2")}`)
  return Number.isNaN(ms) ? undefined : ms
}

function dayOf({ name, ms }: Named): { name: string; day: string } {
  return { name, day: new Date(ms).toISOString().slice(0, 10) }
}
