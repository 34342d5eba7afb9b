/** A text of any size that takes long to be read by whoever goes about it the wrong way. */
export interface Shape {
  name: string
  start: string
  /** Repeated as often as there is room. */
  unit: string
  /** As often after them. */
  closing: string
  end: string
}

/**
 * The longest text of a shape whose length is at most `size`: in UTF-16 code units, or in whatever `lengthOf`
 * counts. Empty where there is no room for one unit.
 */
export function textOf(
  { start, unit, closing, end }: Shape,
  size: number,
  lengthOf = (text: string) => text.length,
): string {
  const times = Math.floor((size - lengthOf(start) - lengthOf(end)) / lengthOf(unit + closing))
  return times < 1 ? "" : start + unit.repeat(times) + closing.repeat(times) + end
}

/** What nobody means harm by, on one line. */
export const prose: Shape = repeating(
  "prose",
  "Bonjour, je voudrais savoir quand ouvre la piscine municipale. ",
)

function repeating(name: string, unit: string): Shape {
  return { name, start: "", unit, closing: "", end: "" }
}

// For a page or a question: Markdown above all.

/** At most `size` UTF-16 code units, to keep whoever reads a page or a question busy. */
export type HostileText = (size: number) => string

/** Units of one to a few characters; many begin a pattern that never comes to its end. */
const repeated: Record<string, string> = {
  letters: "a",
  "one-letter words": "a ",
  "a word a line": "zorglub\n",
  "a word a paragraph": "zorglub\n\n",
  "capitals and small letters": "aB",
  digits: "1",
  "digits and commas": "1,",
  "digits and spaces": "1 ",
  "full stops": ".",
  "full stops and spaces": ". ",
  "initials and full stops": "a. ",
  "sentences of one letter": "A. ",
  ellipses: "… ",
  "question marks": "? ",
  colons: ":",
  "colons and spaces": ": ",
  "colons that introduce nothing": "Ainsi :\n\n",
  spaces: " ",
  tabs: "\t",
  "empty lines": " \n",
  "no-break spaces": "\u00a0",
  "combining marks": "\u0300\u0316",
  "letters and marks": "e\u0301",
  "emoji of several": "👩‍👩‍👧‍👦",
  "pairs of surrogates": "😀",
  ideographs: "漢字",
  apostrophes: "l'",
  hyphens: "a-",
  underscores: "_a",
  "list items without words": "- !\n",
  "list items without words, apart": "- !\n\n",
  "list items": "- a\n",
  "list items of a word, apart": "- zorglub\n\n",
  "numbered items": "1. a\n",
  "numbered items apart": "1) a\n\n",
  "list markers": "- ",
  "nested markers": "- 1. ",
  "items that are fences": "- ```\n",
  "items that are fences, apart": "- ```\n\n",
  fences: "```\n",
  "fences apart": "```\n\n",
  "fences with words": "```\nzorglub\n```\n\n",
  "fences of waves": "~~~\n",
  "fences that grow": "~~~~~~~ ```\n",
  backticks: "`",
  "pairs of backticks": "`` ",
  "backticks and letters": "`a",
  "opened brackets": "[",
  "opened footnotes": "[^",
  "opened footnotes with escapes": "[^\\",
  "footnotes in footnotes": "[[^x]^",
  "footnotes that nest to the left": "[^[^x]",
  markers: "[^1]",
  "definitions of footnotes": "[^1]: ",
  "ends of footnotes": "[^a]:[",
  "opened links": "[a](",
  "ends of links": "](",
  "links that nest": "](a(",
  "opened images": "![",
  parentheses: "(",
  "closed parentheses": ")",
  "opened tags": "<(",
  "opened tags of letters": "<a",
  "opened comments": "<!--",
  "tags that nest": "<a<b>",
  stars: "*",
  "pairs of stars": "**a",
  "stars and spaces": "* a ",
  "stars around code": "*`a`",
  "bold lines": "**a**\n\n",
  "bold questions": "**a ?**\n\n",
  "bold lines without an end": "**aaaa\n\n",
  headings: "# a\n\n",
  "headings without text": "#\n",
  quotes: "> ",
  "quotes in lines": "> a\n",
  "quotes apart": "> a\n\n",
  "bars of tables": "|",
  "rows of tables": "| a |\n",
  "rows of tables apart": "| a |\n\n",
  "rows with rules": "| --- |\n",
  "pronouns that point back": "Cela.\n\n",
  "code that pronouns point to": "```\na\n```\n\nCela.\n\n",
  "lines that introduce lists": "Ainsi :\n\n- a\n\n",
  "lines that send elsewhere": "Voir aussi : a\n\n",
  "words that repeat the question": "comment zorglub ",
  "numbers in words": "quarante-deux mille ",
  addresses: "http://",
  "mail addresses": "a@a.",
  "names of code": "a.b_c:",
  options: "--a",
  quotations: "« ",
}

