import { type Detail, detail } from "../base/errors.ts"
import type { ResolutionFailure, Target } from "./resolve.ts"

export interface SendFailure {
  outcome: "connection" | "tls" | "protocol"
  /** The name of the trouble, where we have one. */
  cause: FailureCause | undefined
  /** As the system, OpenSSL or the reader of answers says it. */
  code: string
  /** Connected to, or tried. Undefined where that was a proxy, or nothing. */
  target?: Target | undefined
}

/** Nothing was sent, because of an answer of the name's servers that came late. */
export interface NotSent {
  outcome: "private_address"
}

/** The caller's signal ended the request. */
export interface Aborted {
  outcome: "aborted"
  cause: "connection_timeout" | "answer_timeout"
  target: Target | undefined
}

/** Names that people and scripts read, each with a sentence in `wording`. A published one never changes. */
export const failureCauses = [
  "dns_not_found",
  "dns_unavailable",
  "refused",
  "unreachable",
  "closed",
  "connection_timeout",
  "answer_timeout",
  "certificate_expired",
  "certificate_not_yet_valid",
  "certificate_name",
  "certificate_self_signed",
  "certificate_chain",
  "plain_http",
  "tls_version",
  "tls_handshake",
  "not_http",
  "answer_too_large",
  "proxy",
] as const

export type FailureCause = (typeof failureCauses)[number]
export type TlsCause = Extract<FailureCause, `certificate_${string}` | `tls_${string}` | "plain_http">

/** By the codes of OpenSSL, of the system and of the reader of answers. */
const causesByCode: readonly (readonly [FailureCause, RegExp])[] = [
  ["proxy", /^PROXY_/],
  // Bun 1.4.4 says so of every connection that was not made, also where no way leads to the machine.
  ["refused", /^ECONNREFUSED$/],
  ["unreachable", /^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM|ETIMEDOUT)$/],
  ["closed", /^(?:ECONNRESET|EPIPE|ECONNABORTED)$/],
  ["certificate_expired", /^CERT_HAS_EXPIRED$/],
  ["certificate_not_yet_valid", /^CERT_NOT_YET_VALID$/],
  ["certificate_name", /^ERR_TLS_CERT_ALTNAME_INVALID$/],
  ["certificate_self_signed", /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/],
  ["certificate_chain", /^(?:UNABLE_TO_|CERT_|CRL_|INVALID_)|ISSUER|CHAIN/],
  ["plain_http", /WRONG_VERSION_NUMBER|HTTP_REQUEST/],
  ["tls_version", /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW/],
  ["tls_handshake", /SSL|TLS|EPROTO/],
  ["not_http", /^MALFORMED_ANSWER$/],
  ["answer_too_large", /^ANSWER_TOO_LARGE$/],
]

/** The codes of an answer that is not HTTP/1, and of one whose status line does not end. */
export const malformedAnswer = "MALFORMED_ANSWER"
export const answerTooLarge = "ANSWER_TOO_LARGE"

export function sendFailure(code: string, target?: Target): SendFailure {
  const cause = causesByCode.find(([, pattern]) => pattern.test(code))?.[0]
  return { outcome: causeOutcome(cause), cause, code, target }
}

/** None for `private_address`: it would tell what an internal network holds. */
export function causeOfNoTarget({ outcome, temporary }: ResolutionFailure): FailureCause | undefined {
  if (outcome === "private_address") return undefined
  return temporary ? "dns_unavailable" : "dns_not_found"
}

function causeOutcome(cause: FailureCause | undefined): SendFailure["outcome"] {
  if (cause === "not_http" || cause === "answer_too_large") return "protocol"
  return cause && /^(?:certificate_|tls_|plain_http)/.test(cause) ? "tls" : "connection"
}

/** The trouble with a server's certificate or encryption and what helps; undefined for any other code. */
export function tlsTrouble(code: string): Detail | undefined {
  const { outcome, cause } = sendFailure(code)
  return outcome === "tls" ? detail(`tls.${cause}`, { code }) : undefined
}

export function errorCode(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: string }
  return String(code ?? message)
}
