/** Without it Excel takes UTF-8 for the machine's old code page. */
export const byteOrderMark = "\ufeff"

/** One line of a table that a French Excel opens as it is: `;` between cells. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(";")}\r\n`
}

/**
 * A cell that begins like a formula is executed by spreadsheets: an apostrophe in front makes it text. Numbers stay numbers.
 */
export function csvCell(text: string): string {
  const isFormula = /^[\s\u200b\ufeff]*[=+\-@＝＋－＠]/u.test(text) || /^[\t\r\n]/.test(text)
  const isNumber = /^-?\d+([.,]\d+)?$/.test(text)
  return `"${(isFormula && !isNumber ? `'${text}` : text).replaceAll('"', '""')}"`
}

/** `2026-11-20 11:57:54`: what a spreadsheet takes for a date, and nobody for another one. */
export function csvDate(timezone: string): (atMs: number) => string {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: timezone,
    dateStyle: "short",
    timeStyle: "medium",
  })
  return (atMs) => format.format(atMs)
}
