import { describe, expect, test } from "bun:test"
import { forbidsIndexing } from "../../../../src/reading/kinds/web/page.ts"
import { openRobots } from "../../../../src/reading/kinds/web/robots.ts"
import { openSiteFetcher } from "../../../../src/reading/kinds/web/site-fetcher.ts"
import { type Answer, page, startSite, testNetwork } from "../../../support/site.ts"

const nothingAborts = new AbortController().signal

/** What robots.txt makes of each path: `read`, `left_out` or `failed`. */
async function verdicts(robots: Answer | undefined, ...paths: string[]): Promise<string[]> {
  await using site = startSite({ ...(robots && { "/robots.txt": robots }) })
  const { objection } = openRobots(openSiteFetcher([site.url], testNetwork()))
  const found: string[] = []
  for (const path of paths)
    found.push((await objection(new URL(path, site.url), nothingAborts))?.outcome ?? "read")
  expect(site.log).toEqual(site.log.filter((line) => line.startsWith("GET /robots.txt")))
  return found
}

const rules = (text: string) => () => new Response(text)

test("the longest rule decides, Allow wins a tie, wildcards and the end mark work", async () => {
  const robots = rules(
    "User-agent: *\nDisallow: /docs\nAllow: /docs/public\nDisallow: /*.pdf$\nDisallow: /tie\nAllow: /tie\n",
  )
  expect(await verdicts(robots, "/docs/a", "/docs/public/a", "/x.pdf", "/x.pdf.html", "/tie", "/")).toEqual([
    "left_out",
    "read",
    "left_out",
    "read",
    "read",
    "read",
  ])
})

test("a group that names guichet stands in for the one for all", async () => {
  expect(
    await verdicts(rules("User-agent: *\nDisallow: /\n\nUser-agent: Guichet\nDisallow: /b"), "/a", "/b"),
  ).toEqual(["read", "left_out"])
  expect(await verdicts(rules("User-agent: autre\nUser-agent: guichet\nDisallow: /\n"), "/a")).toEqual([
    "left_out",
  ])
  expect(await verdicts(rules("User-agent: autre\nDisallow: /\n"), "/a")).toEqual(["read"])
})

test("accents match whether escaped or not", async () => {
  const robots = rules("\ufeffUser-agent: *\r\nDisallow: /privé\r\n")
  expect(await verdicts(robots, "/priv%C3%A9/a", "/privé")).toEqual(["left_out", "left_out"])
})

/** RFC 9309, 2.2.2 and 2.2.3. Of an address, a browser escapes other signs than `encodeURI` does. */
test.each<[string, string, string]>([
  ["/*?filtre[type]=", "/aides?filtre[type]=1", "left_out"],
  ["/*?filtre[type]=", "/aides?filtre%5Btype%5D=1", "left_out"],
  ["/*?filtre%5btype%5d=", "/aides?filtre[type]=1", "left_out"],
  ["/%7Ejeanne", "/~jeanne/", "left_out"],
  ["/~jeanne", "/%7Ejeanne/", "left_out"],
  ["/l'aide", "/l'aide", "left_out"],
  ["/*?q=l'aide", "/?q=l'aide", "left_out"],
  ["/a|b^c", "/a|b^c", "left_out"],
  ["/prix-%2A", "/prix-*", "left_out"],
  ["/prix-%2A", "/prix-1", "read"],
  ["/a$b", "/a$b", "left_out"],
  ["/a%24", "/a$/b", "left_out"],
  ["/a%2Fb", "/a/b", "read"],
  ["/100%", "/100%", "left_out"],
])("the rule `Disallow: %s` for %s: %s", async (rule, path, verdict) => {
  expect(await verdicts(rules(`User-agent: *\nDisallow: ${rule}\n`), path)).toEqual([verdict])
})

test("a record that is no rule ends no group (RFC 9309, 2.2.4)", async () => {
  const robots =
    "User-agent: guichet\nSitemap: https://exemple.fr/plan.xml\nUser-agent: autre\nDisallow: /a\n"
  expect(await verdicts(rules(robots), "/a", "/b")).toEqual(["left_out", "read"])
})

test.each<[string, string, Answer | undefined]>([
  ["missing", "read", undefined],
  ["forbidden to us", "read", new Response("", { status: 403 })],
  ["empty", "read", new Response("")],
  ["the site's own HTML page for everything", "read", page("App")],
  ["redirected elsewhere", "read", Response.redirect("https://ailleurs.example/robots.txt", 302)],
  ["redirected on the site", "failed", Response.redirect("/robots.txt?v=2", 302)],
  ["failing", "failed", new Response("", { status: 500 })],
  ["refused for now", "failed", new Response("", { status: 429 })],
])("a robots.txt that is %s: pages are %s", async (_, verdict, answer) => {
  expect(await verdicts(answer, "/a", "/b")).toEqual([verdict, verdict])
})

test("of a huge robots.txt the beginning counts; one that has no end counts as unavailable", async () => {
  const start = "User-agent: *\nDisallow: /a\n"
  const filling = (bytes: number) => "# remplissage\n".repeat(bytes / 14)
  expect(await verdicts(rules(`${start}${filling(600_000)}Disallow: /b\n`), "/a", "/b")).toEqual([
    "left_out",
    "read",
  ])
  expect(await verdicts(rules(start + filling(6_000_000)), "/b")).toEqual(["failed"])
})

describe("the pace of requests", () => {
  async function timesOf(robots: string, count: number): Promise<number[]> {
    const network = testNetwork()
    const startedMs = network.clock.now()
    const times: number[] = []
    await using site = startSite(({ pathname }) => {
      if (pathname === "/robots.txt") return new Response(robots)
      times.push(network.clock.now() - startedMs)
      return page("A")
    })
    const fetcher = openSiteFetcher([site.url], network)
    const request = {
      method: "GET",
      accept: "text/html",
      maxBytes: 1000,
      objection: openRobots(fetcher).objection,
    } as const
    for (let index = 0; index < count; index++)
      await fetcher.request(new URL(`/${index}`, site.url), request, nothingAborts)
    return times
  }

  test("is five a second for each host", async () => {
    expect(await timesOf("", 4)).toEqual([200, 400, 600, 800])
  })

  test("follows a longer Crawl-delay", async () => {
    expect(await timesOf("User-agent: *\nCrawl-delay: 2", 3)).toEqual([200, 2200, 4200])
  })

  test("follows no Crawl-delay beyond ten seconds, and none that would hurry", async () => {
    expect(await timesOf("User-agent: *\nCrawl-delay: 86400", 3)).toEqual([200, 10_200, 20_200])
    expect(await timesOf("User-agent: *\nCrawl-delay: 0.01", 3)).toEqual([200, 400, 600])
    expect(await timesOf("User-agent: *\nCrawl-delay: -5", 3)).toEqual([200, 400, 600])
  })
})

test.each<[string | null, boolean]>([
  [null, false],
  ["", false],
  ["index, follow", false],
  ["noindex", true],
  ["nofollow, NOINDEX", true],
  ["none", true],
  ["guichet: noindex", true],
  ["googlebot: noindex", false],
  ["googlebot: nofollow, guichet: noindex", true],
  ["noindex, googlebot: index", true],
  ["max-snippet: 20, noindex", true],
  ["unavailable_after: 2030-01-01", false],
  ["noindexed", false],
])("X-Robots-Tag %p forbids: %p", (header, forbidden) => {
  expect(forbidsIndexing(header)).toBe(forbidden)
})
