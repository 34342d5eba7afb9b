import { expect, test } from "bun:test"
import { symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import type { FolderFeed, PageReading } from "../../../../src/reading/feed.ts"
import { dirReader } from "../../../../src/reading/kinds/folder/dir.ts"
import { localParser } from "../../../../src/reading/parser.ts"
import { folderOf } from "../../../support/folder-of.ts"

// Every address here is the one that the generator itself builds; `bun test/bench/addresses.ts` compares whole sites.

const text = "# A\n\nTexte"
const page = (attributes: string, body = text) => `---\n${attributes}\n---\n${body}`

interface Case {
  files: Record<string, string>
  /** By file, its address path; null when it is no page. */
  pages: Record<string, string | null>
  feed?: Partial<FolderFeed>
  /** The feed's folder in the site. */
  dir?: string
}

const cases: Record<string, Case> = {
  "without a generator, a path of the front matter counts from the site": {
    files: {
      "guide/a.md": page("slug: /depart"),
      "guide/b.md": page("permalink: /b.html"),
      "guide/c.md": page("slug: c2"),
    },
    pages: { "guide/a.md": "/depart", "guide/b.md": "/b.html", "guide/c.md": "/guide/c2" },
  },
  "a path that makes no address is ignored": {
    files: {
      "a.md": page("permalink: /:year/:title"),
      "b.md": page(`permalink: /${"a".repeat(3000)}`),
      "c.md": page('permalink: "/\\ud800"'),
      "d.md": page("permalink: https://ailleurs.example/d"),
      "e.md": page("permalink: //ailleurs.example/e"),
    },
    pages: { "a.md": "/a", "b.md": "/b", "c.md": "/c", "d.md": "/d", "e.md": "/e" },
  },
  "Jekyll: pages, posts and collections by the permalinks of the site": {
    files: {
      "_config.yml":
        "permalink: pretty\ncollections:\n  guides:\n    output: true\n    permalink: /aide/:path/\n  equipe: {}\nexclude: [notes]\n",
      "a.md": page("title: A"),
      "b.md": page("permalink: /bienvenue.html"),
      "dossier/index.md": page("title: I"),
      "_posts/2024-01-05-bonne-annee.md": page("categories: [Vie, du service]"),
      "_drafts/c.md": page("title: C"),
      "_guides/un/deux.md": page("title: D"),
      "_equipe/camille.md": page("title: E"),
      "vendor/bundle/x/README.md": page("title: V"),
      "notes/n.md": page("title: N"),
    },
    pages: {
      "a.md": "/a/",
      "b.md": "/bienvenue.html",
      "dossier/index.md": "/dossier/",
      "_posts/2024-01-05-bonne-annee.md": "/vie/du%20service/2024/01/05/bonne-annee/",
      "_drafts/c.md": null,
      "_guides/un/deux.md": "/aide/un/deux/",
      "_equipe/camille.md": null,
      "vendor/bundle/x/README.md": null,
      "notes/n.md": null,
    },
  },
  "Jekyll: a README beside the home page is a page of its own": {
    files: {
      "_config.yml": "",
      "index.html": "",
      "README.md": page("title: R"),
      "guides/README.md": page("title: G"),
    },
    pages: { "README.md": "/README.html", "guides/README.md": "/guides/" },
  },
  "Jekyll: posts keep their own addresses where a style of urls is given": {
    files: {
      "_config.yml": "",
      "a.md": page("title: A"),
      "_posts/2024-01-05-un.md": page("title: U"),
      "_posts/2024-01-06-deux.md": page("title: D"),
    },
    feed: { urlStyle: "clean" },
    pages: {
      "a.md": "/a",
      "_posts/2024-01-05-un.md": "/2024/01/05/un",
      "_posts/2024-01-06-deux.md": "/2024/01/06/deux",
    },
  },
  "Jekyll: a folder below the site's, with the address of that folder": {
    files: {
      "_config.yml": "collections:\n  docs:\n    output: true\n",
      "_docs/a.md": page("permalink: /docs/un/"),
      "_docs/b.md": page("permalink: /ailleurs/"),
      "_docs/c.md": page("title: C"),
    },
    dir: "_docs",
    feed: { baseUrl: "https://docs.example/fr/docs" },
    pages: { "a.md": "/fr/docs/un/", "b.md": "/fr/ailleurs/", "c.md": "/fr/docs/c.html" },
  },
  "Hugo: languages by suffix, bundles, slugs, addresses and what is not rendered": {
    files: {
      "hugo.toml":
        'defaultContentLanguage = "fr"\n[languages.fr]\n[languages.en]\n[permalinks]\nnews = "/:year/:slug/"\n',
      "content/_index.md": page("title: A"),
      "content/docs/_index.en.md": page("title: A"),
      "content/docs/Mon Guide.md": page("title: A"),
      "content/docs/b.en.md": page("slug: beta"),
      "content/docs/lot/index.md": page("title: A"),
      "content/docs/lot/morceau.md": page("title: A"),
      "content/docs/c.md": page("url: /ici/"),
      "content/docs/d.md": page("build:\n  render: never"),
      "content/news/e.md": page("title: Bonne année\ndate: 2024-01-05"),
    },
    pages: {
      "content/_index.md": "/",
      "content/docs/_index.en.md": "/en/docs/",
      "content/docs/Mon Guide.md": "/docs/mon-guide/",
      "content/docs/b.en.md": "/en/docs/beta/",
      "content/docs/lot/index.md": "/docs/lot/",
      "content/docs/lot/morceau.md": null,
      "content/docs/c.md": "/ici/",
      "content/docs/d.md": null,
      "content/news/e.md": "/2024/bonne-ann%C3%A9e/",
    },
  },
  "Hugo: sections whose addresses end with .html, whatever their permalink ends with": {
    files: {
      "hugo.toml": '[uglyURLs]\npost = true\nDocs = false\n[permalinks]\npost = "/:year/:slug/"\n',
      "content/post/a.md": page("title: A\ndate: 2024-01-05"),
      "content/docs/c.md": page("title: A"),
      "content/d.md": page("title: A"),
    },
    pages: {
      "content/post/a.md": "/2024/a.html",
      "content/docs/c.md": "/docs/c/",
      "content/d.md": "/d/",
    },
  },
  "Hugo: a language has a folder": {
    files: {
      "config/_default/hugo.toml": "",
      "config/_default/languages.toml": '[en]\ncontentDir = "content/en"\n[fr]\ncontentDir = "content/fr"\n',
      "content/en/a.md": page("title: A"),
      "content/fr/a.md": page("title: A"),
    },
    pages: { "content/en/a.md": "/a/", "content/fr/a.md": "/fr/a/" },
  },
  "Docusaurus: the version that visitors get, translations, a blog, and no parts": {
    files: {
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
    },
    pages: {
      "docs/a.md": null,
      "versioned_docs/version-2.0/a.md": "/aide/a",
      "versioned_docs/version-2.0/_part.md": null,
      "versioned_docs/version-1.0/a.md": null,
      "i18n/en/docusaurus-plugin-content-docs/version-2.0/a.md": "/en/aide/a",
      "blog/2024-01-05-nouvelle.md": "/blog/2024/01/05/nouvelle",
      "src/pages/contact.md": "/contact",
    },
  },
  "MkDocs: the folder of pages by a variable's default, exclusions, and languages by suffix": {
    files: {
      "mkdocs.yml":
        "docs_dir: !ENV [HOME, aide]\nexclude_docs: |\n  brouillons/\n  *.tmp.md\nplugins:\n  - i18n:\n      languages:\n        - locale: fr\n          default: true\n        - locale: en\n",
      "aide/index.md": text,
      "aide/a.md": text,
      "aide/a.en.md": text,
      "aide/b.tmp.md": text,
      "aide/brouillons/c.md": text,
    },
    pages: {
      "aide/index.md": "/",
      "aide/a.md": "/a/",
      "aide/a.en.md": "/en/a/",
      "aide/b.tmp.md": null,
      "aide/brouillons/c.md": null,
    },
  },
  "Eleventy: permalinks behind an address that already has their path, and data of folders": {
    files: {
      "eleventy.config.js": "export default function () { return { dir: { input: 'src' } } }",
      "src/a.md": page('permalink: "/docs/un/"'),
      "src/b.md": page('permalink: "/docs/{{ page.fileSlug }}.html"'),
      "src/c.md": page("permalink: false"),
      "src/d.md": page("title: D"),
      "src/regles/regles.json": '{"permalink": "/docs/regles/{{ titre | slugify }}/"}',
      "src/regles/e.md": page("titre: Été"),
      "src/2024-01-05-f.md": page("title: F"),
    },
    feed: { baseUrl: "https://docs.example/docs" },
    pages: {
      "src/a.md": "/docs/un/",
      "src/b.md": "/docs/b.html",
      "src/c.md": null,
      "src/d.md": "/docs/d/",
      "src/regles/e.md": "/docs/regles/ete/",
      "src/2024-01-05-f.md": "/docs/f/",
    },
  },
  "VitePress: the folder of sources, rewrites and exclusions": {
    files: {
      ".vitepress/config.ts":
        "export default { srcDir: './src', cleanUrls: true, srcExclude: ['**/TODO.md'], rewrites: { 'fr/:rest*': ':rest*' } }",
      "src/fr/guide/a.md": text,
      "src/fr/index.md": text,
      "src/en/a.md": text,
      "src/en/TODO.md": text,
    },
    pages: {
      "src/fr/guide/a.md": "/guide/a",
      "src/fr/index.md": "/",
      "src/en/a.md": "/en/a",
      "src/en/TODO.md": null,
    },
  },
  "mdBook: the pages of its contents": {
    files: {
      "book.toml": '[book]\nsrc = "livre"',
      "livre/SUMMARY.md": "- [A](README.md)\n- [B](b/c.md)",
      "livre/README.md": text,
      "livre/b/c.md": text,
      "livre/d.md": text,
    },
    pages: { "livre/README.md": "/", "livre/b/c.md": "/b/c.html", "livre/d.md": null },
  },
}

test.each(Object.entries(cases))("%s", async (_, { files, pages, feed, dir = "." }) => {
  using folder = folderOf(files)
  const found = await readings(join(folder.path, dir), feed)
  const addresses = found.map(({ page, ...reading }) => [
    page,
    reading.outcome === "read" ? reading.document.url.replace("https://docs.example", "") : null,
  ])
  expect(Object.fromEntries(addresses.filter(([page]) => (page as string) in pages))).toEqual(pages)
})

const secret = "Le mot de passe est dans le coffre."

test.each<[string, Record<string, string>, string, string]>([
  [
    "Jekyll",
    {
      "_config.yml": "nom: Guichet",
      "_includes/note.html": "{{ include.sorte }} : {{ site.nom }}",
      "a.md": page("v: 3", '# A\n\n{% include note.html sorte="Avis" %}, {{ page.v }}'),
    },
    "a.md",
    "Avis : Guichet, 3",
  ],
  [
    "MkDocs",
    {
      "mkdocs.yml": "",
      "docs/a.md": '# A\n\n--8<-- "docs/part.txt:fin"',
      "docs/part.txt": "Début\n--8<-- [start:fin]\nLa fin.\n--8<-- [end:fin]",
    },
    "docs/a.md",
    "La fin.",
  ],
  [
    "VitePress",
    {
      ".vitepress/config.ts": "",
      "a.md": "# A\n\n<!--@include: ./parts/b.md{2,}-->",
      "parts/b.md": "Un.\nDeux.",
    },
    "a.md",
    "Deux.",
  ],
  [
    "Docusaurus",
    {
      "docusaurus.config.js": "",
      "docs/a.md": 'import Part from "./_b.mdx"\n\n# A\n\n<Part x="1" />',
      "docs/_b.mdx": "Une partie.",
    },
    "docs/a.md",
    "Une partie.",
  ],
  [
    "Hugo",
    { "hugo.toml": "", "content/a.md": '# A\n\n{{% include "b.txt" %}}', "content/b.txt": "Un texte." },
    "content/a.md",
    "Un texte.",
  ],
  [
    "mdBook",
    { "book.toml": "", "src/a.md": "# A\n\n{{#include b.txt:2}}", "src/b.txt": "Un.\nDeux." },
    "src/a.md",
    "Deux.",
  ],
])("%s: what a page includes is read in its place", async (_, files, page, expected) => {
  using folder = folderOf(files)
  expect(await textOf(folder.path, page)).toBe(expected)
})

test.each<[string, string, (target: string) => string]>([
  ["mkdocs.yml", "docs/a.md", (target) => `--8<-- "${target}"`],
  [".vitepress/config.ts", "docs/a.md", (target) => `<!--@include: ${target}-->`],
  ["_config.yml", "docs/a.md", (target) => `{% include_relative ${target} %}`],
  ["book.toml", "src/a.md", (target) => `{{#include ${target}}}`],
  ["hugo.toml", "content/a.md", (target) => `{{% include "${target}" %}}`],
])("an inclusion of a site with %s stays in the folder and ends", async (sign, name, include) => {
  using outside = folderOf({ "secret.md": secret })
  const targets = [
    "../../secret.md",
    join(outside.path, "secret.md"),
    "lien.md",
    `https://x.example/secret.md`,
  ]
  const circle = Array.from({ length: 3 }, () => include("a.md")).join("\n")
  const text = page("a: b", `# A\n\n${targets.map(include).join("\n\n")}\n\n${circle}\n\nSuite.`)
  using folder = folderOf({ [`site/${sign}`]: "", [`site/${name}`]: text, "secret.md": secret })
  symlinkSync(join(outside.path, "secret.md"), join(folder.path, "site", dirname(name), "lien.md"))
  const read = await textOf(join(folder.path, "site"), name)
  expect(read).toContain("Suite.")
  expect(read).not.toContain("coffre")
})

test("Jekyll: a tag between raw and endraw is text", async () => {
  const text =
    "# A\n\n{% raw %}\n```\n{% include_cached b.html %} {{ site.nom }}\n```\n{% endraw %}\n\n{% include b.html %}"
  using folder = folderOf({
    "_config.yml": "nom: Guichet",
    "_includes/b.html": "Une partie.",
    "a.md": page("a: b", text),
  })
  expect(await textOf(folder.path, "a.md")).toBe(
    "```\n{% include_cached b.html %} {{ site.nom }}\n```\n\nUne partie.",
  )
})

test("files that include one another many times over are read up to a limit", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [
      `p${n}.txt`,
      `{{#include p${n + 1}.txt}}\n`.repeat(30) + "x".repeat(1000),
    ]),
  )
  using folder = folderOf({
    "book.toml": 'src = "."\n[book]\nsrc = "."',
    ...files,
    "a.md": "# A\n\n{{#include p0.txt}}\n\nSuite.",
  })
  const read = await textOf(folder.path, "a.md")
  expect(read.length).toBeLessThan(2_200_000)
  expect(read).toContain("Suite.")
})

