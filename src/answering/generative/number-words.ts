/** Values of the numbers that a French or English text writes in words: `quarante-deux` → 42. */
export function numbersInWords(text: string): number[] {
  const values: number[] = []
  let run: number[] = []
  const end = () => {
    if (run.length > 0) values.push(combineValues(run))
    run = []
  }
  for (const [part] of text
    .toLowerCase()
    .replace(percent, "%")
    .matchAll(/\p{L}+|[^\p{L}]+/gu)) {
    const value = words.get(part)
    if (value !== undefined) run.push(value)
    else if (run.length > 0 && !/^(?:[ \u00a0\u202f-]|et|and)$/.test(part)) end()
  }
  end()
  return values
}

/** Words before a hundred, thousand or million multiply it; all others add up. */
function combineValues(run: readonly number[]): number {
  let total = 0
  let part = 0
  for (const value of run) {
    if (value >= 1000) {
      total += Math.max(part, 1) * value
      part = 0
    } else if (value === 100) part = Math.max(part, 1) * value
    // `quatre-vingt` is 4 × 20.
    else if (value === 20 && part % 100 === 4) part += 76
    else part += value
  }
  return total + part
}

const percent = /(?<!\p{L})(?:pour|per)[ \u00a0-]cent(?!\p{L})/gu

/** Leaves out `un` and `one`, which are articles as well. */
const words = new Map<string, number>(
  Object.entries({
    2: "deux two",
    3: "trois three",
    4: "quatre four",
    5: "cinq five",
    6: "six",
    7: "sept seven",
    8: "huit eight",
    9: "nine",
    10: "dix ten",
    11: "onze eleven",
    12: "douze twelve",
    13: "treize thirteen",
    14: "quatorze fourteen",
    15: "quinze fifteen",
    16: "seize sixteen",
    17: "seventeen",
    18: "eighteen",
    19: "nineteen",
    20: "vingt vingts twenty",
    30: "trente thirty",
    40: "quarante forty",
    50: "cinquante fifty",
    60: "soixante sixty",
    70: "septante seventy",
    80: "huitante eighty",
    90: "nonante ninety",
    100: "cent cents hundred",
    1000: "mille thousand",
    1000000: "million millions",
    1000000000: "milliard milliards billion",
  }).flatMap(([value, names]) => names.split(" ").map((name): [string, number] => [name, Number(value)])),
)
