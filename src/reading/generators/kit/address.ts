import { pageLimits } from "../../formats/page-limits.ts"
import type { Route } from "./generator.ts"

/**
 * The address of a page by its path on the site. `baseUrl` is the address of the feed's folder, whose own path
 * there is `folderRoute`: `https://site.example/docs` is that of a folder at `/docs/`, and `/about/` lies beside
 * it. Where the base does not end so, the owner publishes the folder elsewhere, and paths count from it. A whole
 * path that the front matter gives may begin with what the base ends with.
 */
export function addressOf({ path, isOwn }: Route, baseUrl: string, folderRoute: string): string {
  const base = withoutFinalSlashes(baseUrl)
  const route = encoded(path)
  const folder = withoutFinalSlashes(encoded(folderRoute))
  if (folder !== "" && base.endsWith(folder)) return base.slice(0, -folder.length) + route
  if (folder !== "" && route.startsWith(`${folder}/`)) return base + route.slice(folder.length)
  return base.slice(0, base.length - (isOwn ? overlap(base, route) : 0)) + route
}

/** Characters at the end of `base` that are whole names of its path and the start of `route`. */
function overlap(base: string, route: string): number {
  const path = new URL(base).pathname
  for (let at = 0; at !== -1 && at < path.length - 1; at = path.indexOf("/", at + 1))
    if (`${route}/`.startsWith(`${path.slice(at)}/`)) return path.length - at
  return 0
}

/** As generators write addresses: without what a path cannot hold, and escapes that are there already stay. */
function encoded(path: string): string {
  return encodeURI(path)
    .replace(/%25(?=[\da-f]{2})/gi, "%")
    .replaceAll("?", "%3F")
    .replaceAll("#", "%23")
}

export function withoutFinalSlashes(address: string): string {
  return address.replace(/(?<!\/)\/+$/, "")
}

/** A path that front matter or settings give, if it can be one: without a host, and of ordinary length. */
export function usablePath(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "" || !value.isWellFormed()) return undefined
  if (value.length > pageLimits.urlCharacters || /^[a-z][a-z\d+.-]*:|^\/\/|\s$/i.test(value)) return undefined
  return value
}