/** Not one unit again and again. */
const built: Record<string, HostileText> = {
  "one base letter and all marks": (size) =>
    `a${"\u0300".repeat(size / 2 - 1)}${"\u0316".repeat(size / 2 - 1)}`,
  "quotes that nest": (size) => nested(size, (depth) => `${"> ".repeat(depth)}a\n`),
  "lists that nest": (size) => nested(size, (depth) => `${"  ".repeat(depth)}- a\n`),
  "fences that grow, never closed": (size) => nested(size, (depth) => `${"`".repeat(depth + 3)}\n`),
  "footnotes nested": (size) => {
    const depth = Math.floor(size / 8)
    return `${"[^a".repeat(depth)}${"]".repeat(depth)}`
  },
  "a paragraph without a full stop": (size) => "le zorglub se règle avec sa molette ".repeat(size / 36),
  "a line of code without an end": (size) => `\`\`\`\n${"zorglub(".repeat(size / 8 - 1)}\n\`\`\``,
  "code of many lines": (size) => `\`\`\`\n${"zorglub()\n".repeat(size / 10 - 1)}\`\`\``,
  "code that is never closed": (size) => `\`\`\`\n${"zorglub()\n".repeat(size / 10 - 1)}`,
  "a table with a head of half its size": (size) =>
    `| ${"zorglub ".repeat(size / 16)}|\n| --- |\n${"| zorglub |\n".repeat(size / 24)}`,
  "a list of one item": (size) => `- ${"zorglub ".repeat(size / 8 - 1)}`,
  "words that are all different": (size) => different(size, (word) => `${word} `),
  "items that are all different": (size) => different(size, (word) => `- ${word}\n`),
  "sentences that are all different": (size) => different(size, (word) => `${word}. `),
}

export const hostileTexts: ReadonlyMap<string, HostileText> = new Map([
  ...Object.entries(repeated).map(([name, unit]): [string, HostileText] => [
    name,
    (size) => textOf(repeating(name, unit), size),
  ]),
  ...Object.entries(built),
])

/** Paragraphs of sentences, of the same size: a page that nobody would call hostile. */
export const harmless: HostileText = (size) => {
  const paragraph = Array.from(
    { length: 4 },
    (_, at) => `Le zorglub ${at} se règle avec sa molette, qui se trouve sous le capot de l’appareil. `,
  ).join("")
  return `${paragraph.trimEnd()}\n\n`.repeat(size / (paragraph.length + 1)).trimEnd()
}

/** Lines of a growing depth, again and again. */
function nested(size: number, line: (depth: number) => string): string {
  const lines = Array.from({ length: 100 }, (_, depth) => line(depth)).join("")
  return lines.repeat(Math.max(1, size / lines.length))
}

function different(size: number, part: (word: string) => string): string {
  let text = ""
  for (let number = 0; text.length < size; number++) text += part(`mot${number.toString(26)}`)
  return text
}

// For the texts of requests: fields, addresses, headers, JSON.

/** Two hundred for any text of a request, always the same. */
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
    ".//",
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
