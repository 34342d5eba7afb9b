import { expect, test } from "bun:test"
import { addresses, pageOf, pageText, readSite, textIn } from "../../support/generator-site.ts"

const text = "\n\n# Titre\n\nLe guichet ouvre à neuf heures.\n"
const yaml = (...lines: string[]) => `---\n${lines.join("\n")}\n---${text}`

/** The address path of each page that is read, and the reason of each other one. */
async function outcomes(files: Record<string, string>): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await readSite(files)).map((reading) => {
      const page = reading.page.replace(/^content\//, "")
      if (reading.outcome === "read") return [page, new URL(reading.document.url).pathname]
      return [page, reading.outcome === "left_out" ? reading.reason : reading.outcome]
    }),
  )
}

test("suffixes tell languages, and bundles, slugs, addresses and what is not rendered count", async () => {
  const site = {
    "hugo.toml":
      'defaultContentLanguage = "fr"\n[languages.fr]\n[languages.en]\n[permalinks]\nnews = "/:year/:slug/"\n',
    "content/_index.md": yaml("title: A"),
    "content/docs/_index.en.md": yaml("title: A"),
    "content/docs/Mon Guide.md": yaml("title: A"),
    "content/docs/b.en.md": yaml("slug: beta"),
    "content/docs/lot/index.md": yaml("title: A"),
    "content/docs/lot/morceau.md": yaml("title: A"),
    "content/docs/c.md": yaml("url: /ici/"),
    "content/docs/d.md": yaml("build:\n  render: never"),
    "content/news/e.md": yaml("title: Bonne année\ndate: 2024-01-05"),
  }
  expect(await outcomes(site)).toEqual({
    "_index.md": "/",
    "docs/_index.en.md": "/en/docs/",
    "docs/Mon Guide.md": "/docs/mon-guide/",
    "docs/b.en.md": "/en/docs/beta/",
    "docs/lot/index.md": "/docs/lot/",
    "docs/lot/morceau.md": "empty",
    "docs/c.md": "/ici/",
    "docs/d.md": "empty",
    "news/e.md": "/2024/bonne-ann%C3%A9e/",
  })
})

test.each(["", "[languages.fr]\nweight = 1\n"])(
  "the default language has a folder of its own where the settings say so, be it the only one: %j",
  async (languages) => {
    const settings = 'defaultContentLanguage = "fr"\ndefaultContentLanguageInSubdir = true\n'
    const site = { "hugo.toml": settings + languages, "content/guide.md": yaml("title: A") }
    expect(await outcomes(site)).toEqual({ "guide.md": "/fr/guide/" })
  },
)

test("attributes in JSON count, on one line or several", async () => {
  const site = {
    "hugo.toml": "",
    "content/un.md": '{ "title": "Un", "slug": "premier", "params": { "a": "}" } }\n\nTexte.\n',
    "content/deux.md": '{\n  "title": "Deux",\n  "publishDate": "2099-01-01" }\n\nTexte.\n',
    "content/trois.md": '{ "nom": "Texte" } est un exemple.\n',
  }
  expect(await outcomes(site)).toMatchObject({
    "un.md": "/premier/",
    "deux.md": expect.stringContaining("not_published"),
    "trois.md": "/trois/",
  })
})

test("sections may have addresses that end with .html, whatever their permalink ends with", async () => {
  const site = {
    "hugo.toml": '[uglyURLs]\npost = true\nDocs = false\n[permalinks]\npost = "/:year/:slug/"\n',
    "content/post/a.md": yaml("title: A\ndate: 2024-01-05"),
    "content/docs/c.md": yaml("title: A"),
    "content/d.md": yaml("title: A"),
  }
  expect(await outcomes(site)).toEqual({
    "post/a.md": "/2024/a.html",
    "docs/c.md": "/docs/c/",
    "d.md": "/d/",
  })
})

test("a language may have a folder", async () => {
  const site = {
    "config/_default/hugo.toml": "",
    "config/_default/languages.toml": '[en]\ncontentDir = "content/en"\n[fr]\ncontentDir = "content/fr"\n',
    "content/en/a.md": yaml("title: A"),
    "content/fr/a.md": yaml("title: A"),
  }
  expect(await outcomes(site)).toEqual({ "en/a.md": "/a/", "fr/a.md": "/fr/a/" })
})

