import { expect, test } from "bun:test"
import type { Document } from "../../../../src/reading/formats/document.ts"
import { readHtml } from "../../../../src/reading/formats/html/read-html.ts"

test("menus, banners, scripts and hidden elements are not text of the page", () => {
  const document =
    read(`<!doctype html><html><head><title>Guide | Site</title><script>var a</script></head><body>
    <header><nav><a href="/">Accueil</a></nav><h2>Site</h2></header>
    <div class="cookie-banner">Nous utilisons des cookies</div>
    <main>
      <ul class="breadcrumbs"><li>Docs</li></ul>
      <h1>Guide <a class="headerlink" href="#guide">¶</a></h1>
      <p>Texte <span class="sr-only">caché</span><span hidden>caché</span><span aria-hidden="true">★</span>visible.</p>
      <aside>Publicité</aside><button>Copier</button><svg><text>x</text></svg>
      <div class="edit-this-page"><a href="x">Modifier</a></div>
      <nav class="pagination-nav"><a href="x">Suivant</a></nav>
    </main>
    <footer>Pied</footer></body></html>`)
  expect(document).toMatchObject({
    ...somewhere,
    title: "Guide",
    sections: [{ headings: [], anchor: null, markdown: "Texte visible." }],
  })
  expect(document.html?.leftOut).toEqual([
    { reason: "navigation", text: "Accueil Site" },
    { reason: "cookies", text: "Nous utilisons des cookies" },
    { reason: "navigation", text: "Docs" },
    { reason: "hidden", text: "caché" },
    { reason: "hidden", text: "caché" },
    { reason: "aside", text: "Publicité" },
    { reason: "navigation", text: "Modifier" },
    { reason: "navigation", text: "Suivant" },
    { reason: "navigation", text: "Pied" },
  ])
})

test.each([
  ["on the heading", '<h2 id="id">Titre</h2>'],
  ["inside it", '<h2><span id="id"></span>Titre</h2>'],
  ["on an old anchor inside it", '<h2><a name="id">Titre</a></h2>'],
  ["just before it", '<a id="id"></a><h2>Titre</h2>'],
  ["on its section", '<section id="id"><h2>Titre</h2></section>'],
  ["in the link that GitHub hangs beside it", '<div><h2>Titre</h2><a class="anchor" href="#id"></a></div>'],
])("the anchor is the id %s", (_, heading) => {
  const { sections } = read(`<main><h1>Page</h1><p>Avant.</p>${heading}<p>Texte.</p></main>`)
  expect(sections.at(-1)).toEqual({ headings: ["Titre"], anchor: "id", markdown: "Texte." })
})

test("a heading without id is reached by the anchor of the one above it", () => {
  const { sections } = read("<main><h1>P</h1><h2 id=a>A</h2><h3>B</h3><p>Texte.</p></main>")
  expect(sections.at(-1)).toMatchObject({ headings: ["A", "B"], anchor: "a" })
})

test.each([
  ["<title>Guide | Site</title><main><h1>Titre</h1>", "Titre"],
  ["<h1>Titre</h1><main>", "Titre"],
  ['<meta property="og:title" content="Titre"><title>x</title><main>', "Titre"],
  ["<title>Titre - suite | Site</title><main>", "Titre - suite"],
  ['<meta property="og:site_name" content="Site"><title>Site – Titre</title><main>', "Titre"],
  ["<title>Titre</title><main>", "Titre"],
])("the title of %s is %s", (start, title) => {
  expect(read(`${start}<p>Texte.</p>`).title).toBe(title)
})

