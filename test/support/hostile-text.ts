/**
 * Texts that a page or a question may be made of to keep whoever reads them busy: each of at most `size`
 * UTF-16 code units.
 */
export type HostileText = (size: number) => string

/**
 * What is written again and again, each of one to a few characters: also the beginnings of patterns that
 * never come to their end.
 */
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

/** What is not one thing again and again. */
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
  ...Object.entries(repeated).map(([name, part]): [string, HostileText] => [
    name,
    (size) => part.repeat(size / part.length),
  ]),
  ...Object.entries(built),
])

/** What nobody would call hostile: sentences, of the same size. */
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
