import { type Detail, detail } from "../base/errors.ts"
import { idsOf } from "../base/ids.ts"
import { parsedUrl } from "../base/text.ts"
import type { Db } from "../db/connection.ts"
import { findRow } from "../db/store.ts"
import { listFeeds } from "../reading/feed.ts"
import type { LeftOutPart, PartReason, Section } from "../reading/formats/document.ts"
import { withoutRepeated } from "../reading/formats/repeated.ts"
import type { Feed } from "../reading/kinds/table.ts"
import { liveGeneration } from "./generation.ts"
import type { LeftOutPage } from "./page-state.ts"
import { repeatedOf } from "./site-repetition.ts"
import { documentColumns, documentOf, documentsIn } from "./stored-document.ts"
import { storedDetail } from "./unfinished-reading.ts"

/** A page as the index reads it, for its owner. */
export interface ShownPage {
  id: string
  page: string
  url: string
  title: string
  readAt: number
  sections: Section[]
  /** Whether `sections` end before the page does. */
  isCut: boolean
  /** Parts that were not read, and why: a bounded number. */
  leftOut: LeftOutPart[]
}

/**
 * The page that `wanted` names, by its id, its address, or its path on the site or in the folder: as it was read, or
 * why it was left out. Undefined when there is no such page.
 */
export async function showPage(db: Db, projectId: string, wanted: string) {
  const feeds = await listFeeds(db, projectId)
  const names = namesOf(wanted, feeds)
  return (await findRead(db, projectId, { wanted, names, feeds })) ?? (await findLeftOut(db, feeds, names))
}

async function findRead(
  db: Db,
  projectId: string,
  { wanted, names, feeds }: { wanted: string; names: string[]; feeds: Feed[] },
): Promise<{ read: ShownPage } | undefined> {
  const live = await liveGeneration(db, projectId)
  if (!live || feeds.length === 0) return undefined
  const documents = () =>
    documentsIn(db, projectId, live.number)
      .select(["id", "feed_id", "page", "read_at", ...documentColumns])
      .limit(1)
  const row =
    (await documents().where("document.id", "=", wanted).executeTakeFirst()) ??
    (await documents().where("document.url", "in", names).executeTakeFirst()) ??
    (await documents()
      .where("document.feed_id", "in", idsOf(feeds))
      .where("document.page", "in", names)
      .executeTakeFirst())
  if (!row) return undefined
  const repeated = (await repeatedOf(db, projectId)).get(row.feed_id)
  const { document, parts } = await withoutRepeated(documentOf(row), repeated)
  const { sections, isCut } = cut(document.sections)
  const { id, page, read_at: readAt } = row
  const leftOut = [...parts, ...(document.html?.leftOut ?? [])]
  return { read: { id, page, url: document.url, title: document.title, readAt, sections, isCut, leftOut } }
}

async function findLeftOut(db: Db, feeds: Feed[], names: string[]) {
  if (feeds.length === 0) return undefined
  const row = await findRow(db, "left_out_page", { feed_id: idsOf(feeds), page: names })
  if (!row) return undefined
  const { feed_id: feedId, page } = row
  return { leftOut: { feedId, page, reason: row.reason as LeftOutPage["reason"], detail: storedDetail(row) } }
}

const maxNameCharacters = 2048
const endings = ["", "/", ".html", ".md", ".mdx", "/index.html", "/index.md"]

/** The names and addresses that a page which is called so may have. */
function namesOf(wanted: string, feeds: Feed[]): string[] {
  const name = wanted.trim().slice(0, maxNameCharacters)
  const address = parsedUrl(name)
  if (address && /^https?:$/.test(address.protocol)) {
    address.hash = ""
    return [...new Set([name, address.href, address.href.replace(/\/$/, ""), `${address.href}/`])]
  }
  const path = name.split("/").filter(Boolean).join("/")
  const bases = feeds.map(({ baseUrl, address }) => baseUrl ?? parsedUrl(address)?.origin ?? "")
  const inFeeds = [...new Set(bases)].flatMap((base) => endings.map((ending) => `${base}/${path}${ending}`))
  return [...new Set([name, ...endings.map((ending) => path + ending), ...inFeeds])]
}

/** Why a part was not read, for a face to put into words. */
export const whyLeftOut: Record<PartReason, Detail> = {
  owner: detail("reading.ownerPart"),
  hidden: detail("reading.hiddenPart"),
  navigation: detail("reading.navigationPart"),
  cookies: detail("reading.cookiesPart"),
  promotion: detail("reading.promotionPart"),
  form: detail("reading.formPart"),
  aside: detail("reading.asidePart"),
  generated: detail("reading.generatedPart"),
  outside: detail("reading.outsidePart"),
  repeated: detail("reading.repeatedPart"),
  unreadable: detail("reading.unreadablePart"),
  drawing: detail("reading.drawingPart"),
  reference: detail("reading.referencePart"),
  limit: detail("reading.limitPart"),
  scanned: detail("reading.scannedPart"),
}

/** Characters of one page that are shown. */
const maxCharacters = 200_000

function cut(sections: Section[]): { sections: Section[]; isCut: boolean } {
  const shown: Section[] = []
  let left = maxCharacters
  for (const section of sections) {
    if (left <= 0) return { sections: shown, isCut: true }
    shown.push({ ...section, markdown: section.markdown.slice(0, left).toWellFormed() })
    left -= section.markdown.length + section.headings.join("").length
  }
  return { sections: shown, isCut: left < 0 }
}
