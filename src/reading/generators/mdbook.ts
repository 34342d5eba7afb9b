import { withDashes } from "../formats/markdown/anchors.ts"
import type { Include, SiteGenerator } from "./kit/generator.ts"
import { asFolder, ended, lastName, notInContents, parentFolder, record, word } from "./kit/generator.ts"
import { between, lineRange } from "./kit/includes.ts"
import { listedPages } from "./kit/listed-pages.ts"

/** https://rust-lang.github.io/mdBook/ */
export const mdbook: SiteGenerator = {
  name: "mdBook",
  signs: ["book.toml"],
  async rules(site) {
    const config = await site.settings("book.toml")
    const folder = asFolder(word(record(config["book"])["src"]) ?? "src")
    const listed = listedPages(await site.text(`${folder}SUMMARY.md`), "")

    return {
      roots: [{ folder, route: "/" }],
      routeOf(page) {
        if (listed && !listed.has(page.path + page.extension)) return notInContents
        const isFolder = /^(?:index|readme)$/i.test(lastName(page.path))
        return {
          path: isFolder ? `/${parentFolder(page.path)}` : ended(`/${page.path}`, site.style ?? "html"),
        }
      },
      includes: [include],
      anchors: record(record(config["output"])["html"])["smart-punctuation"] === false ? "straight" : "usual",
    }
  },
  anchors: { usual: { slug: slugified, typography: withDashes }, straight: { slug: slugified } },
  dialect: {},
}

/** Accents stay, blanks become hyphens: créer-lété. */
function slugified(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\-\s]/gu, "")
    .replace(/\s/g, "-")
}

/** `{{#include file.rs:2:10}}`, `{{#rustdoc_include file.rs:anchor}}` */
const include: Include = {
  pattern: /(\\?)\{\{[ \t]*#(?:include|rustdoc_include|playground)[ \t]([^{}]*)\}\}/g,
  of([, escaped, given = ""], { folder }) {
    if (escaped) return undefined
    const [file = "", first, last] = (given.trim().split(/\s/, 1)[0] ?? "").split(":")
    return {
      paths: [folder + file],
      part: namedPart(first, last) ?? (/\.md$/.test(file) ? undefined : (text) => text),
    }
  },
}

function namedPart(
  first: string | undefined,
  last: string | undefined,
): ((text: string) => string) | undefined {
  if (first === undefined) return undefined
  if (/^\d*$/.test(first))
    return lineRange(
      Number(first || 1),
      last === undefined ? Number(first) : Number(last) || Number.POSITIVE_INFINITY,
    )
  const mark = /ANCHOR(_END)?:[ \t]*([\w-]+)/
  return between(
    (line) => mark.exec(line)?.[2] === first && mark.exec(line)?.[1] === undefined,
    (line) => mark.exec(line)?.[2] === first && mark.exec(line)?.[1] !== undefined,
    (line) => mark.test(line),
  )
}
