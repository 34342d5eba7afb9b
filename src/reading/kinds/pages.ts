import { Type } from "@sinclair/typebox"
import { detail } from "../../base/errors.ts"
import { told } from "../../http/record/rule.ts"
import { httpAddress, text } from "../../http/record/schemas.ts"
import { feedKind, invalidFeed, linked, patterns, requireDeclared } from "./kind.ts"
import { fetchPage } from "./web/page.ts"
import { readPages } from "./web/read-pages.ts"
import { openSite } from "./web/site.ts"

/** Addresses that one feed names, and their characters together: a list of feeds holds them all. */
export const pagesLimits = { pages: 1000, characters: 50_000 }

const addresses = told(
  Type.Array(told(httpAddress(), "assistant.feedPage"), { minItems: 1, maxItems: pagesLimits.pages }),
  "assistant.feedPages",
  { pages: pagesLimits.pages, characters: pagesLimits.characters },
)

/**
 * As `addresses` or the command line have read them: parsing each again would take most of the time of a list. Escaped
 * letters make one longer than it was typed.
 */
const stored = Type.Array(text({ maxLength: pagesLimits.characters }), {
  minItems: 1,
  maxItems: pagesLimits.pages,
})

/** Pages that are named one by one; the address is that of the site that they stand on. */
export const pages = feedKind({
  settings: Type.Object({ ...patterns, ...linked, pages: stored }),
  input: { ...patterns, ...linked, pages: Type.Optional(addresses) },
  change: linked,
  secret: "headers",
  described({ address, pages = [] }, sites) {
    requireDeclared(address, sites)
    if (!pages.every(sites.isDeclared)) throw invalidFeed({ pages: detail("assistant.feedPagesElsewhere") })
    return {}
  },
  faults({ pages = [] }) {
    const total = pages.reduce((sum, { length }) => sum + length, 0)
    const { pages: most, characters } = pagesLimits
    const fits = pages.length > 0 && pages.length <= most && total <= characters
    return fits ? {} : { pages: detail("assistant.feedPages", { pages: most, characters }) }
  },
  read(feed, tools, { signal, before, onListed }) {
    const site = openSite(feed, tools, onListed)
    return readPages(feed.pages, site, (url, signal) => fetchPage(url, site, signal), signal, before)
  },
})
