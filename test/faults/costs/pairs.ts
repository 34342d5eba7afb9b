import { prose, type Shape, textOf } from "../../support/hostile-text.ts"
import type { Target } from "../target.ts"

/** A hostile request and a harmless one of the same size, to the same address. `number` tells requests apart. */
export interface Pair {
  name: string
  /** So many times the harmless one at most. */
  times: number
  harmless(number: number): Uint8Array
  hostile(number: number): Uint8Array
  refusal?: Target["refusal"]
}

export const usualTimes = 6

const shape = (unit: string, { start = "", end = "", closing = "" } = {}): Shape => ({
  name: JSON.stringify(start + unit).slice(1, -1),
  start,
  unit,
  closing,
  end,
})

/** A few of the shapes of `bun test/faults/run.ts --only shapes`, which tries two hundred. */
const shapes: Shape[] = [
  shape(","),
  shape("a,"),
  shape(" "),
  shape("&"),
  shape("a=&"),
  shape("<"),
  shape("a."),
  shape("\u0316\u0300", { start: "a" }),
  shape("[", { closing: "]" }),
  shape('{"a":', { closing: "}", end: "" }),
  shape("1,", { start: "[", end: "1]" }),
  shape("a ", { end: "@" }),
  shape("+", { end: "x" }),
]

/** The text of each shape at a place, beside as much prose. */
export function pairsAt({ maxBytes, written, request, refusal }: Target): Pair[] {
  const bytesOf = (text: string) => Buffer.byteLength(written?.(text) ?? text)
  return shapes.map((shape) => ({
    name: shape.name,
    times: usualTimes,
    harmless: (number) => request(textOf(prose, bytesOf(textOf(shape, maxBytes, bytesOf)), bytesOf), number),
    hostile: (number) => request(textOf(shape, maxBytes, bytesOf), number),
    ...(refusal && { refusal }),
  }))
}
