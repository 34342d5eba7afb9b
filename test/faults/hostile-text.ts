/** A text that takes long to be read by whoever goes about it the wrong way, of any size. */
export interface Shape {
  name: string
  start: string
  /** Repeated as often as there is room. */
  unit: string
  /** As often after them. */
  closing: string
  end: string
}

/** As many bytes of UTF-8 as fit into `maxBytes` once they are written as `written` does. */
export function textOf(
  { start, unit, closing, end }: Shape,
  maxBytes: number,
  written = (text: string) => text,
): string {
  const bytes = (text: string) => Buffer.byteLength(written(text))
  const times = Math.floor((maxBytes - bytes(start) - bytes(end)) / bytes(unit + closing))
  return times < 1 ? "" : start + unit.repeat(times) + closing.repeat(times) + end
}

/** What nobody means harm by. */
export const harmless: Shape = {
  name: "prose",
  start: "",
  unit: "Bonjour, je voudrais savoir quand ouvre la piscine municipale. ",
  closing: "",
  end: "",
}

/** Two hundred, always the same. */
export function hostileShapes(): Shape[] {
  const named = [...repeats, ...marks, ...nesting, ...nearMisses]
  const random = [...drawn(200 - named.length)]
  return [...named, ...random].map(([start, unit, end, closing = ""]) => ({
    name: [start, `${unit}…`, closing && `${closing}…`, end].filter(Boolean).map(escaped).join(" "),
    start,
    unit,
    closing,
    end,
  }))
}

type Written = [start: string, unit: string, end: string, closing?: string]

const alone = (...units: string[]): Written[] => units.map((unit) => ["", unit, ""])

/** Of one to three characters. */
const repeats: Written[] = [
  ...alone(..."a0+ .-_@:/\\%&=;,\"'`<>([{!#*~|^$?\t\n\r"),
  ...alone("é", "Σ", "İ", "ﬃ", "ﷺ", "😀", "א", "\u00ad", "\u200b", "\u00a0", "\ufeff", "ｱ"),
  ...alone(
    "é.",
    "a.",
    "a-",
    "a@",
    "//",
    "./",
    "../",
    "%2",
    "%C3",
    "&a",
    "a&",
    "a=",
    "[^",
    "<(",
    "](",
    "- ",
    "a ",
    " \n",
    "\r\n",
  ),
  ...alone(
    "1e",
    "0.",
    "-1",
    ":0",
    "--",
    "{{",
    "<!",
    "</",
    "&#",
    "\\u",
    "\\n",
    "🇫",
    "👩\u200d",
    "각",
    "\u1112\u1161\u11ab",
    "ab ",
    "aB",
    "a_",
  ),
]

/**
 * Marks of different classes have to be sorted; invisible characters between runs may be taken out before
 * that.
 */
const marks: Written[] = [
  ["a", "\u0300", "", "\u0316"],
  ["a@a", "\u0300", ".fr", "\u0316"],
  ["a", "\u0316\u0300", ""],
  ["a", "\u0300\u0316", "@exemple.fr"],
  ...alone(
    "\u064b\u0651",
    "\u0f71\u0f72",
    "\u0abc\u0acd",
    "\u0344\u0316",
    "\u302e\u302a",
    "\uff9e\u0316",
    "\u0345\u0300",
  ),
  ...alone(
    "\u034f\u0316\u0300",
    "\u00ad\u0316\u0300",
    "e\u0301",
    "\u1f82\u0316",
    "\u{1d165}\u{1d16e}",
    "\ufe0f\u0316",
  ),
  ["https://a", "\u0300\u0316", ".fr/"],
  ["https://a", "%CC%80%CC%96", ".fr/"],
  ["https://www.exemple.fr/", "\u0300\u0316", ""],
  ["a@a", "\u0300\u0316", ".fr"],
]

const nesting: Written[] = [
  ["", "[", "", "]"],
  ['{"a":', "[", "}", "]"],
  ["", '{"a":', "", "}"],
  ["", '{"a":', "1"],
  ["", '["', '"]'],
  ["", "[1,", "1]"],
  ["[", "1,", "1]"],
  ['{"a":[', "{},", "{}]}"],
  ["", "([{", "}"],
  ["", "> ", "x"],
  ["", "<b>", "", "</b>"],
  ["", "[](", ")"],
  ["", "**a", ""],
  ["", "```\n", ""],
  ["--b\r\n", "--b\r\n", "--b--\r\n"],
  ["--b\r\n", "x: y\r\n", "\r\n\r\n--b--\r\n"],
]

/** What is almost what a pattern looks for, and fails at its end. */
const nearMisses: Written[] = [
  ["", "+", "x"],
  ["", " ", "x"],
  ["\t", "\u00a0", "x"],
  ["oui", " ", "x"],
  ["", "a", "@"],
  ["a@", "a.", "-"],
  ["a@", "a-", ""],
  ["a@", "xn--a.", "fr"],
  ["", "a.", "@exemple.fr"],
  ["https://", "a.", "x"],
  ["https://", "é.", "fr/"],
  ["https://", "xn--a", ".fr"],
  ["https://xn--", "a9", ".fr"],
  ["https://", "a:", "@exemple.fr"],
  ["https://[", ":", "]/"],
  ["https://", "1.", "/"],
  ["https://www.exemple.fr/", "../", ""],
  ["https://www.exemple.fr/", "%2e/", ""],
  ["https://www.exemple.fr/?", "é", ""],
  ["https://www.exemple.fr", "/", "x"],
  ["/", "/", "x"],
  ["/index", "/index", ".htm"],
  ["ht", "\n", "tps://www.exemple.fr/"],
  ["2026-01-", "0", "x"],
  ["2026-01-01T00:00:00.", "0", "Z"],
  ["+", "0 ", "x"],
  ["+", "0()", ""],
  ["-", "1", "e"],
  ["1.", "0", "x"],
  ["", "9", "e9"],
  ["Bearer", " ", "!"],
  ["", "gch_", "!"],
  ["a=", ";a=", ""],
  ["qu", "'est-ce qu", "e"],
  ["Je vous remercie", " d'avance", ""],
  ["combien", " de", " temps"],
  ["", "l'", ""],
  ["v", "-model", "!"],
  ["", "VModel", ""],
  ["a = b", " \\=", ""],
  ["", "=cmd", ""],
  ["bytes=", "0-1,", "x"],
  ["fr", ",fr;q=0", "x"],
]

const alphabet = [..."aA0 .-_@:/\\%&=;,\"'<>()[]{}!#*é\u0300\u0316\u00ad\n"]

/** Units of three characters, drawn by a generator that starts the same each time. */
function* drawn(count: number): Generator<Written> {
  let state = 1
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  for (let number = 0; number < count; number++) {
    const unit = Array.from({ length: 3 }, () => alphabet[next(alphabet.length)]).join("")
    yield ["", unit, alphabet[next(alphabet.length)] as string]
  }
}

/** In a table of ASCII. */
function escaped(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^\x20-\x7e…]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
}
