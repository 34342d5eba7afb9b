import { type Detail, detail } from "../base/errors.ts"

/** Why a request had no answer. */
export interface SendFailure {
  outcome: "connection" | "tls" | "protocol"
  /** The name of the trouble, where we have one. */
  cause: FailureCause | undefined
  /** As the system, OpenSSL or the reader of answers says it. */
  code: string
}

/** Nothing was sent: `private_address` because of an answer of the name's servers that came late. */
export interface NotSent {
  outcome: "aborted" | "private_address"
}

export type FailureCause = (typeof causes)[number][0]
/** Each has a sentence in `wording`. */
export type TlsCause = Extract<FailureCause, `certificate_${string}` | `tls_${string}` | "plain_http">

/** Names that people and scripts read, by the codes of OpenSSL and of the system. */
const causes = [
  ["proxy", /^PROXY_/],
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
] as const

/** The code of an answer that is not HTTP/1. */
export const malformedAnswer = "MALFORMED_ANSWER"

export function sendFailure(code: string): SendFailure {
  const cause = causes.find(([, pattern]) => pattern.test(code))?.[0]
  return { outcome: outcomeOf(cause), cause, code }
}

function outcomeOf(cause: FailureCause | undefined): SendFailure["outcome"] {
  if (cause === "not_http") return "protocol"
  return cause && /^(?:certificate_|tls_|plain_http)/.test(cause) ? "tls" : "connection"
}

/** The trouble with a server's certificate or encryption and what helps; undefined for any other code. */
export function tlsTrouble(code: string): Detail | undefined {
  const { outcome, cause } = sendFailure(code)
  return outcome === "tls" ? detail(`tls.${cause}`, { code }) : undefined
}

export function codeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: string }
  return String(code ?? message)
}
