import type { Project } from "../accounts/project.ts"
import type { App } from "../app.ts"
import { secondMs } from "../base/clock.ts"
import { detail, hasCode, Refusal, UsageError } from "../base/errors.ts"
import { giveWaySignal } from "../host/child-process.ts"
import { fieldsOf } from "../http/record/fields.ts"
import { type GivenHeader, maxOwnHeaderBytes, maxOwnHeaders } from "../http/record/own-headers.ts"
import type { Spent } from "../index/embedding/embed-passages.ts"
import { type IndexingOptions, indexProject } from "../indexing/indexing.ts"
import { countFailed, type IndexingResult, type Progress, unreadPages } from "../indexing/indexing-run.ts"
import { showPage, whyLeftOut } from "../indexing/shown-page.ts"
import { type FeedSource, listFeeds, removeUnreadFeed, saveFeed } from "../reading/feed.ts"
import { withoutFinalSlashes } from "../reading/generators/kit/address.ts"
import { generatorNames } from "../reading/generators/names.ts"
import { usualCrawl } from "../reading/kinds/crawl/visits.ts"
import { urlStyles } from "../reading/kinds/kind.ts"
import { type Feed, feedKinds, type KindName } from "../reading/kinds/table.ts"
import { type SealHeaders, sealFor, tokenHeader } from "../reading/own-headers.ts"
import { feedChange } from "../reading/record.ts"
import { englishReason, inEnglish } from "../wording/english.ts"
import { type Outcome, say } from "./kit/command.ts"
import { defineDataCommand } from "./kit/open.ts"
import { openProgress } from "./kit/progress.ts"
import { readText } from "./kit/read-file.ts"
import { untilStopped } from "./kit/stop.ts"
import { placesTaking, wantedFeed } from "./kit/wanted-feed.ts"
import { aboutProject, requireProject } from "./project.ts"

export const wait = {
  about: "begins once no other indexing of the project goes on, instead of failing",
} as const

export const index = defineDataCommand({
  about: "reads a documentation and switches the index to it",
  details:
    "Saves the feed that --dir, --site, --sitemap, --llms, --crawl, --git or --urls names, and reads it. Without one of these or --stored, reads all feeds of the project again.",
  args: { project: aboutProject },
  options: {
    dir: { value: "DIR", about: "folder of documents; needs --base-url" },
    "base-url": {
      value: "URL",
      about:
        "with --dir, or --git: address under which its pages stand; of a repository, the site unless given",
    },
    "url-style": {
      choices: urlStyles,
      about:
        "with --dir: address of a page, guide/x (clean), guide/x.html or guide/x/; auto, the default: as the generator makes it, else clean",
    },
    generator: {
      choices: ["auto", ...generatorNames],
      about:
        "with --dir: site generator whose markup, anchors and addresses the pages have; auto, the default: recognised by its files",
    },
    site: {
      value: "URL",
      about: "site to read, by the sitemaps that it names or has where sites usually have one",
    },
    sitemap: { value: "URL", about: "sitemap that lists the pages to read" },
    llms: { value: "URL", about: "llms.txt that lists the pages to read" },
    crawl: {
      value: "URL",
      about: "page to begin at: links are followed from there, within the project's sites",
    },
    depth: { value: "N", about: `with --crawl: links from that page on, ${usualCrawl.depth} unless given` },
    "most-pages": { value: "N", about: `with --crawl: pages to read, ${usualCrawl.pages} unless given` },
    parameter: {
      value: "NAME",
      repeatable: true,
      about: "with --crawl: parameter of query strings that tells pages apart; all others are dropped",
    },
    git: {
      value: "URL",
      about:
        "https:// URL of a Git repository, read as a folder of documents; URL#BRANCH:FOLDER for another branch or tag, and a folder in it",
    },
    token: {
      value: "FILE",
      about:
        "with --git: file of a token that may read the repository, alone or as user:token; - for stdin; an empty file takes it away",
    },
    urls: { value: "FILE", about: "file with the address of one page a line, all of one site" },
    headers: {
      value: "FILE",
      about:
        "with a site: file of the headers that its host asks for, `Cookie: name=value`, one a line; - for stdin; an empty file takes them away",
    },
    documents: { about: "with a site: reads the documents that its pages link to, too (PDF, DOCX, ODT)" },
    include: {
      value: "PATTERN",
      repeatable: true,
      about: "with a feed: only pages whose path matches are read; * within a segment, ** across: guide/**",
    },
    exclude: {
      value: "PATTERN",
      repeatable: true,
      about: "with a feed: pages whose path matches are not read",
    },
    show: { value: "PAGE", about: "reads nothing: shows what was read of a page (its path, address or id)" },
    stored: { about: "reads nothing: builds the index again from the documents that were read last" },
    force: { about: "lets a reading remove more than half of the documents" },
    words: { about: "returns once words find passages; the service makes the vectors within minutes" },
    wait,
    resumable: { about: "keeps what was read when told to stop (SIGTERM), for the next resumable indexing" },
  },
  async run({ app, args, options }) {
    const wanted = await wantedFeed(options)
    if (options.show !== undefined) {
      const { id } = await requireProject(app, args.project)
      return outcomeOfPage(await showPage(app.db, id, options.show), options.show)
    }
    for (const secret of ["headers", "token"] as const) {
      const asks = (kind: KindName) => feedKinds[kind].secret === secret
      if (options[secret] !== undefined && !(wanted && asks(wanted.kind)))
        throw new UsageError(`--${secret} goes with ${placesTaking(asks)}`)
    }
    const headers = await headersIn(options)
    const { force = false, resumable = false, words: wordsOnly = false } = options
    const indexed = await inTurn(options.wait, async (ends) => {
      const project = await requireProject(app, args.project)
      const how = { ...ends, force, resumable, wordsOnly }
      if (wanted?.baseUrl === "") wanted.baseUrl = withoutFinalSlashes(project.site)
      if (wanted) return indexNew(app, project, wanted, sealFor(app.vault, headers), how)
      const feeds = options.stored ? [] : await feedsToRead(app, project)
      return runIndexing(app, project, { feeds, ...how })
    })
    return indexingOutcome(indexed)
  },
})

