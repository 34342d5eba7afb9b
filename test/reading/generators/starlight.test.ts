import { expect, test } from "bun:test"
import { addresses, pageOf } from "../../support/generator-site.ts"

const text = "# A\n\nTexte"

test.each([
  ["", "/en/guide/mon-été/"],
  ["trailingSlash: 'never'", "/en/guide/mon-été"],
])("a page has a slug, and a language the folder that the settings name: %j", async (setting, path) => {
  const site = {
    "astro.config.mjs": `export default { ${setting ? `${setting}, ` : ""}integrations: [starlight({ locales: { root: { label: 'Français', lang: 'fr' }, en: { label: 'English', lang: 'en' } } })] }`,
    "src/content/docs/index.mdx": text,
    "src/content/docs/b.md": "---\nslug: ailleurs/b\n---\nTexte",
    "src/content/docs/en/Guide/Mon été.md": text,
  }
  expect(await addresses(site)).toEqual({
    "src/content/docs/index.mdx": "/",
    "src/content/docs/b.md": expect.stringMatching(/^\/ailleurs\/b\/?$/),
    "src/content/docs/en/Guide/Mon été.md": encodeURI(path),
  })
})

test("a page of a site", async () => {
  const site = {
    "astro.config.mjs": "export default { integrations: [starlight({ title: 'Guichet' })] }",
    "src/content/docs/demarches/declarer.mdx": `---
title: Déclarer une naissance
---

import { Tabs, TabItem, Steps, Card } from '@astrojs/starlight/components'
import Rappel from './_rappel.mdx'

:::caution[À ne pas oublier]
La déclaration se fait dans les **cinq jours**.
:::

## Préparer les pièces

<Tabs>
  <TabItem label="En ligne">
    Numérisez le certificat.
  </TabItem>
  <TabItem label="Au guichet">
    Apportez l’original.
  </TabItem>
</Tabs>

<Steps>

1. Signez.
2. Envoyez.

</Steps>

## L’été au guichet

<Card title="Horaires" icon="pen">Le bureau ferme à 17 h.</Card>

<Rappel />
`,
    "src/content/docs/demarches/_rappel.mdx": "Gardez une *copie*.",
  }
  const { url, title, sections } = await pageOf(site, "src/content/docs/demarches/declarer.mdx")
  expect({ url, title }).toEqual({
    url: "https://docs.example/demarches/declarer/",
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
      anchor: "préparer-les-pièces",
      markdown:
        "**En ligne**\n\nNumérisez le certificat.\n\n**Au guichet**\n\nApportez l’original.\n\n1. Signez.\n2. Envoyez.",
    },
    {
      headings: ["L’été au guichet"],
      anchor: "lété-au-guichet",
      markdown: "**Horaires**\n\nLe bureau ferme à 17 h.\n\nGardez une *copie*.",
    },
  ])
})
