/** Formats of automatic numbers that are told apart, by the names of OOXML. */
export type NumberFormat = "decimal" | "zero" | "letter" | "LETTER" | "roman" | "ROMAN" | "ordinal"

export function formatNumber(number: number, format: NumberFormat): string {
  switch (format) {
    case "zero":
      return String(number).padStart(2, "0")
    case "letter":
      return letters(number)
    case "LETTER":
      return letters(number).toUpperCase()
    case "roman":
      return roman(number).toLowerCase()
    case "ROMAN":
      return roman(number)
    case "ordinal":
      return number === 1 ? "1er" : `${number}e`
    default:
      return String(number)
  }
}

const maxLetters = 20

/** a … z, aa, bb, … as office programs count. */
function letters(number: number): string {
  if (number < 1) return String(number)
  const letter = String.fromCharCode(97 + ((number - 1) % 26))
  return letter.repeat(Math.min(maxLetters, Math.ceil(number / 26)))
}

const romanSigns: [number, string][] = [
  [1000, "M"],
  [900, "CM"],
  [500, "D"],
  [400, "CD"],
  [100, "C"],
  [90, "XC"],
  [50, "L"],
  [40, "XL"],
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
]

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number)
  let left = number
  return romanSigns
    .map(([value, sign]) => {
      const count = Math.floor(left / value)
      left -= count * value
      return sign.repeat(count)
    })
    .join("")
}

/** The number that each depth of a list has reached. */
export type Counters = number[]

/** Counts one on at this depth and begins anew below it. `startAt`: the first number of each depth. */
export function countOn(counters: Counters, depth: number, startAt: (depth: number) => number): void {
  for (let above = 0; above < depth; above++) counters[above] ??= startAt(above)
  counters[depth] = (counters[depth] ?? startAt(depth) - 1) + 1
  counters.length = depth + 1
}

/** Gives this number to the next paragraph of this depth. */
export function restartAt(counters: Counters, depth: number, number: number): void {
  counters[depth] = number - 1
  counters.length = depth + 1
}
