import { expect, test } from "bun:test"
import { dirReader } from "../../../../src/reading/kinds/folder/dir.ts"
import { localParser } from "../../../../src/reading/parser.ts"
import { temporaryFolder } from "../../../support/service.ts"

// Issue L, point 8: what a site gives to many pages at once counts like their own front matter.

const today = Date.parse("2026-11-26T12:00:00Z")
const text = "\n\n# Titre\n\nLe guichet ouvre à neuf heures.\n"
const yaml = (...lines: string[]) => `---\n${lines.join("\n")}\n---${text}`

/** The address path of each page that is read, and the reason of each other one. */
async function outcomes(files: Record<string, string>): Promise<Record<string, string>> {
  using folder = temporaryFolder()
  for (const [path, content] of Object.entries(files)) await Bun.write(`${folder.path}/${path}`, content)
  const feed = {
    id: "feed_1",
    projectId: "project1",
    kind: "dir",
    address: folder.path,
    baseUrl: "https://docs.example",
    urlStyle: "auto",
  } as const
  const reader = dirReader(localParser, { now: () => today })
  const found = await Array.fromAsync(reader(feed, new AbortController().signal))
  return Object.fromEntries(
    found.map((reading) => {
      const page = reading.page.replace(/^content\//, "")
      if (reading.outcome === "read") return [page, new URL(reading.document.url).pathname]
      return [page, reading.outcome === "left_out" ? reading.reason : reading.outcome]
    }),
  )
}

const hugo = (files: Record<string, string>, settings = "title = 'Site'") =>
  outcomes({
    "hugo.toml": settings,
    ...Object.fromEntries(Object.entries(files).map(([path, content]) => [`content/${path}`, content])),
  })

test("Hugo's cascade hands a draft down to the section and all below it, unless nearer pages say otherwise", async () => {
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

const jekyll = (files: Record<string, string>, ...defaults: string[]) =>
  outcomes({
    "_config.yml": ["collections:", "  guides:", "    output: true", "defaults:", ...defaults].join("\n"),
    ...files,
  })
const scope = (path: string, type: string | undefined, ...values: string[]) => [
  `- scope: { path: "${path}"${type ? `, type: ${type}` : ""} }`,
  `  values: { ${values.join(", ")} }`,
]

test("Jekyll's defaults publish or hide posts and documents of collections", async () => {
  const files = {
    "_posts/2020-01-01-a.md": text,
    "_posts/2020-01-02-b.md": yaml("published: true"),
    "_guides/x.md": text,
    "_guides/old/y.md": text,
    "page.md": text,
  }
  expect(await jekyll(files, ...scope("", "posts", "published: false"))).toEqual({
    "_posts/2020-01-01-a.md": "noindex",
    "_posts/2020-01-02-b.md": "/2020/01/02/b.html",
    "_guides/x.md": "/guides/x.html",
    "_guides/old/y.md": "/guides/old/y.html",
    "page.md": "/page.html",
  })
  expect(await jekyll(files, ...scope("_guides/old", undefined, "published: false"))).toMatchObject({
    "_guides/x.md": "/guides/x.html",
    "_guides/old/y.md": "noindex",
  })
  // Pages are asked for their own front matter alone.
  expect(await jekyll(files, ...scope("", "pages", "published: false"))).toMatchObject({
    "page.md": "/page.html",
  })
})

test("of several defaults the longer path wins, then the one with a type, then the one further down", async () => {
  const files = { "_guides/x.md": text, "_guides/old/y.md": text }
  const at = (name: string) => `permalink: /${name}/:name/`
  const guides = await jekyll(
    files,
    ...scope("_guides/old", undefined, at("old")),
    ...scope("", "guides", at("typed")),
    ...scope("", undefined, at("all")),
  )
  expect(guides).toEqual({ "_guides/x.md": "/typed/x/", "_guides/old/y.md": "/old/y/" })
  const later = await jekyll(files, ...scope("", "guides", at("one")), ...scope("", "guides", at("two")))
  expect(later["_guides/x.md"]).toBe("/two/x/")
})

test("names of types of earlier versions and patterns count, and a collection's folder may be left out", async () => {
  const hidden = scope("", "post", "published: false")
  expect(await jekyll({ "_posts/2020-01-01-a.md": text }, ...hidden)).toEqual({
    "_posts/2020-01-01-a.md": "noindex",
  })
  const files = { "_guides/old-a.md": text, "_guides/new-b.md": text }
  expect(await jekyll(files, ...scope("_guides/old-*.md", undefined, "published: false"))).toEqual({
    "_guides/old-a.md": "noindex",
    "_guides/new-b.md": "/guides/new-b.html",
  })
  const elsewhere = (path: string) =>
    outcomes({
      "_config.yml": ["collections_dir: my", "collections: { guides: { output: true } }", "defaults:"]
        .concat(scope(path, undefined, "published: false"))
        .join("\n"),
      "my/_guides/x.md": text,
      "page.md": text,
    })
  for (const path of ["_guides", "my/_guides"])
    expect(await elsewhere(path)).toMatchObject({ "my/_guides/x.md": "noindex", "page.md": "/page.html" })
})
