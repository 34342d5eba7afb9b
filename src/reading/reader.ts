import { type Detail, detail } from "../base/errors.ts"
import { type Feed, type FeedReader, isOfWeb, type PageReading, type ReadBefore } from "./feed.ts"
import { crawlReader } from "./kinds/crawl/crawl.ts"
import { dirReader } from "./kinds/folder/dir.ts"
import { gitReader } from "./kinds/git/git-reader.ts"
import { llmsReader } from "./kinds/lists/llms.ts"
import { pagesReader } from "./kinds/lists/pages.ts"
import { sitemapReader, siteReader } from "./kinds/lists/sitemap.ts"
import { type UploadPlace, uploadReader } from "./kinds/upload/upload-reader.ts"
import type { Network } from "./kinds/web/network.ts"
import { unreadable } from "./kinds/web/read-failure.ts"
import type { Parser } from "./parser.ts"

/** Needed by the readers of other places than sites. */
interface Places extends UploadPlace {
  dataDir: string
}

/** A reader for feeds of every kind of a project with these declared origins. */
export function feedReader(
  origins: readonly string[],
  network: Network,
  parser: Parser,
  places?: Places,
): FeedReader {
  const readers = {
    dir: dirReader(parser, network.clock),
    git: gitReader(network, parser, places),
    site: siteReader(origins, network, parser),
    sitemap: sitemapReader(origins, network, parser),
    llms: llmsReader(origins, network, parser),
    pages: pagesReader(origins, network, parser),
    crawl: crawlReader(origins, network, parser),
    upload: uploadReader(places, parser),
  }
  const { giveWay } = network
  return (feed, signal, before, visits) => {
    // Reading a folder, or files, waits for no server.
    const ended = !isOfWeb(feed) && giveWay ? AbortSignal.any([signal, giveWay]) : signal
    return notWithoutPages(feed, readers[feed.kind](feed, ended, before, visits), before)
  }
}

/** Throws Refusal when no page of the feed is one of the project's: all stand elsewhere, or no pattern wants them. */
async function* notWithoutPages(
  feed: Feed,
  readings: AsyncIterable<PageReading>,
  before: ReadBefore = new Map(),
): AsyncGenerator<PageReading> {
  let why: Detail | undefined
  let isOther = before.size > 0
  for await (const reading of readings) {
    const objection = objectionTo(reading)
    if (objection?.code !== "reading.allUnwanted") why = objection ?? why
    why ??= objection
    isOther ||= objection === undefined
    yield reading
  }
  if (why && !isOther) throw unreadable(feed.address, why)
}

function objectionTo(reading: PageReading): Detail | undefined {
  if (reading.outcome !== "left_out") return undefined
  if (reading.reason === "excluded") return detail("reading.allUnwanted")
  if (reading.reason !== "foreign_host" || typeof reading.detail !== "object") return undefined
  return detail("reading.allElsewhere", { site: String(reading.detail.params?.["site"]) })
}
