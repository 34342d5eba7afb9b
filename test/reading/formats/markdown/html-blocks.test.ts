import { expect, test } from "bun:test"
import type { Generator } from "../../../../src/reading/generators/names.ts"
import { readGeneratorPage } from "../../../../src/reading/generators/read-page.ts"

/** Each heading of a page with its text. */
function sectionsOf(source: string, generator?: Generator) {
  const page = { path: "a", url: "https://docs.exemple.fr/a", generator }
  const read = readGeneratorPage(`# Titre\n\n${source}\n\n## Fin\n\nAprès.`, page)
  if ("leftOut" in read) throw new Error(read.leftOut)
  return read.sections.map(({ headings, markdown }) => [headings.at(-1) ?? "", markdown])
}

const end = ["Fin", "Après."]
const code = "```js\na\n\nb\n```"

// What follows the end of the element, or a tag in it, without an empty line between.
test.each<[name: string, source: string, sections: string[][]]>([
  ["code", `<div markdown="1">\nTexte **gras**.\n</div>\n${code}`, [["", `Texte **gras**.\n\n${code}`]]],
  [
    "a heading",
    '<div markdown="1">\nUn.\n</div>\n## Deux\nTrois.',
    [
      ["", "Un."],
      ["Deux", "Trois."],
    ],
  ],
  ["a list", "<div markdown>\n- un\n- deux\n</div>\n- trois", [["", "- un\n- deux\n\n- trois"]]],
  [
    "a table",
    "<section class='x' markdown='block'>\n| a |\n|---|\n| 1 |\n</section>\n| b |\n|---|\n| 2 |",
    [["", "| a |\n| --- |\n| 1 |\n\n| b |\n| --- |\n| 2 |"]],
  ],
  [
    "text below a summary",
    `<details markdown="1">\n<summary>Plus</summary>\nTexte **gras**.\n\n${code}\n</details>\n## Deux\nTrois.`,
    [
      ["", `**Plus**\n\nTexte **gras**.\n\n${code}`],
      ["Deux", "Trois."],
    ],
  ],
  [
    "an element in another one",
    '<div markdown="1">\n<div markdown="1">\n## Dedans\nTexte.\n</div>\n- un\n</div>\n## Deux\nTrois.',
    [
      ["Dedans", "Texte.\n\n- un"],
      ["Deux", "Trois."],
    ],
  ],
  [
    "one that is indented",
    '<div markdown="1">\n    <div markdown="1">\n    ## Dedans\n    Texte.\n    </div>\n</div>\n## Deux\nTrois.',
    [
      ["Dedans", "Texte."],
      ["Deux", "Trois."],
    ],
  ],
  [
    "HTML in it",
    '<div markdown="1">\n<div>\nbrut\n</div>\n## Dedans\nTexte.\n</div>\n## Deux\nTrois.',
    [
      ["", "brut"],
      ["Dedans", "Texte."],
      ["Deux", "Trois."],
    ],
  ],
  [
    "one on a single line",
    '<div markdown="1">Texte **gras**</div>\n## Deux\nTrois.',
    [
      ["", "Texte **gras**"],
      ["Deux", "Trois."],
    ],
  ],
  [
    "tags in code",
    '<div markdown="1">\nÉcrivez `<div>` et `</div>`.\n\n## Dedans\nTexte.\n</div>\n- un',
    [
      ["", "Écrivez `<div>` et `</div>`."],
      ["Dedans", "Texte.\n\n- un"],
    ],
  ],
  ["one that never ends", '<div markdown="1">\n## Dedans\nTexte.', [["Dedans", "Texte."]]],
])("Markdown in and right behind an element: %s", (_, source, sections) => {
  expect(sectionsOf(source)).toEqual([...sections, end])
})

test("in code, the element is text", () => {
  const source = '```html\n<div markdown="1">\n</div>\n## Non\n```'
  expect(sectionsOf(source)).toEqual([["", source], end])
})

test('with markdown="0", and without it, an element holds HTML', () => {
  for (const tag of ['<div markdown="0">', "<div>"])
    expect(sectionsOf(`${tag}\n## Non\n</div>`)).toEqual([["", "\\## Non"], end])
})

test("right behind any element Markdown goes on in kramdown and Python Markdown, elsewhere after an empty line", () => {
  const source = "<div>\n<p>un</p>\n</div>\n## Deux\nTrois."
  for (const generator of ["jekyll", "mkdocs"] as const)
    expect(sectionsOf(source, generator)).toEqual([["", "un"], ["Deux", "Trois."], end])
  expect(sectionsOf(source)).toEqual([["", "un\n\n\\## Deux Trois."], end])
})

test.each([
  ["a list", '<div class="x">\n- **Un**\u00a0: un\n- deux\n</div>', "- **Un**\u00a0: un\n- deux"],
  ["a numbered list", "<br>\n1. *un*\n2. deux", "1. *un*\n2. deux"],
  ["bold words", "<section>\n**Attention**\u00a0: lisez.\n</section>", "**Attention**\u00a0: lisez."],
  ["a list in a fold", "<details>\n<summary>Quoi</summary>\n- `un`\n</details>", "**Quoi**\n\n- `un`"],
])("right behind a tag, what only Markdown writes is Markdown: %s", (_, source, markdown) => {
  expect(sectionsOf(source)).toEqual([["", markdown], end])
})
