/** A text made to wear a reader of pages out, of any size. */
export interface HostilePage {
  name: string
  /** Of that many characters, or a few less. */
  text(size: number): string
}

/** A hostile page is read in at most that many times what a page of its size takes which somebody wrote. */
export const mostTimes = 5

/**
 * More than two hundred shapes, the same at every run: what Markdown, MDX, HTML and YAML care about,
 * repeated; openings that nothing closes and closings of nothing; what almost matches a pattern of the
 * reader; things in things.
 */
export function hostilePages(): HostilePage[] {
  return [
    ...alphabet.map((character) => repeated(character)),
    ...combinations(40),
    ...units.map((unit) => repeated(unit)),
    ...nearMisses.map(([before, unit, after]) => repeated(unit, before, after)),
    ...nestings.map(([open, inside, close]) => nested(open, inside, close)),
    ...depths.flatMap((open) => ["a<br>", "<p>a", "<i></i>"].map((unit) => deep(open, unit))),
    ...steps.map(([name, step]) => stairs(name, step)),
    ...series.map(([name, part]) => numbered(name, part)),
    ...odd,
  ]
}

function repeated(unit: string, before = "", after = ""): HostilePage {
  const name = [before, `${unit} again and again`, after].filter((part) => part !== "").join(" … ")
  return {
    name: JSON.stringify(name).slice(0, 100),
    text: (size) => before + unit.repeat((size - before.length - after.length) / unit.length) + after,
  }
}

/** As many openings as closings, and something in the middle. */
function nested(open: string, inside: string, close: string): HostilePage {
  return {
    name: `${JSON.stringify(open)} in each other`,
    text(size) {
      const times = (size - inside.length) / (open.length + close.length)
      return open.repeat(times) + inside + close.repeat(times)
    },
  }
}

/** As deep as a reader goes along, then as long as a page may be. */
function deep(open: string, unit: string): HostilePage {
  const before = open.repeat(190 / open.split("<").length)
  return { ...repeated(unit, before), name: `${unit} within many ${open}` }
}

function stairs(name: string, step: (depth: number) => string): HostilePage {
  return {
    name: `${name}, each deeper than the last`,
    text(size) {
      const parts: string[] = []
      for (let depth = 0, length = 0; length < size; depth++) {
        const part = step(depth)
        parts.push(part)
        length += part.length
      }
      return parts.join("").slice(0, size)
    },
  }
}

function numbered(name: string, part: (n: number) => string): HostilePage {
  return { ...stairs(name, part), name }
}

const alphabet = [..."*_`~[]()<>!#-+=|\\&:;\"'{}/%$^@.a1 \t\n\0", "\r\n", "\u0300", "\u00a0", "é", "😀"]

/** Runs of two or three characters, by a generator that gives the same ones each time. */
function combinations(count: number): HostilePage[] {
  let state = 7
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
  return Array.from({ length: count }, () =>
    repeated(Array.from({ length: 2 + next(2) }, () => alphabet[next(alphabet.length)]).join("")),
  )
}

const units = [
  "**a",
  "*a_",
  "***a",
  "**a** ",
  "`a",
  "``` ",
  "```\n",
  "~~~\n",
  "[a](",
  "[a][",
  "![",
  "[^",
  "[^a]",
  "[^a]: b\n",
  "[a]: b\n",
  '[a]: /b "\n',
  "[a\n",
  "\\`",
  "<a ",
  '<a b="',
  "<a b=c d=e ",
  "</a>",
  "</p>",
  "<!--",
  "<!-- a -->b\n",
  "<!--\n",
  "<![CDATA[",
  "<?",
  "&#x",
  "&amp;",
  "<b>",
  "<p>",
  "<td>",
  "<ul><li>",
  "<blockquote>",
  "<form>",
  "<svg>",
  "<a href=#>",
  "<h1>a",
  "\n<h1>",
  "<script>\n",
  "<textarea>",
  "<X>",
  "<X/>",
  "<X>a",
  "<X>\n",
  "</X>\n",
  "<X>\n</Y>\n",
  "<X a={",
  '<X a="\n',
  '<Card title="a">\n',
  "{{<",
  "{{< a >}}",
  "{{< highlight >}}\n",
  "{%",
  "{% end",
  '{% embed url="',
  '{% file src="a" caption="',
  "{{a",
  "[center]",
  "[/a]",
  "[a b=",
  '[ui-tab title="a"]\n',
  "[prism a]\n",
  "[prism]\n[/prism]\n",
  "!!! a\n",
  "<figure><figcaption>a",
  "<td data-hidden>a",
  "a\\\n\n",
  "{/*",
  "{/* a\n",
  "{/* a */} b\n",
  "*{.a",
  "{#",
  "# a {#",
  "# a {/*",
  "!!! a\n",
  '=== "a"\n    ',
  ":::a\n",
  "::: a [",
  "-8<-",
  "<<< ",
  ":material-",
  "import a\n",
  "import {\n",
  "export const a = (\n\n",
  "- ",
  "- a\n",
  "1. ",
  "> ",
  "> - ",
  ">\n",
  "# ",
  "# a\n",
  "## a\n\nb\n\n",
  "a\n===\n",
  "|-|-|\n",
  "a|\n-|\n",
  "| a ",
  "    a\n",
  "a\\\n",
  "http://",
  "a. ",
  "a_b",
  "a\u0300\u0316",
  "mot ",
  "mot mot mot:\n\n",
  "// [!code ",
  "// highlight-start\n",
]

