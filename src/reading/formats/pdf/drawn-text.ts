import {
  type Font,
  identity,
  type Matrix,
  moveLine,
  multiplied,
  newPen,
  openLayer,
  type Pen,
  restore,
  save,
} from "./graphics-state.ts"
import { type Letter, runBuilder } from "./letters.ts"
import type { Run } from "./lines.ts"
import { type Area, addArea, areaOf, boxOf, isDot, isIn, isPaper } from "./painted-areas.ts"
import { type Glyph, texEncoding, texText } from "./tex-fonts.ts"

/** The operators of a page, as numbers, with their arguments, and its fonts. */
export interface Drawing {
  fnArray: number[]
  argsArray: unknown[]
  font(name: string): DrawnFont | undefined
  /** Whether readers are shown a layer. */
  isShown(layer: unknown): boolean
}

export interface DrawnFont {
  name?: string
  fontMatrix?: number[]
  isType3Font?: boolean
  bbox?: number[]
}

export type Operators = Readonly<Record<string, number>>

/** Texts of one direction, on a page turned so that they go from left to right. */
export interface Side {
  runs: Run[]
  /** Dots that are drawn, not written. */
  dots: Area[]
  height: number
}

interface DrawnLetter extends Letter {
  /** Direction of its line: quarters of a turn to the right. */
  turn: number
  /** Set where it is seen on something alone. */
  veil?: "white" | "invisible"
  /** Its middle on the page. */
  middle?: readonly [number, number]
}

/** Areas of one page that are compared with its texts. */
const maxAreas = 2000
/** Of a veiled letter with what is painted: a tenth of a second. */
const maxComparisons = 5_000_000

/**
 * The texts of a page that its readers see: neither white on white nor transparent nor of a hidden layer. Invisible
 * letters over a picture are what they see there.
 */
export function drawnText(
  drawing: Drawing,
  operators: Operators,
  view: Matrix,
  page: { width: number; height: number },
): Side[] {
  const pen = newPen(view)
  const areas: Area[] = []
  const dots: Area[] = []
  const letters: DrawnLetter[] = []
  const fonts = fontsOf(drawing, operators)
  const steps: ((args: never) => void)[] = []
  const handlers = { ...textSteps(pen, fonts, letters, page), ...paintSteps(pen, { areas, dots }, drawing) }
  for (const [name, step] of Object.entries(handlers)) {
    const number = operators[name]
    if (number !== undefined) steps[number] = step
  }
  for (const [at, fn] of drawing.fnArray.entries()) steps[fn]?.((drawing.argsArray[at] ?? []) as never)

  const invisible = letters.filter(({ veil }) => veil === "invisible").length
  const veiled = letters.filter(({ veil }) => veil !== undefined).length
  // Where so much is painted, nothing is taken for hidden.
  const isCrowded = areas.length >= maxAreas || areas.length * veiled > maxComparisons
  const isSeen = ({ veil, middle: [x, y] = [0, 0] }: DrawnLetter) =>
    veil === undefined ||
    (veil === "invisible" && invisible > letters.length / 2) ||
    isCrowded ||
    areas.some((area) => isIn(area, x, y))
  const seen = letters.filter(isSeen)
  return [0, 1, 2, 3].map((turn) => {
    const builder = runBuilder()
    for (const letter of seen) if (letter.turn === turn) builder.add(letter)
    const height = turn % 2 === 0 ? page.height : page.width
    return { runs: builder.end(), dots: turn === 0 ? dots : [], height }
  })
}

function textSteps(
  pen: Pen,
  fonts: ReadonlyMap<string, Font>,
  letters: DrawnLetter[],
  page: { width: number; height: number },
) {
  const setFont = ([name, size]: [string, number]) => {
    pen.state.font = fonts.get(name)
    pen.state.size = size
  }
  return {
    beginText: () => {
      pen.text = identity
      pen.line = identity
    },
    setFont,
    setGState: ([entries]: [[string, unknown][]]) => {
      for (const [key, value] of entries) {
        if (key === "Font") setFont(value as [string, number])
        if (key === "ca") pen.state.opacity = value as number
      }
    },
    setCharSpacing: ([spacing]: [number]) => {
      pen.state.charSpacing = spacing
    },
    setWordSpacing: ([spacing]: [number]) => {
      pen.state.wordSpacing = spacing
    },
    setHScale: ([percent]: [number]) => {
      pen.state.scale = percent / 100
    },
    setLeading: ([leading]: [number]) => {
      pen.state.leading = -leading
    },
    setTextRise: ([rise]: [number]) => {
      pen.state.rise = rise
    },
    setTextRenderingMode: ([mode]: [number]) => {
      pen.state.mode = mode
    },
    setTextMatrix: ([matrix]: [ArrayLike<number>]) => {
      pen.line = multiplied(identity, matrix)
      pen.text = pen.line
    },
    moveText: ([x, y]: [number, number]) => moveLine(pen, x, y),
    setLeadingMoveText: ([x, y]: [number, number]) => {
      pen.state.leading = y
      moveLine(pen, x, y)
    },
    nextLine: () => moveLine(pen, 0, pen.state.leading),
    showText: ([glyphs]: [(Glyph | number)[]]) => {
      pen.isEmpty = false
      showText(pen, glyphs, letters, page)
    },
  }
}

