import { expect, test } from "bun:test"
import type { Detail } from "../../../../src/base/errors.ts"
import type { Document } from "../../../../src/reading/formats/document.ts"
import { pageMarkdown } from "../../../../src/reading/formats/outline.ts"
import { pageLimits } from "../../../../src/reading/formats/page-limits.ts"
import type { Generator } from "../../../../src/reading/generators/names.ts"
import { readGeneratorPage } from "../../../../src/reading/generators/read-page.ts"
import { inEnglish } from "../../../../src/wording/english.ts"

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

test("a title that looks like a number stays as written", () => {
  expect(read("---\ntitle: 3.10 # la version\n---\nTexte.").title).toBe("3.10")
  expect(read("+++\ntitle = 2024\n+++\nTexte.").title).toBe("2024")
})

test.each([
  "---\n\nBienvenue chez Zéphyr.\n\n## Garantie\n\nTrois ans.\n\n---\n\nFin.",
  "---\nBienvenue chez Zéphyr.\n\n---\n\nFin.",
  "---\n\n- Garantie : trois ans\n- Prix [\n\n---\n\nFin.",
])("text between two rules is text of the page: %j", (text) => {
  const { sections } = read(text)
  expect(sections.map(({ markdown }) => markdown).join()).toMatch(/(Zéphyr|trois ans).*Fin/s)
})

