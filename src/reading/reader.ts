import { type Detail, detail } from "../base/errors.ts"
import type { Visits } from "./kinds/crawl/visits.ts"
import type { Places, ReadingRun, ReadingTools } from "./kinds/kind.ts"
import type { PageReading, ReadBefore } from "./kinds/page-reading.ts"
import { type Feed, feedKinds } from "./kinds/table.ts"
import type { Network } from "./kinds/web/network.ts"
import { unreadable } from "./kinds/web/read-failure.ts"
import type { Parser } from "./parser.ts"

/**
 * Reads every page of a feed once, in any order, except the pages that an interrupted reading has read `before`.
 * Throws Refusal when the feed itself cannot be read.
 */
export type FeedReader = (
  feed: Feed,
  signal: AbortSignal,
  before?: ReadBefore,
  visits?: Visits,
  onListed?: ReadingRun["onListed"],
) => AsyncIterable<PageReading>

/** A reader for feeds of every kind of a project with these declared origins. */
export function feedReader(
  origins: readonly string[],
  network: Network,
  parser: Parser,
  places?: Places,
): FeedReader {
  const tools: ReadingTools = { origins, network, parser, places }
  const { giveWay } = network
  return (feed, signal, before, visits, onListed) => {
    const kind = feedKinds[feed.kind]
    // Pages of a site give way by themselves. Reading files waits for no server.
    const ended = kind.secret !== "headers" && giveWay ? AbortSignal.any([signal, giveWay]) : signal
    return notWithoutPages(feed, kind.read(feed, tools, { signal: ended, before, visits, onListed }), before)
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