/** What stands before, again and again, and after. */
const nearMisses: [string, string, string][] = [
  ["{{<", "\t", ""],
  ["{{<", " ", "x"],
  ["{%e", "e", "0"],
  ["!!! ", "a ", ""],
  ["::: a [", " a", ""],
  ["::: a ", " {", ""],
  ["::: a ", " ", "{x"],
  ["-8<-", "-", "\u2028x"],
  ["{:", " ", "x"],
  ["## a", "\t", "{#"],
  ["# a", " ", "x"],
  ["# a {:", "a.", ""],
  ["# t {", " #a", ""],
  ["# a", "*", "x"],
  ["# a", " *", "x"],
  ["# ", "a ", "{/*"],
  ["<h1>a", " *", "b</h1>"],
  ["<p>a", " <br> ", "b"],
  ["<p>a", "<i> </i>", "b"],
  ["<pre>", " ", "x</pre>"],
  ["<pre>", "\n", "x</pre>"],
  ["<pre>", " \n", "x</pre>"],
  ["<pre>", "\t", "//</pre>"],
  ["<pre>// highlight-start", "\t", "x</pre>"],
  ["<pre># [!code a]", " ", "x</pre>"],
  ["<pre>", "// [!code ", "</pre>"],
  ["<pre>", "` ", "</pre>"],
  ["<pre>", "\r", "</pre>"],
  ["<title>a", " ", "|b</title>"],
  ["<title>a", " |", "b</title>"],
  ["<style", "a ", ">"],
  ["<p class='", "a", ":b'>"],
  ["<p class='hidden ", "a:", "'>a"],
  ["<p style='", "display: ", "'>a"],
  ["import", "\t", "x"],
  ["import {", ", ", "x"],
  ["import a\n'", " ", "x"],
  ["`", "a", ""],
  ["[^a] ", "`", ""],
  ["[^a] ", "``a`", ""],
  ["{ ", "`", ""],
  ["# {", "``a`", ""],
  ["`` ", "` ", ""],
  ["---\n", "a", ""],
  ["---\n", "\n", ""],
  ["---\na: b\n", "\n--", ""],
  ["---", " \t", ""],
  ["---\na: ", "[", "\n---\nx"],
  ["---\na: ", "{", "\n---\nx"],
  ["---\n", "- ", "\n---\nx"],
  ["---\n", "? ", "\n---\nx"],
  ["---\n", "&a ", "\n---\nx"],
  ["---\na: [", "a, ", "]\n---\nx"],
  ["---\n", "a: b\n", "---\nx"],
  ["---\ntitle: ", "1_", "\n---\nx"],
  ["---\npermalink: /", "é.", "\n---\nx"],
  ["+++\n", "a.", "b = 1\n+++\nx"],
  ["+++\n", "[[a]]\n", "+++\nx"],
  ["<main>", "</i>", ""],
  ["# a\u0300", "\u0316\u0300", ""],
  [`|${"a|".repeat(120)}\n|${"-|".repeat(120)}\n`, "|\n", ""],
  [`|${"a|".repeat(120)}\n|${"-|".repeat(120)}\n`, "|b\n", ""],
  [`> ${"> ".repeat(90)}- a\n`, `${"> ".repeat(90)}- b\n`, ""],
]

const nestings: [string, string, string][] = [
  ["[", "a", "]"],
  ["[", "a", "](b)"],
  ["**", "a", "**"],
  ["*a ", "b", " c*"],
  ["<b>", "a", "</b>"],
  ["<div>", "a", "</div>"],
  ["<X>\n", "a\n", "</X>\n"],
  ["<ul><li>", "a", "</li></ul>"],
  ["<table><tr><td>", "a", "</td></tr></table>"],
  ["<blockquote>", "a", "</blockquote>"],
  [":::a\n", "a\n", ":::\n"],
]

