import { gzipSync } from "node:zlib"
import { openApp } from "../../src/app.ts"
import { processMemory } from "../../src/host/process-usage.ts"
import { endless, preloadEndlessPages } from "../support/endless-page.ts"
import { eventually, freeze, isAlive } from "../support/processes.ts"
import { type Served, startServe } from "../support/serve.ts"
import { configOf, temporaryFolder } from "../support/service.ts"
import { markdown } from "../support/site.ts"
import { openTenant, type Tenant, type TenantSite } from "../support/tenant.ts"
import { atMost, exactly, type Verdict } from "../support/verdict.ts"

const turnSeconds = 10
/** Two turns, and what it takes on a busy machine to start four processes and to read three pages. */
const othersWithinMs = 60_000
const endWithinMs = 15_000
/** What has not come by then does not come. */
const neverMs = 120_000

/**
 * Workspaces whose pages never end, or are too many, and how long another one waits; then how their readings
 * end.
 */
export async function hostileReadings(): Promise<Verdict[]> {
  return [
    ...(await othersHaveTheirTurn()),
    ...(await pagesWithoutEnd()),
    ...(await readingsEnd()),
    ...(await longAddresses()),
  ]
}

interface Running {
  service: Served
  tenant(site: TenantSite): Promise<Tenant>
}

async function served(
  work: (served: Running) => Promise<Verdict[]>,
  more: Record<string, string> = {},
): Promise<Verdict[]> {
  using folder = temporaryFolder()
  const environment = {
    GUICHET_DATA_DIR: folder.path,
    GUICHET_FEED_ALLOW_PRIVATE: "true",
    GUICHET_INDEXING_TURN_SECONDS: String(turnSeconds),
    ...preloadEndlessPages,
    ...more,
  }
  await using app = await openApp(
    await configOf({ ...environment, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: "none" }),
  )
  await using service = await startServe({ ...environment, GUICHET_LOG_LEVEL: "info" })
  return await work({ service, tenant: (site) => openTenant(app, service.url, site) })
}

const slowest: TenantSite = { pages: 100_000, crawlDelay: 10 }

/** Every page of it takes all the time that one may take. */
const withoutEnd: TenantSite = {
  pages: 100,
  answer: ({ pathname }) => (pathname.startsWith("/page-") ? markdown(`# Titre\n\n${endless}`) : undefined),
}

function othersHaveTheirTurn(): Promise<Verdict[]> {
  return served(async ({ tenant }) => {
    await using slow = await tenant(slowest)
    await using stuck = await tenant(withoutEnd)
    await using other = await tenant({ pages: 3 })
    for (const hostile of [slow, stuck]) await hostile.read()
    await eventually(() => slow.site.log.some((entry) => entry.includes("/page-")))
    const askedAt = performance.now()
    await other.read()
    const run = await ifItComes(other.ended(neverMs))
    return [
      atMost(
        "another workspace's reading beside 100,000 pages at 10 s and pages without end",
        othersWithinMs,
        run ? performance.now() - askedAt : Number.POSITIVE_INFINITY,
        " ms",
      ),
      exactly("… its documents", 3, run?.outcome && "documents" in run.outcome ? run.outcome.documents : 0),
    ]
  })
}

function pagesWithoutEnd(): Promise<Verdict[]> {
  return served(async ({ tenant }) => {
    const answer: TenantSite["answer"] = (url) =>
      url.pathname === "/page-1" ? withoutEnd.answer?.(new URL("/page-", url)) : undefined
    await using stuck = await tenant({ pages: 3, answer })
    await stuck.read()
    const run = await ifItComes(stuck.ended(neverMs))
    const outcome = run?.outcome && "documents" in run.outcome ? run.outcome : { documents: 0, skipped: 0 }
    return [
      exactly("of three pages one without end: documents", 2, outcome.documents),
      exactly("… pages left out", 1, outcome.skipped),
    ]
  })
}

async function readingsEnd(): Promise<Verdict[]> {
  const ways: [name: string, end: (tenant: Tenant, service: Served) => unknown][] = [
    ["its project is removed", (tenant) => tenant.remove()],
    ["the service is stopped", (_, service) => service.stop("SIGTERM")],
    ["the service is killed", (_, service) => service.stop("SIGKILL")],
  ]
  const verdicts: Verdict[] = []
  for (const [name, end] of ways)
    verdicts.push(
      ...(await served(async ({ service, tenant }) => {
        await using hostile = await tenant(withoutEnd)
        await hostile.read()
        await eventually(() => hostile.site.log.some((entry) => entry.includes("/page-")))
        const reader = await hostile.reader()
        await freeze(reader)
        const since = performance.now()
        await end(hostile, service)
        const ended = await ifItComes(eventually(() => !isAlive(reader), neverMs))
        if (!ended) process.kill(reader, "SIGKILL")
        const took = ended ? performance.now() - since : Number.POSITIVE_INFINITY
        return [atMost(`a stuck reading when ${name}: until it has ended`, endWithinMs, took, " ms")]
      })),
    )
  return verdicts
}

/** A sitemap index of 24 files with 49 addresses of 1 MB each. */
function longAddresses(): Promise<Verdict[]> {
  return served(async ({ tenant }) => {
    const files = Array.from({ length: 24 }, (_, n) => `/list-${n}.xml`)
    await using hostile = await tenant({
      pages: 0,
      answer: ({ pathname, origin }) => {
        if (pathname === "/sitemap.xml")
          return packed(
            `<sitemapindex>${files.map((file) => `<sitemap><loc>${origin}${file}</loc></sitemap>`).join("")}</sitemapindex>`,
          )
        if (!files.includes(pathname)) return undefined
        const urls = Array.from(
          { length: 49 },
          (_, n) => `<url><loc>${origin}/${pathname}-${n}-${"a".repeat(1024 * 1024)}</loc></url>`,
        )
        return packed(`<urlset>${urls.join("")}<url><loc>${origin}/page-0</loc></url></urlset>`)
      },
    })
    await hostile.read()
    const reader = await hostile.reader()
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, processMemory(reader))
    }, 50)
    const run = await ifItComes(hostile.ended(neverMs))
    clearInterval(watch)
    return [
      atMost("24 sitemaps of 49 addresses of 1 MB: memory of the reading", 1024, most / 1024 / 1024, " MB"),
      exactly(
        "… documents of the one address that is not too long",
        1,
        run?.outcome && "documents" in run.outcome ? run.outcome.documents : 0,
      ),
    ]
  })
}

function packed(text: string): Response {
  return new Response(gzipSync(`<?xml version="1.0" encoding="UTF-8"?>${text}`), {
    headers: { "content-type": "application/xml", "content-encoding": "gzip" },
  })
}

/** undefined when it does not come. */
async function ifItComes<Result>(work: Promise<Result>): Promise<Result | undefined> {
  return work.catch(() => undefined)
}
