import { describe, expect, test } from "bun:test"
import type { Refusal } from "../../src/base/errors.ts"
import { type CrawlSettings, crawlLimits, usualCrawl } from "../../src/reading/kinds/crawl/visits.ts"
import type { PageReading } from "../../src/reading/kinds/page-reading.ts"
import type { Feed } from "../../src/reading/kinds/table.ts"
import { localParser } from "../../src/reading/parser.ts"
import { feedReader } from "../../src/reading/reader.ts"
import { reasonOf } from "../support/feed.ts"
import { type Answer, html, page, startSite, testNetwork } from "../support/site.ts"

function linking(title: string, ...links: string[]): string {
  const items = links.map((link) => (link.startsWith("<") ? link : `<a href="${link}">${link}</a>`))
  return page(title).replace("</main>", `<p>Voir ${items.join(", ")}.</p></main>`)
}

async function crawl(
  pages: Record<string, Answer> | ((url: URL) => Answer | undefined),
  settings: Partial<CrawlSettings> = {},
  patterns: { exclude?: string[]; include?: string[]; documents?: boolean } = {},
) {
  await using site = startSite(pages)
  const crawl = { ...usualCrawl, ...settings }
  const address = `${site.url}/`
  const feed: Feed = { id: "feed_test", projectId: "projet00", kind: "crawl", address, crawl, ...patterns }
  const network = testNetwork()
  const readings: PageReading[] = []
  const reader = feedReader([], network, localParser)
  for await (const reading of reader(feed, new AbortController().signal)) readings.push(reading)
  const told = readings.map((reading) => {
    const why = reading.outcome === "left_out" ? reading.reason : reading.outcome
    return `${reading.page.replace(site.url, "")} ${why}`
  })
  return { told, read: told.filter((one) => one.endsWith(" read")).sort(), log: site.log, network }
}