test("a link to a file leads to the address that its page has", async () => {
  using folder = folderOf({
    "_config.yml": "",
    "a.md": page("a: b", "# A\n\n[B](b.md) et {% link b.md %} et [C]({{ site.baseurl }}/c/)."),
    "b.md": page("permalink: /bienvenue/"),
  })
  expect(await textOf(folder.path, "a.md", { baseUrl: "https://docs.example/aide" })).toBe(
    "[B](https://docs.example/aide/bienvenue/) et https://docs.example/aide/bienvenue/ et [C](https://docs.example/aide/c/).",
  )
})

function readings(address: string, options: Partial<FolderFeed> = {}): Promise<PageReading[]> {
  const baseUrl = "https://docs.example"
  const feed = {
    id: "feed_1",
    projectId: "project1",
    kind: "dir",
    address,
    baseUrl,
    urlStyle: "auto",
    ...options,
  } as const
  return Array.fromAsync(dirReader(localParser)(feed, new AbortController().signal))
}

async function textOf(address: string, page: string, options: Partial<FolderFeed> = {}): Promise<string> {
  const reading = (await readings(address, options)).find((reading) => reading.page === page)
  if (reading?.outcome !== "read") throw new Error(JSON.stringify(reading))
  return reading.document.sections.map(({ markdown }) => markdown).join("\n")
}
