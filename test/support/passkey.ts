import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

/** A device that holds one passkey, without a browser around it: it does whatever it is told, wrong things too. */
export interface Authenticator {
  id: string
  /** JSON of what a browser gives for a new credential. */
  register(options: Options, wrong?: Wrong): string
  /** JSON of what a browser gives for an answer. */
  answer(options: Options, wrong?: Wrong): string
}

/** Of a page's form. */
// biome-ignore lint/suspicious/noExplicitAny: it is JSON of the page
export type Options = any

export interface Wrong {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** Without PIN, finger or face. */
  isUnverified?: boolean
  counter?: number
  userHandle?: string
  format?: string
  key?: KeyObject
}

export function authenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const id = randomBytes(32)
  let counter = 0
  let handle: string | undefined

  const clientData = (type: string, options: Options, wrong: Wrong) =>
    Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? options.challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const authData = (rpId: string, wrong: Wrong, attested?: Buffer) => {
    const flags = 0x01 | (wrong.isUnverified ? 0 : 0x04) | (attested ? 0x40 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(wrong.counter ?? ++counter)
    const rpIdHash = createHash("sha256")
      .update(wrong.rpId ?? rpId)
      .digest()
    return Buffer.concat([rpIdHash, Buffer.from([flags]), count, attested ?? Buffer.alloc(0)])
  }
  const credential = (response: Record<string, Buffer | string | undefined>) =>
    JSON.stringify({
      id: id.toString("base64url"),
      rawId: id.toString("base64url"),
      type: "public-key",
      response: Object.fromEntries(
        Object.entries(response).map(([name, part]) => [
          name,
          Buffer.isBuffer(part) ? part.toString("base64url") : part,
        ]),
      ),
      clientExtensionResults: {},
    })

  return {
    id: id.toString("base64url"),
    register(options, wrong = {}) {
      handle = options.user.id
      const { x, y } = publicKey.export({ format: "jwk" }) as { x: string; y: string }
      const cose = cbor(
        new Map<number, number | Buffer>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, "base64url")],
          [-3, Buffer.from(y, "base64url")],
        ]),
      )
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cose])
      const attestation = new Map<string, unknown>([
        ["fmt", wrong.format ?? "none"],
        ["attStmt", new Map()],
        ["authData", authData(options.rp.id, wrong, attested)],
      ])
      return credential({
        clientDataJSON: clientData("webauthn.create", options, wrong),
        attestationObject: cbor(attestation),
      })
    },
    answer(options, wrong = {}) {
      const clientDataJSON = clientData("webauthn.get", options, wrong)
      const authenticatorData = authData(options.rpId, wrong)
      const hash = createHash("sha256").update(clientDataJSON).digest()
      const signature = sign("sha256", Buffer.concat([authenticatorData, hash]), wrong.key ?? privateKey)
      return credential({
        clientDataJSON,
        authenticatorData,
        signature,
        userHandle: wrong.userHandle ?? handle,
      })
    },
  }
}

/** CBOR (RFC 8949), as far as credentials use it. */
function cbor(value: unknown): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value)
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(cbor)])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
