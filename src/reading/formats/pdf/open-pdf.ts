import { detail } from "../../../base/errors.ts"
import type { LeftOut } from "../document.ts"
import { pageLimits } from "../page-limits.ts"
import { groupLines, joinRuns, type Page, type Run } from "./lines.ts"

/** Sheets that are read: a longer file is no document for people, or several. */
export const maxSheets = 1000

export interface OpenedPdf {
  title: unknown
  pages: Page[]
}

/** The texts of a PDF and where they stand, or why there are none. */
export async function openPdf(bytes: Uint8Array): Promise<OpenedPdf | LeftOut> {
  // Loaded here: only the process that parses needs it.
  const { getDocumentProxy } = await import("unpdf")
  try {
    // The library takes the bytes away, and no kind of them but this.
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { useSystemFonts: false, verbosity: 0 })
    if (pdf.numPages > maxSheets)
      return { leftOut: "too_large", detail: detail("reading.tooManySheets", { most: maxSheets }) }
    const pages: Page[] = []
    let characters = 0
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number)
      const { transform, height } = page.getViewport({ scale: 1 })
      const { items } = await page.getTextContent()
      const runs = items.flatMap((item) => ("str" in item ? (toRun(item, transform as Matrix) ?? []) : []))
      page.cleanup()
      characters += runs.reduce((sum, { text }) => sum + text.length, 0)
      if (characters > pageLimits.characters)
        return {
          leftOut: "too_large",
          detail: detail("reading.tooManyCharacters", { most: pageLimits.characters }),
        }
      pages.push({ number, height, lines: groupLines(joinRuns(runs)) })
    }
    const { info } = await pdf.getMetadata().catch(() => ({ info: {} }))
    return { title: (info as { Title?: unknown }).Title, pages }
  } catch (error) {
    const { name, message } = error as Error
    if (name === "PasswordException") return { leftOut: "encrypted" }
    return { leftOut: "unreadable", detail: detail("reading.brokenFile", { error: message.slice(0, 200) }) }
  }
}

type Matrix = [number, number, number, number, number, number]

interface Item {
  str: string
  transform: number[]
  width: number
  fontName: string
}

/** Undefined for text that runs in another direction than the page's lines, such as a watermark. */
function toRun({ str, transform, width, fontName }: Item, view: Matrix): Run | undefined {
  const [a, b, c, d, e, f] = transform as Matrix
  const across = view[0] * a + view[2] * b
  const along = view[1] * a + view[3] * b
  if (Math.abs(along) > Math.abs(across) * 0.05 || across <= 0) return undefined
  return {
    text: str,
    x: view[0] * e + view[2] * f + view[4],
    y: view[1] * e + view[3] * f + view[5],
    width,
    size: Math.hypot(view[0] * c + view[2] * d, view[1] * c + view[3] * d),
    font: fontName,
  }
}
