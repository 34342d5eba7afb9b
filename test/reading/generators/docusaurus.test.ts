import { expect, test } from "bun:test"
import { addresses, pageOf, pageText, textIn } from "../../support/generator-site.ts"

const text = "# A\n\nTexte"

test("numbers are dropped, dates are not, and the front matter has the last word", async () => {
  const page = (attributes: string) => `---\n${attributes}\n---\n${text}`
  const site = {
    "docusaurus.config.js": "",
    "01-debut/02-installer.md": text,
    "01-debut/index.md": text,
    "2024-01-05-nouvelle.md": text,
    "guide/guide.md": text,
    "02-guide/a.md": page("id: prendre-en-main"),
    "02-guide/b.md": page("slug: ../ailleurs"),
    "02-guide/c.md": page("slug: /racine"),
    "02-guide/d.md": page("slug: autre\nid: rien"),
  }
  expect(await addresses(site)).toEqual({
    "01-debut/02-installer.md": "/debut/installer",
    "01-debut/index.md": "/debut/",
    "2024-01-05-nouvelle.md": "/2024-01-05-nouvelle",
    "guide/guide.md": "/guide/",
    "02-guide/a.md": "/guide/prendre-en-main",
    "02-guide/b.md": "/ailleurs",
    "02-guide/c.md": "/racine",
    "02-guide/d.md": "/guide/autre",
  })
})

test.each([
  ["", "/guide/a"],
  ["{ trailingSlash: true }", "/guide/a/"],
])(
  "the end of an address is left out, unless the site or the owner asks for a slash: %j",
  async (settings, path) => {
    const site = { "docusaurus.config.js": settings, "guide/a.md": text }
    expect(await addresses(site)).toEqual({ "guide/a.md": path })
    expect(await addresses(site, { urlStyle: "slash" })).toEqual({ "guide/a.md": "/guide/a/" })
  },
)

test("the version that visitors get is read, and translations, a blog, and no parts", async () => {
  const site = {
    "docusaurus.config.js":
      "module.exports = { presets: [['classic', { docs: { routeBasePath: 'aide' }, blog: {} }]], i18n: { defaultLocale: 'fr', locales: ['fr', 'en'] } }",
    "versions.json": '["2.0", "1.0"]',
    "docs/a.md": text,
    "versioned_docs/version-2.0/a.md": text,
    "versioned_docs/version-2.0/_part.md": text,
    "versioned_docs/version-1.0/a.md": text,
    "i18n/en/docusaurus-plugin-content-docs/version-2.0/a.md": text,
    "blog/2024-01-05-nouvelle.md": text,
    "src/pages/contact.md": text,
  }
  const other = expect.stringContaining("2.0")
  expect(await addresses(site)).toEqual({
    "docs/a.md": other,
    "versioned_docs/version-2.0/a.md": "/aide/a",
    "versioned_docs/version-2.0/_part.md": expect.stringContaining("part"),
    "versioned_docs/version-1.0/a.md": other,
    "i18n/en/docusaurus-plugin-content-docs/version-2.0/a.md": "/en/aide/a",
    "blog/2024-01-05-nouvelle.md": "/blog/2024/01/05/nouvelle",
    "src/pages/contact.md": "/contact",
  })
})

test("a date that is an object of its own leaves out no page", async () => {
  for (const head of ["date: {toString: 1}", "publishDate: {toString: 1}\nbuild: {render: {toString: 1}}"]) {
    const site = { "docusaurus.config.ts": "", "blog/a.md": `---\n${head}\n---\n${text}` }
    expect(await addresses(site)).toEqual({ "blog/a.md": "/blog/a" })
  }
})

test("a part that a page imports is read in its place", async () => {
  const site = {
    "docusaurus.config.js": "",
    "docs/a.md": 'import Part from "./_b.mdx"\n\n# A\n\n<Part x="1" />',
    "docs/_b.mdx": "Une partie.",
  }
  expect(await pageText(site, "docs/a.md")).toBe("Une partie.")
})

test.each([
  ["a note", ":::note[Titre]\n\nTexte.\n\n:::", "**Titre**\n\nTexte."],
  [
    "tabs",
    '<Tabs>\n<TabItem value="l" label="Linux">\n\nTexte.\n\n</TabItem>\n</Tabs>',
    "**Linux**\n\nTexte.",
  ],
  ["details", "<details>\n<summary>Plus</summary>\n\nTexte.\n\n</details>", "**Plus**\n\nTexte."],
  [
    "a module's exports",
    "import a from './a'\n\nexport const b = {\n  c: 1,\n};\nexport const d = {\n  e: 1,\n};\n\nTexte.",
    "Texte.",
  ],
  ["an icon in a sentence", 'Un <Icon name="x" style={{color: "red"}}/> ici.', "Un ici."],
  ["a word that is marked in a sentence", "La <Step n={1}>*valeur*</Step> est `0`.", "La *valeur* est `0`."],
  ["a picture on several lines", '<img\n  src="a.png"\n  style={{ width: "7rem" }}\n/>\n\nTexte.', "Texte."],
  ["a centred picture", "<center>\n![Un chat](/a.png)\n</center>\n\nTexte.", "Texte."],
])("%s: only the text stays", (_, source, markdown) => {
  expect(textIn("docusaurus", source)).toBe(markdown)
})

test("a page of a site", async () => {
  const site = {
    "docusaurus.config.ts": "export default { presets: [['classic', { docs: { routeBasePath: '/' } }]] }",
    "docs/02-demarches/01-declarer.mdx": `---
title: Déclarer une naissance
---

import Tabs from '@theme/Tabs'
import TabItem from '@theme/TabItem'

:::warning[À ne pas oublier]

La déclaration se fait dans les **cinq jours**.

:::

## Préparer les pièces {#pieces}

<Tabs>
  <TabItem value="ligne" label="En ligne">
    Numérisez le certificat.
  </TabItem>
  <TabItem value="guichet" label="Au guichet">
    Apportez l’original.
  </TabItem>
</Tabs>

<div
  className="encart"
>
Gardez une **copie**.
</div>

## L’été au guichet

Le bureau ferme à \`17 h\`, voir [les horaires](../03-horaires.md).
`,
    "docs/03-horaires.md": text,
  }
  const { url, title, sections } = await pageOf(site, "docs/02-demarches/01-declarer.mdx")
  expect({ url, title }).toEqual({
    url: "https://docs.example/demarches/declarer",
    title: "Déclarer une naissance",
  })
  expect(sections).toEqual([
    {
      headings: [],
      anchor: null,
      markdown: "**À ne pas oublier**\n\nLa déclaration se fait dans les **cinq jours**.",
    },
    {
      headings: ["Préparer les pièces"],
      anchor: "pieces",
      markdown:
        "**En ligne**\n\nNumérisez le certificat.\n\n**Au guichet**\n\nApportez l’original.\n\nGardez une **copie**.",
    },
    {
      headings: ["L’été au guichet"],
      anchor: "lété-au-guichet",
      markdown: "Le bureau ferme à `17 h`, voir [les horaires](https://docs.example/horaires).",
    },
  ])
})
