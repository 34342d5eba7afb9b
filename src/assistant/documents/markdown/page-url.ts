/** How the generator or its server turns a path into an address: `guide/install`, `….html` or `…/`. */
export type UrlStyle = "clean" | "html" | "slash"

/**
 * The address of a page file on the site. `guide/install` is `/guide/install`, `/guide/install.html` or
 * `/guide/install/` under `baseUrl`. An index or README has the address of its folder.
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
