import { expect, test } from "bun:test"
import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import type { FolderFeed, PageReading } from "../../../../src/reading/feed.ts"
import { dirReader } from "../../../../src/reading/kinds/folder/dir.ts"
import { generatorOf } from "../../../../src/reading/kinds/folder/site.ts"
import { localParser } from "../../../../src/reading/parser.ts"
import { inEnglish } from "../../../../src/wording/english.ts"
import { folderOf } from "../../../support/folder-of.ts"

const page = "# A\n\n## L'été 2\n\nTexte"
const gravPage = (attributes: string) => `---\ntitle: A\n${attributes}\n---\nTexte`

test.each<[string | undefined, string, Record<string, string>]>([
  ["docusaurus", "docs", { "docusaurus.config.ts": "" }],
  ["docusaurus", "i18n/fr/docusaurus-plugin-content-docs/current", { "docusaurus.config.js": "" }],
  ["vitepress", "docs", { "docs/.vitepress/config.ts": "" }],
  ["mkdocs", "docs", { "mkdocs.yml": "" }],
  ["gitbook", ".", { "SUMMARY.md": "* [A](a.md)", "a.md": page }],
  ["gitbook", ".", { ".gitbook.yaml": "" }],
  ["gitbook", "docs", { ".gitbook.yaml": "root: ./docs/" }],
  ["grav", "pages", { "config/site.yaml": "", "pages/home/docs.md": page }],
  ["grav", "site", { "site/user/pages/home/docs.md": page }],
  ["grav", "docs", { "docs/01.guide/docs.md": gravPage("taxonomy:\n  category: docs") }],
  [undefined, "docs", { "docs/01.guide/docs.md": gravPage("tags: a") }],
  ["mdbook", "src", { "book.toml": "", "src/SUMMARY.md": "* [A](a.md)" }],
  [undefined, "src", { "book.json": "", "src/SUMMARY.md": "* [A](a.md)" }],
  ["jekyll", "docs", { "_config.yml": "" }],
  [undefined, "docs", { "_config.yml": "", "_toc.yml": "" }],
  ["hugo", "content/fr", { "hugo.toml": "" }],
  ["hugo", "content", { "config.toml": "", "archetypes/a.md": "" }],
  [undefined, "content", { "config.toml": "", "templates/a.html": "" }],
  ["eleventy", "docs", { ".eleventy.js": "" }],
  ["starlight", ".", { "astro.config.mjs": "", "src/content/docs/a.md": page }],
  ["sphinx", "docs", { "docs/conf.py": "" }],
  ["nuxt", "content", { "nuxt.config.ts": "", "content/a.md": page }],
  ["mkdocs", "docs", { "properdocs.yml": "" }],
  [undefined, "docs", { "docs/a.md": page }],
  [undefined, "a/b/c/d/e", { "mkdocs.yml": "" }],
  [undefined, "repo/docs", { "mkdocs.yml": "", "repo/.git/HEAD": "" }],
])("the generator is %s, told by its files in or above %s", async (generator, dir, files) => {
  using folder = folderOf(files)
  mkdirSync(join(folder.path, dir), { recursive: true })
  expect(await generatorOf(feed(join(folder.path, dir)))).toEqual(generator as "grav")
})

test("the generator that the owner sets is right, whatever the files tell", async () => {
  using folder = folderOf({ "mkdocs.yml": "", "a.md": page })
  const anchors = await Promise.all(
    ([undefined, "gitbook", "vitepress", "docusaurus"] as const).map(async (generator) => {
      const [reading] = await readings(folder.path, { generator })
      return reading?.outcome === "read" && reading.document.sections[0]?.anchor
    }),
  )
  expect(anchors).toEqual(["lete-2", "lete-2", "l-ete-2", "lété-2"])
})

test("the settings of a site are read in its folder only", async () => {
  using outside = folderOf({ "mkdocs.yml": "use_directory_urls: false" })
  using folder = folderOf({ "a.md": page })
  symlinkSync(join(outside.path, "mkdocs.yml"), join(folder.path, "mkdocs.yml"))
  expect(urlsOf(await readings(folder.path))).toEqual(["https://docs.example/a/"])
})

