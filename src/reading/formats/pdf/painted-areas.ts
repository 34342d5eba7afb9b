import type { Matrix } from "./graphics-state.ts"

/** A rectangle around something painted, in points of the page. */
export interface Area {
  x0: number
  x1: number
  y0: number
  y1: number
}

/** Smaller ones are lines and marks. */
const leastSide = 4
/** Strips of one picture or gradient touch each other. */
const touch = 0.5

/** Adds an area; strips that go on where the one before ended are one. */
export function addArea(areas: Area[], area: Area): void {
  const last = areas.at(-1)
  if (last && (isStrip(last) || isStrip(area)) && goesOn(last, area)) {
    last.x0 = Math.min(last.x0, area.x0)
    last.x1 = Math.max(last.x1, area.x1)
    last.y0 = Math.min(last.y0, area.y0)
    last.y1 = Math.max(last.y1, area.y1)
  } else if (last && isStrip(last)) areas[areas.length - 1] = area
  else areas.push(area)
}

function isStrip({ x0, x1, y0, y1 }: Area): boolean {
  return x1 - x0 < leastSide || y1 - y0 < leastSide
}

function goesOn(one: Area, other: Area): boolean {
  const isClose = (a: number, b: number) => Math.abs(a - b) <= touch
  const areBelow = isClose(one.x0, other.x0) && isClose(one.x1, other.x1)
  const areBeside = isClose(one.y0, other.y0) && isClose(one.y1, other.y1)
  return (
    (areBelow && one.y0 <= other.y1 + touch && other.y0 <= one.y1 + touch) ||
    (areBeside && one.x0 <= other.x1 + touch && other.x0 <= one.x1 + touch)
  )
}

/** The rectangle of a path or a picture. */
export function boxOf(matrix: Matrix, box: ArrayLike<number>, margin = 0): Area {
  const [left = 0, top = 0, right = 0, bottom = 0] = Array.from(box)
  const corners = [
    [left - margin, top - margin],
    [right + margin, top - margin],
    [left - margin, bottom + margin],
    [right + margin, bottom + margin],
  ] as const
  const [a, b, c, d, e, f] = matrix
  const xs = corners.map(([x, y]) => a * x + c * y + e)
  const ys = corners.map(([x, y]) => b * x + d * y + f)
  return { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) }
}

/** Undefined for lines and marks. */
export function areaOf(matrix: Matrix, box: ArrayLike<number>, margin = 0): Area | undefined {
  const area = boxOf(matrix, box, margin)
  return area.x1 - area.x0 >= leastSide || area.y1 - area.y0 >= leastSide ? area : undefined
}

/** Whether it may be the mark of a list’s item, which browsers and some libraries draw: a small round or square one. */
export function isDot({ x0, x1, y0, y1 }: Area): boolean {
  const [width, height] = [x1 - x0, y1 - y0]
  return (
    Math.min(width, height) >= 1 && Math.max(width, height) <= 7 && Math.abs(width - height) <= 0.3 * width
  )
}

/** Whether a place is in an area; lines hold none. */
export function isIn(area: Area, x: number, y: number): boolean {
  const { x0, x1, y0, y1 } = area
  return !isStrip(area) && x >= x0 && x <= x1 && y >= y0 && y <= y1
}

/** Whether a colour cannot be told from paper. */
export function isPaper(colour: string): boolean {
  return /^#f[a-f\d]f[a-f\d]f[a-f\d]$/i.test(colour)
}
