import { generateKeyPairSync } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { md, pki } from "node-forge"
import { dayMs } from "../../src/base/clock.ts"
import { randomText } from "../../src/base/ids.ts"
import { temporaryFolder } from "./service.ts"

/** A certificate authority that lives as long as a test. */
export interface Authority extends Disposable {
  /** For GUICHET_WEBHOOK_CA_FILE. */
  caFile: string
  /**
   * A certificate for these names, valid from yesterday until tomorrow unless told otherwise (days from now).
   */
  certify(names: string[], days?: { from: number; to: number }): Certified
}

export interface Certified {
  /** PEM. */
  cert: string
  key: string
}

const currentDays = { from: -1, to: 1 }

/** One key for all certificates: making one takes long, and no test is about it. */
const leaf = newKey()

export function openAuthority(): Authority {
  const own = newKey()
  const made = new Map<string, string>()
  const root = { commonName: "Guichet test authority" }
  const folder = temporaryFolder()
  const caFile = join(folder.path, "ca.pem")
  const usage = { name: "keyUsage", keyCertSign: true, cRLSign: true }
  writeFileSync(caFile, certificate(own, root, own, root, currentDays, [constraint(true), usage]))

  return {
    caFile,
    certify(names, days = currentDays) {
      const alternative = names.map((name) =>
        /^[\d.]+$/.test(name) ? { type: 7, ip: name } : { type: 2, value: name },
      )
      const extensions = [constraint(false), { name: "subjectAltName", altNames: alternative }]
      const wanted = JSON.stringify([names, days])
      let cert = made.get(wanted)
      if (!cert) {
        cert = certificate(leaf, { commonName: names[0] as string }, own, root, days, extensions)
        made.set(wanted, cert)
      }
      return { cert, key: leaf.pem }
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

interface Key {
  pem: string
  publicPem: string
}

interface Subject {
  commonName: string
}

function constraint(cA: boolean): object {
  return { name: "basicConstraints", cA, critical: true }
}

/** node:crypto, because making an RSA key in JavaScript takes seconds. */
function newKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  })
  return { pem: privateKey, publicPem: publicKey }
}

function certificate(
  key: Key,
  subject: Subject,
  signing: Key,
  issuer: Subject,
  days: { from: number; to: number },
  extensions: object[],
): string {
  const made = pki.createCertificate()
  made.publicKey = pki.publicKeyFromPem(key.publicPem)
  made.serialNumber = `01${randomText(16, "0123456789abcdef")}`
  made.validity.notBefore = new Date(Date.now() + days.from * dayMs)
  made.validity.notAfter = new Date(Date.now() + days.to * dayMs)
  made.setSubject([{ name: "commonName", value: subject.commonName }])
  made.setIssuer([{ name: "commonName", value: issuer.commonName }])
  made.setExtensions(extensions)
  made.sign(pki.privateKeyFromPem(signing.pem), md.sha256.create())
  return pki.certificateToPem(made)
}
