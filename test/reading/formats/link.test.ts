import { expect, test } from "bun:test"
import { analyse } from "../../../src/index/text/analyse.ts"
import { withoutLinkTargets } from "../../../src/reading/formats/document.ts"
import { readHtml } from "../../../src/reading/formats/html/read-html.ts"
import { linkTarget } from "../../../src/reading/formats/link.ts"
import { type MarkdownPage, readMarkdown } from "../../../src/reading/formats/markdown/read-markdown.ts"
import { pageLimits } from "../../../src/reading/formats/page-limits.ts"
import { splitDocument } from "../../../src/reading/passages/split-document.ts"

// Links of a documentation are kept with absolute https addresses; anything else stays text, and what is
// indexed is the text alone.

const url = "https://docs.exemple.fr/guide/page"

function html(body: string, head = ""): string {
  const read = readHtml(`<head>${head}</head><main><h1>P</h1><p>${body}</p></main>`, {
    path: "guide/page",
    url,
  })
  if ("leftOut" in read) throw new Error(read.leftOut)
  return read.sections.map(({ markdown }) => markdown).join("\n\n")
}

function markdown(text: string, page: Partial<MarkdownPage> = {}): string {
  const read = readMarkdown(text, { path: "guide/page", url, ...page })
  if ("leftOut" in read) throw new Error(read.leftOut)
  return read.sections.map(({ markdown }) => markdown).join("\n\n")
}

test.each([
  ["/contact", "https://docs.exemple.fr/contact"],
  ["autre#là", "https://docs.exemple.fr/guide/autre#l%C3%A0"],
  ["#ici", "https://docs.exemple.fr/guide/page#ici"],
  ["?a=b", "https://docs.exemple.fr/guide/page?a=b"],
  ["//cdn.exemple.fr/x", "https://cdn.exemple.fr/x"],
  [" https://exemple.fr/a b\n", "https://exemple.fr/a%20b"],
  ["https://exemple.fr/a_(b)[^1]*`|", "https://exemple.fr/a_%28b%29%5B%5E1%5D%2A%60%7C"],
  ["http://exemple.fr/", undefined],
  ["mailto:camille@exemple.fr", undefined],
  ["tel:+33123456789", undefined],
  ["javascript:alert(1)", undefined],
  ["java\nscript:alert(1)", undefined],
  ["data:text/html,x", undefined],
  ["https://camille:secret@exemple.fr/", undefined],
  ["https://", undefined],
  ["", undefined],
  [`/${"a".repeat(2048)}`, undefined],
  [`/${"é".repeat(1000)}`, undefined],
])("%j leads to %j", (href, target) => {
  expect(linkTarget(href, url)).toBe(target as string)
})

test.each([
  ["Voir <a href='/a'>la page</a>.", "Voir [la page](https://docs.exemple.fr/a)."],
  ["Voir <a href='/a'> <b>la</b> page </a>!", "Voir [**la** page](https://docs.exemple.fr/a) !"],
  ["<b><a href='/a'>La page</a></b> dit", "**[La page](https://docs.exemple.fr/a)** dit"],
  ["Oui !<a href='/a'>ici</a>", "Oui \\![ici](https://docs.exemple.fr/a)"],
  ["<a href='mailto:a_b@c.fr?subject=x'>Écrivez-nous</a>.", "Écrivez-nous (a_b@c.fr)."],
  ["<a href='mailto:A@b.fr'>a@b.fr</a>.", "a@b.fr."],
  ["<a href='mailto:?body=x'>Partager</a>.", "Partager."],
  ["<a href='tel:+33123456789'>Appelez</a>.", "Appelez (01 23 45 67 89)."],
  ["Tél. <a href='tel:+33123456789'>01.23.45.67.89</a>.", "Tél. 01.23.45.67.89."],
  ["<a href='tel:%0a%23%20x'>Appelez</a>.", "Appelez."],
  ["Voir <a name=x>ici</a>.", "Voir ici."],
  ["Voir <a href='/a'><img alt=i src=i.png></a> là.", "Voir là."],
  ["Voir <a href='/a'>→</a> là.", "Voir → là."],
  ["Voir <a href='/a'>[x]</a> là.", "Voir [x] là."],
  ["Voir <a href='/a'>^1</a> là.", "Voir ^1 là."],
  [
    "Voir <a href='/a'>un <span><a href='/b'>deux</a></span></a> là.",
    "Voir [un deux](https://docs.exemple.fr/a) là.",
  ],
  ["Écrivez [x](https://faux.fr) là.", "Écrivez [x\\](https://faux.fr) là."],
  ["Écrivez <code>[x](https://faux.fr)</code> là.", "Écrivez `[x](https://faux.fr)` là."],
  [`Voir <a href='/a'>${"a".repeat(501)}</a> là.`, `Voir ${"a".repeat(501)} là.`],
  ["Voir <a linkTarget='https://faux.fr' href='x:y'>ici</a> là.", "Voir ici là."],
])("%s is read as %s", (text, read) => {
  expect(html(text)).toBe(read)
})