function paintSteps(pen: Pen, { areas, dots }: { areas: Area[]; dots: Area[] }, { isShown }: Drawing) {
  const paint = (area: Area | undefined) => {
    pen.isEmpty = false
    if (area && areas.length < maxAreas && !pen.layers.includes(false)) addArea(areas, area)
  }
  // A picture is drawn on the unit square. It leaves no more than the change of the matrix, since none is decoded.
  const paintPicture = () => {
    if (pen.isEmpty) paint(areaOf(pen.state.ctm, [0, 0, 1, 1]))
    pen.isEmpty = false
  }
  const bring = () => {
    paintPicture()
    restore(pen)
  }
  return {
    save: () => save(pen),
    restore: bring,
    transform: (matrix: ArrayLike<number>) => {
      paintPicture()
      pen.state.ctm = multiplied(pen.state.ctm, matrix)
      pen.isEmpty = true
    },
    paintFormXObjectBegin: ([matrix]: [ArrayLike<number> | null]) => {
      save(pen)
      if (matrix) pen.state.ctm = multiplied(pen.state.ctm, matrix)
      pen.isEmpty = true
    },
    paintFormXObjectEnd: bring,
    setLineWidth: ([width]: [number]) => {
      pen.state.lineWidth = width
    },
    setFillRGBColor: ([colour]: [string]) => {
      pen.state.fill = colour
    },
    setFillColorN: () => {
      pen.state.fill = ""
    },
    constructPath: ([operator, , box]: [number, unknown, ArrayLike<number> | null]) => {
      // It only cuts out what comes next.
      if (operator === endPath) return
      pen.isEmpty = false
      if (!box) return
      const isStroke = operator === stroke || operator === closeStroke
      if (isStroke) paint(areaOf(pen.state.ctm, box, pen.state.lineWidth / 2))
      else if (!isPaper(pen.state.fill) && pen.state.opacity > leastOpacity) {
        paint(areaOf(pen.state.ctm, box))
        const drawn = boxOf(pen.state.ctm, box)
        if (isDot(drawn) && dots.length < maxAreas && !pen.layers.includes(false)) dots.push(drawn)
      }
    },
    shadingFill: () => paint(wholePage),
    beginMarkedContent: () => openLayer(pen, true),
    beginMarkedContentProps: ([tag, layer]: [string, unknown]) =>
      openLayer(pen, tag !== "OC" || layer === null || layer === undefined || isShown(layer)),
    endMarkedContent: () => {
      pen.layers.pop()
    },
  }
}

const wholePage: Area = { x0: -1e9, x1: 1e9, y0: -1e9, y1: 1e9 }
const [endPath, stroke, closeStroke] = [28, 20, 21]
const leastOpacity = 0.05
/** Letters without ink of their own: invisible ones, and those that only cut out. */
const invisibleModes = new Set([3, 7])

