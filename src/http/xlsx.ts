import { strToU8, Zip, ZipDeflate } from "fflate"
import { isDay } from "../base/time.ts"
import { byteStream, type Cell, type Table, tableTime } from "./table.ts"

/** Limits of the format: a longer sheet or cell makes the whole file unreadable to Excel. */
const maxRows = 1_048_576
const maxCellLength = 32_767

/**
 * A workbook of one sheet (ECMA-376) whose texts stay texts: a telephone number keeps its zero, and nothing is a
 * formula. Numbers, days and times are typed. Written as its rows are read; a text that is too long for a cell
 * ends in `…`.
 */
export function xlsxStream(table: Table): ReadableStream<Uint8Array> {
  return byteStream(zipChunks(table))
}

async function* zipChunks({ columns, timezone, rows }: Table): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = []
  const written = () => {
    const [bytes] = [Buffer.concat(chunks)]
    chunks = []
    return bytes
  }
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
  })
  const file = (name: string) => {
    // The quickest: a batch of rows is compressed in one go on the thread that answers everybody.
    const added = new ZipDeflate(name, { level: 1 })
    zip.add(added)
    return (xml: string, isLast: boolean) => added.push(strToU8(xml), isLast)
  }
  for (const [name, xml] of Object.entries(fixedParts)) file(name)(xml, true)
  const sheet = file("xl/worksheets/sheet1.xml")
  const rowXml = rowWriter(timezone)
  sheet(sheetStart + rowXml(1, columns, styles.heading), false)
  yield written()
  let count = 1
  for await (const batch of rows) {
    const fitting = batch.slice(0, maxRows - count)
    sheet(fitting.map((row, place) => rowXml(count + 1 + place, row)).join(""), false)
    count += fitting.length
    yield written()
    if (count === maxRows) break
  }
  sheet("</sheetData></worksheet>", true)
  zip.end()
  yield written()
}

function rowWriter(timezone: string): (row: number, cells: readonly Cell[], style?: number) => string {
  const time = tableTime(timezone)

  function cellXml(place: string, cell: Cell, style: number): string {
    if (cell === "") return ""
    if (typeof cell === "string") return textXml(place, cell, style)
    if ("atMs" in cell)
      return serialXml(place, Date.parse(`${time(cell.atMs).replace(" ", "T")}Z`), styles.time)
    if ("number" in cell)
      return isExact(cell.number)
        ? numberXml(place, Number(cell.number), styles.number)
        : textXml(place, cell.number, style)
    const dayMs = isDay(cell.day) ? Date.parse(cell.day) : Number.NaN
    return dayMs >= firstDayMs ? serialXml(place, dayMs, styles.day) : textXml(place, cell.day, style)
  }

  return (row, cells, style = styles.text) =>
    `<row r="${row}">${cells.map((cell, at) => cellXml(`${columnName(at)}${row}`, cell, style)).join("")}</row>`
}

/** `A` … `Z`, `AA` … */
function columnName(at: number): string {
  const last = String.fromCharCode(65 + (at % 26))
  return at < 26 ? last : columnName(Math.floor(at / 26) - 1) + last
}

/** Spreadsheets keep fifteen digits, and no leading zero. A value from before its field was a number may be a text. */
function isExact(number: string): boolean {
  return (
    Number.isFinite(Number(number)) &&
    !/^-?0\d|[^\d.e+-]/i.test(number) &&
    number.replace(/e.*/i, "").replace(/\D/g, "").length <= 15
  )
}

function textXml(place: string, text: string, style: number): string {
  const fitting = text.length > maxCellLength ? `${text.slice(0, maxCellLength - 1)}…` : text
  const escaped = fitting
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write them
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    // `_x0041_` would be read as `A`.
    .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped}</t></is></c>`
}

const dayMs = 86_400_000
/** Day 0 of spreadsheets; before March 1900 they count a day that did not exist. */
const dayZeroMs = Date.UTC(1899, 11, 30)
const firstDayMs = Date.UTC(1900, 2, 1)

function serialXml(place: string, localMs: number, style: number): string {
  return numberXml(place, (localMs - dayZeroMs) / dayMs, style)
}

function numberXml(place: string, value: number, style: number): string {
  return `<c r="${place}" s="${style}"><v>${value}</v></c>`
}

/** Places in `cellXfs`. */
const styles = { number: 0, day: 1, time: 2, text: 3, heading: 4 }

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packageRelations = "http://schemas.openxmlformats.org/package/2006/relationships"
const contentType = "application/vnd.openxmlformats-officedocument.spreadsheetml"

const sheetStart = `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15" defaultColWidth="18"/><sheetData>`

const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
const plain = 'numFmtId="0" fontId="0" fillId="0" borderId="0"'
// By the places of `styles`. Formats 14, 22 and 49 are built in: the day and the time as the reader's country writes
// them, and text.
const cellStyles = [
  [0, 0],
  [14, 0],
  [22, 0],
  [49, 0],
  [49, 1],
]
  .map(
    ([format, fontId]) =>
      `<xf numFmtId="${format}" fontId="${fontId}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`,
  )
  .join("")

/** Whole elements as Excel writes them: what the standard lets out, several readers ask for. */
const fixedParts = {
  "[Content_Types].xml": `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/></Types>`,
  "_rels/.rels": `${declaration}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><bookViews><workbookView/></bookViews><sheets><sheet name="Messages" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `${declaration}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml": `${declaration}<styleSheet xmlns="${main}"><fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf ${plain}/></cellStyleXfs><cellXfs count="5">${cellStyles}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
}
