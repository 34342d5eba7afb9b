import type { TlsCause } from "../../outbound/failure.ts"

/** Why the certificate or the encryption of a server cannot be trusted, and what helps, in English. */
export const words: Record<TlsCause, (params: { code: string }) => string> = {
  certificate_expired: ({ code }) =>
    `the server's certificate has expired (${code}): renew it there; if it has not, set this machine's clock`,
  certificate_not_yet_valid: ({ code }) =>
    `the server's certificate is not valid yet (${code}): set this machine's clock, or wait`,
  certificate_name: ({ code }) =>
    `the server's certificate is for another name (${code}): use the name that it is for, or add this one to it`,
  certificate_self_signed: ({ code }) =>
    `the server's certificate is signed by itself or by an authority of its own (${code}): ${addAuthority}`,
  certificate_chain: ({ code }) =>
    `nobody whom this machine knows vouches for the server's certificate (${code}): have the server send its intermediate certificates too; if it does, ${addAuthority}`,
  plain_http: ({ code }) =>
    `the server does not speak TLS on this port (${code}): check port and scheme (http:// or https://, smtp:// or smtps://)`,
  tls_version: ({ code }) =>
    `the server speaks no version of TLS that is still safe (${code}): let it speak 1.2 or 1.3`,
  tls_handshake: ({ code }) =>
    `no encryption was agreed upon (${code}): check port and scheme (http:// or https://, smtp:// or smtps://), then the server's TLS settings`,
}

const addAuthority =
  "add its authority to this machine's (update-ca-certificates), or name its PEM file in NODE_EXTRA_CA_CERTS"
