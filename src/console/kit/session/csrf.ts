import { randomBytes } from "node:crypto"
import type { Session } from "../../../accounts/session.ts"
import { Refusal } from "../../../base/errors.ts"
import { isSameSecret } from "../../../base/hash.ts"
import { originOf } from "../../../base/origin.ts"
import { parsedUrl } from "../../../base/text.ts"
import type { Vault } from "../../../db/vault.ts"
import { words } from "../words.fr.ts"

import { isSafeOrigin } from "./cookie.ts"

/** Name of the hidden field that carries the CSRF token in every form of the console. */
export const csrfField = "guichet_token"

/**
 * CSRF token of a session, which a form of another site cannot know. The token also binds the workspace that
 * the page shows, so that a tab left open on one workspace cannot act on another. `Bun.CSRF` is not used
 * because it ages tokens by a clock of its own; this token lives exactly as long as the session. Each page holds it
 * combined with other random bytes, so that the sizes of compressed pages tell nothing about it (BREACH).
 */
export function csrfToken(vault: Vault, session: Session): string {
  const proof = sessionProof(vault, session)
  const mask = randomBytes(proof.length)
  return [session.workspace.id, mask.toString("base64url"), combined(mask, proof).toString("base64url")].join(
    ".",
  )
}

function sessionProof(vault: Vault, { hash, workspace }: Session): Buffer {
  return Buffer.from(vault.fingerprint(`${hash} ${workspace.id}`, "console form"), "base64url")
}

function combined(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, place) => byte ^ (other[place] ?? 0)))
}

/** The workspace named in a token. The token is not verified here, so the result proves no rights. */
export function workspaceOfToken(token: string): string {
  return token.split(".")[0] ?? ""
}

/** Throws Refusal `forbidden` if the token is absent or belongs to another session. */
export function requireCsrfToken(vault: Vault, session: Session, given: string): void {
  const [workspaceId, mask = "", masked = ""] = given.split(".")
  const proof = combined(Buffer.from(masked, "base64url"), Buffer.from(mask, "base64url"))
  const isOwn = isSameSecret(proof.toString("base64url"), sessionProof(vault, session).toString("base64url"))
  if (workspaceId !== session.workspace.id || !isOwn)
    throw new Refusal("forbidden", words.oldPage, { reason: "no token of this session" })
}

/**
 * The origin of our page that sent the request: either the public one, or the one of the host that received
 * the request. Throws Refusal `forbidden` for a page of another site, for a request without an origin, and
 * for http over a network.
 */
export function requireOwnOrigin(request: Request, publicUrl: string): URL {
  const { headers } = request
  const origin = parsedUrl(headers.get("origin") ?? "")
  const site = headers.get("sec-fetch-site")
  const isOurs =
    origin !== null &&
    (site === null || site === "same-origin") &&
    (origin.origin === originOf(publicUrl) || origin.host === headers.get("host"))
  if (!isOurs) throw new Refusal("forbidden", words.otherSite, { reason: "sent from another site" })
  if (!isSafeOrigin(origin)) throw new Refusal("forbidden", words.notEncrypted, { reason: "sent over http" })
  return origin
}
