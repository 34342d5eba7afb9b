import { X509Certificate } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { rootCertificates } from "node:tls"
import { type Detail, detail } from "../base/errors.ts"

/** Where the certificate authorities of this machine are, as OpenSSL's and Node's variables tell it. */
export interface AuthorityPlaces {
  /** SSL_CERT_FILE: in place of the system's file. */
  file: string | undefined
  /** SSL_CERT_DIR: folders between colons. Every file in them is read. */
  folders: string | undefined
  /** NODE_EXTRA_CA_CERTS: beside all others. */
  extraFile: string | undefined
}

/**
 * The certificate authorities by which the servers of feeds, models, mails and sign-in are judged: those built into
 * Bun and those of this machine. Endpoints of webhooks are not judged by them.
 */
export interface Authorities {
  /** Every one of them in PEM. The same string until `reload`. */
  pem(): string
  /** How many are this machine's. */
  count(): number
  /** The first place of the settings that could not be read. Without such a setting nothing is read for it. */
  problem(): Detail | undefined
  /** Reads them again. A place of the settings that cannot be read changes nothing, and is returned. */
  reload(): Detail | undefined
}

/** Read lazily: most commands connect to no server. */
export function openAuthorities(places: AuthorityPlaces): Authorities {
  let current: Read | undefined
  const read = () => (current ??= readAll(places))
  return {
    pem: () => read().pem,
    count: () => read().count,
    problem: () => (Object.values(places).some(Boolean) ? read().problem : undefined),
    reload() {
      const next = readAll(places)
      if (!next.problem) current = next
      return next.problem
    },
  }
}

interface Read {
  pem: string
  count: number
  problem: Detail | undefined
}

/** The file of the distribution: the first that is there. */
const usualFiles = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/pki/tls/cacert.pem",
  "/etc/ssl/cert.pem",
]

function readAll({ file, folders, extraFile }: AuthorityPlaces): Read {
  const authorities = new Set<string>()
  let problem: Detail | undefined
  const take = (setting: string, path: string, read: (path: string) => string[]) => {
    const { certificates, error } = tried(path, read)
    for (const certificate of certificates) authorities.add(certificate)
    if (error !== undefined) problem ??= detail("checks.authoritiesUnread", { setting, path, error })
  }
  if (file !== undefined) take("SSL_CERT_FILE", file, certificatesIn)
  const folderList = folders?.split(":").filter(Boolean) ?? []
  for (const folder of folderList) take("SSL_CERT_DIR", folder, certificatesUnder)
  if (extraFile !== undefined) take("NODE_EXTRA_CA_CERTS", extraFile, certificatesIn)
  const usual = file === undefined && usualFiles.find((path) => existsSync(path))
  if (usual) for (const certificate of tried(usual, certificatesIn).certificates) authorities.add(certificate)
  const pem = [...new Set([...rootCertificates.map(trimmed), ...authorities])].join("\n")
  return { pem, count: authorities.size, problem }
}

function tried(path: string, read: (path: string) => string[]): { certificates: string[]; error?: string } {
  try {
    const certificates = read(path)
    return certificates.length > 0 ? { certificates } : { certificates, error: "no certificate in PEM" }
  } catch (error) {
    return { certificates: [], error: String((error as NodeJS.ErrnoException).code) }
  }
}

/** Files that hold no certificate, or cannot be read, are no concern of who names a folder. */
function certificatesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => tried(join(folder, name), certificatesIn).certificates)
}

/** A damaged certificate is left out: OpenSSL would stop reading there. */
function certificatesIn(path: string): string[] {
  const blocks = readFileSync(path, "utf8").match(
    /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g,
  )
  return (blocks ?? []).map(trimmed).filter(isCertificate)
}

function trimmed(pem: string): string {
  return pem.replaceAll("\r", "").trim()
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}
