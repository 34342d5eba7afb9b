import { expect, test } from "bun:test"
import type { Generator } from "../../../src/reading/generators/names.ts"
import { recognised } from "../../support/generator-site.ts"

const page = "# A\n\nTexte"
const contents = "* [A](a.md)"
const gravPage = (header: string) => `---\ntitle: A\n${header}\n---\nTexte`

test.each<[Generator, string, Record<string, string>]>([
  ["docusaurus", "docs", { "docusaurus.config.ts": "" }],
  ["docusaurus", "i18n/fr/docusaurus-plugin-content-docs/current", { "docusaurus.config.js": "" }],
  ["eleventy", "docs", { ".eleventy.js": "" }],
  ["gitbook", ".", { "SUMMARY.md": contents, "a.md": page }],
  ["gitbook", ".", { ".gitbook.yaml": "" }],
  ["gitbook", "docs", { ".gitbook.yaml": "root: ./docs/" }],
  ["grav", "pages", { "config/site.yaml": "", "pages/home/docs.md": page }],
  ["grav", "site", { "site/user/pages/home/docs.md": page }],
  ["grav", "docs", { "docs/01.guide/docs.md": gravPage("taxonomy:\n  category: docs") }],
  ["hugo", "content/fr", { "hugo.toml": "" }],
  ["hugo", "content", { "config.toml": "", "archetypes/a.md": "" }],
  ["jekyll", "docs", { "_config.yml": "" }],
  ["mdbook", "src", { "book.toml": "", "src/SUMMARY.md": contents }],
  ["mkdocs", "docs", { "mkdocs.yml": "" }],
  ["mkdocs", "docs", { "properdocs.yml": "" }],
  ["nuxt", "content", { "nuxt.config.ts": "", "content/a.md": page }],
  ["sphinx", "docs", { "docs/conf.py": "" }],
  ["starlight", ".", { "astro.config.mjs": "", "src/content/docs/a.md": page }],
  ["vitepress", "docs", { "docs/.vitepress/config.ts": "" }],
  ["vitepress", "docs", { "docs/.vuepress/config.js": "" }],
  ["zola", "content", { "config.toml": "", "templates/a.html": "", "content/a.md": page }],
  ["zola", "content", { "zola.toml": "", "content/a.md": page }],
])("a folder of %s is told by its settings, in %s: %j", async (generator, dir, files) => {
  expect(await recognised(files, dir)).toBe(generator)
})

test.each<[string, string, Record<string, string>]>([
  [
    "a book of HonKit, which has contents as GitBook has",
    "src",
    { "book.json": "", "src/SUMMARY.md": contents },
  ],
  ["numbered folders alone", "docs", { "docs/01.guide/docs.md": gravPage("tags: a") }],
  ["a Jupyter Book, which has a _config.yml", "docs", { "_config.yml": "", "_toc.yml": "" }],
  ["a site of Nuxt without content", "pages", { "nuxt.config.ts": "", "pages/a.md": page }],
  ["a site of Astro without Starlight", ".", { "astro.config.mjs": "", "src/pages/a.md": page }],
])("no generator is told by %s", async (_, dir, files) => {
  expect(await recognised(files, dir)).toBeUndefined()
})
