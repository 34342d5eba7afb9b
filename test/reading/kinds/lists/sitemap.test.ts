import { describe, expect, test } from "bun:test"
import { gzipSync } from "node:zlib"
import { detail } from "../../../../src/base/errors.ts"
import { localParser } from "../../../../src/reading/parser.ts"
import { feedReader } from "../../../../src/reading/reader.ts"
import { readAll, reasonOf } from "../../../support/feed.ts"
import { readSitemap, refusedSitemap } from "../../../support/read-sitemap.ts"
import {
  type Answer,
  html,
  markdown,
  page,
  sitemap,
  sitemapIndex,
  startSite,
  testNetwork,
  xml,
} from "../../../support/site.ts"

function urlset(...addresses: string[]): string {
  const urls = addresses.map((address) => `<url><loc>${address}</loc></url>`)
  return `<?xml version="1.0"?><urlset>${urls.join("")}</urlset>`
}

describe("what is read", () => {
  test("every page of a sitemap becomes a document with its path, url and text", async () => {
    const { documents } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemap(`${origin}/`, `${origin}/guide/d%C3%A9marrer.html`, `${origin}/guide/api/`),
      "/": page("Accueil"),
      "/guide/d%C3%A9marrer.html": page("Démarrer"),
      "/guide/api/": page("API"),
    }))
    expect(documents.map(({ path, title }) => `${path}: ${title}`).sort()).toEqual([
      "guide/api: API",
      "guide/démarrer: Démarrer",
      "index: Accueil",
    ])
    const started = documents.find(({ title }) => title === "Démarrer")
    expect(started?.url).toEndWith("/guide/d%C3%A9marrer.html")
    expect(started?.sections[0]?.markdown).toBe("Texte de Démarrer.")
  })

  test("an index leads to its sitemaps, of which some are packed", async () => {
    const { documents, of } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemapIndex(
        `${origin}/a.xml`,
        `${origin}/b.xml.gz`,
        `${origin}/c.txt`,
        `${origin}/d.xml`,
      ),
      "/a.xml": sitemap(`${origin}/a`),
      "/b.xml.gz": async () => new Response(gzipSync(await sitemap(`${origin}/b`).text())),
      "/c.txt": new Response(`\ufeff${origin}/c1\r\n\r\n${origin}/c2\n`),
      "/d.xml": async () =>
        new Response(gzipSync(await sitemap(`${origin}/d`).text()), {
          headers: { "content-encoding": "gzip" },
        }),
      ...Object.fromEntries(["/a", "/b", "/c1", "/c2", "/d"].map((path) => [path, page(path)])),
    }))
    expect(documents).toHaveLength(5)
    expect(of("/b")).toBe("read")
  })

  test.each<[string, (origin: string) => string | Buffer<ArrayBuffer>]>([
    [
      "warnings before the declaration",
      (o) => `\ufeff\n<br />\n<b>Warning</b>: in x.php\n${urlset(`${o}/a`)}`,
    ],
    [
      "a comment and no declaration",
      (o) => `<!-- made by hand -->\n<urlset><url><loc>${o}/a</loc></url></urlset>`,
    ],
    ["blanks and capitals", (o) => `<URLSET><URL>\n<Loc>\n ${o}/a \n</Loc></URL></URLSET>`],
    ["characters as CDATA", (o) => `<urlset><url><loc><![CDATA[${o}/a]]></loc></url></urlset>`],
    [
      "Latin 1",
      (o) =>
        Buffer.from(`<?xml version="1.0" encoding="iso-8859-1"?><!-- été -->${urlset(`${o}/a`)}`, "latin1"),
    ],
    [
      "RSS",
      (o) =>
        `<rss version="2.0"><channel><link>${o}/</link><item><title>A</title><link>${o}/a</link></item></channel></rss>`,
    ],
    [
      "RSS 2.0 without link, as feedgen 1.0 writes an entry with `guid(…, permalink=True)` alone",
      (o) =>
        `<rss version="2.0"><channel><item><guid isPermaLink="true">${o}/a</guid></item><item><guid isPermaLink="false">${o}/b</guid></item></channel></rss>`,
    ],
    [
      "RSS 1.0",
      (o) =>
        `<rdf:RDF xmlns:rdf="x"><channel><link>${o}/</link></channel><item><link>${o}/a</link></item></rdf:RDF>`,
    ],
    [
      "Atom",
      (o) =>
        `<feed><link href="${o}/"/><entry><link rel="edit" href="${o}/e"/><link href="/a"/></entry></feed>`,
    ],
  ])("as search engines read it: %s", async (_, list) => {
    const { documents } = await readSitemap((origin) => ({
      "/sitemap.xml": new Response(list(origin)),
      "/a": page("A"),
    }))
    expect(documents.map(({ path }) => path)).toEqual(["a"])
  })

  test("a `guid` of RSS that is only a name leads to no page", async () => {
    const { readings } = await readSitemap((o) => ({
      "/sitemap.xml": xml(
        `<rss version="2.0"><channel><item><link>${o}/a</link></item><item><guid>billet-12</guid></item></channel></rss>`,
      ),
      "/a": page("A"),
    }))
    expect(readings).toHaveLength(1)
  })

  test("an & and entities of HTML in addresses are read as they are meant", async () => {
    const { documents } = await readSitemap((origin) => ({
      "/sitemap.xml": xml(
        `<urlset><url><loc>${origin}/a?x=1&copy=2&amp;y=3</loc></url><url><loc>${origin}/&eacute;t&#233;</loc></url></urlset>`,
      ),
      "/a": page("A"),
      "/%C3%A9t%C3%A9": page("Été"),
    }))
    expect(documents.map(({ path }) => path).sort()).toEqual(["a?x=1&copy=2&y=3", "été"])
  })

  test("a list of pages on another host names the option that declares it", async () => {
    const reason = await refusedSitemap(() => ({
      "/sitemap.xml": sitemap("https://www.exemple.fr/a", "https://www.exemple.fr/b"),
    }))
    expect(reason).toContain("https://www.exemple.fr")
    expect(reason).toContain("--origin https://www.exemple.fr")
  })

  test("so does a list whose pages all redirect to another host", async () => {
    const reason = await refusedSitemap((origin) => ({
      "/sitemap.xml": sitemap(`${origin}/a`),
      "/a": Response.redirect("https://www.exemple.fr/a", 301),
    }))
    expect(reason).toContain("--origin https://www.exemple.fr")
  })

  test("addresses that are too long are dropped, and counted by the list they stood in", async () => {
    const long = "a".repeat(2048)
    const { documents, readings, of } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemapIndex(`${origin}/a.xml`, `${origin}/b.txt`, `${origin}/${long}.xml`),
      "/a.xml": sitemap(`${origin}/a`, `${origin}/${long}`, `${origin}/${"é".repeat(500)}`),
      "/b.txt": new Response(`${origin}/b\n${origin}/${long}`),
      ...Object.fromEntries(["/a", "/b"].map((path) => [path, page(path)])),
    }))
    expect(documents).toHaveLength(2)
    expect(readings).toHaveLength(5)
    expect(of("/a.xml")).toBe("left_out: unreadable")
    expect(of("/sitemap.xml")).toBe("left_out: unreadable")
    expect(readings.find(({ page }) => page.endsWith("/a.xml"))).toMatchObject({
      detail: detail("reading.longAddresses", { count: 2, most: 2048 }),
    })
  })

  test("all addresses together are bounded", async () => {
    const limits = { addressCharacters: 120 }
    const { documents, readings } = await readSitemap(
      (origin) => ({
        "/sitemap.xml": sitemap(...[1, 2, 3, 4, 5, 6].map((n) => `${origin}/page-${n}`)),
        ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`/page-${n}`, page(`${n}`)])),
      }),
      testNetwork({ limits }),
    )
    expect(documents).toHaveLength(4)
    expect(readings).toContainEqual(
      expect.objectContaining({
        outcome: "failed",
        listIncomplete: true,
        detail: detail("reading.addressesTooLong", { most: 120 }),
      }),
    )
  })

  test("a page served packed, in another charset or as Markdown is read as well", async () => {
    const { documents } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemap(`${origin}/packed`, `${origin}/latin`, `${origin}/markdown`),
      "/packed": new Response(gzipSync(page("Comprimé")), {
        headers: { "content-type": "text/html", "content-encoding": "gzip" },
      }),
      "/latin": new Response(Buffer.from("<title>x</title><h1>Été</h1><p>Là-bas.", "latin1"), {
        headers: { "content-type": "text/html; charset=iso-8859-1" },
      }),
      "/markdown": markdown("# Noël\n\nUn sapin."),
    }))
    expect(documents.map(({ title }) => title).sort()).toEqual(["Comprimé", "Noël", "Été"])
  })

  test("pages of declared addresses are read, with their host in the path", async () => {
    await using other = startSite({ "/aide": page("Aide") })
    const { documents } = await readSitemap(
      (origin) => ({ "/sitemap.xml": sitemap(`${origin}/a`, `${other.url}/aide`), "/a": page("A") }),
      testNetwork(),
      [other.url],
    )
    expect(documents.map(({ path }) => path).sort()).toEqual([`${other.host}/aide`, "a"].sort())
  })

  test("2,000 pages are read, a few at a time", async () => {
    let now = 0
    let most = 0
    const paths = Array.from({ length: 2000 }, (_, index) => `/p${index}`)
    const text = page("Page")
    await using site = startSite(({ pathname, origin }) => {
      if (pathname === "/sitemap.xml") return sitemap(...paths.map((path) => origin + path))
      if (pathname === "/robots.txt") return undefined
      return async () => {
        most = Math.max(most, ++now)
        await Promise.resolve()
        now--
        return html(text)
      }
    })
    const network = testNetwork()
    const { documents } = await readAll(
      feedReader([], network, localParser),
      "sitemap",
      `${site.url}/sitemap.xml`,
    )
    expect(documents).toHaveLength(2000)
    expect(most).toBeLessThanOrEqual(network.limits.pagesAtOnce)
  })
})

