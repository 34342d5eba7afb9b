import { expect, test } from "bun:test"
import type { AnchorStyle } from "../../src/assistant/anchors.ts"
import type { Document } from "../../src/assistant/document.ts"
import { readMarkdown } from "../../src/assistant/markdown.ts"

test("a page becomes its title and its sections, each with heading path and anchor", () => {
  const document = read(
    "# Guide\n\nBonjour.\n\n## Installer {#install}\n\nFaites.\n\n### Sous Linux\n\n`apt`\n",
  )
  expect(document.title).toBe("Guide")
  expect(document.sections).toEqual([
    { headings: [], anchor: null, markdown: "Bonjour." },
    { headings: ["Installer"], anchor: "install", markdown: "Faites." },
    { headings: ["Installer", "Sous Linux"], anchor: "sous-linux", markdown: "`apt`" },
  ])
})

test("the title is the front matter's, else the first heading, else the file's name", () => {
  expect(read("---\ntitle: Premier\n---\n# Premier\n\nTexte.").title).toBe("Premier")
  expect(read("Texte.", { path: "guide/02-mise_en-route" }).title).toBe("Mise en route")
  expect(read("Texte.", { path: "guide/index" }).title).toBe("Guide")
})

test("a first heading that says something else than the front matter's title is kept", () => {
  const document = read("---\ntitle: Installation\n---\n# Installer sur une VM\n\nTexte.")
  expect(document.sections[0]?.headings).toEqual(["Installer sur une VM"])
})

test.each([
  ["## Titre {#id}", "id", "Titre"],
  ["## Titre {: #id .classe }", "id", "Titre"],
  ["## Titre {/*id*/}", "id", "Titre"],
  ["## Titre {/* #id */}", "id", "Titre"],
  ["## `code` {#id}", "id", "code"],
  ['<a id="id"></a>\n\n## Titre', "id", "Titre"],
  ['<div id="id">\n\n## Titre\n\n</div>', "id", "Titre"],
  ['## <a name="id"></a>Titre', "id", "Titre"],
  ['<h2 id="id">Titre</h2>', "id", "Titre"],
  ["Titre {#id}\n-----", "id", "Titre"],
])("the explicit id of %j is its anchor", (heading, anchor, title) => {
  expect(read(`# Page\n\n${heading}\n\nTexte.`).sections.at(-1)).toEqual({
    headings: [title],
    anchor,
    markdown: "Texte.",
  })
})

test.each<[AnchorStyle, string[]]>([
  ["github", ["créer-lété-", "créer-lété--1", "2-pas"]],
  ["vitepress", ["creer-l-ete", "creer-l-ete-1", "_2-pas"]],
  ["mkdocs", ["creer-lete", "creer-lete_1", "2-pas"]],
])("the anchors of %s are made as it makes them, accents and repetitions included", (anchors, expected) => {
  const document = read("# P\n\n## Créer l'été !\n\na\n\n## Créer l'été !\n\nb\n\n## 2 pas\n\nc", { anchors })
  expect(document.sections.map(({ anchor }) => anchor)).toEqual(expected)
})

export function read(text: string, page: { path?: string; anchors?: AnchorStyle } = {}): Document {
  const document = readMarkdown(text, { path: "page", url: "https://docs.example/page", ...page })
  if ("leftOut" in document) throw new Error(`left out: ${document.leftOut}`)
  return document
}
