import { isDeclared, originOf } from "../../accounts/origin.ts"
import { isSameSecret } from "../../base/hash.ts"
import { maxUrlLength } from "../../base/text.ts"
import type { Vault } from "../../db/vault.ts"
import type { Form } from "../definition/form.ts"

/** Where a post says that it comes from. */
interface Sender {
  origin: string | null
  /** The post's `page`. */
  page: string | undefined
  referer: string | null
  /** The post's `guichet_again`. */
  again: string | undefined
}

interface SenderDeps {
  vault: Vault
  config: { publicUrl: string }
}

/** Address of the form's own page, and what every page posts to. */
export function formAddress(publicUrl: string, { publicId }: Pick<Form, "publicId">): string {
  return `${publicUrl}/f/${publicId}`
}

/** Whether a post with this `Origin` may be read at all; `senderPage` then decides. */
export function mayBeSender(origin: string | null, publicUrl: string, declared: readonly string[]): boolean {
  return isDeclared(origin, declared) || (origin !== null && origin === originOf(publicUrl))
}

/**
 * The page that a post came from; undefined when posts from there are refused. Our own origin is a declared
 * one for two pages: the form's own page while its owner wants one, and the page that shows a form again after
 * a post from a declared address, which it proves by `againToken`.
 */
export function senderPage(
  { vault, config }: SenderDeps,
  form: Form,
  { origin, page, referer, again }: Sender,
  declared: readonly string[],
): string | undefined {
  const own = formAddress(config.publicUrl, form)
  if (isDeclared(origin, declared)) {
    const from = pageOf([page, referer], origin as string, declared)
    return from === own && !form.hosted ? undefined : from
  }
  if (origin !== originOf(config.publicUrl)) return undefined
  if (page && again && isSameSecret(again, againToken(vault, form, page))) {
    if (page !== own) return declaredPage(page, declared)
  }
  return form.hosted ? own : undefined
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
export function pageOf(
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