describe("links are followed from the first page on", () => {
  test("within the site, each page once, without fragment and query string", async () => {
    const { read, log } = await crawl({
      "/": linking(
        "Accueil",
        "/guide/",
        "guide/#debut",
        "https://ailleurs.exemple.fr/",
        "/image.png",
        "mailto:a@b.fr",
      ),
      "/guide/": linking("Guide", "installer?utm_source=x", "/guide/installer", "/"),
      "/guide/installer": page("Installer"),
    })
    expect(read).toEqual(["/ read", "/guide/ read", "/guide/installer read"])
    expect(log.filter((line) => line !== "GET /robots.txt")).toHaveLength(3)
  })

  test("not those that say nofollow: by link, by page, by header; robots.txt and noindex are obeyed", async () => {
    const { told } = await crawl({
      "/robots.txt": new Response("User-agent: *\nDisallow: /prive"),
      "/": linking(
        "Accueil",
        "/prive",
        "/sommaire",
        "/muette",
        "/fermee",
        '<a rel="nofollow" href="/non1">x</a>',
      ),
      "/sommaire": html(linking("Sommaire", "/par-sommaire"), { "x-robots-tag": "noindex" }),
      "/muette": html(linking("Muette", "/non2"), { "x-robots-tag": "nofollow" }),
      "/fermee": linking("Fermée", "/non3").replace(
        "<head>",
        '<head><meta name="robots" content="nofollow">',
      ),
      "/par-sommaire": page("Par le sommaire"),
    })
    expect(told.sort()).toEqual([
      "/ read",
      "/fermee read",
      "/muette read",
      "/par-sommaire read",
      "/prive robots",
      "/sommaire noindex",
    ])
  })

  test("as slowly as robots.txt asks", async () => {
    const { network } = await crawl({
      "/robots.txt": new Response("User-agent: *\nCrawl-delay: 5"),
      "/": linking("Accueil", "/a"),
      "/a": page("A"),
    })
    expect(network.slept.some((ms) => ms >= 4000)).toBe(true)
  })

  test("to the canonical address of a page, which stands for its copies", async () => {
    const copy = (title: string) => page(title, '<link rel="canonical" href="/a">')
    const { told } = await crawl({
      "/": linking("Accueil", "/imprimer/a", "/a"),
      "/a": copy("A"),
      "/imprimer/a": copy("A"),
    })
    expect(told.sort()).toEqual(["/ read", "/a read", "/imprimer/a duplicate"])
  })

  test("as far and as many as the settings say", async () => {
    const chain = ({ pathname }: URL) => linking(pathname, `/p${Number(pathname.slice(2) || 0) + 1}`)
    expect((await crawl(chain, { depth: 3 })).read).toEqual(["/ read", "/p1 read", "/p2 read", "/p3 read"])
    const { read, told } = await crawl(chain, { pages: 3, depth: 20 })
    expect(read).toEqual(["/ read", "/p1 read", "/p2 read"])
    expect(told).toContain("/p3 too_large")
  })

  test("with a key that has no value, as SPIP's addresses have it, or those alone that the owner's names begin", async () => {
    const pages = (url: URL) =>
      url.pathname === "/"
        ? linking(
            "Accueil",
            "/spip.php?article1",
            "/spip.php?article2&lang=fr",
            "/spip.php?mot3",
            "/spip.php?page=plan",
          )
        : page(`Page ${url.search}`)
    const spip = ["/spip.php?article1 read", "/spip.php?article2 read"]
    expect((await crawl(pages)).read).toEqual(["/ read", "/spip.php read", ...spip, "/spip.php?mot3 read"])
    expect((await crawl(pages, { parameters: ["article*"] })).read).toEqual([
      "/ read",
      "/spip.php read",
      ...spip,
    ])
  })

  test("with the address that a page gives itself, whatever its parameters", async () => {
    const { read } = await crawl({
      "/": linking("Accueil", "/doku.php"),
      "/doku.php": page("Début").replace("<head>", '<head><link rel="canonical" href="/doku.php?id=debut">'),
      "/doku.php?id=debut": page("Le vrai début"),
    })
    expect(read).toContain("/doku.php?id=debut read")
  })

  test("and a parameter without which several links are one is told, unless it tells no pages apart", async () => {
    const links = [1, 2, 3].flatMap((n) => [
      `/doku.php?id=p${n}`,
      `/liste?sort=s${n}`,
      `/guide?utm_source=u${n}`,
    ])
    const { told } = await crawl({
      "/": linking("Accueil", ...links),
      "/doku.php": page("Début"),
      "/liste": page("Liste"),
      "/guide": page("Guide"),
    })
    expect(told.filter((one) => one.endsWith("trap"))).toEqual(["/doku.php?id=p1 trap"])
  })

  test("no parameter of a wiki's links that edit a page or show an earlier version is told", async () => {
    const links = ["A", "B", "C"].flatMap((title, at) => [
      `/index.php?title=${title}&action=edit&section=${at}`,
      `/index.php?title=${title}&oldid=${at}`,
      `/doku.php?id=${title}&do=edit`,
    ])
    const { told } = await crawl({
      "/": linking("Accueil", ...links),
      "/index.php": page("Index"),
      "/doku.php": page("Doku"),
    })
    expect(told.filter((one) => one.endsWith("trap"))).toEqual([])
  })

  test("each page once where its canonical address has a sign that could be escaped, as DokuWiki's", async () => {
    const { told } = await crawl(
      (url) =>
        url.pathname === "/"
          ? linking("Accueil", "/doku.php?id=aide:pret", "/doku.php?id=aide:salles")
          : page(`Page ${url.search}`, `<link rel="canonical" href="${url.pathname}${url.search}">`),
      { parameters: ["id"] },
    )
    expect(told.toSorted()).toEqual([
      "/ read",
      "/doku.php?id=aide:pret read",
      "/doku.php?id=aide:salles read",
    ])
  })

  test("without twins of its pages: plain text, pages for printing, equal pages", async () => {
    const pages = {
      "/": linking("Accueil", "/a", "/_sources/a.rst.txt", "/a/imprimer", "/notes.txt", "/copie", "/autre"),
      "/a": page("Livraison"),
      "/a/imprimer": page("Livraison"),
      "/copie": page("Livraison"),
      "/autre": page("Retour"),
      "/notes.txt": new Response("Des notes.", { headers: { "content-type": "text/plain" } }),
    }
    const { told } = await crawl(pages)
    expect(told.filter((one) => !one.endsWith(" read")).sort()).toEqual([
      "/a/imprimer duplicate",
      "/copie duplicate",
      "/notes.txt not_html",
    ])
    expect((await crawl(pages, {}, { include: ["**", "/notes.txt"] })).read).toContain("/notes.txt read")
  })

  test("a page whose address is one for printing is read where it says something of its own", async () => {
    const lines = Array.from({ length: 12 }, (_, at) => `<p>Article ${at} du règlement intérieur.</p>`).join(
      "",
    )
    const rules = page("Règlement").replace("</main>", `${lines}</main>`)
    const whole = ["Règlement", "Tarifs", "Horaires"]
      .map((title) => `<h2>${title}</h2><p>Texte.</p>`)
      .join("")
    const links = [
      "/reglement/print",
      "/aide/imprimer",
      "/imprimer",
      "/reglement",
      "/tarifs",
      "/horaires",
      "/aide",
    ]
    const { read, told } = await crawl({
      "/": linking("Accueil", ...links),
      "/reglement": rules,
      "/reglement/print": rules.replace("</main>", "<p>Imprimé le 1er mars.</p></main>"),
      "/tarifs": page("Tarifs"),
      "/horaires": page("Horaires"),
      "/aide": page("Aide"),
      "/aide/imprimer": page("Imprimer une attestation"),
      "/imprimer": page("Tout le site").replace("</main>", `${whole}</main>`),
    })
    expect(read).toContain("/aide/imprimer read")
    expect(told.filter((one) => !one.endsWith(" read")).sort()).toEqual([
      "/imprimer duplicate",
      "/reglement/print duplicate",
    ])
  })

  test("and whatever is beyond a limit is told: too far, too many links, traps beyond those listed", async () => {
    const chain = ({ pathname }: URL) => linking(pathname, `/p${Number(pathname.slice(2) || 0) + 1}`)
    expect((await crawl(chain, { depth: 2 })).told).toEqual(["/ read", "/p1 read", "/p2 read", "/p3 limit"])
    const many = Array.from({ length: 510 }, (_, at) => `/vide/${at}`)
    const wide = await crawl({ "/": linking("Accueil", ...many) }, {}, { exclude: ["/vide/**"] })
    expect(wide.told).toEqual(["/ read", "/vide/500 limit"])
    const loops = Array.from({ length: 30 }, (_, at) => `/n${at}/a/b/a/b/a/b`)
    const { told } = await crawl({ "/": linking("Accueil", ...loops) })
    expect(told.filter((one) => one.endsWith(" trap"))).toHaveLength(20)
    expect(told).toContain("/n20/a/b/a/b/a/b limit")
  })

  test("documents on sites that are none of the project's are told, one of each", async () => {
    const links = [
      "https://cdn.exemple.fr/a.pdf",
      "https://cdn.exemple.fr/b.pdf",
      "https://autre.exemple.fr/c.docx",
    ]
    const { told } = await crawl({ "/": linking("Accueil", ...links) }, {}, { documents: true })
    expect(told.sort()).toEqual([
      "/ read",
      "https://autre.exemple.fr/c.docx foreign_host",
      "https://cdn.exemple.fr/a.pdf foreign_host",
    ])
  })

  test("with the parameters that the owner names alone", async () => {
    const pages = ({ pathname, search }: URL) =>
      pathname === "/"
        ? linking("Accueil", "/page?id=1&amp;sid=9", "/page?sid=8&amp;id=2", "/page?id=1")
        : page(`Page ${search}`)
    expect((await crawl(pages, { parameters: ["id"] })).read).toEqual([
      "/ read",
      "/page?id=1 read",
      "/page?id=2 read",
    ])
  })

  test("not into what a pattern leaves", async () => {
    const pages = { "/": linking("Accueil", "/a", "/blog/b"), "/a": page("A"), "/blog/b": page("B") }
    expect((await crawl(pages, {}, { exclude: ["/blog/**"] })).log).not.toContain("GET /blog/b")
  })

  test("and a first page that cannot be read refuses the whole", async () => {
    const error = await crawl({}).catch((error: Refusal) => error)
    expect(reasonOf(error)).toMatch(/not found/i)
  })
})