test("a first heading that differs from the front matter's title is kept", () => {
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

test("a heading written in HTML without id has no anchor: it is reached by the one above", () => {
  const { sections } = read(
    "# P\n\n## Titre\n\n<div>\n<h3>Titre</h3>\n\nTexte.\n\n</div>\n\n## Titre\n\nSuite.",
  )
  expect(sections.map(({ anchor }) => anchor)).toEqual(["titre", "titre", "titre-1"])
})

test.each([
  "search: false",
  "search:\n  exclude: true",
  "noindex: true",
  "draft: true",
  "unlisted: true",
  "published: false",
  "pagefind: false",
])("a page that asks not to be indexed is left out: %j", (line) => {
  expect(readGeneratorPage(`---\n${line}\n---\n# A\n\nTexte.`, somewhere)).toMatchObject({
    leftOut: "noindex",
  })
})

test("TOML front matter is read like YAML's", () => {
  expect(read('+++\ntitle = "Titre"\n+++\nTexte.').title).toBe("Titre")
  expect(readGeneratorPage("+++\ndraft = true\n+++\nTexte.", somewhere)).toMatchObject({ leftOut: "noindex" })
})

test.each([
  ["a container of VitePress", ":::tip Titre\nTexte.\n:::", "**Titre**\n\nTexte."],
  ["a container without title", ":::warning\nTexte.\n:::", "Texte."],
  ["a container of Docusaurus", ":::note[Titre]\n\nTexte.\n\n:::", "**Titre**\n\nTexte."],
  [
    "an admonition of MkDocs",
    '!!! note "Titre"\n    Texte.\n\n    ```js\n    a\n    ```\n\nAprès.',
    "**Titre**\n\nTexte.\n\n```js\na\n```\n\nAprès.",
  ],
  ["tabs of MkDocs", '=== "Linux"\n\n    Texte.', "**Linux**\n\nTexte."],
  ["an alert of GitHub", "> [!NOTE]\n> Texte.", "Texte."],
  [
    "tabs of MDX",
    '<Tabs a={[{b: "c > d"}]}>\n  <Tab label="npm">\n\n    Texte.\n\n  </Tab>\n</Tabs>',
    "**npm**\n\nTexte.",
  ],
  ["imports and exports of MDX", "import A from 'a'\nexport const b = {\n\n}\n\nTexte.", "Texte."],
  ["a component over several lines", '<Card\n  href="x"\n  on={() => 1}\n/>\n\nTexte.', "Texte."],
  [
    "a shortcode of Hugo",
    '{{< tab name="Linux" >}}\nTexte {{% x %}}.\n{{< /tab >}}',
    "**Linux**\n\nTexte \ufffc.",
  ],
  ["highlighted code of Jekyll", "{% highlight js %}\na\n{% endhighlight %}", "```js\na\n```"],
  [
    "a script and a style",
    "<script setup>\nimport a from 'b'\n\n# c\n</script>\n<style>\n.d {}\n</style>\n\nTexte.",
    "Texte.",
  ],
  [
    "comments",
    "<!-- un\n\n## Deux -->\nTexte <!-- caché -->visible.\n\n{/* trois\n\nquatre */}",
    "Texte visible.",
  ],
  ["a hidden block", "<div hidden>\n\nCaché.\n\n</div>\n\nTexte.", "Texte."],
  ["a layout block", '<div class="options-api">\n\nTexte.\n\n</div>', "Texte."],
  ["badges and images", "[![b](b.svg)](x) ![i](i.png)\n\nTexte ![i](i.png).", "Texte ."],
  ["a paragraph that is only a link", "[Essayer](https://x.example)\n\nTexte.", "Texte."],
  [
    "links that are not https",
    "Voir [la page](http://b.example) et <mailto:a@x.example>.",
    "Voir la page et mailto:a@x.example.",
  ],
  ["footnotes, whose marks would be read as sources", "Texte[^1].\n\n[^2]: Note.", "Texte.\n\nNote."],
  ["a footnote's mark that is text", "Écrivez \\[^1] ici.", "Écrivez ici."],
  [
    "marks of coloured lines",
    "```js\n// highlight-next-line\na\nb // [!code focus]\n```",
    "```js\na\nb\n```",
  ],
])("%s: only the text stays", (_, text, markdown) => {
  expect(read(text).sections.map((section) => section.markdown)).toEqual([markdown])
})

test.each([
  ["headings and containers in code", "```md\n# Titre\n:::tip\nimport a from 'b'\n```"],
  ["a fence in a fence", "````md\n```js\na\n```\n````"],
  ["nested lists with code", "- un\n\n  ```sh\n  ls   -l\n  ```\n- deux\n\n  1. trois\n  2. quatre"],
  ["a table", "| a | b |\n| --- | --- |\n| `c` | **d** \\| e |"],
  ["a quote", "> un\n>\n> deux"],
  ["emphasis and code", "*un* **deux** ~~trois~~ ``a`b`` snake_case 2\\*3 List\\<T>"],
  ["a paragraph that begins like a list", "1\\. un"],
])("%s stays as it was written", (_, text) => {
  expect(read(text).sections[0]?.markdown).toBe(text)
})

test.each([
  ["a script that is never closed", "<script setup>"],
  ["a script", '<script src="a.js"></script>\n<div id="x"></div>'],
  ["a comment", "<!-- ici -->\n\n<p>"],
  ["syntax of generators", "{{< youtube x >}} [^1]\n::: tip\nimport x from 'y'"],
])("%s in indented code is not changed", (_, code) => {
  const indented = code.replace(/^(?=.)/gm, "    ")
  const { sections } = read(`Ajoutez :\n\n${indented}\n\nPuis rechargez.\n\n## Suite\n\nLa fin.`)
  expect(sections.map(({ markdown }) => markdown)).toEqual([
    `Ajoutez :\n\n\`\`\`\n${code}\n\`\`\`\n\nPuis rechargez.`,
    "La fin.",
  ])
})

test("an indented line in a list is text of its item", () => {
  const { sections } = read("- Un\n\n    <!-- caché -->\n\n    suite {{< x >}}de un\n\nFin.")
  expect(sections[0]?.markdown).toBe("- Un\n\n  suite \ufffcde un\n\nFin.")
})

test.each([
  ["> ".repeat(100_000)],
  ["<div>\n\n".repeat(50_000)],
  ["<Tabs a={\n".repeat(20_000)],
  ["{% a ".repeat(100_000)],
  ["[a](".repeat(100_000)],
  ["---\na: [\n---\nTexte"],
  ["a\0b\ud800"],
])("hostile text is read or left out, and nothing throws: %#", (text) => {
  expect(() => readGeneratorPage(text, somewhere)).not.toThrow()
})

test.each([
  ["lines", "a\n".repeat(pageLimits.lines + 1)],
  ["lines", "a\r".repeat(pageLimits.lines + 1)],
  ["tags", "# a\n".repeat(pageLimits.tags / 2 + 1)],
  ["characters", "é".repeat(pageLimits.characters + 1)],
] as const)("a page of more %s than it may have is left out, and says why", (name, text) => {
  const read = readGeneratorPage(text, somewhere) as { leftOut: string; detail: Detail }
  const detail = `more than ${pageLimits[name].toLocaleString("en")} ${name}`
  expect({ ...read, detail: inEnglish(read.detail) }).toEqual({ leftOut: "too_large", detail })
})

test("front matter of more than anybody writes says nothing, and the page is read", () => {
  const most = pageLimits.frontMatterCharacters
  const { title, note, sections } = read(`---\ntitle: T\na: ${"b".repeat(most)}\n---\n# Titre\n\nTexte.`)
  const said = `front matter: more than ${most.toLocaleString("en")} characters`
  expect({ title, note }).toEqual({ title: "Titre", note: said })
  expect(sections[0]?.markdown).toBe("Texte.")
})

test("a heading as long as a paragraph is one", () => {
  const long = "Texte sans fin ".repeat(30).trim()
  expect(read(`# Page\n\n## ${long}\n\nSuite.`).sections).toEqual([
    { headings: [], anchor: null, markdown: `${long}\n\nSuite.` },
  ])
})

test("a title is said again with each passage, and goes on no longer than a heading", () => {
  const long = "Texte sans fin ".repeat(300)
  const { title } = read(`---\ntitle: ${long}\n---\nTexte.`)
  expect(title).toStartWith("Texte sans fin Texte")
  expect(title).toEndWith("…")
  expect(title.length).toBeLessThan(long.length / 10)
})

test("quotes deeper than four and lists deeper than eight lose their marks and keep their text", () => {
  const deep = read(`${"> ".repeat(20)}Texte.`).sections[0]?.markdown
  expect(deep).toBe(`${"> ".repeat(4)}Texte.`)
  const items = Array.from({ length: 30 }, (_, depth) => `${"  ".repeat(depth)}- ${depth}`).join("\n")
  const lines = read(items).sections[0]?.markdown.split("\n") as string[]
  expect(lines.find((line) => line.includes("29"))).toBe(`${"  ".repeat(8)}29`)
})

test.each([
  [
    "[court] et [long]",
    `[court]: /a\n[long]: <data:image/png;base64,${"A".repeat(100_000)}>`,
    "[court](https://docs.example/a) et long",
  ],
  [
    "[court] et [long]",
    `[court]: /a "Titre\nsur deux lignes"\n[long]: /b`,
    "[court](https://docs.example/a) et [long](https://docs.example/b)",
  ],
])("a link with a long address keeps its text: %#", (links, definitions, text) => {
  expect(read(`${links}\n\n${definitions}\n`).sections[0]?.markdown).toBe(text)
})

test("links that would repeat a long address too often lose it and keep their text", () => {
  const { sections } = read(`[a]: /${"b".repeat(100_000)}\n\n${"[a] ".repeat(100_000)}fin\n\n\`[a]: b\``)
  const markdown = sections[0]?.markdown as string
  expect(markdown).toContain("[a] [a] fin")
  expect(markdown).toEndWith("`[a]: b`")
})

test("a table whose rows would be filled up to gigabytes becomes text", () => {
  const wide = `|${"a|".repeat(120)}\n|${"-|".repeat(120)}\n`
  expect(read(`${wide}|b|\n`).sections[0]?.markdown).toContain("| b |  |")
  const text = read(wide + "|b|\n".repeat(2000)).sections[0]?.markdown as string
  expect(text).toContain("b")
  expect(text.length).toBeLessThan(20_000)
})

const somewhere = { path: "page", url: "https://docs.example/page" }

function read(text: string, page: { path?: string; generator?: Generator } = {}): Document {
  const document = readGeneratorPage(text, { path: "page", url: "https://docs.example/page", ...page })
  if ("leftOut" in document) throw new Error(`left out: ${document.leftOut}`)
  return document
}

test("a footnote is read in brackets after its sentence, at each of its marks", () => {
  const text = `# Prêt

Trois semaines[^1]. Renouvelable une fois[^été].

- un livre[^1]

[^1]: Quatre en été,
    deux en hiver.
[^été]: Sauf réservation.
[^seule]: Jamais citée.

## Suite[^1]

Le code \`[^1]\` reste, et une marque sans note[^x] s’en va.

| Document | Durée |
| --- | --- |
| DVD[^dvd] | 1 semaine |

[^dvd]: Deux à la fois.
`
  expect(pageMarkdown(read(text))).toBe(`# Prêt

Trois semaines. (Quatre en été, deux en hiver.) Renouvelable une fois. (Sauf réservation.)

- un livre (Quatre en été, deux en hiver.)

- Jamais citée.

## Suite

Le code \`[^1]\` reste, et une marque sans note s’en va.

| Document | Durée |
| --- | --- |
| DVD (Deux à la fois.) | 1 semaine |`)
})

test("and so where a colon stands behind its mark", () => {
  const text = "# Prêt\n\nEn été[^1]: six semaines.\n\n> [^2]: Sans marque.\n\n[^1]: De juin à août.\n"
  expect(pageMarkdown(read(text))).toBe("# Prêt\n\nEn été: six semaines. (De juin à août.)\n\n> Sans marque.")
})
