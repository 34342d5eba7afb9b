import { expect, test } from "bun:test"
import { documentLimits } from "../../../../src/reading/kinds/web/document-links.ts"
import { makePdf } from "../../../support/pdf.ts"
import { readSitemap } from "../../../support/read-sitemap.ts"
import { page, sitemap, testNetwork } from "../../../support/site.ts"

const pdf = (text: string, type = "application/pdf") =>
  new Response(makePdf([[{ text: `${text} de la commune`, y: 80 }]]), { headers: { "content-type": type } })

function linking(title: string, ...links: string[]): string {
  const items = links.map((link) => `<li><a href="${link}">${link}</a></li>`)
  return page(title).replace("</main>", `<ul>${items.join("")}</ul></main>`)
}

test("a document that a page links to is one of a bounded number", async () => {
  const { ofPage, ofFeed } = documentLimits
  const links = (part: number) => Array.from({ length: ofPage + 20 }, (_, at) => `/${part}-${at}.pdf`)
  const parts = Array.from({ length: ofFeed / ofPage + 1 }, (_, at) => at)
  const { documents, readings } = await readSitemap(
    (origin) => ({
      "/sitemap.xml": sitemap(...parts.map((part) => `${origin}/p${part}`)),
      ...Object.fromEntries(parts.map((part) => [`/p${part}`, linking(`P${part}`, ...links(part))])),
      ...Object.fromEntries(parts.flatMap(links).map((link) => [link, pdf("Le plan")])),
    }),
    testNetwork(),
    [],
    { documents: true },
  )
  expect(documents.filter(({ format }) => format === "pdf")).toHaveLength(ofFeed)
  // One beyond what each page may link to, and one beyond what the feed may.
  const told = { reason: "limit", detail: { code: "reading.tooManyDocuments" } }
  const leftOut = readings.filter((reading) => reading.outcome === "left_out")
  expect(leftOut).toMatchObject(Array.from({ length: parts.length + 1 }, () => told))
})
