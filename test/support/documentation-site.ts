import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { demo } from "./ask.ts"
import { html, type Site, sitemap, startSite } from "./site.ts"

/**
 * Guichet's own documentation as a site of HTML pages with a sitemap, one page that is gone and one that asks
 * not to be indexed.
 */
export interface DocumentationSite extends Site {
  /** Puts a sitemap of these pages at the path. */
  answer(path: string, ...pages: string[]): void
  /** The page at this address holds what the owner pastes into it. */
  publish(pasted: string): string
}

const files = readdirSync(demo).filter((file) => file.endsWith(".md"))

/** Number of its pages that are read, as the console says it. */
export const pagesRead = files.length

export function startDocumentationSite(): DocumentationSite {
  let contact = ""
  const sitemaps = new Map<string, string[]>()
  const pages = Object.fromEntries(
    files.map((file) => [`/${file.slice(0, -3)}`, readFileSync(join(demo, file), "utf8")]),
  )
  const site: Site = startSite(({ pathname }) => {
    const listed = sitemaps.get(pathname)
    if (listed) return sitemap(...listed.map((path) => `${site.url}${path}`))
    if (pathname === "/sitemap.xml")
      return sitemap(
        ...[...Object.keys(pages), "/disparue", "/brouillon"].map((path) => `${site.url}${path}`),
      )
    if (pathname === "/contact") return html(contact)
    if (pathname === "/brouillon")
      return html(
        '<!doctype html><meta name="robots" content="noindex"><main><h1>Brouillon</h1><p>À venir.</p></main>',
      )
    const markdown = pages[pathname]
    return markdown === undefined ? undefined : html(pageOf(markdown))
  })
  return Object.assign(site, {
    answer: (path: string, ...pages: string[]) => void sitemaps.set(path, pages),
    publish(pasted: string) {
      contact = `<!doctype html><html lang="fr"><meta charset="utf-8"><title>Contact</title><h1>Contact</h1>${pasted}`
      return `${site.url}/contact`
    },
  })
}

function pageOf(markdown: string): string {
  const text = markdown.replace(/^---\n[\s\S]*?\n---\n/, "")
  const title = /^# (.+)$/m.exec(text)?.[1] ?? ""
  const body = Bun.markdown.html(text, { tables: true })
  return `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>${title}</title></head><body><main>${body}</main></body></html>`
}
