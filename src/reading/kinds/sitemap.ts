import { feedKind, pagesOfSite } from "./kind.ts"
import { readListed, readSitemap } from "./lists/read-sitemaps.ts"
import { openSite } from "./web/site.ts"

/**
 * The pages of a sitemap and of the sitemaps it lists. Pages outside the sitemap's own origin and the declared ones
 * are left out.
 */
export const sitemap = feedKind({
  ...pagesOfSite,
  read(feed, tools, { signal, before, onListed }) {
    const site = openSite(feed, tools, onListed)
    return readListed([site.start], (url) => readSitemap(url, site, signal), site, signal, before)
  },
})
