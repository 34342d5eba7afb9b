import { decodedUri, maxUrlLength } from "../../../base/text.ts"

/** Gives each page one spelling: without fragment and without needless escapes, otherwise as written. */
export function pageUrl(text: string, base?: string): URL | undefined {
  const address = text.trim()
  const url = address.length <= maxUrlLength ? URL.parse(address, base) : null
  if (!url) return undefined
  url.hash = ""
  url.pathname = withoutNeedlessEscapes(url.pathname)
  return url
}

/**
 * Path of a document on the site of its feed: `/guide/install.html`, `/guide/install` and `/guide/install/`
 * are all `guide/install`, as the same page in a folder of files is. The path of a page on another declared
 * host begins with that host.
 */
export function pagePath(url: URL, feedHost: string): string {
  const path = withoutSlashes(
    withoutExtensions(decodedUri(url.pathname).replace(/\/(?:index|default)\.\w{2,5}$/i, "/")).replace(
      /(?<=.)\/index$/,
      "",
    ),
  )
  const host = url.host === feedHost ? "" : `${url.host}/`
  return `${host}${path || "index"}${url.search}`
}

function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === "/") end--
  return path.slice(0, end).replace(/^\/+/, "")
}

/** `install.fr.md.html` → `install.fr` */
function withoutExtensions(path: string): string {
  const parts = path.split(".")
  while (parts.length > 1 && /^(?:x?html?|php\d?|aspx?|jsp|mdx?|markdown|txt)$/i.test(parts.at(-1) as string))
    parts.pop()
  return parts.join(".")
}

/**
 * Letters, digits and `-._~` mean the same with and without escape (RFC 3986, 6.2.2.2). Other escapes get
 * capital digits.
 */
export function withoutNeedlessEscapes(text: string): string {
  return text.replace(/%[\dA-Fa-f]{2}/g, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : octet.toUpperCase()
  })
}
