import { expect, test } from "bun:test"
import { decodeText } from "../../src/outbound/charset.ts"
import { readLinks, readParts } from "../../src/reading/kinds/lists/llms-file.ts"
import { readSitemapFile } from "../../src/reading/kinds/lists/sitemap-file.ts"
import { declaredCanonical } from "../../src/reading/kinds/web/canonical.ts"
import { limits } from "../../src/reading/kinds/web/network.ts"
import { forbidsIndexing } from "../../src/reading/kinds/web/page.ts"
import { pagePath, pageUrl } from "../../src/reading/kinds/web/page-path.ts"
import { timesPlainWork } from "../support/processor.ts"

/**
 * A page's, a list's and a header's reader take texts of very different sizes: this one shows a square of the
 * length in each.
 */
const size = limits.pageBytes / 2
const found = new URL("https://docs.example/guide")
const bytes = (text: string) => new TextEncoder().encode(text)

function filled(unit: string, before = "", after = ""): string {
  return before + unit.repeat((size - before.length - after.length) / unit.length) + after
}

/** Distinct parts of a text of that size. */
function counted(part: (n: number) => string): string {
  return Array.from({ length: size / 12 }, (_, n) => part(n)).join("")
}

const marks = "\u0300".repeat(size / 4) + "\u0316".repeat(size / 4)

/** Each reader with a text that somebody wrote, and those that were made to wear it out, of the same size. */
const readers: [string, (text: string) => unknown, string, string[]][] = [
  [
    "canonicalOf",
    (text) => declaredCanonical(text, found),
    filled("<link rel=stylesheet href=/a.css>\n", "<html><head>"),
    [
      filled("<b>"),
      filled("<head>"),
      filled("</i>", "<b>".repeat(99)),
      filled("<body"),
      filled(" a", "<link"),
      filled("é.", "<link rel=canonical href='https://", "'>"),
      `<link rel=canonical href='https://a${marks}'>`,
      `<base href='https://a${marks}'><link rel=canonical href=b>`,
    ],
  ],
  [
    "linksOf",
    readLinks,
    filled("- [Installer](https://docs.example/installer): comment faire\n", "# A\n\n"),
    [
      filled("- "),
      filled("- [a]("),
      filled("<li>"),
      filled("<ul><li>"),
      filled("<ul><li>", "", "</i>".repeat(1000)),
      filled("</i>", "<b>".repeat(199)),
      filled("[a]", `[a]: /${"b".repeat(size / 2)}\n\n- `),
      filled("|\n", `|${"a|".repeat(120)}\n|${"-|".repeat(120)}\n`),
    ],
  ],
  [
    "partsOf",
    readParts,
    filled("# A\n\nSource: https://docs.example/a\n\nDu texte de la page.\n\n"),
    [
      filled("\n"),
      filled("# a\n"),
      "# a\n".repeat(size / 8) + "\n".repeat(size / 2),
      filled(" ", "# a\nsource:", "x"),
      filled("```\n"),
      filled("`"),
      filled("\r\n"),
    ],
  ],
  [
    "readSitemapFile",
    (text) => readSitemapFile(bytes(text)),
    filled("<url><loc>https://docs.example/page</loc></url>\n", "<urlset>", "</urlset>"),
    [
      filled("<a>", "<urlset>"),
      filled("<url/>", "<urlset>", "</urlset>"),
      filled("&amp;", "<urlset><url><loc>", "</loc></url></urlset>"),
      filled("a<b/>", "<urlset><url><loc>", "</loc></url></urlset>"),
      filled("<!--", "<urlset>"),
      filled("<![CDATA[", "<urlset>"),
      filled("\n"),
      filled(" \n"),
      filled("https://a\n"),
      filled("a", "https://"),
      `<urlset>${counted((n) => `<a${n}/>`)}</urlset>`,
    ],
  ],
  [
    "a robots tag",
    forbidsIndexing,
    filled("googlebot: nosnippet, "),
    [filled(","), filled("a:"), filled(" ", "a", ":x"), filled("max-"), filled("noindex,")],
  ],
  [
    "decodeText",
    (text) => decodeText(bytes(text), text),
    filled("Du texte de la page. "),
    [filled("<meta "), filled("charset "), filled(" ", "charset", "x"), filled("charset="), filled("\u0300")],
  ],
  [
    "pageUrl",
    (text) => pageUrl(text, found.href),
    `https://docs.example/${"page/".repeat(400)}`,
    [`https://a${marks}`, filled("é.", "https://"), filled("/"), filled(" ", "", "x"), filled("%e9")],
  ],
  [
    "pagePath",
    (text) => pagePath(new URL(text, found), found.host),
    `/${"page/".repeat(400)}`,
    [
      `/${".html".repeat(400)}x`,
      `/a${"/".repeat(2000)}x`,
      `/${"index.".repeat(300)}`,
      `/a${".".repeat(2000)}`,
    ],
  ],
]

test.each(readers)(
  "%s takes no longer for a text made to wear it out than for what somebody wrote",
  async (_, read, harmless, hostile) => {
    const most = 20 * (await timesPlainWork(() => read(harmless), 0)) + 10
    for (const text of hostile) {
      const times = await timesPlainWork(() => read(text), most)
      expect({ text: text.slice(0, 50), isQuick: times <= most || times }).toEqual({
        text: text.slice(0, 50),
        isQuick: true,
      })
    }
  },
)
