import { describe, expect, test } from "bun:test"
import { makeOdt } from "../../../support/office.ts"
import { makePdf } from "../../../support/pdf.ts"
import { readSitemap } from "../../../support/read-sitemap.ts"
import { html, page, sitemap, testNetwork } from "../../../support/site.ts"

const pdf = (text: string, type = "application/pdf") =>
  new Response(makePdf([[{ text: `${text} de la commune`, y: 80 }]]), { headers: { "content-type": type } })

function linking(title: string, ...links: string[]): string {
  const items = links.map((link) => `<li><a href="${link}">${link}</a></li>`)
  return page(title).replace("</main>", `<ul>${items.join("")}</ul></main>`)
}

describe("a document that a list names", () => {
  test("is read by what it holds, whatever its type and its name", async () => {
    const { of, documents, origin } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemap(
        `${origin}/a.pdf`,
        `${origin}/telecharger`,
        `${origin}/b.odt`,
        `${origin}/c.zip`,
      ),
      "/a.pdf": pdf("Le plan"),
      "/telecharger": pdf("Le règlement", "application/octet-stream"),
      "/b.odt": new Response(makeOdt("<text:p>Les horaires de la piscine</text:p>")),
      "/c.zip": new Response("PK\u0003\u0004"),
    }))
    expect(documents.map(({ url, format }) => [url.replace(origin, ""), format]).sort()).toEqual([
      ["/a.pdf", "pdf"],
      ["/b.odt", "odt"],
      ["/telecharger", "pdf"],
    ])
    expect(documents.find(({ url }) => url.endsWith("/a.pdf"))?.sections[0]).toMatchObject({
      anchor: "page=1",
    })
    expect(of("/c.zip")).toBe("left_out: unreadable")
  })

  test("obeys X-Robots-Tag, and may be larger than a page", async () => {
    const large = new Uint8Array(6 * 1024 * 1024)
    large.set(makePdf([[{ text: "Le grand plan de la commune", y: 80 }]]))
    const { of } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemap(`${origin}/a.pdf`, `${origin}/b.pdf`),
      "/a.pdf": new Response(makePdf([]), { headers: { "x-robots-tag": "noindex" } }),
      "/b.pdf": new Response(large, { headers: { "content-type": "application/pdf" } }),
    }))
    expect(of("/a.pdf")).toBe("left_out: noindex")
    expect(of("/b.pdf")).toBe("read")
  })
})

describe("a document that pages link to", () => {
  const pages = (origin: string) => ({
    "/sitemap.xml": sitemap(`${origin}/a`, `${origin}/b`),
    "/a": linking("A", "/plan.pdf", "ailleurs.html", "https://ailleurs.exemple.fr/x.pdf", "/perdu.pdf"),
    "/b": linking("B", "/plan.pdf#page=2", "/connexion.pdf"),
    "/plan.pdf": pdf("Le plan"),
    "/connexion.pdf": html(page("Connexion")),
  })

  test("is read where the feed asks for it, once, and from the project's own sites", async () => {
    const off = await readSitemap(pages)
    expect(off.log.join()).not.toContain("pdf")
    const { of, log } = await readSitemap(pages, testNetwork(), [], { documents: true })
    expect(of("/plan.pdf")).toBe("read")
    expect(log.filter((line) => line === "GET /plan.pdf")).toHaveLength(1)
    expect(of("/perdu.pdf")).toBe("gone")
    expect(of("/connexion.pdf")).toBe("left_out: not_html")
    expect(of("/x.pdf")).toBe("left_out: foreign_host")
  })

  test("comes before its page, which a reading that was cut off reads again", async () => {
    const { readings } = await readSitemap(pages, testNetwork(), [], { documents: true })
    const at = (path: string) => readings.findIndex(({ page }) => page.endsWith(path))
    expect(at("/plan.pdf")).toBeLessThan(Math.max(at("/a"), at("/b")))
    expect(at("/perdu.pdf")).toBeLessThan(at("/a"))
  })

  test("stays where the pattern, the link or the page say so", async () => {
    const { log } = await readSitemap(
      (origin) => ({
        "/sitemap.xml": sitemap(`${origin}/a`, `${origin}/b`),
        "/a": linking("A", "/prive/x.pdf").replace("</main>", '<a rel="nofollow" href="/y.pdf">Y</a></main>'),
        "/b": linking("B", "/z.pdf").replace("</head>", '<meta name="robots" content="nofollow"></head>'),
      }),
      testNetwork(),
      [],
      { documents: true, exclude: ["prive/**"] },
    )
    expect(log.join()).not.toContain("pdf")
  })

  test("is kept while a page that may link to it cannot be read", async () => {
    const failing = (origin: string) => ({ ...pages(origin), "/b": new Response("", { status: 500 }) })
    const { of } = await readSitemap(failing, testNetwork(), [], { documents: true })
    expect(of("/b")).toBe("failed: answered 500 (list incomplete)")
  })
})
