import { isDeclared, originOf } from "../base/origin.ts"

/**
 * Whether a GET comes from a page of a declared origin. Browsers leave `Origin` out of a GET to the page's own
 * origin, so then it is judged whether that origin is a declared one: by `Sec-Fetch-Site`, or by the `Referer` of
 * browsers and connections without it. A page of elsewhere can leave out neither `Origin` nor `Sec-Fetch-Site`.
 */
export function isFromDeclaredPage({ headers }: Request, declared: readonly string[], publicUrl: string) {
  const origin = headers.get("origin")
  if (origin !== null) return isDeclared(origin, declared)
  const host = headers.get("host")
  // A proxy may end TLS, so that the scheme of the page is not known here.
  const own = [originOf(publicUrl), `https://${host}`, `http://${host}`]
  const site = headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin" && own.some((each) => isDeclared(each ?? null, declared))
  const referrer = originOf(headers.get("referer") ?? "")
  return referrer !== undefined && own.includes(referrer) && isDeclared(referrer, declared)
}
