import { expect, test } from "bun:test"
import { localParser } from "../../../../src/reading/parser.ts"
import { feedReader } from "../../../../src/reading/reader.ts"
import { readAll, reasonOf } from "../../../support/feed.ts"
import { type Answer, page, sitemap, sitemapIndex, startSite, testNetwork } from "../../../support/site.ts"

/** Reads a site by its own address. */
async function readSite(pages: (origin: string) => Record<string, Answer>, path = "/") {
  await using site = startSite((url) => pages(url.origin)[url.pathname])
  const found = await readAll(feedReader([], testNetwork(), localParser), "site", `${site.url}${path}`)
  return { titles: found.documents.map(({ title }) => title).sort(), log: site.log, of: found.of }
}

const pages = { "/a": page("A"), "/b": page("B") }

test.each(["/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml"])(
  "a site is read by its sitemap at %s, where nothing names it",
  async (place) => {
    const { titles } = await readSite((origin) => ({
      [place]: sitemap(`${origin}/a`, `${origin}/b`),
      // A site that answers every address with a page has no list there.
      ...(place !== "/sitemap.xml" && { "/sitemap.xml": page("Introuvable") }),
      ...pages,
    }))
    expect(titles).toEqual(["A", "B"])
  },
)

test("the sitemaps that robots.txt names are read first, all of them, relative or not, and none of another site", async () => {
  const { titles, log } = await readSite((origin) => ({
    "/robots.txt": `Sitemap: https://ailleurs.exemple.fr/plan.xml\nUser-agent: *\nDisallow:\nsitemap: ${origin}/un.xml # le premier\nSitemap: /deux.xml\n`,
    "/un.xml": sitemapIndex(`${origin}/detail.xml`),
    "/detail.xml": sitemap(`${origin}/a`),
    "/deux.xml": sitemap(`${origin}/b`),
    "/sitemap.xml": sitemap(`${origin}/c`),
    "/c": page("C"),
    ...pages,
  }))
  expect(titles).toEqual(["A", "B"])
  expect(log.filter((entry) => entry === "GET /un.xml")).toHaveLength(1)
})

test("one of several named sitemaps that cannot be read leaves the list incomplete; where none can, the usual places count", async () => {
  const named = "Sitemap: /un.xml\nSitemap: /deux.xml\n"
  const half = await readSite((origin) => ({
    "/robots.txt": named,
    "/deux.xml": sitemap(`${origin}/b`),
    ...pages,
  }))
  expect(half.titles).toEqual(["B"])
  expect(half.of("/un.xml")).toEndWith("(list incomplete)")
  const none = await readSite((origin) => ({
    "/robots.txt": named,
    "/sitemap.xml": sitemap(`${origin}/a`),
    ...pages,
  }))
  expect(none.titles).toEqual(["A"])
})

test("a documentation in a folder of its site has its own sitemap there, and a list may be given as the site", async () => {
  const both = (origin: string) => ({
    "/docs/sitemap.xml": sitemap(`${origin}/a`),
    "/sitemap.xml": sitemap(`${origin}/b`),
    "/liste.txt": new Response(`${origin}/b\n`),
    ...pages,
  })
  expect((await readSite(both, "/docs/")).titles).toEqual(["A"])
  expect((await readSite(both, "/liste.txt")).titles).toEqual(["B"])
})

test("a robots.txt that names sitemaps without end costs twenty requests and a short sentence", async () => {
  const names = Array.from({ length: 2000 }, (_, n) => `Sitemap: /${n}.xml\n`).join("")
  const robots = `Sitemap: /${"a".repeat(100_000)}\n${names}`
  let asked = 0
  const error = await readSite(() => ({ "/robots.txt": robots, ...pages })).catch((error) => error)
  expect(reasonOf(error).length).toBeLessThan(500)
  await using site = startSite(({ pathname }) => {
    if (/^\/\d+\.xml$/.test(pathname)) asked++
    return pathname === "/robots.txt" ? new Response(robots) : undefined
  })
  await readAll(feedReader([], testNetwork(), localParser), "site", site.url).catch(() => undefined)
  expect(asked).toBe(20)
})

test("a site without a sitemap says everything that was looked for", async () => {
  const error = await readSite(() => ({ "/robots.txt": "Sitemap: /plan.xml\n", ...pages })).catch(
    (error) => error,
  )
  const reason = reasonOf(error)
  for (const place of ["/plan.xml", "/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml"])
    expect(reason).toContain(place)
})
