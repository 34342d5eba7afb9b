import { timingSafeEqual } from "node:crypto"
import { originOf } from "../../accounts/origin.ts"
import type { Session } from "../../accounts/session.ts"
import { Refusal } from "../../base/errors.ts"
import { parsedUrl } from "../../base/text.ts"
import type { Vault } from "../../db/vault.ts"
import { messages } from "../messages/shell.fr.ts"
import { isSafeOrigin } from "./cookie.ts"

/** The field of every form of the console that holds the token of its session. */
export const forgeryField = "guichet_token"

/**
 * A form of another site cannot hold it: it is made from the session, and from the workspace that it shows,
 * so that a tab left open on one workspace does nothing to another. (`Bun.CSRF` tells its tokens' age by a
 * clock of its own; this one lives exactly as long as the session.)
 */
export function forgeryToken(vault: Vault, { hash, workspace }: Session): string {
  return `${workspace.id}.${vault.fingerprint(`${hash} ${workspace.id}`, "console form")}`
}

/** The workspace of the page that a token was made for: its word alone, to be believed of no one's rights. */
export function workspaceOfToken(token: string): string {
  return token.split(".")[0] ?? ""
}

/** Throws Refusal `forbidden` for a token that is absent or of another session. */
export function requireToken(vault: Vault, session: Session, given: string): void {
  const expected = Buffer.from(forgeryToken(vault, session))
  const actual = Buffer.from(given)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    throw new Refusal("forbidden", messages.oldPage, { reason: "no token of this session" })
}

/**
 * The origin of the page of ours that sends the request: the public one, or that of the very host it was sent
 * to. Throws Refusal `forbidden` for another site's page, for a request without an origin, and for http over
 * a network.
 */
export function requireOwnOrigin(request: Request, publicUrl: string): URL {
  const { headers } = request
  const origin = parsedUrl(headers.get("origin") ?? "")
  const site = headers.get("sec-fetch-site")
  const isOurs =
    origin !== null &&
    (site === null || site === "same-origin") &&
    (origin.origin === originOf(publicUrl) || origin.host === headers.get("host"))
  if (!isOurs) throw new Refusal("forbidden", messages.otherSite, { reason: "sent from another site" })
  if (!isSafeOrigin(origin))
    throw new Refusal("forbidden", messages.notEncrypted, { reason: "sent over http" })
  return origin
}
