import type { TexEncoding } from "./tex-fonts.ts"

export type Matrix = readonly [number, number, number, number, number, number]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** `inner` within `outer`. */
export function multiplied(outer: Matrix, inner: ArrayLike<number>): Matrix {
  const [a, b, c, d, e, f] = outer
  const [ia = 1, ib = 0, ic = 0, id = 1, ie = 0, jf = 0] = Array.from(inner)
  return [
    a * ia + c * ib,
    b * ia + d * ib,
    a * ic + c * id,
    b * ic + d * id,
    a * ie + c * jf + e,
    b * ie + d * jf + f,
  ]
}

export interface Font {
  name: string
  /** Widths of letters are given in this part of the font's size. */
  unit: number
  /** How high letters of a size of 1 are: bitmaps have their size in themselves. */
  height: number
  encoding: TexEncoding | undefined
}

/** Set by a page's operators; `q` and `Q` save it and bring it back. */
export interface State {
  ctm: Matrix
  font: Font | undefined
  size: number
  charSpacing: number
  wordSpacing: number
  /** Of widths alone. */
  scale: number
  leading: number
  rise: number
  mode: number
  /** Empty for patterns. */
  fill: string
  opacity: number
  lineWidth: number
}

export interface Pen {
  state: State
  text: Matrix
  line: Matrix
  saved: State[]
  /** States beyond those that are kept. */
  skipped: number
  /** Whether nothing was drawn since the matrix changed. */
  isEmpty: boolean
  /** Of each open layer, whether it is shown. */
  layers: boolean[]
}

/** Deeper nesting of states and layers is not followed. */
const maxSaved = 1000

export function newPen(view: Matrix): Pen {
  const state: State = {
    ctm: view,
    font: undefined,
    size: 0,
    charSpacing: 0,
    wordSpacing: 0,
    scale: 1,
    leading: 0,
    rise: 0,
    mode: 0,
    fill: "#000000",
    opacity: 1,
    lineWidth: 1,
  }
  return { state, text: identity, line: identity, saved: [], skipped: 0, isEmpty: false, layers: [] }
}

export function save(pen: Pen): void {
  if (pen.saved.length < maxSaved) pen.saved.push({ ...pen.state })
  else pen.skipped++
}

export function restore(pen: Pen): void {
  if (pen.skipped > 0) pen.skipped--
  else pen.state = pen.saved.pop() ?? pen.state
}

export function openLayer(pen: Pen, isShown: boolean): void {
  if (pen.layers.length < maxSaved) pen.layers.push(isShown)
}

/** Moves to the beginning of a line. */
export function moveLine(pen: Pen, x: number, y: number): void {
  pen.line = multiplied(pen.line, [1, 0, 0, 1, x, y])
  pen.text = pen.line
}
