import { describe, expect, test } from "bun:test"
import { gzipSync } from "node:zlib"
import { sitemapReader } from "../../../../src/assistant/feeds/lists/sitemap.ts"
import { localParser } from "../../../../src/assistant/feeds/parser.ts"
import type { Refusal } from "../../../../src/base/errors.ts"
import { detail } from "../../../../src/base/errors.ts"
import { readAll, reasonOf } from "../../../support/feed.ts"
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

type Pages = (origin: string) => Record<string, Answer>

/** Reads the sitemap of a site of its own, with robots.txt missing unless given. */
async function reading(pages: Pages, network = testNetwork(), origins: string[] = []) {
  await using site = startSite((url) => pages(url.origin)[url.pathname])
  const found = await readAll(
    sitemapReader(origins, network, localParser),
    "sitemap",
    `${site.url}/sitemap.xml`,
  )
  return { ...found, log: site.log, origin: site.url }
}

async function refusal(pages: Pages, network = testNetwork()): Promise<string> {
  const error = await reading(pages, network).catch((error: Refusal) => error)
  expect(error).toHaveProperty("name", "Refusal")
  return reasonOf(error).replace(/^http:\/\/127\.0\.0\.1:\d+/, "")
}

describe("what is read", () => {
  test("every page of a sitemap becomes a document with its path, url and text", async () => {
    const { documents } = await reading((origin) => ({
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
    const { documents, of } = await reading((origin) => ({
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

  test("addresses that are too long are dropped, and counted by the list they stood in", async () => {
    const long = "a".repeat(2048)
    const { documents, readings, of } = await reading((origin) => ({
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
    const { documents, readings } = await reading(
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
    const { documents } = await reading((origin) => ({
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
    const { documents } = await reading(
      (origin) => ({ "/sitemap.xml": sitemap(`${origin}/a`, `${other.url}/aide`), "/a": page("A") }),
      testNetwork(),
      [other.url],
    )
    expect(documents.map(({ path }) => path).sort()).toEqual([`${other.host}/aide`, "a"].sort())
  })

  test("10,000 pages are read, a few at a time", async () => {
    let now = 0
    let most = 0
    const paths = Array.from({ length: 10_000 }, (_, index) => `/p${index}`)
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
      sitemapReader([], network, localParser),
      "sitemap",
      `${site.url}/sitemap.xml`,
    )
    expect(documents).toHaveLength(10_000)
    expect(most).toBeLessThanOrEqual(network.limits.pagesAtOnce)
  })
})

describe("what is left out", () => {
  test("robots.txt, X-Robots-Tag and the robots meta tag are obeyed", async () => {
    const { of, log } = await reading((origin) => ({
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
    const { of, log } = await reading((origin) => ({
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
    const { of, readings } = await reading((origin) => ({
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
    const { of, readings } = await reading(
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
    const { of, documents } = await reading((origin) => ({
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
    const { documents, readings } = await reading((origin) => ({
      "/sitemap.xml": sitemap(`${origin}/a?v=1`, `${origin}/a?v=2`),
      "/a": page("A", `<link href="${origin}/a" rel="canonical">`),
    }))
    expect(documents.map(({ url }) => new URL(url).pathname + new URL(url).search)).toEqual(["/a"])
    expect(readings.map(({ outcome }) => outcome).sort()).toEqual(["left_out", "read"])
  })

  test("a relative canonical address is relative to the base that the page names", async () => {
    const { documents, origin } = await reading((origin) => ({
      "/sitemap.xml": sitemap(`${origin}/guide/a`, `${origin}/guide/b`),
      "/guide/a": page("A", '<base href="/"><link rel="canonical" href="guide/a">'),
      "/guide/b": page("B", '<link rel="canonical" href="b"><base href="https://ailleurs.example/x/">'),
    }))
    expect(documents.map(({ url }) => url).sort()).toEqual([`${origin}/guide/a`, `${origin}/guide/b`])
  })

  test("a canonical address on a foreign host is not ours to cite", async () => {
    const { documents, origin } = await reading((origin) => ({
      "/sitemap.xml": sitemap(`${origin}/a`),
      "/a": page("A", '<link rel="canonical" href="https://ailleurs.example/a">'),
    }))
    expect(documents.map(({ url }) => url)).toEqual([`${origin}/a`])
  })
})

describe("what is gone or fails", () => {
  test("404 and 410 are gone; every other failure keeps the last version", async () => {
    const { of } = await reading((origin) => ({
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
    const { of, log } = await reading((origin) => ({
      "/robots.txt": new Response("", { status: 500 }),
      "/sitemap.xml": sitemap(`${origin}/a`),
      "/a": page("A"),
    }))
    expect(of("/a")).toBe("failed: robots.txt: answered 500")
    expect(log).not.toContain("GET /a")
  })

  test("a sitemap of several that cannot be read leaves the list incomplete, and the others are read", async () => {
    const { of, documents } = await reading((origin) => ({
      "/sitemap.xml": sitemapIndex(`${origin}/missing.xml`, `${origin}/cut.xml`, `${origin}/good.xml`),
      "/cut.xml": xml(`<urlset><url><loc>${origin}/lost</loc></url>`),
      "/good.xml": sitemap(`${origin}/a`),
      "/a": page("A"),
    }))
    expect(of("/missing.xml")).toBe("failed: not found (list incomplete)")
    expect(of("/cut.xml")).toMatch(/^failed: XML Parse error.*\(list incomplete\)$/)
    expect(documents).toHaveLength(1)
  })

  test("sitemaps that lead to one another are read once each, and to a bounded depth", async () => {
    const { documents, log } = await reading((origin) => ({
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
      sitemapReader([], network, localParser),
      "sitemap",
      `${endless.url}/s.xml`,
    ).catch((error) => error)
    expect(reasonOf(error)).toContain("lists within lists, more than 4 deep")
    expect(endless.log).toHaveLength(network.limits.listDepth)
  })

  test("pages beyond the limit are not read, and the list counts as incomplete", async () => {
    const { of, documents } = await reading(
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
    ["cut off", xml("<urlset><url><loc>https://x.example/"), "/sitemap.xml: XML Parse error"],
    [
      "an unescaped ampersand",
      xml("<urlset><url><loc>/?a=1&b=2</loc></url></urlset>"),
      "/sitemap.xml: XML Parse error",
    ],
    [
      "another kind of XML",
      xml("<rss><channel/></rss>"),
      "/sitemap.xml: XML of another kind (rss), not a sitemap",
    ],
    [
      "plain prose",
      new Response("Bonjour tout le monde"),
      "/sitemap.xml: neither XML nor a list of addresses",
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
    const message = await refusal(() => ({ ...(answer && { "/sitemap.xml": answer }), "/a": good }), network)
    expect(message).toStartWith(reason)
  })

  test("entities that expand into gigabytes", async () => {
    const entities = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`)
    const bomb = `<!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">${entities.join("")}]><urlset><url><loc>&e12;</loc></url></urlset>`
    expect(await refusal(() => ({ "/sitemap.xml": xml(bomb) }))).toContain("amplification")
  })

  test("an address that is none on the web", async () => {
    for (const address of ["file:///etc/passwd", "docs.example/sitemap.xml", ""])
      expect(
        await readAll(sitemapReader([], testNetwork(), localParser), "sitemap", address).catch(reasonOf),
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
    sitemapReader([], testNetwork(), localParser),
    "sitemap",
    `${site.url}/sitemap.xml`,
    controller.signal,
  )
  await enough.promise
  controller.abort(new Error("stop"))
  await expect(read).rejects.toThrow("stop")
  expect(site.log).not.toContain("GET /e")
})
