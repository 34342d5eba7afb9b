import { describe, expect, test } from "bun:test"
import { gzipSync } from "node:zlib"
import { readSitemap } from "../../../support/read-sitemap.ts"
import { html, page, sitemap, startSite, testNetwork } from "../../../support/site.ts"

describe("what is left out", () => {
  test("robots.txt, X-Robots-Tag and the robots meta tag are obeyed", async () => {
    const { of, log } = await readSitemap((origin) => ({
      "/robots.txt": new Response("User-agent: *\nDisallow: /prive\n\nUser-agent: autre\nDisallow: /\n"),
      "/sitemap.xml": sitemap(
        ...["prive/a", "tag", "tag-other", "meta", "open"].map((path) => `${origin}/${path}`),
      ),
      "/tag": html(page("Tag"), { "x-robots-tag": "noindex" }),
      "/tag-other": html(page("Autre"), { "x-robots-tag": "googlebot: noindex" }),
      "/meta": page("Meta", '<meta name="ROBOTS" content="follow, NoIndex">'),
      "/open": page("Ouvert"),
    }))
    expect(of("/prive/a")).toBe("left_out: robots")
    expect(log).not.toContain("GET /prive/a")
    expect(of("/tag")).toBe("left_out: noindex")
    expect(of("/tag-other")).toBe("read")
    expect(of("/meta")).toBe("left_out: noindex")
    expect(of("/open")).toBe("read")
  })

  test("a redirect does not lead past robots.txt", async () => {
    const { of, log } = await readSitemap((origin) => ({
      "/robots.txt": new Response("User-agent: Guichet\nDisallow: /prive"),
      "/sitemap.xml": sitemap(`${origin}/public`),
      "/public": Response.redirect("/prive", 302),
      "/prive": page("Privé"),
    }))
    expect(of("/public")).toBe("left_out: robots")
    expect(log).not.toContain("GET /prive")
  })

  test("pages of other hosts are left out, redirects to them too", async () => {
    await using other = startSite({ "/ailleurs": page("Ailleurs") })
    const { of, readings } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemap(
        `${other.url}/direct`,
        `${origin}/moved`,
        "ftp://x.example/a",
        "n’importe quoi",
      ),
      "/moved": Response.redirect(`${other.url}/ailleurs`, 301),
    }))
    expect(of("/direct")).toBe("left_out: foreign_host")
    expect(of("/moved")).toBe("left_out: foreign_host")
    expect(of("/a")).toBe("left_out: foreign_host")
    expect(readings).toHaveLength(4)
    expect(other.log).toEqual([])
  })

  test("what is no page is left out with its content type, and what is too large is not read to the end", async () => {
    const { of, readings } = await readSitemap(
      (origin) => ({
        "/sitemap.xml": sitemap(
          ...["pdf", "untyped", "big", "endless", "bomb"].map((path) => `${origin}/${path}`),
        ),
        "/pdf": new Response("%PDF", { headers: { "content-type": "application/pdf" } }),
        "/untyped": new Response(new Uint8Array([1, 2])),
        "/big": html("x".repeat(20_001)),
        "/endless": () =>
          new Response(
            new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1000)) }),
            { headers: { "content-type": "text/html" } },
          ),
        "/bomb": new Response(gzipSync(Buffer.alloc(10_000_000)), {
          headers: { "content-type": "text/html", "content-encoding": "gzip" },
        }),
      }),
      testNetwork({ limits: { pageBytes: 20_000 } }),
    )
    expect(of("/pdf")).toBe("left_out: not_html")
    expect(readings.find(({ page }) => page.endsWith("/pdf"))).toHaveProperty("detail", "application/pdf")
    expect(of("/untyped")).toBe("left_out: not_html")
    for (const path of ["/big", "/endless", "/bomb"]) expect(of(path)).toBe("left_out: too_large")
  })

  test("one page under several addresses is read once", async () => {
    const { of, documents } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemap(
        ...["guide", "guide/", "guide#fin", "guide.html", "old", "new", "print"].map(
          (path) => `${origin}/${path}`,
        ),
      ),
      "/guide": page("Guide"),
      "/old": Response.redirect("/new", 301),
      "/new": page("Nouveau"),
      "/print": page("Guide", `<link rel="canonical" href="/guide?">`),
    }))
    expect(documents.map(({ path }) => path).sort()).toEqual(["guide", "new"])
    expect(of("/guide")).toBe("read")
    for (const path of ["/guide/", "/guide.html", "/old", "/print"])
      expect(of(path)).toBe("left_out: duplicate")
  })

  test("of unlisted pages with one canonical address, the first is read and cited by it", async () => {
    const { documents, readings } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemap(`${origin}/a?v=1`, `${origin}/a?v=2`),
      "/a": page("A", `<link href="${origin}/a" rel="canonical">`),
    }))
    expect(documents.map(({ url }) => new URL(url).pathname + new URL(url).search)).toEqual(["/a"])
    expect(readings.map(({ outcome }) => outcome).sort()).toEqual(["left_out", "read"])
  })

  test("pages with one common canonical address and different texts stay apart", async () => {
    const home = '<link rel="canonical" href="/">'
    const paths = ["/a", "/b", "/c"]
    for (const list of [["/", ...paths], [...paths, "/"], paths]) {
      const { documents } = await readSitemap((origin) => ({
        "/sitemap.xml": sitemap(...list.map((path) => origin + path)),
        "/": page("Accueil", home),
        ...Object.fromEntries(paths.map((path) => [path, page(path, home)])),
      }))
      expect(documents.map(({ url }) => new URL(url).pathname).sort()).toEqual([...list].sort())
    }
  })

  test("of two pages that name each other, one is read; a canonical address that leads nowhere is not cited", async () => {
    const { documents, of } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemap(`${origin}/a`, `${origin}/b`, `${origin}/c`, `${origin}/missing`),
      "/a": page("Même", '<link rel="canonical" href="/b">'),
      "/b": page("Même", '<link rel="canonical" href="/a">'),
      "/c": page("C", '<link rel="canonical" href="/missing">'),
    }))
    expect(documents).toHaveLength(2)
    expect(of("/c")).toBe("read")
    expect(documents.map(({ url }) => new URL(url).pathname)).toContain("/c")
  })

  test("many pages that name one more, which comes last, are judged by its text", async () => {
    const paths = Array.from({ length: 200 }, (_, n) => `/p${n}`)
    const home = '<link rel="canonical" href="/z">'
    const { documents } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemap(...[...paths, "/copie", "/z"].map((path) => origin + path)),
      "/z": page("Z"),
      "/copie": page("Z", home),
      ...Object.fromEntries(paths.map((path) => [path, page(path, home)])),
    }))
    expect(documents).toHaveLength(201)
  })

  test("a relative canonical address is relative to the base that the page names", async () => {
    const { documents, origin } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemap(`${origin}/guide/a`, `${origin}/guide/b`),
      "/guide/a": page("A", '<base href="/"><link rel="canonical" href="guide/a">'),
      "/guide/b": page("B", '<link rel="canonical" href="b"><base href="https://ailleurs.example/x/">'),
    }))
    expect(documents.map(({ url }) => url).sort()).toEqual([`${origin}/guide/a`, `${origin}/guide/b`])
  })

  test("a canonical address on a foreign host is not ours to cite", async () => {
    const { documents, origin } = await readSitemap((origin) => ({
      "/sitemap.xml": sitemap(`${origin}/a`),
      "/a": page("A", '<link rel="canonical" href="https://ailleurs.example/a">'),
    }))
    expect(documents.map(({ url }) => url)).toEqual([`${origin}/a`])
  })
})
