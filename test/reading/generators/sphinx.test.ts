import { expect, test } from "bun:test"
import { addresses, anchorsIn, pageOf } from "../../support/generator-site.ts"

const text = "# A\n\nTexte"

test.each([
  [{}, ".html"],
  [{ Makefile: "html:\n\tsphinx-build -b dirhtml . _build" }, "/"],
])("addresses end as the builder ends them, and excluded files are no pages: %j", async (files, end) => {
  const site = {
    "conf.py": 'exclude_patterns = ["brouillons/**", "*.tmp.md"]',
    ...files,
    "index.md": text,
    "guide/a.md": text,
    "guide/b.tmp.md": text,
    "brouillons/c.md": text,
    "_build/d.md": text,
  }
  const hidden = expect.stringContaining("not published")
  expect(await addresses(site)).toEqual({
    "index.md": "/",
    "guide/a.md": `/guide/a${end}`,
    "guide/b.tmp.md": hidden,
    "brouillons/c.md": hidden,
    "_build/d.md": hidden,
  })
})

test("a repeated title has the anchor id1, and none where references to footnotes count as well", () => {
  expect(anchorsIn("sphinx", ["Exemple", "Exemple", "???"])).toEqual(["exemple", "id1", "id2"])
  expect(anchorsIn("sphinx", ["Exemple", "Exemple [^1]", "Exemple", "???"])).toEqual([
    "exemple",
    null,
    null,
    null,
  ])
})

test("a page of a site", async () => {
  const site = {
    "conf.py": "extensions = ['myst_parser']",
    "demarches/declarer.md": `(declarer)=
# Déclarer une naissance

\`\`\`{warning}
:class: important
La déclaration se fait dans les **cinq jours**.
\`\`\`

## Préparer les pièces

::::{tab-set}
:::{tab-item} En ligne
Numérisez le certificat.
:::
:::{tab-item} Au guichet
Apportez l’original.
:::
::::

\`\`\`{include} ../rappel.txt
\`\`\`

## L’été au guichet

Voir {ref}\`les horaires <horaires>\` et {kbd}\`Ctrl\`.

\`\`\`{toctree}
:maxdepth: 1
../horaires
\`\`\`
`,
    "rappel.txt": "Gardez une *copie*.\n",
  }
  const { url, title, sections } = await pageOf(site, "demarches/declarer.md")
  expect({ url, title }).toEqual({
    url: "https://docs.example/demarches/declarer.html",
    title: "Déclarer une naissance",
  })
  expect(sections).toEqual([
    { headings: [], anchor: null, markdown: "La déclaration se fait dans les **cinq jours**." },
    {
      headings: ["Préparer les pièces"],
      anchor: "preparer-les-pieces",
      markdown:
        "**En ligne**\n\nNumérisez le certificat.\n\n**Au guichet**\n\nApportez l’original.\n\nGardez une *copie*.",
    },
    { headings: ["L’été au guichet"], anchor: "lete-au-guichet", markdown: "Voir les horaires et `Ctrl`." },
  ])
})