test.each([
  [
    "VitePress",
    '<div class="vp-doc"><div class="language-js"><button>Copy</button><span class="lang">js</span><pre><code><span class="line">a</span>\n<span class="line">b</span></code></pre></div></div>',
  ],
  [
    "Docusaurus",
    '<div class="theme-doc-markdown"><div class="language-js"><pre><code><div class="token-line">a<br></div><div class="token-line">b<br></div></code></pre></div></div>',
  ],
  [
    "Starlight",
    '<div class="sl-markdown-content"><pre data-language="js"><code><div class="ec-line"><div class="code">a</div></div><div class="ec-line"><div class="code">b</div></div></code></pre></div>',
  ],
  [
    "Sphinx",
    '<div role="main"><div class="highlight-js notranslate"><div class="highlight"><pre><span>a</span>\nb\n</pre></div></div></div>',
  ],
  [
    "MkDocs",
    '<article class="md-content__inner"><div class="language-js highlight"><table><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre><code>a\nb\n</code></pre></td></tr></table></div></article>',
  ],
])("code in the mark-up of %s becomes a fence with its language and its lines", (_, html) => {
  expect(read(html).sections[0]?.markdown).toBe("```js\na\nb\n```")
})

test("lists, tables, emphasis and inline code become simple Markdown", () => {
  const { sections } =
    read(`<main><h1>P</h1><ol start="2"><li>un<ul><li><p>deux</p></li></ul></li><li>trois</li></ol>
    <table><tr><th>a</th><th>b</th></tr><tr><td><code>c</code></td><td>d | e</td></tr></table>
    <p><strong> gras</strong> <em>it</em> <a href="/x">lien</a> <kbd>Ctrl</kbd></p>
    <dl><dt>terme</dt><dd>sens</dd></dl><details><summary>Plus</summary>caché</details></main>`)
  expect(sections[0]?.markdown.split("\n\n")).toEqual([
    "2. un",
    "   - deux\n3. trois",
    "| a | b |\n| --- | --- |\n| `c` | d \\| e |",
    "**gras** *it* [lien](https://docs.example/x) `Ctrl`",
    "**terme**",
    "sens",
    "**Plus**",
    "caché",
  ])
})

test.each([
  [
    "cells over several rows or columns leave the others in their columns",
    `<tr><th>Offre</th><th>Durée</th><th>Prix</th></tr><tr><td rowspan="2">Solo</td><td>un mois</td><td>5 €</td></tr>
     <tr><td>un an</td><td>50 €</td></tr><tr><td colspan="2">Équipe</td><td>20 €</td></tr>`,
    "| Offre | Durée | Prix |\n| --- | --- | --- |\n| Solo | un mois | 5 € |\n| Solo | un an | 50 € |\n| Équipe |  | 20 € |",
  ],
  [
    "paragraphs and lists in a cell do not touch",
    "<tr><th>Mode</th></tr><tr><td><ul><li>lent</li><li>rapide</li></ul><p>ou</p><p>aucun</p></td></tr>",
    "| Mode |\n| --- |\n| lent rapide ou aucun |",
  ],
  [
    "its caption is text",
    "<caption>Les <b>offres</b></caption><tr><th>Nom</th></tr><tr><td>Solo</td></tr>",
    "Les **offres**\n\n| Nom |\n| --- |\n| Solo |",
  ],
])("a table: %s", (_, rows, markdown) => {
  expect(read(`<main><h1>P</h1><table>${rows}</table></main>`).sections[0]?.markdown).toBe(markdown)
})

test("cells that span absurdly many rows and columns do not make gigabytes", () => {
  const rows = '<tr><td rowspan="65000" colspan="1000">x'.repeat(3000)
  const { sections } = read(`<main><h1>P</h1><table>${rows}</table></main>`)
  expect(sections[0]?.markdown.length).toBeLessThan(1_000_000)
})

test("short rows are not filled up to a very wide one, and rows within rows appear once", () => {
  const wide = `<tr>${"<th>a".repeat(5000)}${"<tr><td>b".repeat(5000)}`
  expect(read(`<main><h1>P</h1><table>${wide}</table></main>`).sections[0]?.markdown.length).toBeLessThan(
    600_000,
  )
  const inside = `<table>${"<tr><td><div>".repeat(50)}x</table>`
  expect(read(`<main><h1>P</h1>${inside}</main>`).sections[0]?.markdown).toBe("| x |\n| --- |")
})

