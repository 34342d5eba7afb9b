import { isoTime } from "../../base/clock.ts"
import { detail } from "../../base/errors.ts"
import { asTyped } from "../../base/text.ts"
import type { Limit } from "../../limits/limit.ts"
import { openMeter } from "../../limits/meter.ts"
import {
  type AdmitDeps,
  type Caller,
  requireAskedProject,
  requireDeclaredOrigin,
  requireOpen,
  visitorHash,
} from "../ask/admit.ts"
import { codePoints, invalid, parseObject, readPage, readProjectId } from "../ask/ask-request.ts"
import { askedEdition } from "../editions/edition-index.ts"
import { type FoundPage, searchPages } from "./search.ts"

export interface SearchRequest {
  project: string
  /** Without blanks around it or invisible characters. */
  q: string
  page: string | undefined
}

export const maxQueryLength = 200
export const maxSearchBytes = 4096

/** A visitor who types without a pause, and looks at what comes. */
const visitorLimit = {
  key: "search-visitor",
  points: 240,
  per: "minute",
  on: "visitor",
} as const satisfies Limit
/** Per node: a tenth of a processor. */
const projectLimit = {
  key: "search-project",
  points: 3000,
  per: "minute",
  on: "project",
} as const satisfies Limit

/** Throws Refusal `invalid_request`. */
export function parseSearchRequest(body: Uint8Array): SearchRequest {
  const { project, q, page } = parseObject(body)
  const id = readProjectId(project)
  if (typeof q !== "string") throw invalid("queryMissing")
  const text = asTyped(q.toWellFormed()).trim()
  if (text === "") throw invalid("queryMissing")
  if (codePoints(text) > maxQueryLength) throw invalid("queryTooLong")
  return { project: id, q: text, page: readPage(page) }
}

/** Searches for visitors: what they type is neither kept nor logged, and counts as no question. */
export type VisitorSearch = (
  request: SearchRequest,
  caller: Pick<Caller, "origin" | "address">,
) => Promise<FoundPage[]>

/** Each visitor and each project has a limit. Throws Refusal with a code of the specification's part 7 A. */
export function openVisitorSearch(deps: AdmitDeps): VisitorSearch {
  const ofVisitor = openMeter(visitorLimit)
  const ofProject = openMeter(projectLimit)
  return async ({ project: id, q, page }, { origin, address }) => {
    const project = await requireAskedProject(deps, id)
    requireDeclaredOrigin(project, origin)
    const live = await requireOpen(deps, project)
    const at = { timezone: deps.timezone, nowMs: deps.clock.now() }
    ofVisitor.take(visitorHash(deps, project, address), at, detail("assistant.tooManySearches"))
    ofProject.take(project.id, at, detail("assistant.tooManySearches"))
    const { index, fallback } = await askedEdition(live.index, project, { origin, page })
    const today = isoTime(at.nowMs).slice(0, 10)
    const pages = await searchPages(index, q, today)
    return pages.length === 0 && fallback ? searchPages(fallback.index, q, today) : pages
  }
}
