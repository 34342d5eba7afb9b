import { afterAll, beforeAll, expect, test } from "bun:test"
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createSecureContext, rootCertificates } from "node:tls"
import { openAuthorities } from "../../src/outbound/authorities.ts"
import { makeSelfSigned } from "../../src/outbound/self-signed.ts"
import { userMessage } from "../../src/wording/user-message.ts"
import { type Authority, openAuthority } from "../support/authority.ts"
import { startRawReceiver, startTcpReceiver } from "../support/raw-receiver.ts"
import { outcomeOf, requestSite } from "../support/request-site.ts"
import { temporaryFolder } from "../support/service.ts"
import { testNetwork } from "../support/site.ts"

const noPlaces = { file: undefined, folders: undefined, extraFile: undefined }

test("those that are built in stay, whatever the settings name", () => {
  using own = openAuthority()
  const pem = openAuthorities({ ...noPlaces, file: own.caFile }).pem()
  expect(pem).toContain(readFileSync(own.caFile, "utf8").replaceAll("\r", "").trim())
  for (const root of rootCertificates) expect(pem).toContain(root.trim())
})

test("they are read again on demand, and a file that went away changes nothing", () => {
  using folder = temporaryFolder()
  using one = openAuthority()
  using other = openAuthority()
  const file = join(folder.path, "ca.pem")
  copyFileSync(one.caFile, file)
  const authorities = openAuthorities({ ...noPlaces, file })
  const before = authorities.pem()
  copyFileSync(other.caFile, file)
  expect(authorities.pem()).toBe(before)
  expect(authorities.reload()).toBeUndefined()
  const after = authorities.pem()
  expect(after).not.toBe(before)
  rmSync(file)
  expect(authorities.reload()).toMatchObject({ params: { setting: "SSL_CERT_FILE", path: file } })
  expect(authorities.pem()).toBe(after)
})

test("a damaged certificate hides none of those after it", () => {
  using folder = temporaryFolder()
  using own = openAuthority()
  const file = join(folder.path, "ca.pem")
  const damaged = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
  writeFileSync(file, `# Our own\r\n${damaged}${readFileSync(own.caFile, "utf8")}`)
  const authorities = openAuthorities({ ...noPlaces, file })
  expect(authorities.count()).toBe(1)
  expect(authorities.problem()).toBeUndefined()
  createSecureContext({ ca: authorities.pem() })
})

test("a file without a certificate is one that cannot be used", () => {
  expect(openAuthorities({ ...noPlaces, extraFile: "/dev/null" }).problem()).toMatchObject({
    params: { setting: "NODE_EXTRA_CA_CERTS", error: "no certificate in PEM" },
  })
})

type Started = Promise<{ port: number } & AsyncDisposable>
const name = "docs.test"
let other: Authority
beforeAll(() => {
  other = openAuthority()
})
afterAll(() => other[Symbol.dispose]())

const troubles: Record<string, [start: () => Started, english: RegExp, french: RegExp]> = {
  "an expired certificate": [
    () => startRawReceiver(other.certify([name], { from: -3, to: -1 }), () => {}),
    /has expired \(CERT_HAS_EXPIRED\): renew it/,
    /a expiré\u00a0: faites-le renouveler/,
  ],
  "a certificate of tomorrow": [
    () => startRawReceiver(other.certify([name], { from: 1, to: 3 }), () => {}),
    /not valid yet .*: set this machine's clock/,
    /réglez l’horloge/,
  ],
  "a certificate of another name": [
    () => startRawReceiver(other.certify(["other.test"]), () => {}),
    /for another name .*: use the name/,
    /un autre nom\u00a0: utilisez ce nom/,
  ],
  "a certificate that signs itself": [
    async () => {
      const { key, certificate } = await makeSelfSigned(name)
      return startRawReceiver({ key, cert: certificate }, () => {})
    },
    /signed by itself .*update-ca-certificates.*NODE_EXTRA_CA_CERTS/,
    /auto-signé.*update-ca-certificates.*NODE_EXTRA_CA_CERTS/,
  ],
  "a certificate of an unknown authority": [
    async () => {
      using unknown = openAuthority()
      return startRawReceiver(unknown.certify([name]), () => {})
    },
    /nobody .* vouches .*intermediate certificates.*NODE_EXTRA_CA_CERTS/,
    /ses certificats intermédiaires.*NODE_EXTRA_CA_CERTS/,
  ],
  "HTTP without TLS": [
    () =>
      startTcpReceiver((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))),
    /does not speak TLS on this port .*: check port and scheme/,
    /ne répond pas en TLS sur ce port\u00a0: vérifiez/,
  ],
}

test.each(Object.entries(troubles))("of %s the remedy is said in both languages", async (_, trouble) => {
  const [start, english, french] = trouble
  await using server = await start()
  const ca = openAuthorities({ ...noPlaces, extraFile: other.caFile }).pem()
  const network = {
    ...testNetwork({ names: { [name]: ["127.0.0.1"] }, limits: { retries: 0 } }),
    ca,
  }
  const address = `https://${name}:${server.port}`
  expect(await outcomeOf(requestSite(address, network))).toMatch(english)
  const { detail = "" } = (await requestSite(address, network)) as { detail?: string }
  expect(userMessage(detail)).toMatch(french)
})
