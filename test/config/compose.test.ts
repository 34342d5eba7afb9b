import { expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readConfig, unknownSettings } from "../../src/config/config.ts"
import { settings } from "../../src/config/settings.ts"
import { sourcesOfTheProgram } from "../../src/release/clean-clone.ts"
import { temporaryFolder } from "../support/service.ts"

const file = join(import.meta.dir, "../../data/operate/compose.yaml")
// biome-ignore lint/suspicious/noExplicitAny: the test asserts the shape
const compose = Bun.YAML.parse(readFileSync(file, "utf8")) as any
const secrets: Record<string, string> = {
  "secret-key": Buffer.alloc(32, 7).toString("base64"),
  "database-url": "postgres://guichet:secret@postgres:5432/guichet?sslmode=disable",
  "aws-access-key-id": "account",
  "aws-secret-access-key": "key",
}
const nodes = Object.keys(compose.services).filter((name) => name.startsWith("node"))

test("every node has the same settings, which the program takes", () => {
  expect(nodes).toEqual(["node1", "node2", "node3"])
  using folder = temporaryFolder()
  for (const [name, text] of Object.entries(secrets)) writeFileSync(join(folder.path, name), text)
  const { environment } = compose["x-node"] as { environment: Record<string, string> }
  const given = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace("/run/secrets", folder.path).replace(/\$\{GUICHET_DOMAIN:\?\}/, "guichet.exemple.fr"),
  ])
  const read = Object.fromEntries(given)
  expect(unknownSettings(read)).toEqual([])
  const known = new Set(Object.values(settings).map(({ name }) => name as string))
  for (const name of Object.keys(read)) expect(known, name).toContain(name.replace(/_FILE$/, ""))
  const config = readConfig(read)
  expect(config.secrets.database?.url).toContain("@postgres:5432/guichet")
  expect(config.secrets.key).toHaveLength(32)
})

test("every secret and volume is declared, and Caddy knows every node", () => {
  const { services } = compose
  for (const service of [compose["x-node"], ...Object.values(services)] as {
    secrets?: string[]
    volumes?: string[]
  }[]) {
    for (const secret of service.secrets ?? []) expect(Object.keys(compose.secrets)).toContain(secret)
    for (const volume of service.volumes ?? [])
      expect(Object.keys(compose.volumes)).toContain(volume.split(":")[0] as string)
  }
  const caddyfile: string = compose.configs.caddyfile.content
  for (const node of nodes) expect(caddyfile).toContain(`${node}:3000`)
  expect(caddyfile).toContain("health_uri /readyz")
  // As several-machines.md counts them.
  expect(services.postgres.command.join(" ")).toBe("postgres -c max_connections=150")
  // The service in front is the only proxy that is believed.
  const { ipv4_address } = services.caddy.networks.inside
  expect(compose["x-node"].environment.GUICHET_TRUSTED_PROXIES).toBe(ipv4_address)
})

test("an image is built from the sources of the program alone, and secrets stand outside of them", () => {
  const lines = (name: string) => readFileSync(join(import.meta.dir, "../..", name), "utf8").split("\n")
  const copied = lines("Dockerfile")
    .filter((line) => /^COPY (?!--from)/.test(line))
    .flatMap((line) => line.split(" ").slice(1, -1))
  const [first, ...rules] = lines(".dockerignore").filter((line) => line !== "" && !line.startsWith("#"))
  const allowed = rules.filter((rule) => rule.startsWith("!")).map((rule) => rule.slice(1))
  expect(first).toBe("*")
  expect(allowed.toSorted()).toEqual(copied.toSorted())
  expect(allowed.toSorted()).toEqual(sourcesOfTheProgram.toSorted())
  for (const { file: place } of Object.values(compose.secrets) as { file: string }[])
    expect(place).toMatch(/^\$\{GUICHET_SECRETS:-\/etc\/guichet\/secrets\}\//)
})
