import type { FailureCause } from "../../outbound/failure.ts"

/** Why an attempt had no answer, for the command line. */
export const causes: Readonly<Record<FailureCause, string>> = {
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