test("an anchor or a language that is longer than any name is ignored", () => {
  const long = "a".repeat(1000)
  const { sections } = read(
    `<main><h1>P</h1><h2 id="${long}">Un</h2><pre data-language="${long}">code</pre></main>`,
  )
  expect(sections).toEqual([{ headings: ["Un"], anchor: null, markdown: "```\ncode\n```" }])
})

test("two line breaks end a paragraph, and a term of two paragraphs stays bold", () => {
  const { sections } = read(
    "<main><h1>P</h1><p>Un.<br><br>Deux.</p><dl><dt><p>Terme</p><p>double</p></dt><dd>Sens.</dd></dl></main>",
  )
  expect(sections[0]?.markdown).toBe("Un.\n\nDeux.\n\n**Terme double**\n\nSens.")
})

test("a superscript number stays a superscript", () => {
  const { sections } = read(
    "<main><h1>P</h1><p>10<sup>6</sup> et 10<sup>-3</sup> le 1<sup>er</sup> mai</p></main>",
  )
  expect(sections[0]?.markdown).toBe("10⁶ et 10⁻³ le 1er mai")
})

test("text of the page that looks like a link or code stays text", () => {
  const { sections } = read(
    "<main><h1>P</h1><p>Écrivez [texte](javascript:x) ou &amp;copy; ici.</p><p>~~~</p><p>Suite.</p></main>",
  )
  const markdown = sections[0]?.markdown as string
  expect(Bun.markdown.html(markdown)).toBe(
    "<p>Écrivez [texte](javascript:x) ou &amp;copy; ici.</p>\n<p>~~~</p>\n<p>Suite.</p>\n",
  )
})

test("a note in an aside is text, and the label that the generator adds is not", () => {
  const { sections } =
    read(`<main><h1>P</h1><aside class="starlight-aside"><p class="starlight-aside__title">Note</p><p>Texte.</p></aside>
    <div class="tip custom-block"><p class="custom-block-title">TIP</p><p>Suite.</p></div></main>`)
  expect(sections[0]?.markdown).toBe("Texte.\n\nSuite.")
})

test("closed tabs are text", () => {
  const { sections } = read(
    '<main><h1>P</h1><div role="tablist"><i>a</i></div><div role="tabpanel" hidden><p>Texte.</p></div></main>',
  )
  expect(sections[0]?.markdown).toBe("Texte.")
})

test("a documentation about cookies, menus or pagination keeps its sections", () => {
  const { sections } = read(
    '<main><h1>P</h1><section id="cookies"><h2>Cookies</h2><p>Texte.</p></section><section id="pagination"><h2>Pagination</h2><p>Suite.</p></section></main>',
  )
  expect(sections.map(({ headings }) => headings)).toEqual([["Cookies"], ["Pagination"]])
})

test.each([
  ['<meta name="robots" content="noindex, follow"><main>Texte', "noindex"],
  ['<meta name="guichet" content="none"><main>Texte', "noindex"],
  ['<div id="app"></div><script src="app.js"></script>', "empty"],
  [`<main>${"<div>".repeat(501)}x`, "unreadable"],
  [`<main>${"<i>".repeat(500_001)}x`, "too_large"],
])("a page that is not documentation is left out: %#", (html, leftOut) => {
  expect(readHtml(html, somewhere)).toMatchObject({ leftOut })
})

test("tags nested too deep are dropped, and their text stays", () => {
  expect(read(`<main>${"<div>".repeat(490)}Texte <b>gras</b>`).sections[0]?.markdown).toBe("Texte gras")
})

test("unclosed mark-up is read", () => {
  expect(read("<body><p>Un<p>Deux<ul><li>trois<li>quatre</ul><b>cinq").sections[0]?.markdown).toBe(
    "Un\n\nDeux\n\n- trois\n- quatre\n\n**cinq**",
  )
})

const somewhere = { path: "guide", url: "https://docs.example/guide" }

function read(html: string): Document {
  const document = readHtml(html, somewhere)
  if ("leftOut" in document) throw new Error(`left out: ${document.leftOut}`)
  return document
}
