import { expect, test } from "bun:test"
import { addresses, pageOf } from "../../support/generator-site.ts"

const text = "# A\n\nTexte"

test("numbers and accents are dropped, and an index is its folder", async () => {
  const site = {
    "nuxt.config.ts": "",
    "content/index.md": text,
    "content/1.guide/0.index.md": text,
    "content/1.guide/2.Mon été.md": text,
    "content/2.x/L’été -- 50 % & œuvre (v1.0).md": text,
  }
  expect(await addresses(site)).toEqual({
    "content/index.md": "/",
    "content/1.guide/0.index.md": "/guide",
    "content/1.guide/2.Mon été.md": "/guide/mon-ete",
    "content/2.x/L’été -- 50 % & œuvre (v1.0).md": "/2.x/l'ete-50-percent-and-oeuvre-(v1.0)",
  })
})

test("a page of a site", async () => {
  const site = {
    "nuxt.config.ts": "export default { modules: ['@nuxt/content'] }",
    "content/2.demarches/1.declarer.md": `---
title: Déclarer une naissance
---

:::warning
La déclaration se fait dans les **cinq jours**.
:::

## Préparer les pièces

- Le certificat ;
- la pièce d’identité.

## L’été au guichet

Le bureau ferme à \`17 h\`, bonjour {{ prénom }}.
`,
  }
  const { url, title, sections } = await pageOf(site, "content/2.demarches/1.declarer.md")
  expect({ url, title }).toEqual({
    url: "https://docs.example/demarches/declarer",
    title: "Déclarer une naissance",
  })
  expect(sections).toEqual([
    { headings: [], anchor: null, markdown: "La déclaration se fait dans les **cinq jours**." },
    {
      headings: ["Préparer les pièces"],
      anchor: "préparer-les-pièces",
      markdown: "- Le certificat ;\n- la pièce d’identité.",
    },
    {
      headings: ["L’été au guichet"],
      anchor: "lété-au-guichet",
      markdown: "Le bureau ferme à `17 h`, bonjour {{ prénom }}.",
    },
  ])
})
