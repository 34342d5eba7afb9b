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

/** The rectangle of a path or a picture. */
export function areaOf(matrix: Matrix, box: ArrayLike<number>, margin = 0): Area | undefined {
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
  const area = { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) }
  return area.x1 - area.x0 >= leastSide && area.y1 - area.y0 >= leastSide ? area : undefined
}

export function isIn({ x0, x1, y0, y1 }: Area, x: number, y: number): boolean {
  return x >= x0 && x <= x1 && y >= y0 && y <= y1
}

/** Whether a colour cannot be told from paper. */
export function isPaper(colour: string): boolean {
  return /^#f[a-f\d]f[a-f\d]f[a-f\d]$/i.test(colour)
}