test.each(["publishDate: 2030-01-01", "date: 2030-01-01T10:00:00Z", "pubdate: 2026-11-26T13:00:00"])(
  "a page is read from its day on, and until its last: %s",
  async (date) => {
    const site = {
      "hugo.toml": "title = 'Site'\n",
      "content/to-come.md": yaml(date),
      "content/past.md": yaml("expiryDate: 2026-01-01"),
      "content/now.md": yaml("date: 2030-01-01\npublishDate: 2020-01-01\nexpiryDate: 2030-01-01"),
      "content/toml.md": `+++\npublishDate = 2030-01-01T00:00:00Z\n+++${text}`,
      "content/draft.md": yaml("draft: true"),
    }
    expect(await addresses(site)).toEqual({
      "content/to-come.md": expect.stringContaining(": published on "),
      "content/past.md": "expirydate: published until 2026-01-01",
      "content/now.md": "/now/",
      "content/toml.md": "publishdate: published on 2030-01-01",
      "content/draft.md": "draft: true in its front matter",
    })
    const all = "buildFuture = true\nbuildExpired = true\nbuildDrafts = true\n"
    const published = await readSite({ ...site, "hugo.toml": all })
    expect(published.map(({ outcome }) => outcome)).toEqual(Array(5).fill("read"))
  },
)

test("a date that is an object of its own leaves out no page", async () => {
  for (const head of ["date: {toString: 1}", "publishDate: {toString: 1}\nbuild: {render: {toString: 1}}"])
    expect(
      await outcomes({
        "hugo.toml": "[permalinks]\nblog = '/:year/:slug/'\n",
        "content/blog/a.md": yaml(head),
      }),
    ).toEqual({ "blog/a.md": expect.stringContaining("/") })
})

test("a file that a page includes is read in its place", async () => {
  const site = {
    "hugo.toml": "",
    "content/a.md": '# A\n\n{{% include "b.txt" %}}',
    "content/b.txt": "Un texte.",
  }
  expect(await pageText(site, "content/a.md")).toBe("Un texte.")
})

test.each([
  ["github", "à-lété-n1"],
  ["github-ascii", "a-lete-n1"],
  ["blackfriday", "à-l-été-n-1"],
])("anchors are of the type that the settings name: %s", async (type, anchor) => {
  const site = {
    "hugo.toml": `[markup.goldmark.parser]\nautoHeadingIDType = "${type}"`,
    "content/a.md": "# A\n\n## À l’été n°1\n\nTexte.",
  }
  expect((await pageOf(site, "content/a.md")).sections[0]?.anchor).toBe(anchor)
})

test("a name in braces is text", () => {
  expect(textIn("hugo", "Bonjour {{ prénom }}.")).toBe("Bonjour {{ prénom }}.")
})

const hugo = (files: Record<string, string>, settings = "title = 'Site'") =>
  outcomes({
    "hugo.toml": settings,
    ...Object.fromEntries(Object.entries(files).map(([path, content]) => [`content/${path}`, content])),
  })

test("a cascade hands a draft down to the section and all below it, unless nearer pages say otherwise", async () => {
  expect(
    await hugo({
      "guide/_index.md": yaml("cascade:", "  draft: true"),
      "guide/a.md": text,
      "guide/deep/b.md": text,
      "guide/own.md": yaml("Draft: false"),
      "guide/open/_index.md": yaml("cascade:", "  draft: false"),
      "guide/open/c.md": text,
      "guides/d.md": text,
    }),
  ).toEqual({
    "guide/_index.md": "noindex",
    "guide/a.md": "noindex",
    "guide/deep/b.md": "noindex",
    "guide/own.md": "/guide/own/",
    "guide/open/_index.md": "/guide/open/",
    "guide/open/c.md": "/guide/open/c/",
    "guides/d.md": "/guides/d/",
  })
})

test("it hands down how pages are built, and dates", async () => {
  expect(
    await hugo({
      "glossary/_index.md": yaml("build:", "  render: always", "cascade:", "  build:", "    render: never"),
      "glossary/mot.md": text,
      "later/_index.md": `+++\n[cascade]\npublishDate = 2030-01-01\n+++${text}`,
      "later/a.md": text,
      "later/now.md": yaml("publishDate: 2020-01-01"),
      "past/_index.md": yaml("cascade:", "- expiryDate: 2020-01-01"),
      "past/a.md": text,
    }),
  ).toEqual({
    "glossary/_index.md": "/glossary/",
    "glossary/mot.md": "empty",
    "later/_index.md": "not_published",
    "later/a.md": "not_published",
    "later/now.md": "/later/now/",
    "past/_index.md": "not_published",
    "past/a.md": "not_published",
  })
})