test.each<[string, Record<string, string>, string]>([
  ["MkDocs ends addresses with a slash", { "mkdocs.yml": "" }, "/guide/a/"],
  ["unless its settings say otherwise", { "mkdocs.yml": "use_directory_urls: false" }, "/guide/a.html"],
  ["VitePress ends them with .html", { ".vitepress/config.ts": "export default {}" }, "/guide/a.html"],
  ["unless its addresses are clean", { ".vitepress/config.ts": "{ cleanUrls: true }" }, "/guide/a"],
  ["Docusaurus leaves the end out", { "docusaurus.config.js": "" }, "/guide/a"],
  ["unless it adds a slash", { "docusaurus.config.js": "{ trailingSlash: true }" }, "/guide/a/"],
  ["GitBook leaves the end out", { ".gitbook.yaml": "" }, "/guide/a"],
  ["so does an unknown generator", {}, "/guide/a"],
])("%s", async (_, settings, path) => {
  using folder = folderOf({ ...settings, "guide/a.md": page })
  expect(urlsOf(await readings(folder.path))).toEqual([`https://docs.example${path}`])
  expect(urlsOf(await readings(folder.path, { urlStyle: "slash" }))).toEqual([
    "https://docs.example/guide/a/",
  ])
})

test("pages count from the folder that the site's settings name", async () => {
  using folder = folderOf({ "mkdocs.yml": "docs_dir: pages", "pages/a.md": page, "README.md": page })
  const found = await readings(folder.path)
  expect(urlsOf(found)).toEqual(["https://docs.example/a/"])
  expect(leftOut(found)).toEqual([["README.md", "outside the pages of the site"]])
})

test("GitBook: lower case without accents, a README is its folder, and only what SUMMARY.md lists is a page", async () => {
  using folder = folderOf({
    "SUMMARY.md":
      "* [A](README.md)\n  * [B](Guide-PO/README.md)\n  * [C](<Guide-PO/été (1).md>)\n  * [D](guide%20b.md#x)\n  * [E](https://e.example/e.md)",
    "README.md": page,
    "Guide-PO/README.md": page,
    "Guide-PO/été (1).md": page,
    "guide b.md": page,
    "brouillon.md": page,
  })
  const found = await readings(folder.path)
  expect(urlsOf(found)).toEqual([
    "https://docs.example/",
    "https://docs.example/guide-b",
    "https://docs.example/guide-po",
    "https://docs.example/guide-po/ete-1",
  ])
  expect(leftOut(found)).toEqual([
    ["SUMMARY.md", "a table of contents or an error page"],
    ["brouillon.md", "not in SUMMARY.md: it is not published"],
  ])
})

test("Docusaurus: numbers are dropped, dates are not, and the front matter has the last word", async () => {
  using folder = folderOf({
    "docusaurus.config.js": "",
    "01-debut/02-installer.md": page,
    "01-debut/index.md": page,
    "2024-01-05-nouvelle.md": page,
    "guide/guide.md": page,
    "02-guide/a.md": `---\nid: prendre-en-main\n---\n${page}`,
    "02-guide/b.md": `---\nslug: ../ailleurs\n---\n${page}`,
    "02-guide/c.md": `---\nslug: /racine\n---\n${page}`,
    "02-guide/d.md": `---\nslug: autre\nid: rien\n---\n${page}`,
  })
  expect(urlsOf(await readings(folder.path))).toEqual([
    "https://docs.example/2024-01-05-nouvelle",
    "https://docs.example/ailleurs",
    "https://docs.example/debut/",
    "https://docs.example/debut/installer",
    "https://docs.example/guide/",
    "https://docs.example/guide/autre",
    "https://docs.example/guide/prendre-en-main",
    "https://docs.example/racine",
  ])
})

