import { pageLimits } from "../page-limits.ts"
import { gitbookSlug } from "./anchors.ts"
import type { Generator } from "./generator.ts"

/** How the generator or its server turns a path into an address, as far as it can be set. */
export type UrlStyle = "clean" | "html" | "slash"

/** Where a page stands in its folder and on its site. */
export interface PagePlace {
  path: string
  url: string
  /** The site's address, to resolve a path that the front matter gives. */
  baseUrl?: string
  generator?: Generator | undefined
}

/**
 * The address of a page file on the site, before its front matter is known. `guide/install` is
 * `/guide/install`, `/guide/install.html` or `/guide/install/` under `baseUrl`. An index or README has the
 * address of its folder.
 */
export function fileUrl(
  path: string,
  baseUrl: string,
  style: UrlStyle,
  generator: Generator | undefined,
): string {
  const names = path.split("/")
  const isFolder = isFolderPage(path, generator)
  const shown = (isFolder ? names.slice(0, -1) : names).map((name) =>
    encodeURIComponent(shownName(name, generator)),
  )
  const base = withoutFinalSlashes(baseUrl)
  if (shown.length === 0) return `${base}/`
  const folderEnd = generator === "gitbook" && style !== "slash" ? "" : "/"
  const end = isFolder ? folderEnd : style === "slash" ? "/" : style === "html" ? ".html" : ""
  return `${base}/${shown.join("/")}${end}`
}

/** Docusaurus also takes `guide/guide.md` for the page of its folder. */
export function isFolderPage(path: string, generator: Generator | undefined): boolean {
  const names = path.split("/")
  const name = names.at(-1) ?? ""
  if (/^(?:_?index|readme)$/i.test(name)) return true
  return generator === "docusaurus" && name.toLowerCase() === names.at(-2)?.toLowerCase()
}

function shownName(name: string, generator: Generator | undefined): string {
  if (generator === "gitbook") return gitbookSlug(name) || name
  return generator === "docusaurus" ? withoutNumber(name) : name
}

/** `02-install` → `install`, but dates and versions stay: `2024-01-05`, `7.0-news`. */
function withoutNumber(name: string): string {
  if (/^\d+[-_.]\d/.test(name)) return name
  return name.replace(/^\d+ *[-_.]+ *(?=[^-_.\s])/, "")
}

/**
 * The page's address, with what its front matter says of it. `permalink` and `url` start from the site's root
 * (Jekyll, Hugo), and so does a `slug` with a slash (Starlight). A `slug` without a slash replaces the last
 * name of the path. Docusaurus resolves a `slug` from its folder, and takes `id` for the name of the file.
 */
export function ownUrl(attributes: Record<string, unknown>, page: PagePlace): string {
  const { url, baseUrl, generator } = page
  // The addresses of Grav depend on other pages: `folder/grav.ts` finds them.
  if (baseUrl === undefined || generator === "grav") return url
  const own = ["permalink", "url", "slug"].map((name) => attributes[name]).find(isUsable)
  if (generator === "docusaurus") {
    if (own !== undefined) return docusaurusUrl(own, page.path, url, baseUrl)
    const { id } = attributes
    return isUsable(id) && !id.includes("/") && !isFolderPage(page.path, generator) ? withName(url, id) : url
  }
  if (own === undefined) return url
  if (own.includes("/")) return `${withoutFinalSlashes(baseUrl)}/${encodeURI(own.replace(/^\/+/, ""))}`
  return withName(url, own)
}

/** Only the generator can fill placeholders such as `/:year/:title`. */
function isUsable(path: unknown): path is string {
  return (
    typeof path === "string" &&
    path !== "" &&
    !path.includes(":") &&
    path.length <= pageLimits.urlCharacters &&
    path.isWellFormed()
  )
}

function docusaurusUrl(slug: string, path: string, url: string, baseUrl: string): string {
  const base = withoutFinalSlashes(baseUrl)
  if (slug.startsWith("/")) return `${base}/${encodeURI(slug.replace(/^\/+/, ""))}`
  const folders = path
    .split("/")
    .slice(0, -1)
    .map((name) => withoutNumber(name))
  for (const name of slug.split("/")) {
    if (name === "..") folders.pop()
    else if (name !== "." && name !== "") folders.push(name)
  }
  const end = /(?:\.html|\/)$/.exec(url)?.[0] ?? ""
  return `${base}/${folders.map(encodeURIComponent).join("/")}${isFolderPage(path, "docusaurus") ? "" : end}`
}

function withName(url: string, name: string): string {
  return url.replace(/(?<![^/])[^/]+?(\.html|\/)?$/, (_, end = "") => encodeURIComponent(name) + end)
}

export function withoutFinalSlashes(address: string): string {
  return address.replace(/(?<!\/)\/+$/, "")
}
