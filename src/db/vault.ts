import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto"
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { UsageError } from "../base/errors.ts"

/**
 * Cryptography with the machine's key. Sealing and each purpose of a fingerprint use keys of their own,
 * derived by HKDF, so a value made for one purpose is worthless for another.
 */
export interface Vault {
  /**
   * Encrypts with AES-256-GCM. Authenticates `purpose`, so a text cannot be moved to another column or row.
   */
  seal(text: string, purpose: string): string
  /** Decrypts. Throws when the text was sealed with another key or for another purpose. */
  open(sealed: string, purpose: string): string
  /** HMAC-SHA256, base64url: recognises a value again without keeping it. */
  fingerprint(text: string, purpose: string): string
}

/**
 * Takes the key from the settings, or else from `secret.key` of the data folder, which the first start
 * creates (mode 0600). `mayMakeKey` is false when the database already holds texts sealed with a key; a
 * missing key then throws UsageError.
 */
export function openVault(dataDir: string, key: Buffer | undefined, mayMakeKey = true): Vault {
  const master = key ?? (mayMakeKey ? readOrMakeKey(keyPath(dataDir)) : readKey(keyPath(dataDir)))
  const keys = new Map<string, Buffer>()

  function keyFor(use: string): Buffer {
    let derived = keys.get(use)
    if (!derived) {
      derived = Buffer.from(hkdfSync("sha256", master, "", `guichet ${use}`, 32))
      keys.set(use, derived)
    }
    return derived
  }

  return {
    seal(text, purpose) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv("aes-256-gcm", keyFor("seal"), nonce).setAAD(Buffer.from(purpose))
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, "base64url")
      const decipher = createDecipheriv("aes-256-gcm", keyFor("seal"), bytes.subarray(0, 12))
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8")
    },
    fingerprint(text, purpose) {
      return createHmac("sha256", keyFor(`fingerprint ${purpose}`))
        .update(text)
        .digest("base64url")
    },
  }
}

export function keyPath(dataDir: string): string {
  return join(dataDir, "secret.key")
}

function readKey(path: string): Buffer {
  try {
    return parseKey(readFileSync(path, "utf8"), path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    throw new UsageError(
      `${path} is missing, and the database holds secrets sealed with it: put it back from a backup, or set GUICHET_SECRET_KEY`,
    )
  }
}

/** Two processes may start on a new folder at the same time: `link` makes exactly one file the key. */
function readOrMakeKey(path: string): Buffer {
  const candidate = `${path}.${randomBytes(9).toString("hex")}`
  if (existsSync(path)) return readKey(path)
  writeFileSync(candidate, `${randomBytes(32).toString("base64")}\n`, {
    mode: 0o600,
    flag: "wx",
    flush: true,
  })
  try {
    linkSync(candidate, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  } finally {
    rmSync(candidate, { force: true })
  }
  return readKey(path)
}

function parseKey(text: string, path: string): Buffer {
  const key = Buffer.from(text.trim(), "base64")
  if (key.length !== 32)
    throw new UsageError(`${path} does not hold 32 bytes in base64: restore it from a backup`)
  return key
}
