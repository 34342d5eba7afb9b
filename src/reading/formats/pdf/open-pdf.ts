import { detail } from "../../../base/errors.ts"
import type { LeftOut } from "../document.ts"
import { pageLimits } from "../page-limits.ts"
import { type Drawing, drawnText, type Operators, type Side } from "./drawn-text.ts"
import type { Matrix } from "./graphics-state.ts"
import { groupLines, joinRuns, type Page } from "./lines.ts"
import { inReadingOrder } from "./reading-order.ts"

/** Sheets that are read: a longer file is no document for people, or several. */
export const maxSheets = 1000

export interface OpenedPdf {
  title: unknown
  pages: Page[]
  /** Numbers of pages that show something, but no text. */
  wordless: number[]
}

/** The texts of a PDF and where they stand, or why there are none. */
export async function openPdf(bytes: Uint8Array): Promise<OpenedPdf | LeftOut> {
  // Loaded here: only the process that parses needs it.
  const { getDocumentProxy, getResolvedPDFJS } = await import("unpdf")
  try {
    const { OPS } = await getResolvedPDFJS()
    // The library takes the bytes away, and no kind of them but this.
    const pdf = await getDocumentProxy(new Uint8Array(bytes), openOptions)
    if (pdf.numPages > maxSheets)
      return { leftOut: "too_large", detail: detail("reading.tooManySheets", { most: maxSheets }) }
    const layers = await pdf.getOptionalContentConfig()
    const pages: Page[] = []
    const wordless: number[] = []
    let characters = 0
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number)
      const { transform, width, height } = page.getViewport({ scale: 1 })
      // Annotations are no text of the page.
      const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 })
      const drawing: Drawing = {
        fnArray,
        argsArray,
        font: (name) => (page.commonObjs.has(name) ? page.commonObjs.get(name) : undefined),
        isShown: (layer) => layers.isVisible(layer),
      }
      const sides = drawnText(drawing, OPS as unknown as Operators, transform as unknown as Matrix, {
        width,
        height,
      })
      page.cleanup()
      const length = sides.reduce((sum, side) => sum + lengthOf(side), 0)
      // Pictures are removed, and what places them stays; an empty page has neither.
      if (length === 0 && fnArray.includes(OPS.transform)) wordless.push(number)
      characters += length
      if (characters > pageLimits.characters)
        return {
          leftOut: "too_large",
          detail: detail("reading.tooManyCharacters", { most: pageLimits.characters }),
        }
      for (const side of shownSides(sides))
        pages.push({
          number,
          height: side.height,
          lines: groupLines(inReadingOrder(joinRuns(side.runs, side.dots))),
        })
    }
    const { info } = await pdf.getMetadata().catch(() => ({ info: {} }))
    return { title: (info as { Title?: unknown }).Title, pages, wordless }
  } catch (error) {
    const { name, message } = error as Error
    if (name === "PasswordException") return { leftOut: "encrypted" }
    return { leftOut: "unreadable", detail: detail("reading.brokenFile", { error: message.slice(0, 200) }) }
  }
}

/** Pictures are not decoded, and letters are not drawn: only what the operators say is read. */
const openOptions = { useSystemFonts: false, verbosity: 0, disableFontFace: false, maxImageSize: 0 } as const

/** A text that runs up or down a page is read where it is a table turned sideways; marks of a margin are shorter. */
const leastTurned = { characters: 30, share: 0.1 }

function shownSides(sides: Side[]): Side[] {
  const all = sides.reduce((sum, side) => sum + lengthOf(side), 0)
  return sides.filter((side, turn) => {
    const length = lengthOf(side)
    return turn === 0 || (length >= leastTurned.characters && length >= leastTurned.share * all)
  })
}

function lengthOf({ runs }: Side): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0)
}
