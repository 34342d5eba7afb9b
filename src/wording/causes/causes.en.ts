import type { FailureCause } from "../../outbound/failure.ts"
import { type FailedAttempt, type RefusalKind, refusalCause } from "../../webhooks/messages/refusal-cause.ts"

/** Why an attempt had no answer, for the command line. */
const causes: Readonly<Record<FailureCause, string>> = {
  dns_not_found: "the domain name has no address",
  dns_unavailable: "the servers of the domain name did not answer",
  refused: "connection refused: nothing listens there, or no way leads there",
  unreachable: "no way leads to that machine",
  closed: "the connection was closed before an answer",
  connection_timeout: "no connection within 10 seconds",
  answer_timeout: "connected, but no answer within 10 seconds",
  certificate_expired: "the certificate has expired",
  certificate_not_yet_valid: "the certificate is not valid yet",
  certificate_name: "the certificate is for another name",
  certificate_self_signed: "the certificate is signed by itself or by an authority of its own",
  certificate_chain: "nobody known vouches for the certificate: intermediate certificates may be missing",
  plain_http: "the port answers without TLS",
  tls_version: "no version of TLS that is still safe",
  tls_handshake: "no encryption was agreed upon",
  not_http: "the answer is no HTTP",
  answer_too_large: "more than 64 kB came without a status",
  proxy: "the proxy made no connection",
}

/** How a receiver that answered with a failing status is mended. `named` is what the cause names. */
const refusals: Readonly<Record<RefusalKind, (named: string | null) => string>> = {
  redirect: (url) =>
    `redirects are not followed: register the final address${url === null ? "" : `, ${url}`}`,
  redirectToItself: () =>
    "it redirects to the same address, since it believes to be called without TLS: pass X-Forwarded-Proto on to it, and let it trust that",
  redirectToSignIn: (url) =>
    `it asks to sign in (${url}): leave this address open, the signature tells the sender`,
  csrf: () =>
    "its CSRF protection refuses the message: exempt this address (csrf_exempt in Django and Flask-WTF, ignoringRequestMatchers in Spring), the signature stands for it",
  csrfOrSignature: () =>
    "it did not want the message: exempt this address from CSRF protection and filters of requests, else check the secret and its clock",
  signature: () =>
    "it did not want the message: check the secret, that the raw body is verified and not JSON written anew, and its clock",
  authentication: () =>
    "a password or token is asked for: leave this address open, or give the endpoint an Authorization header",
  allowedHosts: () =>
    "Django answers so where the host is missing in ALLOWED_HOSTS, else its log tells the fault",
  host: () =>
    "it does not know the host of the address: add it (TRUSTED_HOSTS in Flask, allowed_hosts in FastAPI)",
  appendSlash: () =>
    'Django wants an address that ends in "/" (APPEND_SLASH): register it so, else its log tells the error',
  unreadable: () => "it could not read the message: read the JSON body, not fields of a form or of the query",
  mediaType: () => "it takes no JSON there: accept application/json",
  field: (field) =>
    `it expects something else${field === null ? "" : ` (${field})`}: describe the message as it is sent (type, timestamp, data), read from the JSON body`,
  method: (methods) =>
    `it takes no POST there${methods === null ? "" : `, but ${methods}`}: declare POST, or check the path and its final "/"`,
  notFound: () => "nothing waits for messages there: check the path, and that POST is accepted",
  alreadySeen: () =>
    "where that is said of a message that was seen before, answer 2xx: a resend has the same webhook-id",
  size: () =>
    "it refuses a request of this size: accept 256 kB (client_max_body_size in nginx, limit in Express, MAX_CONTENT_LENGTH in Flask)",
  rate: () => "it limits requests: raise the limit for Guichet",
  gateway: () => "the web server in front does not reach the application: check that it runs, and its port",
  server: () => "the error is in the application: its log of that time tells which",
  refused: () =>
    "it refuses the message: its answer and its log tell why; it has to answer 2xx once it is done",
}

/** Why a failed attempt at `url` failed, and how it is mended; undefined where there is nothing to say. */
export function adviceFor(attempt: FailedAttempt, url: string | undefined): string | undefined {
  if (attempt.cause !== null) return `${attempt.cause}: ${causes[attempt.cause]}`
  const refusal = refusalCause(attempt, url)
  return refusal && refusals[refusal.kind](refusal.named)
}