const gravSite = {
  "pages/01.home/default.md": gravPage(""),
  "pages/02.Guide/chapter.md": gravPage("routes:\n  default: '/aide'"),
  "pages/02.Guide/10.installer/docs.md": gravPage(""),
  "pages/02.Guide/10.installer/docs.fr.md": gravPage(""),
  "pages/02.Guide/20.regler/docs.fr.md": gravPage("slug: reglages"),
  "pages/02.Guide/20.regler/autre.fr.md": gravPage(""),
  "pages/02.Guide/30.absent/05.page/docs.md": gravPage("routes:\n  default: /page"),
  "pages/02.Guide/40.cache/docs.md": gravPage("routable: false"),
  "README.md": page,
}

test("Grav: a folder is a page, its numbers are dropped, `routes` and `slug` hold for the pages below", async () => {
  using folder = folderOf({ ...gravSite, "config/site.yaml": "" })
  const found = await readings(folder.path)
  expect(urlsOf(found)).toEqual([
    "https://docs.example/",
    "https://docs.example/aide",
    "https://docs.example/aide/installer",
    "https://docs.example/fr/aide/installer",
    "https://docs.example/fr/aide/regler",
    "https://docs.example/page",
  ])
  expect(leftOut(found)).toEqual([
    ["README.md", "outside the pages of the site"],
    ["pages/02.Guide/20.regler/docs.fr.md", "another file of the same page was read"],
    ["pages/02.Guide/40.cache/docs.md", "routable: false in its front matter"],
  ])
})

test("Grav: the default language stands in addresses if the site says so", async () => {
  const system = "languages:\n  supported: [en, fr]\n  default_lang: en\n"
  for (const [setting, start] of [
    ["true", "/en/"],
    ["false", "/"],
  ]) {
    using folder = folderOf({
      "config/system.yaml": `${system}  include_default_lang: ${setting}\n`,
      "pages/01.guide/docs.md": gravPage(""),
    })
    expect(urlsOf(await readings(join(folder.path, "pages")))).toEqual([`https://docs.example${start}guide`])
  }
})

test("Grav: under the address of one language, its pages are read, and others where it has none", async () => {
  using folder = folderOf({ ...gravSite, "config/site.yaml": "" })
  const found = await readings(join(folder.path, "pages"), { baseUrl: "https://docs.example/fr" })
  expect(urlsOf(found)).toEqual([
    "https://docs.example/fr/",
    "https://docs.example/fr/aide",
    "https://docs.example/fr/aide/installer",
    "https://docs.example/fr/aide/regler",
    "https://docs.example/fr/page",
  ])
  expect(leftOut(found)).toContainEqual(["02.Guide/10.installer/docs.md", "in another language than fr"])
})

test("Grav: a reading that goes on knows the addresses of what was read before", async () => {
  using folder = folderOf({ ...gravSite, "config/site.yaml": "" })
  const before = new Map([["pages/02.Guide/chapter.md", "https://docs.example/aide"]])
  const read = dirReader(localParser)(feed(folder.path), new AbortController().signal, before)
  const found = (await Array.fromAsync(read)).filter(({ page }) => !before.has(page))
  expect(urlsOf(found)).toContain("https://docs.example/aide/installer")
})

function readings(address: string, options: Partial<FolderFeed> = {}): Promise<PageReading[]> {
  return Array.fromAsync(dirReader(localParser)(feed(address, options), new AbortController().signal))
}

function feed(address: string, options: Partial<FolderFeed> = {}): FolderFeed {
  const baseUrl = "https://docs.example"
  return { id: "feed_1", projectId: "project1", kind: "dir", address, baseUrl, urlStyle: "auto", ...options }
}

function urlsOf(found: PageReading[]): string[] {
  return found.flatMap((reading) => (reading.outcome === "read" ? [reading.document.url] : [])).sort()
}

function leftOut(found: PageReading[]) {
  return found
    .flatMap((reading) =>
      reading.outcome === "left_out" ? [[reading.page, reading.detail && inEnglish(reading.detail)]] : [],
    )
    .sort()
}
