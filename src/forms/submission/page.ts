import { isSameSecret } from "../../base/hash.ts"
import { isDeclared, originOf } from "../../base/origin.ts"
import { maxUrlLength } from "../../base/text.ts"
import type { Vault } from "../../db/vault.ts"
import type { Form } from "../definition/form.ts"
import type { FormDeps } from "../deps.ts"

interface Sender {
  origin: string | null
  page: string | undefined
  referer: string | null
  again: string | undefined
  site: string | undefined
}

/** Address of the form's own page, and what every page posts to. */
export function formAddress(publicUrl: string, { publicId }: Pick<Form, "publicId">): string {
  return `${publicUrl}/f/${publicId}`
}

/**
 * The `Origin` that browsers send from a page that tells no other site its address, by its
 * `Referrer-Policy`, and from one without an origin: a file, a sandboxed frame.
 */
export const hiddenOrigin = "null"

/** Whether a post with this `Origin` may be read at all; `senderPage` then decides. */
export function mayBeSender(origin: string | null, publicUrl: string, declared: readonly string[]): boolean {
  if (origin === null) return false
  return origin === hiddenOrigin || origin === originOf(publicUrl) || isDeclared(origin, declared)
}

/**
 * The page that a post came from; undefined when posts from there are refused. A hidden origin is the one
 * that the form's own HTML names by `siteToken`. Our own origin is a declared one for two pages: the form's
 * own page while its owner wants one, and the page that shows a form again after a post from a declared
 * address, which it proves by `againToken`.
 */
export function senderPage(
  { vault, config }: Pick<FormDeps, "vault" | "config">,
  form: Form,
  sender: Sender,
  declared: readonly string[],
): string | undefined {
  const { page, referer, again } = sender
  const isHidden = sender.origin === hiddenOrigin
  const origin = isHidden ? signedSite(vault, form, sender.site) : sender.origin
  const own = formAddress(config.publicUrl, form)
  if (isDeclared(origin, declared)) {
    const from = responsePage([page, referer], origin as string, isHidden ? [origin as string] : declared)
    return from === own && !form.hosted ? undefined : from
  }
  if (origin !== originOf(config.publicUrl)) return undefined
  if (page && again && isSameSecret(again, againToken(vault, form, page))) {
    if (page !== own) return declaredPage(page, declared)
  }
  return form.hosted ? own : undefined
}

/**
 * The value of `guichet_site` in HTML that was made for pages of `origin`. Every reader of the page can copy it, so
 * it opens no limit: it only takes the place of an `Origin` that the browser hides.
 */
export function siteToken(vault: Vault, { id }: Pick<Form, "id">, origin: string): string {
  return `${origin} ${vault.fingerprint(`${id} ${origin}`, "form on a site")}`
}

/**
 * Hidden inputs of HTML that is copied into a page of the site: at the address `page`, which the browser by
 * itself would cut to its origin, or anywhere under the project's own address.
 */
export function copiedInputs(vault: Vault, form: Form, page: string | undefined): [string, string][] {
  const site: [string, string] = [
    "guichet_site",
    siteToken(vault, form, new URL(page ?? form.site.url).origin),
  ]
  return page === undefined ? [site] : [["page", page], site]
}

/** The origin that a token names; null unless it was signed here for this form. */
function signedSite(vault: Vault, form: Form, token = ""): string | null {
  const [origin = ""] = token.split(" ", 1)
  return isSameSecret(token, siteToken(vault, form, origin)) ? origin : null
}

/** Proves that a form was shown again after a post from `page`. */
export function againToken(vault: Vault, form: Form, page: string): string {
  return vault.fingerprint(`${form.id} ${page}`, "form shown again")
}

/**
 * The page a response came from, without query and fragment. `candidates` are the page's own `page` value,
 * then the `Referer`: the first one under a declared address wins. Without one, the result is the `origin` of
 * the post followed by `/`, or the first declared origin when `origin` is not declared.
 */
export function responsePage(
  candidates: readonly (string | null | undefined)[],
  origin: string,
  declared: readonly string[],
): string {
  for (const candidate of candidates) {
    const page = candidate ? declaredPage(candidate, declared) : undefined
    if (page) return page
  }
  return `${declared.includes(origin) ? origin : declared[0]}/`
}

/** The address without query and fragment; undefined when it is too long or under no declared origin. */
export function declaredPage(address: string, declared: readonly string[]): string | undefined {
  const [bare = ""] = address.split(/[?#]/, 1)
  const origin = originOf(bare)
  if (!origin || !declared.includes(origin)) return undefined
  const page = origin + new URL(bare).pathname
  return page.length <= maxUrlLength ? page : undefined
}