describe("what is gone or fails", () => {
  test("404 and 410 are gone; every other failure keeps the last version", async () => {
    const { of } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemap(
        ...["404", "410", "403", "500", "204", "loop"].map((path) => `${origin}/${path}`),
      ),
      "/410": new Response("", { status: 410 }),
      "/403": new Response("", { status: 403 }),
      "/500": new Response("", { status: 500 }),
      "/204": new Response(null, { status: 204 }),
      "/loop": Response.redirect("/loop", 302),
    }))
    expect(of("/404")).toBe("gone")
    expect(of("/410")).toBe("gone")
    expect(of("/403")).toBe("failed: answered 403")
    expect(of("/500")).toBe("failed: answered 500")
    expect(of("/loop")).toBe("failed: more than 5 redirects")
    expect(of("/204")).not.toBe("read")
  })

  test("while robots.txt cannot be had, no page is read and none is lost", async () => {
    const { of, log } = await readSitemap((origin) => ({
      "/robots.txt": new Response("", { status: 500 }),
      "/sitemap.xml": sitemap(`${origin}/a`),
      "/a": page("A"),
    }))
    expect(of("/a")).toBe("failed: robots.txt: answered 500")
    expect(log).not.toContain("GET /a")
  })

  test("a sitemap of several that cannot be read leaves the list incomplete, and the others are read", async () => {
    const { of, documents } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemapIndex(`${origin}/missing.xml`, `${origin}/cut.xml`, `${origin}/good.xml`),
      "/cut.xml": xml(`<urlset><url><loc>${origin}/lost</loc></url>`),
      "/good.xml": sitemap(`${origin}/a`),
      "/a": page("A"),
    }))
    expect(of("/missing.xml")).toBe("failed: not found (list incomplete)")
    expect(of("/cut.xml")).toBe(
      "failed: cut off at line 1, before its first element ends: send the list whole (list incomplete)",
    )
    expect(documents).toHaveLength(1)
  })

  test("sitemaps that lead to one another are read once each, and to a bounded depth", async () => {
    const { documents, log } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemapIndex(`${origin}/b.xml`, `${origin}/sitemap.xml`),
      "/b.xml": sitemapIndex(`${origin}/sitemap.xml`, `${origin}/c.xml`),
      "/c.xml": sitemap(`${origin}/a`),
      "/a": page("A"),
    }))
    expect(documents).toHaveLength(1)
    expect(log.filter((line) => line === "GET /sitemap.xml")).toHaveLength(1)

    await using endless = startSite((url) => sitemapIndex(`${url.origin}${url.pathname}x`))
    const network = testNetwork()
    const error = await readAll(
      feedReader([], network, localParser),
      "sitemap",
      `${endless.url}/s.xml`,
    ).catch((error) => error)
    expect(reasonOf(error)).toContain("lists within lists, more than 4 deep")
    expect(endless.log).toHaveLength(network.limits.listDepth)
  })

  test("pages beyond the limit are not read, and the list counts as incomplete", async () => {
    const { of, documents } = await readSitemap(
      (origin) => ({
        "/sitemap.xml": sitemap(`${origin}/a`, `${origin}/b`, `${origin}/c`),
        ...Object.fromEntries(["/a", "/b", "/c"].map((path) => [path, page(path)])),
      }),
      testNetwork({ limits: { pages: 2 } }),
    )
    expect(documents).toHaveLength(2)
    expect(of("/sitemap.xml")).toBe("failed: more than 2 pages: the rest is not read (list incomplete)")
  })
})

