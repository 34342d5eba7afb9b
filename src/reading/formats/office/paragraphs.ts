import type { LeftOutPart, PartReason } from "../document.ts"
import { noteTag } from "../html/notes.ts"

/** A paragraph of an office document, as its program shows it. */
export interface Paragraph {
  /** Its runs of one look each, in order. */
  runs: Run[]
  /** By its style or outline: 1 is the highest. */
  level?: number
  /** The number that the program writes before it: « Article 2 – ». */
  label?: string
  list?: ListPlace
}

export interface Run {
  html: string
  /** Its words, to judge them by. */
  text: string
  look: Look
  href?: string
}

/** How letters look. `size`: in points, if it is told. */
export interface Look {
  isBold: boolean
  isItalic: boolean
  isStruck: boolean
  isRaised: boolean
  size: number | undefined
}

/**
 * `depth`: 0 for an outermost list. `number`: set in a list of decimal numbers. `goesOn`: the paragraph has no mark of
 * its own.
 */
export interface ListPlace {
  depth: number
  number?: number
  goesOn?: true
}

/** A table; a merged cell stands once, with the columns and rows that it spans. */
export interface Table {
  rows: Cell[][]
}

export interface Cell {
  blocks: Block[]
  columns: number
  rows: number
}

/** `contents`: the place of a list of contents. */
export type Block = Paragraph | Table | "contents"

/** Deeper lists are shown as this deep. */
const maxListDepth = 8

interface OpenList {
  tag: "ol" | "ul"
  depth: number
  /** The number that goes on. */
  next: number
}

/** The blocks as HTML. `byLook`: whether a line may be a heading by its letters alone. */
export function blocksHtml(all: Block[], { byLook }: { byLook: boolean }): string {
  const blocks = withoutContents(all.filter((block) => !isParagraph(block) || paragraphText(block) !== ""))
  const levels = byLook ? levelsByLook(blocks) : new Map<Paragraph, number>()
  const html: string[] = []
  const open: OpenList[] = []
  const close = (isDone: (list: OpenList) => boolean) => {
    for (let list = open.at(-1); list && isDone(list); list = open.at(-1)) {
      html.push(`</li></${list.tag}>`)
      open.pop()
    }
  }
  for (const block of blocks) {
    const level = isParagraph(block) ? (block.level ?? levels.get(block)) : undefined
    if (!isParagraph(block) || !block.list || level !== undefined) {
      close(() => true)
      html.push(isParagraph(block) ? paragraphHtml(block, level) : tableHtml(block))
      continue
    }
    addItem(block, block.list)
  }
  close(() => true)
  return html.join("\n")

  function addItem(paragraph: Paragraph, { depth, number, goesOn }: ListPlace): void {
    close((list) => list.depth > depth)
    if (goesOn) {
      html.push(`<p>${runsHtml(paragraph)}</p>`)
      return
    }
    const tag = number === undefined ? "ul" : "ol"
    const isOther = (list: OpenList) => list.tag !== tag || (number ?? list.next) !== list.next
    close((list) => list.depth === depth && isOther(list))
    const last = open.at(-1)
    let list = last && (last.depth === depth || open.length >= maxListDepth) ? last : undefined
    if (list) html.push("</li>")
    else {
      list = { tag, depth, next: 0 }
      open.push(list)
      html.push(number === undefined || number === 1 ? `<${tag}>` : `<ol start="${number}">`)
    }
    list.next = number === undefined ? 0 : number + 1
    html.push(`<li>${number === undefined ? paragraphWords(paragraph) : runsHtml(paragraph)}`)
  }
}

export function isParagraph(block: Block): block is Paragraph {
  return typeof block !== "string" && "runs" in block
}

/** All words of a paragraph, without its label. */
export function paragraphText({ runs }: Paragraph): string {
  return runs
    .map(({ text }) => text)
    .join("")
    .trim()
}

