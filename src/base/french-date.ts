/** Formats dates as Intl does, except the first of a month, which is an ordinal in French: `1er novembre`. */
export function frenchDates(format: Intl.DateTimeFormatOptions): (atMs: number) => string {
  const dates = new Intl.DateTimeFormat("fr", format)
  return (atMs) => dates.format(atMs).replace(/^1 /, "1er ")
}
