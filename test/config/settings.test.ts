import { describe, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describeSettings, readConfig } from "../../src/config/config.ts"
import { openAuthority } from "../support/authority.ts"
import { temporaryFolder } from "../support/service.ts"

const key = Buffer.alloc(32, 7).toString("base64")

describe("the settings", () => {
  test("have a value each when the environment is empty", () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 3000,
      timezone: "Europe/Paris",
      publicUrl: "http://localhost:3000",
    })
  })

  test("an empty variable counts as absent", () => {
    expect(readConfig({ GUICHET_PORT: "" }).port).toBe(3000)
  })

  test("one message names every bad value", () => {
    const bad = {
      GUICHET_PORT: "70000",
      GUICHET_TIMEZONE: "Mars/Olympus",
      GUICHET_PUBLIC_URL: "guichet.fr",
      GUICHET_FEED_ALLOW_PRIVATE: "yes",
      GUICHET_ASK_PER_MINUTE: "-1",
      GUICHET_SECRET_KEY: "short",
      GUICHET_TRUSTED_PROXIES: "10.0.0.1,proxy.exemple.fr",
    }
    for (const name of Object.keys(bad)) expect(() => readConfig(bad)).toThrow(name)
  })

  test("what is wrong is said once, and no password with it", () => {
    using folder = temporaryFolder()
    const file = join(folder.path, "key")
    writeFileSync(file, "geheim")
    const bad = { GEMINI_API_KEY: "geheim", GEMINI_API_KEY_FILE: file }
    const said = sayOf(() => readConfig(bad))
    expect(said.split("\n").filter((line) => line.includes("GEMINI_API_KEY"))).toHaveLength(1)
    for (const url of ["https://guichet:geheim@models.fr/v1", "https://:geheim@models.fr/v1"]) {
      const refused = sayOf(() => readConfig({ GUICHET_MODEL: "openai", GUICHET_OPENAI_BASE_URL: url }))
      expect(refused).toContain("GUICHET_OPENAI_BASE_URL is not")
      expect(refused).not.toContain("geheim")
    }
  })

  test("a proxy is an address or a block of them", () => {
    const right = ["10.0.0.1", "10.0.0.0/8", "::1", "fd00::/8"]
    expect(readConfig({ GUICHET_TRUSTED_PROXIES: right.join(", ") }).trustedProxies).toEqual(right)
    for (const wrong of [
      "proxy.exemple.fr",
      "10.0.0.0/",
      "10.0.0.0/33",
      "10.0.0.0/8x",
      "::/129",
      "fe80::1%lo",
    ])
      expect(() => readConfig({ GUICHET_TRUSTED_PROXIES: `::1,${wrong}` })).toThrow(
        `GUICHET_TRUSTED_PROXIES: ${wrong} is neither`,
      )
  })

  test("endpoints may be led elsewhere for tests and demonstrations", () => {
    const resolve = "hooks.acme.fr=127.0.0.1:8443, Other.acme.fr=[::1]:443"
    expect(readConfig({ GUICHET_WEBHOOK_RESOLVE: resolve }).webhook.fixedTargets).toEqual([
      { host: "hooks.acme.fr", ip: "127.0.0.1", port: 8443 },
      { host: "other.acme.fr", ip: "::1", port: 443 },
    ])
    const wrong = [
      "hooks.acme.fr",
      "a=b:1",
      "a=1.2.3.4",
      "a=1.2.3.4:0",
      "a=1.2.3.4:70000",
      "a=::1:443",
      "a=[1:443",
    ]
    for (const value of wrong)
      expect(() => readConfig({ GUICHET_WEBHOOK_RESOLVE: value })).toThrow("GUICHET_WEBHOOK_RESOLVE")
    expect(() => readConfig({ GUICHET_WEBHOOK_CA_FILE: "/nowhere.pem" })).toThrow("GUICHET_WEBHOOK_CA_FILE")
  })

  test("a file of authorities holds certificates, each of which can be read", () => {
    using authority = openAuthority()
    using folder = temporaryFolder()
    const { key, cert } = authority.certify(["hooks.acme.fr"])
    const read = (content: string) => {
      const file = join(folder.path, "ca.pem")
      writeFileSync(file, content)
      return readConfig({ GUICHET_WEBHOOK_CA_FILE: file }).webhook.ca
    }
    const own = readFileSync(authority.caFile, "utf8")
    expect(read(`# two\n${own}\n${cert}`)).toContain(own)
    for (const wrong of [
      "",
      "none",
      key,
      own.slice(0, 200),
      own.replace(/MII\w+/, "AAAA"),
      `${own}\n${own.replace(/MII\w+/, "AAAA")}`,
    ])
      expect(() => read(wrong), wrong).toThrow(/GUICHET_WEBHOOK_CA_FILE=.* holds no certificate in PEM/)
  })

  test("an object store is a bucket, a place in it, and an account; without a bucket there is none", () => {
    const account = { AWS_ACCESS_KEY_ID: "guichet", AWS_SECRET_ACCESS_KEY: "geheim" }
    const read = (url: string, more: Record<string, string> = account) =>
      readConfig({ GUICHET_STORAGE_URL: url, ...more })
    expect(read("s3://my-bucket/some/place/").storage.s3).toEqual({
      bucket: "my-bucket",
      prefix: "some/place",
      region: "us-east-1",
      endpoint: undefined,
    })
    const elsewhere = { ...account, AWS_ENDPOINT_URL: "https://s3.exemple.fr/", AWS_REGION: "fr-par" }
    expect(read("s3://my-bucket", elsewhere).storage.s3).toEqual({
      bucket: "my-bucket",
      prefix: "",
      region: "fr-par",
      endpoint: "https://s3.exemple.fr",
    })
    const alone = readConfig(account)
    expect([alone.storage.s3, alone.secrets.storage]).toEqual([undefined, undefined])
    for (const wrong of ["my-bucket", "https://s3.exemple.fr/b", "s3://B", "s3://b1/../x", "s3://bucket/a b"])
      expect(() => read(wrong), wrong).toThrow(`GUICHET_STORAGE_URL=${wrong} is not s3://bucket`)
    expect(() => read("s3://my-bucket", {})).toThrow(
      /GUICHET_STORAGE_URL needs AWS_ACCESS_KEY_ID\n.*AWS_SECRET/,
    )
    const said = sayOf(() => read("s3://my-bucket", { ...account, AWS_SECRET_ACCESS_KEY: "ge heim" }))
    expect(said).toContain("AWS_SECRET_ACCESS_KEY holds white space")
    expect(said).not.toContain("heim")
    const described = JSON.stringify(describeSettings({ GUICHET_STORAGE_URL: "s3://my-bucket", ...account }))
    expect(described).not.toContain("geheim")
  })

  test("the public address is that of a host: the console cannot stand under a path", () => {
    const read = (url: string) => readConfig({ GUICHET_PUBLIC_URL: url }).publicUrl
    expect(["https://x.fr", "https://x.fr/", "HTTPS://X.fr:443/"].map(read)).toEqual(
      Array(3).fill("https://x.fr"),
    )
    expect(read("http://192.0.2.7:3000")).toBe("http://192.0.2.7:3000")
    for (const wrong of ["sub/", "sub", "?a=b", "?", "#top", "#", "//sub"])
      expect(() => read(`https://x.fr/${wrong}`), wrong).toThrow(
        `GUICHET_PUBLIC_URL=https://x.fr/${wrong} is not an http or https address of a host alone`,
      )
    const secret = sayOf(() => read("https://guichet:geheim@x.fr/"))
    expect(secret).toContain("GUICHET_PUBLIC_URL is not")
    expect(secret).not.toContain("geheim")
  })

  test("a secret may stand in a file, not in both", () => {
    using folder = temporaryFolder()
    const file = join(folder.path, "key")
    writeFileSync(file, `${key}\n`)
    expect(readConfig({ GUICHET_SECRET_KEY_FILE: file }).secrets.key).toEqual(Buffer.alloc(32, 7))
    expect(() => readConfig({ GUICHET_SECRET_KEY: key, GUICHET_SECRET_KEY_FILE: file })).toThrow("keep one")
    expect(() => readConfig({ GUICHET_SECRET_KEY_FILE: `${file}.none` })).toThrow(
      "GUICHET_SECRET_KEY_FILE cannot be read",
    )
  })

  test("an empty file of a secret counts as absent", () => {
    using folder = temporaryFolder()
    const file = join(folder.path, "key")
    writeFileSync(file, "\n")
    const environment = { GUICHET_SECRET_KEY_FILE: file }
    expect(readConfig(environment).secrets.key).toBeUndefined()
    expect(readConfig({ ...environment, GUICHET_SECRET_KEY: key }).secrets.key).toBeDefined()
    expect(describeSettings(environment)).toContainEqual(
      expect.objectContaining({ name: "GUICHET_SECRET_KEY", value: "", from: "default" }),
    )
  })

  test("are described with secrets masked and their origin", () => {
    const described = describeSettings({ GUICHET_SECRET_KEY: key, GUICHET_PORT: "8080" })
    expect(JSON.stringify(described)).not.toContain(key)
    expect(described.find(({ name }) => name === "GUICHET_PORT")).toMatchObject({
      value: "8080",
      from: "environment",
    })
    expect(described.find(({ name }) => name === "GUICHET_HOST")).toMatchObject({
      value: "127.0.0.1",
      from: "default",
    })
  })
})

function sayOf(read: () => unknown): string {
  try {
    read()
    return ""
  } catch (error) {
    return (error as Error).message
  }
}
