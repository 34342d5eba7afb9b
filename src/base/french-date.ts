/**
 * Writes dates for people, as Intl does but for the first of a month, which French says as an ordinal: `1er
 * novembre`.
 */
export function frenchDates(format: Intl.DateTimeFormatOptions): (atMs: number) => string {
  const dates = new Intl.DateTimeFormat("fr", format)
  return (atMs) => dates.format(atMs).replace(/^1 /, "1er ")
}