const contentsTitle = /^(?:sommaire|table des matières|contents|table of contents)\W*$/i

/** Without the heading that says nothing but that contents follow. */
function withoutContents(blocks: Block[]): Exclude<Block, "contents">[] {
  return blocks.filter((block, at): block is Exclude<Block, "contents"> => {
    if (block === "contents") return false
    return !(isParagraph(block) && blocks[at + 1] === "contents" && contentsTitle.test(paragraphText(block)))
  })
}

function paragraphHtml(paragraph: Paragraph, level: number | undefined): string {
  const tag = level === undefined ? "p" : `h${Math.min(level, 6)}`
  return `<${tag}>${paragraphWords(paragraph)}</${tag}>`
}

/**
 * A table of data, or the boxes of a page: a reader of pages takes a table apart that holds headings or tables, so
 * that those of a table of data become plain words.
 */
function tableHtml({ rows }: Table): string {
  const cells = rows.flat()
  const isGrid = rows.filter((row) => row.length > 1).length > 1 && !cells.some(({ blocks }) => isBox(blocks))
  const written = rows.map((row, at) =>
    row.map(({ blocks, columns, rows: down }) => {
      const spans = (columns > 1 ? ` colspan="${columns}"` : "") + (down > 1 ? ` rowspan="${down}"` : "")
      const plain = isGrid ? plainBlocks(blocks, { isHead: at === 0 }) : blocks
      return `<td${spans}>${blocksHtml(plain, { byLook: false })}</td>`
    }),
  )
  return `<table>${written.map((row) => `<tr>${row.join("")}</tr>`).join("\n")}</table>`
}

/** Whether a cell holds a heading with text of its own. */
function isBox(blocks: Block[]): boolean {
  return blocks.length > 1 && blocks.some((block) => isParagraph(block) && block.level !== undefined)
}

function plainBlocks(blocks: Block[], { isHead }: { isHead: boolean }): Block[] {
  return blocks.flatMap((block): Block[] => {
    if (block === "contents") return []
    if (!isParagraph(block))
      return block.rows.map((row) => ({
        runs: joined(row.flatMap(({ blocks: inner }) => plainBlocks(inner, { isHead }))),
      }))
    const { level: _, ...paragraph } = block
    if (!isHead) return [paragraph]
    return [
      { ...paragraph, runs: block.runs.map((run) => ({ ...run, look: { ...run.look, isBold: false } })) },
    ]
  })
}

/** The words of several paragraphs on one line. */
function joined(blocks: Block[]): Run[] {
  return blocks
    .filter(isParagraph)
    .flatMap(({ runs }) => [...runs, { html: " ", text: " ", look: plainLook }])
}

export const plainLook: Look = {
  isBold: false,
  isItalic: false,
  isStruck: false,
  isRaised: false,
  size: undefined,
}

function paragraphWords(paragraph: Paragraph): string {
  const { label } = paragraph
  return (label === undefined ? "" : `${Bun.escapeHTML(label)} `) + runsHtml(paragraph)
}

/** Runs that look the same are one: a program parts words at every look of its spelling checker. */
function runsHtml({ runs }: Paragraph): string {
  const parts: { key: string; run: Run; html: string[] }[] = []
  for (const run of runs) {
    const { isBold, isItalic, isStruck, isRaised } = run.look
    const key = JSON.stringify([run.href, isBold, isItalic, isStruck, isRaised])
    if (parts.at(-1)?.key === key) parts.at(-1)?.html.push(run.html)
    else parts.push({ key, run, html: [run.html] })
  }
  return parts
    .map(({ run: { look, href }, html }) => {
      let text = html.join("")
      for (const [is, tag] of [
        [look.isStruck, "s"],
        [look.isItalic, "em"],
        [look.isBold, "strong"],
        [look.isRaised, "sup"],
      ] as const)
        if (is) text = `<${tag}>${text}</${tag}>`
      return href === undefined ? text : `<a href="${Bun.escapeHTML(href)}">${text}</a>`
    })
    .join("")
}

