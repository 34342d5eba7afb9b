import { expect, test } from "bun:test"
import { addresses, pageOf, pageText, textIn } from "../../support/generator-site.ts"

const text = "# A\n\nTexte"

test.each([
  ["export default {}", "/guide/a.html"],
  ["{ cleanUrls: true }", "/guide/a"],
])(
  "addresses end with .html, unless the site has clean ones or the owner asks for a slash: %j",
  async (settings, path) => {
    const site = { ".vitepress/config.ts": settings, "guide/a.md": text }
    expect(await addresses(site)).toEqual({ "guide/a.md": path })
    expect(await addresses(site, { urlStyle: "slash" })).toEqual({ "guide/a.md": "/guide/a/" })
  },
)

test("the settings name the folder of sources, rewrites and exclusions", async () => {
  const site = {
    ".vitepress/config.ts":
      "export default { srcDir: './src', cleanUrls: true, srcExclude: ['**/TODO.md'], rewrites: { 'fr/:rest*': ':rest*' } }",
    "src/fr/guide/a.md": text,
    "src/fr/index.md": text,
    "src/en/a.md": text,
    "src/en/TODO.md": text,
  }
  expect(await addresses(site)).toEqual({
    "src/fr/guide/a.md": "/guide/a",
    "src/fr/index.md": "/",
    "src/en/a.md": "/en/a",
    "src/en/TODO.md": expect.stringContaining("not published"),
  })
})

test("a part that a page includes is read in its place", async () => {
  const site = {
    ".vitepress/config.ts": "",
    "a.md": "# A\n\n<!--@include: ./parts/b.md{2,}-->",
    "parts/b.md": "Un.\nDeux.",
  }
  expect(await pageText(site, "a.md")).toBe("Deux.")
})

test.each([
  ["a tip", "[[toc]]\n\n::: tip Titre\nTexte.\n:::", "**Titre**\n\nTexte."],
  ["an interpolation", "Texte {{ compte }} ici.", "Texte \ufffc ici."],
])("%s", (_, source, markdown) => {
  expect(textIn("vitepress", source)).toBe(markdown)
})

test("a page of a site", async () => {
  const site = {
    ".vitepress/config.mts": "export default { cleanUrls: true }",
    "demarches/declarer.md": `---
outline: deep
---
<script setup>
import Carte from './Carte.vue'
</script>

# Déclarer une naissance <Badge type="tip" text="nouveau" />

::: warning À ne pas oublier
La déclaration se fait dans les **cinq jours**.
:::

## Préparer les pièces

::: code-group
\`\`\`sh [En ligne]
curl {{ adresse }}
\`\`\`
:::

<<< @/exemples/avis.json{json}

## L’été au guichet

<Carte lieu="mairie" />

Le bureau ferme à {{ heure }}, [les horaires](../horaires.md) changent.
`,
    "exemples/avis.json": '{ "jours": 5 }\n',
    "horaires.md": text,
  }
  const { url, title, sections } = await pageOf(site, "demarches/declarer.md")
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
      anchor: "preparer-les-pieces",
      markdown: '```sh\ncurl {{ adresse }}\n```\n\n```json\n{ "jours": 5 }\n```',
    },
    {
      headings: ["L’été au guichet"],
      anchor: "l-ete-au-guichet",
      markdown: "Le bureau ferme à \ufffc, [les horaires](https://docs.example/horaires) changent.",
    },
  ])
})
