import { createServer } from "node:tls"
import type { FailureCause } from "../../src/outbound/failure.ts"
import { makeSelfSigned } from "../../src/outbound/self-signed.ts"
import { type Authority, openAuthority } from "./authority.ts"
import { flood, listen, type RawReceiver, startRawReceiver, startTcpReceiver } from "./raw-receiver.ts"

type Start = (authority: Authority, name: string) => Promise<Pick<RawReceiver, "port"> & AsyncDisposable>

/** Receivers that fail, each for real, in all the ways that do not begin with the resolution of their name. */
export const failingReceivers: Record<string, { cause: FailureCause; outcome: string; start: Start }> = {
  "a refused connection": {
    cause: "refused",
    outcome: "connection",
    start: async () => {
      const gone = await startTcpReceiver(() => {})
      await gone[Symbol.asyncDispose]()
      return { port: gone.port, async [Symbol.asyncDispose]() {} }
    },
  },
  "a reset connection": {
    cause: "closed",
    outcome: "connection",
    start: () => startTcpReceiver((socket) => socket.resetAndDestroy()),
  },
  "a listener that is silent": {
    cause: "connection_timeout",
    outcome: "timeout",
    start: () => startTcpReceiver(() => {}),
  },
  "an application that does not answer": {
    cause: "answer_timeout",
    outcome: "timeout",
    start: (authority, name) => startRawReceiver(authority.certify([name]), () => {}),
  },
  "an expired certificate": {
    cause: "certificate_expired",
    outcome: "tls",
    start: (authority, name) => startRawReceiver(authority.certify([name], { from: -3, to: -1 }), () => {}),
  },
  "a certificate of tomorrow": {
    cause: "certificate_not_yet_valid",
    outcome: "tls",
    start: (authority, name) => startRawReceiver(authority.certify([name], { from: 1, to: 3 }), () => {}),
  },
  "a certificate of another name": {
    cause: "certificate_name",
    outcome: "tls",
    start: (authority) => startRawReceiver(authority.certify(["other.acme.fr"]), () => {}),
  },
  "a certificate of an unknown authority": {
    cause: "certificate_chain",
    outcome: "tls",
    start: async (_, name) => {
      using other = openAuthority()
      return startRawReceiver(other.certify([name]), () => {})
    },
  },
  "a certificate that signs itself": {
    cause: "certificate_self_signed",
    outcome: "tls",
    start: async (_, name) => {
      const { key, certificate } = await makeSelfSigned(name)
      return startRawReceiver({ key, cert: certificate }, () => {})
    },
  },
  "HTTP without TLS": {
    cause: "plain_http",
    outcome: "tls",
    start: () =>
      startTcpReceiver((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))),
  },
  "TLS 1.1": {
    cause: "tls_version",
    outcome: "tls",
    start: (authority, name) => {
      const server = createServer({
        ...authority.certify([name]),
        minVersion: "TLSv1",
        maxVersion: "TLSv1.1",
      })
      server.on("tlsClientError", () => {})
      return listen(server, new Set())
    },
  },
  "no cipher in common": {
    cause: "tls_handshake",
    outcome: "tls",
    // A fatal alert of TLS (RFC 5246, 7.2).
    start: () => startTcpReceiver((socket) => socket.end(Uint8Array.of(21, 3, 1, 0, 2, 2, 40))),
  },
  "no HTTP": {
    cause: "not_http",
    outcome: "protocol",
    start: (authority, name) =>
      startRawReceiver(authority.certify([name]), (socket) => socket.end("220 smtp\r\n")),
  },
  "a status line without end": {
    cause: "answer_too_large",
    outcome: "protocol",
    start: (authority, name) =>
      startRawReceiver(authority.certify([name]), (socket) => {
        socket.write("HTTP/1.1 200 ")
        flood(socket, "x".repeat(65_536))
      }),
  },
}