describe("a sitemap that cannot be read refuses the whole reading", () => {
  const good: Answer = page("A")
  test.each<[string, Answer | undefined, string]>([
    ["missing", undefined, "/sitemap.xml: not found"],
    ["an error", new Response("", { status: 503 }), "/sitemap.xml: answered 503"],
    ["an HTML page", html(page("404")), "/sitemap.xml: an HTML page, not a sitemap"],
    ["cut off", xml("<urlset>\n<url><loc>https://x.example/"), "/sitemap.xml: cut off at line 2"],
    [
      "without addresses",
      xml("<urlset>\n<url>\n<lastmod>2026-01-01</lastmod></url></urlset>"),
      "/sitemap.xml: the entry on line 3 has no <loc>: write the address of the page there",
    ],
    [
      "another kind of XML",
      xml("<opml>\n<body/></opml>"),
      "/sitemap.xml: XML of another kind (line 1: <opml>), not a sitemap, RSS or Atom",
    ],
    [
      "plain prose",
      new Response("Bonjour tout le monde"),
      "/sitemap.xml: neither XML nor a list of addresses",
    ],
    [
      "a list of addresses with other lines",
      new Response("https://x.example/a\n\n- la page B"),
      "/sitemap.xml: neither XML nor a list of addresses: line 3 does not begin with http:// or https://",
    ],
    ["empty", new Response(""), "/sitemap.xml: neither XML nor a list of addresses"],
    ["without a page", xml("<urlset/>"), "/sitemap.xml: it lists no page"],
    ["an index of nothing", sitemapIndex(), "/sitemap.xml: it lists no page"],
    ["broken gzip", new Response(new Uint8Array([0x1f, 0x8b, 1, 2, 3])), "/sitemap.xml: broken gzip"],
    ["a gzip bomb", new Response(gzipSync(Buffer.alloc(5_000_000))), "/sitemap.xml: more than 100,000 bytes"],
    [
      "elsewhere now",
      Response.redirect("https://ailleurs.example/", 301),
      "/sitemap.xml: redirects to https://ailleurs.example",
    ],
  ])("%s", async (_, answer, reason) => {
    const network = testNetwork({ limits: { listBytes: 100_000 } })
    const message = await refusedSitemap(
      () => ({ ...(answer && { "/sitemap.xml": answer }), "/a": good }),
      network,
    )
    expect(message).toStartWith(reason)
  })

  test("entities that expand into gigabytes stay as they are written", async () => {
    const entities = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`)
    const bomb = `<!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">${entities.join("")}]><urlset><url><loc>&e12;</loc></url></urlset>`
    const { readings } = await readSitemap(() => ({ "/sitemap.xml": xml(bomb) }))
    expect(readings.map(({ page, outcome }) => `${new URL(page).pathname}: ${outcome}`)).toEqual([
      "/&e12;: gone",
    ])
  })

  test("an address that is none on the web", async () => {
    for (const address of ["file:///etc/passwd", "docs.example/sitemap.xml", ""])
      expect(
        await readAll(feedReader([], testNetwork(), localParser), "sitemap", address).catch(reasonOf),
      ).toContain("not an http or https")
  })
})

test("an aborted reading ends at once, with what was under way", async () => {
  let hanging = 0
  const enough = Promise.withResolvers<void>()
  await using site = startSite(({ pathname, origin }) => {
    if (pathname === "/sitemap.xml")
      return sitemap(...["a", "b", "c", "d", "e"].map((path) => `${origin}/${path}`))
    if (pathname === "/robots.txt") return undefined
    return () => {
      if (++hanging === 4) enough.resolve()
      return new Promise<Response>(() => {})
    }
  })
  const controller = new AbortController()
  const read = readAll(
    feedReader([], testNetwork(), localParser),
    "sitemap",
    `${site.url}/sitemap.xml`,
    controller.signal,
  )
  await enough.promise
  controller.abort(new Error("stop"))
  await expect(read).rejects.toThrow("stop")
  expect(site.log).not.toContain("GET /e")
})