/** Headers that the site or the repository asks for. Undefined: the stored ones stay. */
async function headersIn({ headers, token }: { headers?: string | undefined; token?: string | undefined }) {
  if (token !== undefined) return readToken(token)
  return headers === undefined ? undefined : readHeaders(headers)
}

type Ends = Required<Pick<IndexingOptions, "signal" | "giveWay">>

/**
 * Aborts `signal` when a person at a shell, or the service, tells this process to stop, and `giveWay` when the service
 * has other work that waits. With --wait, while
 * another indexing of the project goes on, begins anew every second: by then the project and its feeds may be
 * others.
 */
export async function inTurn(
  waits: boolean | undefined,
  begin: (ends: Ends) => Promise<IndexingResult>,
): Promise<IndexingResult> {
  const why = detail("reading.interrupted")
  const giveWay = new AbortController()
  const abort = () => giveWay.abort(new Refusal("unavailable", "", { reason: why }))
  process.once(giveWaySignal, abort)
  try {
    return await untilStopped(why, async (signal) => {
      for (;;) {
        try {
          return await begin({ signal, giveWay: giveWay.signal })
        } catch (error) {
          if (!waits || !hasCode(error, "assistant.beingIndexed")) throw error
        }
        await Bun.sleep(secondMs)
        signal.throwIfAborted()
        giveWay.signal.throwIfAborted()
      }
    })
  } finally {
    process.off(giveWaySignal, abort)
  }
}

/** Indexes for a person at a shell: shows progress. */
export async function runIndexing(
  app: App,
  project: Project,
  wanted: Omit<IndexingOptions, "onProgress">,
): Promise<IndexingResult> {
  const progress = openProgress()
  try {
    return await indexProject(app.indexing, project, {
      ...wanted,
      onWords: ({ documents, passages, missingVectors }) => {
        progress.clear()
        say(`${documents} documents, ${passages} passages: words answer; ${missingVectors} vectors follow`)
      },
      onProgress: ({ phase, done, total, spent }) =>
        progress.show(`${phases[phase]}${spent ? ` (${costText(spent)})` : ""}:`, done, total),
    })
  } finally {
    progress.clear()
  }
}

const phases: Record<Progress["phase"], string> = {
  reading: "pages read",
  building: "documents indexed",
  embedding: "passages with a vector",
}

function costText({ requests, characters, reused }: Spent): string {
  const sent = requests === 0 ? "" : `${requests} requests, ${characters} characters sent, `
  return `${sent}${reused} passages unchanged`
}

