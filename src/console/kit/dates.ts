import { frenchDates } from "../../base/french-date.ts"

/**
 * Dates as people read them, in the owner's time zone: `20 nov. 2026 à 12:13:05`; short: `20 nov. 2026 à
 * 12:13`.
 */
export function dateWriter(
  timeZone: string,
  timeStyle: "medium" | "short" = "medium",
): (at: number | string) => string {
  const date = frenchDates({ timeZone, day: "numeric", month: "short", year: "numeric" })
  const hour = new Intl.DateTimeFormat("fr", { timeZone, timeStyle })
  return (at) => {
    const atMs = typeof at === "string" ? Date.parse(at) : at
    return `${date(atMs)} à\u00a0${hour.format(atMs)}`
  }
}