test("a page that declares a base is read from there", () => {
  expect(html("Voir <a href='a'>là</a>.", "<base href='/fr/'>")).toBe(
    "Voir [là](https://docs.exemple.fr/fr/a).",
  )
})

const links = {
  "guide/install": "https://docs.exemple.fr/mise-en-route/",
  "guide/mon fichier": "https://docs.exemple.fr/f",
}

test.each<[string, Partial<MarkdownPage>, string | undefined]>([
  ["install.md", { links }, "/mise-en-route/"],
  ["./install.md#sous-linux", { links }, "/mise-en-route/#sous-linux"],
  ["../guide/install.mdx", { links }, "/mise-en-route/"],
  ["/guide/install.md", { links }, "/mise-en-route/"],
  ["mon%20fichier.md", { links }, "/f"],
  ["../../ailleurs.md", { links }, undefined],
  ["absent.md", { links }, undefined],
  ["./autre", { links }, "/guide/autre"],
  ["install.md", {}, "/guide/install"],
  ["https://docs.exemple.fr/x.md", { links }, "/x.md"],
])("in a Markdown file, %s of a site %j leads to %p", (link, page, path) => {
  const read = markdown(`Voir [la page](${link}) là.`, page)
  expect(read).toBe(path ? `Voir [la page](https://docs.exemple.fr${path}) là.` : "Voir la page là.")
})

test("an image in a sentence says its text, and the link around one shows nothing", () => {
  expect(markdown("Texte ![i](https://x.fr/i.png) et [![b](https://x.fr/b.svg)](https://x.fr) fin.")).toBe(
    "Texte i et fin.",
  )
})

test("the terms and the passages are those of the text without links", () => {
  const items = Array.from(
    { length: 200 },
    (_, n) => `- L’[option ${n}](/o/${"x".repeat(40)}${n})s règle « ${n} ».`,
  )
  const linked = `# T\n\n${items.join("\n")}\n`
  const plain = linked.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
  const passagesOf = (text: string) => {
    const read = readMarkdown(text, { path: "p", url })
    return "leftOut" in read
      ? []
      : splitDocument(read).map((one) => analyse(withoutLinkTargets(one.markdown), "fr"))
  }
  expect(passagesOf(linked)).toEqual(passagesOf(plain))
  expect(passagesOf(linked).length).toBeGreaterThan(1)
})

test("links of one page keep a bounded number of characters, and their text in any case", () => {
  const read = readHtml(`<main>${"<p>Un <a href=x>lien</a>.</p>".repeat(20_000)}</main>`, {
    path: "p",
    url: `https://docs.exemple.fr/${"a".repeat(1900)}/p`,
  })
  const text = "leftOut" in read ? "" : (read.sections[0]?.markdown ?? "")
  expect(text.length).toBeLessThan(pageLimits.linkCharacters + 20_000 * 20)
  expect(text).toEndWith("Un lien.")
})