/** Larger letters than the text's, as in a PDF. */
const largerBy = 1.15
const maxHeadingCharacters = 100

/**
 * Lines in larger or bold letters are headings where the text's own are not, as people make them who know no styles:
 * one level for each size, below the headings by style.
 */
function levelsByLook(blocks: Exclude<Block, "contents">[]): Map<Paragraph, number> {
  const paragraphs = blocks.filter(isParagraph)
  const plain = paragraphs.filter(({ level }) => level === undefined)
  const { size: bodySize, isBold: isBodyBold } = mostLetters(plain)
  const lines = plain.filter((paragraph) => {
    const { size = bodySize, isBold } = wholeLook(paragraph)
    const isLarger = (size ?? 0) > (bodySize ?? Number.POSITIVE_INFINITY) * largerBy
    return (isLarger || (isBold && !isBodyBold && (size ?? 0) >= (bodySize ?? 0))) && isHeadingLine(paragraph)
  })
  const last = blocks.at(-1)
  if (last && isParagraph(last) && lines.at(-1) === last) lines.pop()
  const sizes = [...new Set(lines.map((line) => wholeLook(line).size ?? 0))].sort((one, other) => other - one)
  const deepest = Math.max(0, ...paragraphs.map(({ level }) => level ?? 0))
  return new Map(lines.map((line) => [line, deepest + 1 + sizes.indexOf(wholeLook(line).size ?? 0)]))
}

function isHeadingLine(paragraph: Paragraph): boolean {
  const text = paragraphText(paragraph)
  if (paragraph.list && paragraph.label === undefined) return false
  return (
    text.length <= maxHeadingCharacters &&
    !paragraph.runs.some(({ html }) => html.includes("<br>")) &&
    /^[\p{Lu}\d]/u.test(text) &&
    /\p{L}{3}/u.test(text) &&
    !/[.,;:!…»]$/.test(text)
  )
}

/** The look that all letters of a paragraph share: bold if all are, of the size of the largest. */
function wholeLook({ runs }: Paragraph): Pick<Look, "isBold" | "size"> {
  const written = runs.filter(({ text }) => text.trim() !== "")
  const sizes = written.flatMap(({ look: { size } }) => size ?? [])
  return {
    isBold: written.every(({ look }) => look.isBold),
    size: sizes.length === 0 ? undefined : Math.max(...sizes),
  }
}

/** The look of most letters. */
function mostLetters(paragraphs: Paragraph[]): Pick<Look, "isBold" | "size"> {
  const letters = new Map<number | undefined, number>()
  let bold = 0
  let all = 0
  for (const { text, look } of paragraphs.flatMap(({ runs }) => runs)) {
    letters.set(look.size, (letters.get(look.size) ?? 0) + text.length)
    all += text.length
    if (look.isBold) bold += text.length
  }
  const [size] = [...letters].sort(([, one], [, other]) => other - one)[0] ?? []
  return { isBold: bold * 2 > all, size }
}

/** Without the letters that a font alone gives a meaning, such as a tick of Wingdings. */
export function withoutPrivate(text: string): string {
  return text.replace(/[\ue000-\uf8ff]/g, "")
}

/** A note at its place in the text, which is read after its sentence. */
export function noteHtml(blocks: Block[]): string {
  const words = blocks.filter(isParagraph).map((paragraph) => runsHtml(paragraph).trim())
  return `<${noteTag}>${words.join(" ")}</${noteTag}>`
}

const maxLosses = { parts: 60, characters: 300 }

/** Notes what a document holds and is not read. */
export function addLoss(losses: LeftOutPart[], reason: PartReason, text: string): void {
  const words = text.slice(0, maxLosses.characters).replace(/\s+/g, " ").trim().toWellFormed()
  if (/\p{L}|\d{3}/u.test(words) && losses.length < maxLosses.parts) losses.push({ reason, text: words })
}
