import { expect, test } from "bun:test"
import { addresses, anchorsIn, pageOf, pageText, textIn } from "../../support/generator-site.ts"

const text = "# A\n\nTexte"

test.each([
  ["", "/guide/a/"],
  ["use_directory_urls: false", "/guide/a.html"],
])("addresses end with a slash, unless the settings say otherwise: %j", async (settings, path) => {
  const site = { "mkdocs.yml": settings, "guide/a.md": text }
  expect(await addresses(site)).toEqual({ "guide/a.md": path })
  expect(await addresses(site, { urlStyle: "slash" })).toEqual({ "guide/a.md": "/guide/a/" })
})

test("pages count from the folder that the settings name", async () => {
  const site = { "mkdocs.yml": "docs_dir: pages", "pages/a.md": text, "README.md": text }
  expect(await addresses(site)).toEqual({ "pages/a.md": "/a/", "README.md": "outside the pages of the site" })
})

test("a variable has its default, exclusions are no pages, and suffixes tell languages", async () => {
  const site = {
    "mkdocs.yml":
      "docs_dir: !ENV [HOME, aide]\nexclude_docs: |\n  brouillons/\n  *.tmp.md\nplugins:\n  - i18n:\n      languages:\n        - locale: fr\n          default: true\n        - locale: en\n",
    "aide/index.md": text,
    "aide/a.md": text,
    "aide/a.en.md": text,
    "aide/b.tmp.md": text,
    "aide/brouillons/c.md": text,
  }
  const hidden = expect.stringContaining("not published")
  expect(await addresses(site)).toEqual({
    "aide/index.md": "/",
    "aide/a.md": "/a/",
    "aide/a.en.md": "/en/a/",
    "aide/b.tmp.md": hidden,
    "aide/brouillons/c.md": hidden,
  })
})

test("a part of a file that a page includes is read in its place", async () => {
  const site = {
    "mkdocs.yml": "",
    "docs/a.md": '# A\n\n--8<-- "docs/part.txt:fin"',
    "docs/part.txt": "Début\n--8<-- [start:fin]\nLa fin.\n--8<-- [end:fin]",
  }
  expect(await pageText(site, "docs/a.md")).toBe("La fin.")
})

test("a number that is too large to count on from gets one of its own", () => {
  const title = `a_${"9".repeat(20)}`
  expect(anchorsIn("mkdocs", [title, title])).toEqual([title, `${title}_1`])
})

test.each([
  ["slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}", "créer-lété"],
  ["slugify: !!python/name:pymdownx.slugs.uslugify_cased", "Créer-lété"],
])("the settings may ask for the slugs of PyMdown: %s", async (setting, anchor) => {
  const site = {
    "mkdocs.yml": `markdown_extensions:\n  - toc:\n      ${setting}`,
    "docs/a.md": "# A\n\n## Créer l'été\n\nTexte.",
  }
  expect((await pageOf(site, "docs/a.md")).sections[0]?.anchor).toBe(anchor)
})

test.each([
  ["an admonition", '!!! note "Titre"\n    Texte.', "**Titre**\n\nTexte."],
  ["one that is folded", "??? tip\n    Texte.", "Texte."],
  ["a tab", '=== "Linux"\n\n    Texte.', "**Linux**\n\nTexte."],
  ["attributes", "Texte.\n{: .grand }", "Texte."],
  ["a variable", "La version {{ version }} de `{{ x }}`.", "La version \ufffc de `{{ x }}`."],
  ["an abbreviation", "Texte.\n\n*[HTML]: Hyper Text", "Texte."],
  ["Markdown right behind an element", "<div>\n<p>un</p>\n</div>\n- deux", "un\n\n- deux"],
])("%s: only the text stays", (_, source, markdown) => {
  expect(textIn("mkdocs", source)).toBe(markdown)
})

test("a page of a site", async () => {
  const site = {
    "mkdocs.yml": "markdown_extensions:\n  - admonition\n  - pymdownx.tabbed",
    "docs/demarches/declarer.md": `# Déclarer une naissance

!!! warning "À ne pas oublier"
    La déclaration se fait dans les **cinq jours**.

    - à la mairie ;
    - en ligne.

## Préparer les pièces { #pieces }

=== "En ligne"

    Numérisez le certificat.

    \`\`\`sh
    scan --pdf
    \`\`\`

=== "Au guichet"

    Apportez l’original.

<div class="grid" markdown>
Gardez une ==copie==.
</div>

## L’été au guichet

Appuyez sur ++ctrl+p++ :material-printer: puis voyez [les horaires](../horaires.md){ .md-button }.
`,
    "docs/horaires.md": text,
  }
  const { url, title, sections } = await pageOf(site, "docs/demarches/declarer.md")
  expect({ url, title }).toEqual({
    url: "https://docs.example/demarches/declarer/",
    title: "Déclarer une naissance",
  })
  expect(sections).toEqual([
    {
      headings: [],
      anchor: null,
      markdown:
        "**À ne pas oublier**\n\nLa déclaration se fait dans les **cinq jours**.\n\n- à la mairie ;\n- en ligne.",
    },
    {
      headings: ["Préparer les pièces"],
      anchor: "pieces",
      markdown:
        "**En ligne**\n\nNumérisez le certificat.\n\n```sh\nscan --pdf\n```\n\n**Au guichet**\n\nApportez l’original.\n\nGardez une copie.",
    },
    {
      headings: ["L’été au guichet"],
      anchor: "lete-au-guichet",
      markdown: "Appuyez sur Ctrl+P \ufffc puis voyez [les horaires](https://docs.example/horaires/).",
    },
  ])
})