function showText(
  pen: Pen,
  glyphs: (Glyph | number)[],
  letters: DrawnLetter[],
  page: { width: number; height: number },
): void {
  const { font, size, charSpacing, wordSpacing, scale, rise, mode, fill, opacity, ctm } = pen.state
  if (!font) return
  const matrix = multiplied(ctm, pen.text)
  const [a, b, c, d] = matrix
  const way = Math.sign(size) * Math.sign(scale || 1)
  const turn = turnOf(a * way, b * way) ?? slanting
  const along = Math.hypot(a, b)
  const letterSize = Math.abs(size) * Math.hypot(c, d) * (Math.abs(size) <= 1 ? font.height : 1)
  const isHidden = opacity <= leastOpacity || pen.layers.includes(false) || turn === slanting
  const veil = invisibleModes.has(mode) ? "invisible" : mode === 0 && isPaper(fill) ? "white" : undefined
  // Letters drawn with an outline of their own colour are bold.
  const name = mode === 2 ? `${font.name} bold` : font.name
  const [, , , , e, f] = matrix
  let x = 0
  for (const glyph of glyphs) {
    if (typeof glyph === "number") {
      x -= (glyph / 1000) * size * scale
      continue
    }
    const width = glyph.width * font.unit * size * scale
    const [px, py] = [a * x + c * rise + e, b * x + d * rise + f]
    const drawn = Math.abs(width) * along
    if (!isHidden && px + drawn >= 0 && px <= page.width && py >= 0 && py <= page.height) {
      const letter: DrawnLetter = {
        text: plainText(font.encoding ? texText(glyph, font.encoding) : glyph.unicode),
        x: px,
        y: py,
        width: drawn,
        size: letterSize,
        font: name,
        turn,
      }
      if (turn !== 0) turnLetter(letter, page)
      if (veil) Object.assign(letter, { veil, middle: at(matrix, x + width / 2, rise + size * 0.3) })
      letters.push(letter)
    }
    x += width + (charSpacing + (glyph.isSpace ? wordSpacing : 0)) * scale
  }
  pen.text = multiplied(pen.text, [1, 0, 0, 1, x, 0])
}

function at([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [number, number] {
  return [a * x + c * y + e, b * x + d * y + f]
}

/** Quarters of a turn to the right, of a page whose `y` grows downwards; undefined for slanting lines. */
function turnOf(across: number, down: number): number | undefined {
  const [least, most] = [Math.abs(across), Math.abs(down)].sort((one, other) => one - other) as [
    number,
    number,
  ]
  if (most === 0 || least > most * 0.05) return undefined
  if (Math.abs(across) === most) return across > 0 ? 0 : 2
  return down > 0 ? 1 : 3
}

/** Of lines that are no text of the page, such as those of a watermark. */
const slanting = -1

/** Where a letter stands on the page turned so that its line goes from left to right. */
function turnLetter(letter: DrawnLetter, { width, height }: { width: number; height: number }): void {
  const { turn, x, y } = letter
  if (turn === 2) Object.assign(letter, { x: width - x, y: height - y })
  else Object.assign(letter, turn === 1 ? { x: y, y: width - x } : { x: height - y, y: x })
}

/** Latin ligatures as letters. */
function plainText(text: string): string {
  return text >= "\ufb00" && text <= "\ufb06" ? text.normalize("NFKC") : text
}

/** The fonts of a page, and of bitmap fonts the codes of the letters that it takes from them. */
function fontsOf(drawing: Drawing, operators: Operators): Map<string, Font> {
  const codes = new Map<string, Set<number>>()
  let current: Set<number> | undefined
  for (const [at, fn] of drawing.fnArray.entries()) {
    const args = drawing.argsArray[at] as unknown[]
    if (fn === operators["setFont"]) note(args[0] as string)
    else if (fn === operators["setGState"])
      for (const [key, value] of args[0] as [string, [string]][]) key === "Font" && note(value[0])
    else if (fn === operators["showText"] && current)
      for (const glyph of args[0] as (Glyph | number)[])
        if (typeof glyph !== "number") current.add(glyph.originalCharCode)
  }
  const hasAccents = [...codes.values()].some((set) => [...set].some((code) => code >= 0xc0))
  return new Map([...codes].map(([name, set]) => [name, toFont(name, drawing.font(name), set, hasAccents)]))

  function note(name: string): void {
    const set = codes.getOrInsertComputed(name, () => new Set())
    current = drawing.font(name)?.isType3Font ? set : undefined
  }
}

/** Fonts go by their names without the mark of their subset: some makers embed one several times. */
function toFont(name: string, font: DrawnFont | undefined, codes: Set<number>, hasAccents: boolean): Font {
  const { fontMatrix, isType3Font, bbox } = font ?? {}
  const unit = fontMatrix?.[0] ?? 0.001
  const boxHeight = ((bbox?.[3] ?? 0) - (bbox?.[1] ?? 0)) * (fontMatrix?.[3] ?? 0.001)
  return {
    name: isType3Font || !font?.name ? name : font.name.replace(/^[A-Z]{6}\+/, ""),
    unit,
    height: isType3Font && boxHeight > 0 ? boxHeight : 1,
    encoding: isType3Font ? texEncoding(codes, hasAccents) : undefined,
  }
}