/** A feed that was refused is a failure, a page left out is not. */
export function indexingOutcome(indexed: IndexingResult): Outcome {
  const { documents, passages, unchanged, removed, refused, generators, spent, seconds } = indexed
  const { missingVectors, vectorFailure } = indexed
  const skipped = [
    ...indexed.skipped.map(({ page, ...why }) => ({ page, reason: whyText(why) })),
    ...refused.map(({ feed, refusal }) => ({ page: feed.address, reason: englishReason(refusal) })),
  ]
  if (vectorFailure) say(inEnglish(detail("checks.meaningBroken", { why: vectorFailure.reason })))
  const unread = unreadPages({ failed: countFailed(indexed), pages: indexed.pages })
  if (unread) say(inEnglish(unread))
  const generatorByFolder = generators.map(({ feed, generator }) => ({ dir: feed.address, generator }))
  return {
    json: {
      documents,
      passages,
      unchanged,
      removed,
      skipped,
      ...(generatorByFolder.length > 0 && { generators: generatorByFolder }),
      ...(spent && { embedding: spent }),
      seconds,
    },
    remarks: [
      ...generatorByFolder.map(({ dir, generator }) => `${dir}: read by the rules of ${generator}`),
      ...skipped.map(({ page, reason }) => `${page}: ${reason}`),
    ],
    text: [
      `${documents} documents, ${passages} passages, ${unchanged} unchanged, ${removed} removed, ${skipped.length} left out, ${seconds} s`,
      ...(spent ? [`vectors: ${costText(spent)}`] : []),
      ...(missingVectors > 0 && !vectorFailure
        ? [`${missingVectors} vectors follow: guichet serve makes them`]
        : []),
    ],
    code: refused.length > 0 ? 1 : 0,
  }
}

/** A page as it was read; one that was left out, or is unknown, is a failure. */
function outcomeOfPage(shown: Awaited<ReturnType<typeof showPage>>, wanted: string): Outcome {
  if (!shown)
    throw new Refusal("not_found", detail("assistant.pageNotFound"), {
      reason: `no such page: ${wanted}; name its path, its address or its id`,
    })
  if ("leftOut" in shown) {
    const { page, ...why } = shown.leftOut
    const reason = whyText(why)
    return { json: { page, reason, text: [], left_out: [] }, text: `${page}: ${reason}`, code: 1 }
  }
  const { page, url, title, sections, isCut, leftOut } = shown.read
  const parts = leftOut.map(({ reason, text }) => ({ reason, why: inEnglish(whyLeftOut[reason]), text }))
  const texts = sections.map(({ headings, markdown }) =>
    ["", ...(headings.length > 0 ? [`## ${headings.join(" > ")}`] : []), markdown].join("\n"),
  )
  return {
    json: { page, url, title, text: sections, truncated: isCut, left_out: parts },
    text: [
      `${title}\n${url}`,
      ...texts,
      ...(isCut ? ["… the text goes on"] : []),
      ...(parts.length > 0 ? ["\nLeft out:"] : []),
      ...parts.map(({ why, text }) => `- ${why}: ${text}`),
    ],
  }
}

function whyText({ reason, detail }: Pick<IndexingResult["skipped"][number], "reason" | "detail">): string {
  return detail ? `${reason}: ${inEnglish(detail)}` : reason
}

/** A feed that could not be read even once is not kept: it would be tried again for ever. */
async function indexNew(
  app: App,
  project: Project,
  wanted: FeedSource,
  seal: SealHeaders,
  options: Omit<IndexingOptions, "feeds" | "onProgress">,
): Promise<IndexingResult> {
  const { feed, added } = await saveFeed(app.db, project.id, wanted, app.clock.now(), seal)
  try {
    return await runIndexing(app, project, { feeds: [feed], ...options })
  } catch (error) {
    if (added) await removeUnreadFeed(app.db, feed.id)
    throw error
  }
}

async function feedsToRead(app: App, project: Project): Promise<Feed[]> {
  const feeds = await listFeeds(app.db, project.id)
  if (feeds.length > 0) return feeds
  throw new Refusal("conflict", detail("assistant.noFeed"), {
    reason: `project ${project.id} has no feed yet: name one with --dir, --site, --sitemap, --llms, --crawl, --git or --urls`,
  })
}

const maxBytes = maxOwnHeaders * maxOwnHeaderBytes

/** The headers in a file, or stdin for `-`: arguments are no place for secrets. Throws UsageError and Refusal. */
async function readHeaders(file: string): Promise<GivenHeader[]> {
  const lines = (await readText(file, maxBytes)).split(/\r\n|[\r\n]/).filter((line) => line.trim() !== "")
  const headers = lines.map((line) => {
    const [name = "", ...rest] = line.split(":")
    return { name: name.trim(), value: rest.join(":").trim() }
  })
  return fieldsOf({ headers }, feedChange).headers ?? []
}

/** The same for the token of a repository: none in an empty file. */
async function readToken(file: string): Promise<GivenHeader[]> {
  const token = (await readText(file, maxBytes)).trim() || undefined
  fieldsOf({ token }, feedChange)
  return token === undefined ? [] : [tokenHeader(token)]
}
