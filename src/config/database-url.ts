import { readFileSync } from "node:fs"
import { isIP } from "node:net"

/** A PostgreSQL server, and how its certificate is checked. Holds a password. */
export interface DatabaseServer {
  url: string
  /** PEM of the authorities to trust instead of the system's. */
  ca: string | undefined
  /** Undefined: no TLS. */
  tls: "encrypt" | "verify-authority" | "verify" | undefined
}

/** `sslmode` of PostgreSQL's clients, without the values that silently fall back to no TLS. */
const modes: Record<string, DatabaseServer["tls"]> = {
  disable: undefined,
  require: "encrypt",
  "verify-ca": "verify-authority",
  "verify-full": "verify",
}

/**
 * Reads `postgres://user:password@host:5432/name`, with `sslmode` and `sslrootcert` of PostgreSQL's own clients.
 * Without `sslmode` the certificate is verified, unless the server is on this machine. Returns the fault as a text
 * without the value, which holds a password.
 */
export function parseDatabaseUrl(text: string): DatabaseServer | { fault: string } {
  const url = URL.parse(text)
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || !url.hostname || !/^\/[^/]+$/.test(url.pathname))
    return { fault: "is not an address such as postgres://user:password@host:5432/guichet" }
  const unknown = [...url.searchParams.keys()].filter((name) => name !== "sslmode" && name !== "sslrootcert")
  if (unknown.length > 0)
    return { fault: `has parameters other than sslmode and sslrootcert: ${unknown.join(", ")}` }
  const mode = url.searchParams.get("sslmode") ?? (isLoopback(url.hostname) ? "disable" : "verify-full")
  if (!Object.hasOwn(modes, mode))
    return { fault: "has a sslmode other than verify-full, verify-ca, require and disable" }
  const caFile = url.searchParams.get("sslrootcert")
  let ca: string | undefined
  try {
    ca = caFile === null ? undefined : readFileSync(caFile, "utf8")
  } catch (error) {
    return { fault: `names a sslrootcert that cannot be read: ${(error as NodeJS.ErrnoException).code}` }
  }
  url.searchParams.delete("sslrootcert")
  url.searchParams.set("sslmode", mode)
  return { url: url.href, ca, tls: modes[mode] }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || (isIP(host) === 4 && host.startsWith("127."))
}