describe("addresses without end are told by their shape", () => {
  test.each([
    ["a calendar", "/agenda/2024/1", (n: number) => `/agenda/${2024 + Math.floor(n / 12)}/${(n % 12) + 1}`],
    ["segments that repeat", "/a/b", (n: number) => `/a/b${"/a/b".repeat(n)}`],
    ["sessions in the path", "/x;jsessionid=1", (n: number) => `/x;jsessionid=${n}`],
  ])("%s", async (_, first, nth) => {
    let count = 0
    const { read, told } = await crawl(({ pathname }) => {
      if (pathname === "/robots.txt") return undefined
      return linking(`Page ${++count}`, pathname === "/" ? first : nth(count))
    })
    expect(read.length).toBeLessThan(30)
    expect(told.length).toBeLessThan(60)
  })

  test("filters in every order", async () => {
    const filters = ["rouge", "coton", "petit", "neuf", "local"]
    const { read } = await crawl(({ pathname }) => {
      if (pathname === "/robots.txt") return undefined
      const set = pathname.split("/").filter(Boolean)
      return linking(
        pathname,
        ...filters.filter((one) => !set.includes(one)).map((one) => `/${[...set, one].join("/")}`),
      )
    })
    // 326 arrangements, of which the first three levels alone have 86.
    expect(read.length).toBeLessThan(120)
  })

  test("and a page of countless links counts for so many", async () => {
    const links = Array.from({ length: 3 * crawlLimits.links }, (_, n) => `/p${n}`)
    const { told } = await crawl(({ pathname }) =>
      pathname === "/" ? linking("Accueil", ...links) : page(pathname),
    )
    expect(told).toHaveLength(crawlLimits.links + 2)
    expect(told.at(-1)).toBe(`/p${crawlLimits.links} limit`)
  })
})
