export interface SelfSigned {
  key: string
  certificate: string
}

const signatureAlgorithm = { name: "ECDSA", hash: "SHA-256" } as const
/** `id-ecPublicKey` keys sign with `ecdsa-with-SHA256` (RFC 5758). */
const ecdsaWithSha256 = sequence(oid([1, 2, 840, 10045, 4, 3, 2]))
/** A date of two digits reaches to 2049 (RFC 5280, 4.1.2.5.1). No clock decides whether the pair is accepted. */
const validity = sequence(utcTime("200101000000Z"), utcTime("491231235959Z"))

/**
 * Makes a TLS certificate for one name (X.509 version 3, RFC 5280), signed with its own key. It is worth something
 * only to who was handed it as the one to trust, so it is made anew at each start and its key is written nowhere.
 */
export async function makeSelfSigned(name: string): Promise<SelfSigned> {
  const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"])
  const publicKey = new Uint8Array(await crypto.subtle.exportKey("spki", keys.publicKey))
  const named = sequence(set(sequence(oid([2, 5, 4, 3]), utf8(name))))
  const content = sequence(
    explicit(0, integer(Uint8Array.of(2))),
    integer(serialNumber()),
    ecdsaWithSha256,
    named,
    validity,
    named,
    publicKey,
    explicit(3, sequence(...extensionsFor(name))),
  )
  const signed = await crypto.subtle.sign(signatureAlgorithm, keys.privateKey, Buffer.from(content))
  const signature = new Uint8Array(signed)
  return {
    key: pem("PRIVATE KEY", new Uint8Array(await crypto.subtle.exportKey("pkcs8", keys.privateKey))),
    certificate: pem("CERTIFICATE", sequence(content, ecdsaWithSha256, bits(derSignature(signature)))),
  }
}

function extensionsFor(name: string): Uint8Array[] {
  const isCritical = tagged(0x01, Uint8Array.of(0xff))
  return [
    // Who verifies it finds it among the authorities to trust: it is its own.
    sequence(oid([2, 5, 29, 19]), isCritical, octets(sequence(isCritical))),
    sequence(oid([2, 5, 29, 37]), octets(sequence(oid([1, 3, 6, 1, 5, 5, 7, 3, 1])))),
    sequence(oid([2, 5, 29, 17]), octets(sequence(tagged(0x82, Buffer.from(name, "ascii"))))),
  ]
}

/** Positive and not zero, as RFC 5280 asks (4.1.2.2). */
function serialNumber(): Uint8Array {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[0] = ((bytes[0] as number) & 0x7f) | 0x40
  return bytes
}

/** WebCrypto gives r and s one after the other; X.509 wants them as two whole numbers. */
function derSignature(signature: Uint8Array): Uint8Array {
  const half = signature.length / 2
  return sequence(unsigned(signature.subarray(0, half)), unsigned(signature.subarray(half)))
}

function unsigned(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0)
  const shortest = bytes.subarray(first === -1 ? bytes.length - 1 : first)
  return integer((shortest[0] as number) > 0x7f ? concat([Uint8Array.of(0), shortest]) : shortest)
}

/** The few kinds of value that a certificate is made of, in DER (X.690). */
function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return tagged(0x30, concat(parts))
}

function set(part: Uint8Array): Uint8Array {
  return tagged(0x31, part)
}

function integer(bytes: Uint8Array): Uint8Array {
  return tagged(0x02, bytes)
}

function utf8(text: string): Uint8Array {
  return tagged(0x0c, Buffer.from(text, "utf8"))
}

function utcTime(text: string): Uint8Array {
  return tagged(0x17, Buffer.from(text, "ascii"))
}

function octets(content: Uint8Array): Uint8Array {
  return tagged(0x04, content)
}

function bits(content: Uint8Array): Uint8Array {
  return tagged(0x03, concat([Uint8Array.of(0), content]))
}

function explicit(number: number, content: Uint8Array): Uint8Array {
  return tagged(0xa0 + number, content)
}

function oid([first = 0, second = 0, ...rest]: readonly number[]): Uint8Array {
  const bytes = [first * 40 + second]
  for (const arc of rest) {
    const groups = [arc & 0x7f]
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80)
    bytes.push(...groups)
  }
  return tagged(0x06, Uint8Array.from(bytes))
}

function tagged(tag: number, content: Uint8Array): Uint8Array {
  return concat([Uint8Array.of(tag, ...derLength(content.length)), content])
}

function derLength(length: number): number[] {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >>> 8, length & 0xff]
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}

function pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`
}