const depths = [
  "<b>",
  "<span>",
  "<sup>",
  "<blockquote>",
  "<ul><li>",
  "<div class=toc>",
  "<a href=#a><b>",
  "<tr><td><div>",
  "<div class=theme-doc-markdown>",
  "<div class=admonition-title>",
]

const steps: [string, (depth: number) => string][] = [
  ["items", (depth) => `${"  ".repeat(depth)}- a\n`],
  ["quotes", (depth) => `${">".repeat(depth)} a\n`],
  ["components", (depth) => `${" ".repeat(depth)}<X>\n`],
  ["admonitions", (depth) => `${"    ".repeat(depth)}!!! a\n`],
  ["tabs", (depth) => `${"\t".repeat(depth)}a\n`],
  ["runs of backticks", (depth) => `${"`".repeat(depth)}a`],
  ["runs of asterisks", (depth) => `${"*".repeat(depth)}a`],
]

const series: [string, (n: number) => string][] = [
  ["link definitions", (n) => `[a${n}]: /b\n`],
  ["footnotes", (n) => `[^a${n}]: b\n\n[^a${n}] `],
  ["headings", (n) => `# a${n}\n`],
  ["anchors that others have", (n) => (n % 2 ? `## a {#a-${n}}\n\nb\n\n` : "## a\n\nb\n\n")],
  ["ids", (n) => `<h2 id=a-${n}>a</h2>`],
  ["levels", (n) => `${"#".repeat((n % 6) + 1)} a\n\nb\n\n`],
  ["attributes", (n) => `${n === 0 ? "<p" : ""} a${n}=b`],
  ["keys", (n) => `${n === 0 ? "---\n" : ""}k${n}: v\n`],
  ["anchors of YAML", (n) => `${n === 0 ? "---\na: &a0 x\n" : ""}k${n}: &a${n} [*a${n - 1}, *a${n - 1}]\n`],
  ["components of every name", (n) => `<X${n}>\n`],
  ["components that nothing closes", (n) => (n < 20_000 ? "<X>\n" : "</Y>\n")],
  ["lines in many components", (n) => (n < 20_000 ? "<X>\n" : "    a\n")],
  ["tags with long lines", (n) => (n % 60 ? `${"a".repeat(1000)}\n` : '<X a="\n')],
  ["spans", (n) => (n % 100 ? "<tr><td>b" : `<tr>${`<td rowspan=100>${"a".repeat(200)}`.repeat(20)}`)],
]

/** Shapes of two parts that meet: what is large once and what asks for it again and again. */
const odd: HostilePage[] = [
  half("a long address", (size) => `[a]: /${"b".repeat(size)}\n\n`, "[a]"),
  half("a long title of a link", (size) => `[a]: /b "${"b\n".repeat(size / 2)}"\n\n`, "[a]\n\n"),
  half("a wide head", (size) => `|${"a|".repeat(size / 4)}\n|${"-|".repeat(size / 4)}\n`, "|\n"),
  half("a wide row", (size) => `<table><tr>${"<td>a".repeat(size / 5)}`, "<tr><td>b"),
  half("a long title", (size) => `# ${"a ".repeat(size / 2)}\n\n`, "## c\n\nd\n\n"),
  half("a long heading", (size) => `# t\n\n## ${"a".repeat(size)}\n\n`, "### c\n\nd\n\n"),
  half("a long id", (size) => `<h2 id=${"a".repeat(size)}>a</h2>`, "<h3>c</h3><p>d"),
  half("a long class", (size) => `<div class="${"a".repeat(size)}">`, "<pre>a</pre>"),
  half("a long language", (size) => `<div data-language="${"a".repeat(size)}">`, "<pre>a</pre>"),
  half("a long cell of a head", (size) => `|${"a".repeat(size)}|\n|-|\n`, "|mot mot mot mot|\n"),
  half("many open components", (size) => "<X>".repeat(size / 3), "a\n"),
  {
    name: "a container with two gaps and a line separator",
    text: (size) => `:::-}${"\t".repeat(size / 2 - 10)}:::-${"\t".repeat(size / 2 - 10)}\u2028:::-}`,
  },
  {
    name: "comments that end far below",
    text: (size) => `${"<!-- a\n".repeat(size / 14)}${"b".repeat(size / 2)}--> c`,
  },
]

function half(name: string, start: (size: number) => string, unit: string): HostilePage {
  return {
    name: `${name}, then ${JSON.stringify(unit)}`,
    text: (size) => start(size / 2) + unit.repeat(size / 2 / unit.length),
  }
}
