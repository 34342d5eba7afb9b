import { createHmac } from "node:crypto"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** The code of a base32 secret at a time: RFC 6238 with SHA-1, six digits and thirty seconds. */
export function totpCode(secret: string, atMs: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)))
  const mac = createHmac("sha1", bytesOf(secret)).update(counter).digest()
  const at = (mac[19] as number) & 15
  return String((mac.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, "0")
}

function bytesOf(base32: string): Buffer {
  const bits = [...base32.replace(/\s/g, "")]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0"))
    .join("")
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