test("its targets are paths, kinds, languages and environments; the first that fits gives a value", async () => {
  const pages = { "a/_index.md": text, "a/x.md": text, "a/y.md": text, "b/x.md": text, "_index.md": text }
  const targets: [string[], string[]][] = [
    [
      ["target:", "      path: '{/a,/a/**}'"],
      ["a/_index.md", "a/x.md", "a/y.md"],
    ],
    [
      ["target:", "      path: /A/*"],
      ["a/x.md", "a/y.md"],
    ],
    [["_target:", "      path: /a/x"], ["a/x.md"]],
    [
      ["target:", "      kind: '{home,section}'"],
      ["_index.md", "a/_index.md"],
    ],
    [["target:", "      kind: page", "      lang: fr"], []],
    [["target:", "      environment: staging"], []],
    [["target:", "      environment: '{production,staging}'"], Object.keys(pages).sort()],
  ]
  for (const [lines, drafts] of targets) {
    const home = yaml("cascade:", "  - draft: true", `    ${lines.join("\n")}`)
    const found = await hugo({ ...pages, "_index.md": home })
    expect(
      Object.keys(found)
        .filter((page) => found[page] === "noindex")
        .sort(),
      lines.join(),
    ).toEqual(drafts)
  }
  const two = yaml("cascade:", "  - draft: false", "    target:", "      path: /a/x", "  - draft: true")
  expect(await hugo({ ...pages, "a/_index.md": two })).toMatchObject({
    "a/x.md": "/a/x/",
    "a/y.md": "noindex",
  })
})

test("the settings of the site cascade too, in their file or one of their own, and sections come before them", async () => {
  const pages = {
    "a/x.md": text,
    "b/_index.md": yaml("cascade:", "  draft: false"),
    "b/x.md": text,
  }
  const expected = { "a/x.md": "noindex", "b/_index.md": "/b/", "b/x.md": "/b/x/" }
  expect(await hugo(pages, "[cascade]\ndraft = true")).toEqual(expected)
  const listed = "[[cascade]]\ndraft = true\n[cascade.target]\npath = '/a/**'"
  expect(await hugo(pages, listed)).toEqual(expected)
  const own = Object.fromEntries(Object.entries(pages).map(([path, content]) => [`content/${path}`, content]))
  expect(
    await outcomes({
      "config/_default/hugo.toml": "",
      "config/_default/cascade.yaml": "- draft: true",
      ...own,
    }),
  ).toEqual(expected)
})

test("each language has the cascade of its own sections", async () => {
  const settings = "defaultContentLanguage = 'fr'\n[languages.fr]\n[languages.en]"
  expect(
    await hugo(
      {
        "a/_index.md": text,
        "a/_index.en.md": yaml("cascade:", "  draft: true"),
        "a/x.md": text,
        "a/x.en.md": text,
      },
      settings,
    ),
  ).toEqual({ "a/_index.md": "/a/", "a/_index.en.md": "noindex", "a/x.md": "/a/x/", "a/x.en.md": "noindex" })
})

test("a page of a site", async () => {
  const site = {
    "hugo.toml": "title = 'Guichet'",
    "content/demarches/declarer.md": `+++
title = "Déclarer une naissance"
+++

{{% alert title="À ne pas oublier" color="warning" %}}
La déclaration se fait dans les **cinq jours**.
{{% /alert %}}

## Préparer les pièces {#pieces}

{{< tabpane >}}
{{< tab "En ligne" >}}
Numérisez le certificat.
{{< /tab >}}
{{< /tabpane >}}

{{< highlight sh >}}
scan --pdf
{{< /highlight >}}

## L’été au guichet

Voir [les horaires]({{< ref "horaires.md#ete" >}}) ou {{< kbd "Ctrl" >}}.
`,
    "content/demarches/horaires.md": yaml("title: Horaires"),
  }
  const { url, title, sections } = await pageOf(site, "content/demarches/declarer.md")
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
      anchor: "pieces",
      markdown: "**En ligne**\n\nNumérisez le certificat.\n\n```sh\nscan --pdf\n```",
    },
    {
      headings: ["L’été au guichet"],
      anchor: "lété-au-guichet",
      markdown: "Voir [les horaires](https://docs.example/demarches/horaires/#ete) ou Ctrl.",
    },
  ])
})
