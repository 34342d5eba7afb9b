import type { UrlStyle } from "../feed.ts"

/**
 * The address of a page file on the site: `guide/install` at `https://docs.example` is `/guide/install`,
 * `/guide/install.html` or
 * `/guide/install/`; an index or README is its folder's address.
 */
export function fileUrl(path: string, baseUrl: string, style: UrlStyle, dropsNumbers: boolean): string {
  const names = path.split("/")
  const isFolder = /^(?:_?index|readme)$/i.test(names.at(-1) ?? "")
  const shown = (isFolder ? names.slice(0, -1) : names).map((name) =>
    encodeURIComponent(dropsNumbers ? name.replace(/^\d+[-_.]+(?=[^\d])/, "") : name),
  )
  const base = baseUrl.replace(/(?<!\/)\/+$/, "")
  if (shown.length === 0) return `${base}/`
  return `${base}/${shown.join("/")}${isFolder || style === "slash" ? "/" : style === "html" ? ".html" : ""}`
}
