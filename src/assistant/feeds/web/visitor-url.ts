import { isHtml } from "./page.ts"
import { pagePath } from "./page-path.ts"
import type { Site } from "./site.ts"

/**
 * The HTML page that was made of a Markdown file: `/guide/install` or `/guide/install.html` beside
 * `/guide/install.md`. Visitors who follow a source want to see that page. The file itself when there is none.
 */
export async function visitorUrl(markdown: URL, site: Site, signal: AbortSignal): Promise<URL> {
  const path = pagePath(markdown, site.start.host)
  for (const candidate of candidates(markdown)) {
    const request = { method: "HEAD", accept: "text/html", maxBytes: 0, objection: site.robots } as const
    const found = await site.fetcher.request(candidate, request, signal)
    const isPage = found.outcome === "fetched" && isHtml(found.headers)
    if (isPage && pagePath(found.url, site.start.host) === path) return found.url
  }
  return markdown
}

function candidates(markdown: URL): URL[] {
  const [, bare] = /^(.*)\.(?:mdx?|markdown)$/i.exec(markdown.pathname) ?? []
  if (bare === undefined) return []
  if (/\/index$/i.test(bare)) return [new URL(bare.replace(/index$/i, ""), markdown)]
  return /\.html?$/i.test(bare)
    ? [new URL(bare, markdown)]
    : [new URL(bare, markdown), new URL(`${bare}.html`, markdown)]
}
