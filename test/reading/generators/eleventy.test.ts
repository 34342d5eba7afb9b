import { expect, test } from "bun:test"
import { addresses, pageOf } from "../../support/generator-site.ts"

const text = "# A\n\nTexte"
const page = (attributes: string) => `---\n${attributes}\n---\n${text}`

test("permalinks stand behind an address that already has their path, and folders have data", async () => {
  const site = {
    "eleventy.config.js": "export default function () { return { dir: { input: 'src' } } }",
    "src/a.md": page('permalink: "/docs/un/"'),
    "src/b.md": page('permalink: "/docs/{{ page.fileSlug }}.html"'),
    "src/c.md": page("permalink: false"),
    "src/d.md": page("title: D"),
    "src/regles/regles.json": '{"permalink": "/docs/regles/{{ titre | slugify }}/"}',
    "src/regles/e.md": page("titre: Été"),
    "src/2024-01-05-f.md": page("title: F"),
  }
  expect(await addresses(site, { baseUrl: "https://docs.example/docs" })).toMatchObject({
    "src/a.md": "/docs/un/",
    "src/b.md": "/docs/b.html",
    "src/c.md": expect.stringContaining("not published"),
    "src/d.md": "/docs/d/",
    "src/regles/e.md": "/docs/regles/ete/",
    "src/2024-01-05-f.md": "/docs/f/",
  })
})

test.each([
  ["", "creer-l-ete-phasebanner"],
  ["eleventyConfig.addPlugin(require('@x-govuk/govuk-eleventy-plugin'))", "creer-l-ete-phase-banner"],
  [
    "eleventyConfig.setLibrary('md', markdownIt().use(require('markdown-it-anchor')))",
    "cr%C3%A9er-l'%C3%A9t%C3%A9-phasebanner",
  ],
  ["const { slug } = require('github-slugger')", "créer-lété-phasebanner"],
])("anchors are those of the plugin that the settings use: %j", async (settings, anchor) => {
  const site = { ".eleventy.js": settings, "a.md": "# A\n\n## Créer l'été phaseBanner\n\nTexte." }
  expect((await pageOf(site, "a.md")).sections[0]?.anchor).toBe(anchor)
})

test("a page of a site", async () => {
  const site = {
    ".eleventy.js": "module.exports = { dir: { input: 'src' } }",
    "src/demarches/declarer.md": `---
title: Déclarer une naissance
---

{% include "entete.njk" %}

La déclaration se fait dans les **cinq jours**, {{ site.nom }} le rappelle.

## Préparer les pièces

{% raw %}{{ brut }}{% endraw %}

1. Le certificat ;
2. la pièce d’identité.

## L’été au guichet

Voir [les horaires](/horaires/).
`,
  }
  const { url, title, sections } = await pageOf(site, "src/demarches/declarer.md")
  expect({ url, title }).toEqual({
    url: "https://docs.example/demarches/declarer/",
    title: "Déclarer une naissance",
  })
  expect(sections).toEqual([
    {
      headings: [],
      anchor: null,
      markdown: "La déclaration se fait dans les **cinq jours**, {{ site.nom }} le rappelle.",
    },
    {
      headings: ["Préparer les pièces"],
      anchor: "preparer-les-pieces",
      markdown: "{{ brut }}\n\n1. Le certificat ;\n2. la pièce d’identité.",
    },
    {
      headings: ["L’été au guichet"],
      anchor: "l-ete-au-guichet",
      markdown: "Voir [les horaires](https://docs.example/horaires/).",
    },
  ])
})
