import { monthNumber } from "./dates.ts"
import type { Document, PageKind } from "./document.ts"

/** The kind of a page whose passages stand behind those of other pages; undefined for any other page. */
export function tellPageKind({ title, path, url, sections }: Document): PageKind | undefined {
  const headings = sections.slice(0, maxSections).map((section) => section.headings)
  if ([title, lastName(path)].some((name) => legalTitle.test(name) && !name.endsWith("?"))) return "legal"
  if (atOneLevel(headings, (row) => row.filter((heading) => article.test(heading)).length)) return "legal"
  if (atOneLevel(headings, newestFirst)) return "news"
  if (
    isReadme(url) ||
    atOneLevel(headings, (row) => row.filter((heading) => identifier.test(heading)).length)
  )
    return "reference"
  const lines = textLines(sections.slice(0, maxSections).map(({ markdown }) => markdown))
  return isMost(newestFirst(lines), lines.length) ? "news" : undefined
}

/** The rest of a page says the same of its kind. */
const maxSections = 400
const maxCharacters = 40_000
/** With fewer dates or articles a page may be anything. */
const minMarks = 3
const minShare = 0.6

function isMost(marked: number, all: number): boolean {
  return marked >= minMarks && marked >= minShare * all
}

/** Whether most headings of one level are counted by `count`, whatever stands below them. */
function atOneLevel(headings: readonly string[][], count: (row: string[]) => number): boolean {
  const deepest = Math.min(Math.max(0, ...headings.map(({ length }) => length)), 3)
  for (let level = 0; level < deepest; level++) {
    const row = headings.flatMap((path, at) => {
      const heading = path[level]
      return heading !== undefined && (heading !== headings[at - 1]?.[level] || path.length === level + 1)
        ? [heading]
        : []
    })
    if (isMost(count(row), row.length)) return true
  }
  return false
}

/**
 * How many of the texts begin with a version or a whole date and stand newest first; 0 where they go forward in time,
 * as a programme does.
 */
function newestFirst(texts: readonly string[]): number {
  const marks = texts
    .map((text) => dateMark(text.slice(0, maxMarkCharacters).replace(lead, "")))
    .filter((mark) => mark !== undefined)
  let [falling, rising] = [0, 0]
  for (const [at, mark] of marks.entries()) {
    const order = compare(mark, marks[at - 1] ?? mark)
    if (order < 0) falling++
    if (order > 0) rising++
  }
  return falling > rising ? marks.length : 0
}

/** The heading of an entry says its version or date at once. */
const maxMarkCharacters = 60

/** The numbers of a date or version, most significant first. */
function dateMark(text: string): number[] | undefined {
  const numeric = numericDate.exec(text)
  if (numeric) return toNumbers([numeric[3], numeric[2], numeric[1]])
  const iso = isoDate.exec(text) ?? versionMark.exec(text)
  if (iso) return toNumbers(iso.slice(1))
  const { day, month, after, year } = writtenDate.exec(text)?.groups ?? {}
  if (month === undefined) return undefined
  const number = monthNumber(month)
  return number === undefined ? undefined : [Number(year), number, Number(day ?? after ?? 0)]
}

function toNumbers(texts: readonly (string | undefined)[]): number[] {
  return texts.map((text) => Number(text ?? 0))
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, at) => value !== other[at])
  return at < 0 ? 0 : (one[at] as number) - (other[at] ?? 0)
}

/** The entries of a list and the paragraphs, without their bullets. */
function textLines(texts: readonly string[]): string[] {
  return texts
    .join("\n")
    .slice(0, maxCharacters)
    .split("\n")
    .map((line) => line.trim().replace(bullet, ""))
    .filter((line) => line !== "")
}

/** A repository's own files, beside the pages of its site. One that is the page of a folder has its address. */
function isReadme(url: string): boolean {
  return /\/readme(?:\.html)?\/?$/i.test(url)
}

function lastName(path: string): string {
  return (path.split("/").at(-1) ?? "").replaceAll(/[-_]/g, " ")
}

const bullet = /^(?:[-*+•–]|\d{1,3}[.)]) {1,3}(?:\*\*|__)?/
/** Words and marks before a version or date. */
const lead = /^[^\p{L}\p{N}]{0,3}(?:(?:version|release|publié le|posté le|le|du) )?/iu
const versionMark = /^v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?(?:\.\d{1,4})?(?![\d.]|\.?\s\p{L})/iu
const isoDate = /^(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/
const numericDate = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?!\d)/
const writtenDate =
  /^(?:\p{L}{4,9},? )?(?:(?<day>\d{1,2})(?:er)? )?(?<month>\p{L}{3,9})\.?,? (?:(?<after>\d{1,2})(?:st|nd|rd|th)?,? )?(?<year>\d{4})(?!\d)/iu
/** A name of code alone: `createAccount()`, `app.mount`, `--port`, `$refs`, `<KeepAlive>`, `GET /accounts`. */
const identifier =
  /^(?!.{0,80}\.(?:[cm]?[jt]sx?|css|json|html?|md|ya?ml|toml|py|sh)`?$)`?(?:(?:--|[@$])[\w-]{1,60}|<[\w.-]{1,60}(?: ?\/)?>|(?:GET|POST|PUT|PATCH|DELETE) \/\S{0,200}|[\w$]{1,60}\(.{0,100}\)|[\w$]{0,60}(?:[a-z\d][A-Z]|[a-z\d][._][A-Za-z])[\w$.]{0,60}(?:\(.{0,100}\))?)`?$/
const article = /^(?:article|art\.) (?:\d|premier|[ivx]{1,5}\b)/i
const legalTitle =
  /^(?:(?:nos|notre|vos|les?|la) )?(?:mentions? légales?|mentions legales|informations? légales?|(?:conditions|cg) ?(?:générales|generales|d['’ ]utilisation|de vente)|cg[uv](?!\p{L})|politique (?:de|des) (?:confidentialité|confidentialite|cookies|protection|données)|gestion des cookies$|statuts(?: de l['’]association)?$|legal (?:notices?|information|mentions)|(?:our )?terms (?:of|and)|(?:our )?privacy(?: policy| notice)?$|cookie policy|imprint$)/iu
