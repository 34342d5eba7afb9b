import { afterAll, beforeAll, expect, test } from "bun:test"
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SMTPServer } from "smtp-server"
import type { Check } from "../../src/ops/checks/check.ts"
import { type Authority, openAuthority } from "../support/authority.ts"
import { guichet, program } from "../support/cli.ts"
import { startModelServer } from "../support/models/server.ts"
import { mayMount } from "../support/mount.ts"
import { temporaryFolder } from "../support/service.ts"
import { page, sitemap, startSite } from "../support/site.ts"

const main = await program()

/** A model, a mail server and a site of a network that has an authority of its own. */
let own: Awaited<ReturnType<typeof startNetwork>>
beforeAll(async () => {
  own = await startNetwork()
})
afterAll(() => own[Symbol.asyncDispose]())

async function startNetwork() {
  await using resources = new AsyncDisposableStack()
  const authority = resources.use(openAuthority())
  const tls = authority.certify(["127.0.0.1", "localhost"])
  const folder = resources.use(temporaryFolder())
  const model = resources.use(startModelServer("gemini", undefined, tls))
  const site = resources.use(
    startSite(
      ({ pathname, origin }) => (pathname === "/sitemap.xml" ? sitemap(`${origin}/page`) : page("Aide")),
      tls,
    ),
  )
  // With a password, a certificate has to be vouched for on this machine, too.
  const mail = new SMTPServer({
    secure: true,
    ...tls,
    onAuth: (_auth, _session, callback) => callback(null, { user: "guichet" }),
  })
  mail.on("error", () => {})
  const listener = mail.listen(0, "127.0.0.1")
  await new Promise((resolve) => listener.once("listening", resolve))
  resources.defer(() => new Promise<void>((resolve) => mail.close(() => resolve())))
  const kept = resources.move()
  return {
    authority,
    folder: folder.path,
    site: site.url,
    environment: {
      GUICHET_DATA_DIR: folder.path,
      GUICHET_FEED_ALLOW_PRIVATE: "true",
      GUICHET_SMTP_URL: `smtps://guichet:secret@localhost:${(listener.address() as { port: number }).port}`,
      GUICHET_MAIL_FROM: "guichet@acme.fr",
      ...model.environment,
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** How the model and the mail server are found, and how many authorities this machine has. */
async function checked(more: Record<string, string>, command?: readonly string[]) {
  const { stdout } = await guichet(["check", "--json"], { ...own.environment, ...more }, "", command)
  const { checks } = JSON.parse(stdout) as { checks: Check[] }
  const found = (name: string) => checks.find((check) => check.name === name)
  return { smtp: found("smtp"), model: found("model"), authorities: found("authorities") }
}

async function indexed(more: Record<string, string>) {
  const environment = { ...own.environment, GUICHET_EMBEDDING: "none", ...more }
  const added = await guichet(["project", "add", "--name", "Aide", "--site", own.site, "--json"], environment)
  const { id } = JSON.parse(added.stdout) as { id: string }
  return guichet(["index", id, "--sitemap", `${own.site}/sitemap.xml`, "--json"], environment)
}

const remedy = /update-ca-certificates.*NODE_EXTRA_CA_CERTS/

test("a feed, a model and a mail server of an unknown authority are refused with the remedy", async () => {
  const { smtp, model } = await checked({})
  expect([smtp?.state, model?.state]).toEqual(["failed", "failed"])
  expect(smtp?.detail).toMatch(remedy)
  expect(model?.detail).toMatch(remedy)
  const { exitCode, stderr } = await indexed({})
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(remedy)
})

/** A folder of files under any names, without OpenSSL's links. */
function folderWith({ caFile }: Authority): string {
  const folder = join(own.folder, "authorities")
  mkdirSync(folder, { recursive: true })
  copyFileSync(caFile, join(folder, "of-our-own.crt"))
  writeFileSync(join(folder, "README"), "No certificate.")
  return folder
}

test.each<[string, () => string]>([
  ["SSL_CERT_FILE", () => own.authority.caFile],
  ["SSL_CERT_DIR", () => `/nowhere:${folderWith(own.authority)}`],
  ["NODE_EXTRA_CA_CERTS", () => own.authority.caFile],
])("%s names authorities by which models and mail servers are judged too", async (name, value) => {
  const { smtp, model } = await checked({ [name]: value() })
  expect([smtp?.state, model?.state]).toEqual(["ok", "ok"])
})

test("a feed is judged by them too", async () => {
  const { exitCode, stdout } = await indexed({ NODE_EXTRA_CA_CERTS: own.authority.caFile })
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ documents: 1 })
})

const systemFile = "/etc/ssl/certs/ca-certificates.crt"

test.skipIf(!mayMount)("what is added to the system's authorities is known without a setting", async () => {
  const bundle = join(own.folder, "system.crt")
  writeFileSync(bundle, readFileSync(own.authority.caFile))
  const over = `mkdir -p /etc/ssl/certs && touch ${systemFile} && mount --bind ${bundle} ${systemFile} && exec "$@"`
  const inNamespace = ["unshare", "-m", "sh", "-c", over, "sh", process.execPath, main]
  const { smtp, model, authorities } = await checked({}, inNamespace)
  expect([smtp?.state, model?.state]).toEqual(["ok", "ok"])
  expect(authorities?.detail).toBe("this machine trusts 1 certificate authorities")
})

test("a place that cannot be used is named by the check", async () => {
  const { authorities } = await checked({ SSL_CERT_FILE: "/nowhere.pem" })
  expect(authorities?.state).toBe("warning")
  expect(authorities?.detail).toContain("SSL_CERT_FILE=/nowhere.pem cannot be used (ENOENT)")
})
