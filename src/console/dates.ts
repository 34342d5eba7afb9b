/** Dates as people read them, in the owner's time zone: `20 nov. 2026 à 12:13:05`. */
export function dateWriter(timeZone: string): (at: number | string) => string {
  const date = new Intl.DateTimeFormat("fr", { timeZone, day: "numeric", month: "short", year: "numeric" })
  const hour = new Intl.DateTimeFormat("fr", { timeZone, timeStyle: "medium" })
  return (at) => {
    const atMs = typeof at === "string" ? Date.parse(at) : at
    return `${date.format(atMs)} à\u00a0${hour.format(atMs)}`
  }
}
