import { expect, test } from "bun:test"
import { existsSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openVault } from "../../src/db/vault.ts"
import { temporaryFolder } from "../support/service.ts"

test("the key file is made at first start, readable by its owner only, and kept", () => {
  using folder = temporaryFolder()
  const sealed = openVault(folder.path, undefined).seal("whsec_x", "endpoint ep_1")
  expect(statSync(join(folder.path, "secret.key")).mode & 0o777).toBe(0o600)
  expect(openVault(folder.path, undefined).open(sealed, "endpoint ep_1")).toBe("whsec_x")
})

test("a key from the settings leaves no key file", () => {
  using folder = temporaryFolder()
  openVault(folder.path, Buffer.alloc(32, 1)).seal("x", "y")
  expect(existsSync(join(folder.path, "secret.key"))).toBe(false)
})

test("what was sealed for one purpose, or with another key, or was altered, does not open", () => {
  using folder = temporaryFolder()
  const vault = openVault(folder.path, Buffer.alloc(32, 1))
  const sealed = vault.seal("secret", "endpoint ep_1")
  expect(() => vault.open(sealed, "endpoint ep_2")).toThrow()
  expect(() => openVault(folder.path, Buffer.alloc(32, 2)).open(sealed, "endpoint ep_1")).toThrow()
  const altered = Buffer.from(sealed, "base64url")
  altered[altered.length - 1] = (altered.at(-1) as number) ^ 1
  expect(() => vault.open(altered.toString("base64url"), "endpoint ep_1")).toThrow()
  expect(vault.seal("secret", "endpoint ep_1")).not.toBe(sealed)
})

test("fingerprints are the same for the same purpose only", () => {
  using folder = temporaryFolder()
  const vault = openVault(folder.path, undefined)
  expect(vault.fingerprint("203.0.113.9", "visitor 2026-11-20")).toBe(
    vault.fingerprint("203.0.113.9", "visitor 2026-11-20"),
  )
  expect(vault.fingerprint("203.0.113.9", "visitor 2026-11-20")).not.toBe(
    vault.fingerprint("203.0.113.9", "visitor 2026-11-21"),
  )
})

test("a key file that holds no key stops the start in clear words", () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, "secret.key"), "oops")
  expect(() => openVault(folder.path, undefined)).toThrow(/secret.key does not hold 32 bytes/)
})
