import { Type } from "@sinclair/typebox"
import { detail } from "../../base/errors.ts"
import { told } from "../../http/record/rule.ts"
import { matching, text } from "../../http/record/schemas.ts"
import { openFrontier } from "./crawl/frontier.ts"
import { crawlLimits, usualCrawl } from "./crawl/visits.ts"
import { feedKind, linked, patterns } from "./kind.ts"
import { fetchPage } from "./web/page.ts"
import { pageUrl } from "./web/page-path.ts"
import { unreadable } from "./web/read-failure.ts"
import { readPages } from "./web/read-pages.ts"
import { openSite } from "./web/site.ts"

const count = (most: number) =>
  told(Type.Integer({ minimum: 1, maximum: most }), "assistant.crawlNumber", { most })
const { depth, pages, parameters: most } = crawlLimits
const name = /^[\w.\-[\]]{1,50}\*?$/
const parameter = told(matching(name), "assistant.crawlParameters", { most })
const numbers = { depth: count(depth), pages: count(pages) }
const parameters = told(Type.Array(parameter, { maxItems: most }), "assistant.crawlParameters", { most })

/** `CrawlSettings`. */
const limits = Type.Object({ ...numbers, parameters }, { additionalProperties: false })
/** The command line once took any text for the name of a parameter. */
const stored = Type.Object(
  { ...numbers, parameters: Type.Array(text(), { maxItems: most }) },
  { additionalProperties: false },
)
const changed = { ...linked, crawl: Type.Optional(Type.Partial(limits)) }

/**
 * The pages that links lead to from the feed's address on, under the feed's origin and the declared ones. A reading
 * throws Refusal when the first page cannot be read.
 */
export const crawl = feedKind({
  settings: Type.Object({ ...patterns, ...linked, crawl: stored }),
  input: { ...patterns, ...changed },
  change: changed,
  usual: { crawl: usualCrawl },
  secret: "headers",
  remembersVisits: true,
  faults({ crawl }) {
    const fit = !crawl || crawl.parameters.every((each) => name.test(each))
    return fit ? {} : { "crawl.parameters": detail("assistant.crawlParameters", { most }) }
  },
  async *read(feed, tools, { signal, before, visits }) {
    const site = openSite(feed, tools)
    const start = pageUrl(feed.address)?.href
    const frontier = openFrontier(site.start, feed.crawl, site.fetcher, visits)
    const crawled = { ...site, frontier }
    const fetch = (url: URL, signal: AbortSignal) => fetchPage(url, crawled, signal)
    const readings = readPages([feed.address], crawled, fetch, signal, before)
    for await (const reading of readings) {
      const isStart = reading.page === start
      if (isStart && reading.outcome === "failed") throw unreadable(feed.address, reading.detail)
      if (isStart && reading.outcome === "gone") throw unreadable(feed.address, detail("reading.notFound"))
      yield reading
    }
    yield* frontier.told()
  },
})
