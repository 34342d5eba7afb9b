import type { Project } from "../../accounts/project.ts"
import { type Edition, editionAt } from "../../accounts/projects/editions.ts"
import { ownTick } from "../../base/async.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { buildHeadingIndex, type HeadingIndex } from "../../index/lance/heading-index.ts"
import type { IndexedPages } from "../../index/lance/indexed-pages.ts"
import type { PassageIndex } from "../../index/lance/lance.ts"
import type { RowSet } from "../../index/lance/row-set.ts"

/** Where a question comes from. */
export interface Place {
  /** Origin of the page; the site's own where it is not told. */
  origin?: string | null | undefined
  /** Path of the page. */
  page?: string | undefined
  /** Name of the edition, where the caller says which one is meant. */
  edition?: string | undefined
}

/** The part of a documentation that a question is asked of. */
export interface AskedEdition {
  /** undefined in a project without editions. */
  edition: Edition | undefined
  /** Finds passages of that edition, and of pages that belong to every one. */
  index: PassageIndex
  /** Whether a page belongs to it. */
  hasPage(url: string): boolean
  /** Where an answer is looked for when that has none. */
  fallback: { edition: Edition; index: PassageIndex } | undefined
}

type Divided = Pick<Project, "site" | "editions" | "editionFallback">

/**
 * The edition of a page, else the default one, with its part of an index. Pages belong to editions by the rules as they
 * are now: nothing of it is kept in the index. Throws Refusal `invalid_request` for a name that no edition has.
 */
export async function askedEdition(
  index: PassageIndex,
  project: Divided,
  place: Place,
): Promise<AskedEdition> {
  const { editions, editionFallback } = project
  const [usual] = editions
  if (!usual) return undivided(index)
  const edition = requestedEdition(project, place) ?? usual
  const parts = await cachedParts(await index.pages(), editions)
  const partIndex = ({ name }: Edition) => within(index, parts.get(name) as Part)
  return {
    edition,
    index: partIndex(edition),
    hasPage: (url) => (editionAt(editions, url) ?? edition).name === edition.name,
    fallback:
      editionFallback && edition.name !== usual.name
        ? { edition: usual, index: partIndex(usual) }
        : undefined,
  }
}

/** All of a documentation. */
export function undivided(index: PassageIndex): AskedEdition {
  return { edition: undefined, index, hasPage: () => true, fallback: undefined }
}

/** undefined for a page that belongs to every edition. */
function requestedEdition({ site, editions }: Divided, { origin, page = "/", edition }: Place) {
  if (edition === undefined) return editionAt(editions, `${origin ?? new URL(site).origin}${page}`)
  const named = editions.find(({ name }) => name === edition)
  if (named) return named
  const names = editions.map(({ name }) => name).join(", ")
  throw new Refusal("invalid_request", detail("assistant.unknownEdition", { names }))
}

interface Part extends RowSet {
  headings: Promise<HeadingIndex> | undefined
}

/** By the name of the edition. */
type Parts = ReadonlyMap<string, Part>

/** The parts of each open index, by the rules used last. */
const partsByPages = new WeakMap<IndexedPages, { rules: string; parts: Promise<Parts> }>()
const pagesAtOnce = 2000

function cachedParts(pages: IndexedPages, editions: readonly Edition[]): Promise<Parts> {
  const rules = JSON.stringify(editions)
  const before = partsByPages.get(pages)
  if (before?.rules === rules) return before.parts
  const parts = divide(pages, editions)
  partsByPages.set(pages, { rules, parts })
  return parts
}

async function divide({ urls, pageOfRow }: IndexedPages, editions: readonly Edition[]): Promise<Parts> {
  const names: (string | undefined)[] = []
  for (const [at, url] of urls.entries()) {
    names.push(editionAt(editions, url)?.name)
    if (at % pagesAtOnce === pagesAtOnce - 1) await ownTick()
  }
  const sizes = new Map<string | undefined, number>()
  for (const page of pageOfRow.values()) sizes.set(names[page], (sizes.get(names[page]) ?? 0) + 1)
  const parts = new Map<string, Part>()
  for (const { name } of editions) {
    const has = (row: number) => {
      const page = pageOfRow.get(row)
      return page !== undefined && (names[page] ?? name) === name
    }
    const size = (sizes.get(name) ?? 0) + (sizes.get(undefined) ?? 0)
    parts.set(name, { has, size, headings: undefined })
  }
  return parts
}

function within(index: PassageIndex, part: Part): PassageIndex {
  return {
    ...index,
    search: (terms, limit) => index.search(terms, limit, part),
    nearest: (vector, limit) => index.nearest(vector, limit, part),
    headings() {
      part.headings ??= partHeadings(index, part).catch((error) => {
        part.headings = undefined
        throw error
      })
      return part.headings
    },
  }
}

async function partHeadings(index: PassageIndex, part: Part): Promise<HeadingIndex> {
  const { pageOfRow } = await index.pages()
  const rows = [...pageOfRow.keys()].filter((row) => part.has(row))
  return buildHeadingIndex(rows, index.passage, index.language)
}
