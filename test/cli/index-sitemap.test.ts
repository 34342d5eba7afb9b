import { expect, test } from "bun:test"
import { openAuthority } from "../support/authority.ts"
import { guichet } from "../support/cli.ts"
import { temporaryFolder } from "../support/service.ts"
import { page, sitemap, startSite } from "../support/site.ts"

test("a sitemap of a private network is indexed where the setting allows it, and refused without a request where not", async () => {
  await using site = startSite((url) => {
    const pages: Record<string, Response | string> = {
      "/sitemap.xml": sitemap(`${url.origin}/installer`, `${url.origin}/disparue`, `${url.origin}/prive`),
      "/robots.txt": new Response("User-agent: *\nDisallow: /prive"),
      "/installer": page("Installer"),
    }
    return pages[url.pathname]
  })
  using folder = temporaryFolder()
  const closed = { GUICHET_DATA_DIR: folder.path }
  const open = { ...closed, GUICHET_FEED_ALLOW_PRIVATE: "true" }
  const added = await guichet(["project", "add", "--name", "Aide", "--site", site.url, "--json"], closed)
  const index = ["index", JSON.parse(added.stdout).id, "--sitemap", `${site.url}/sitemap.xml`, "--json"]

  const refused = await guichet(index, closed)
  expect(refused.exitCode).toBe(1)
  expect(refused.stderr).toContain("127.0.0.1 is no public address: GUICHET_FEED_ALLOW_PRIVATE=true")
  expect(site.log).toEqual([])

  const indexed = await guichet(index, open)
  expect(indexed.exitCode).toBe(0)
  const { documents, skipped } = JSON.parse(indexed.stdout)
  expect(documents).toBe(1)
  expect(skipped).toContainEqual({ page: `${site.url}/disparue`, reason: "not_found" })
  expect(skipped).toContainEqual({ page: `${site.url}/prive`, reason: "robots" })
})

test("a certificate that nobody vouches for is refused, whatever the environment says", async () => {
  using authority = openAuthority()
  await using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: authority.certify(["127.0.0.1"]),
    fetch: ({ url }) =>
      url.endsWith(".xml") ? sitemap(url.replace("sitemap.xml", "page")) : new Response(""),
  })
  using folder = temporaryFolder()
  const environment = {
    GUICHET_DATA_DIR: folder.path,
    GUICHET_FEED_ALLOW_PRIVATE: "true",
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
  }
  const site = `https://127.0.0.1:${server.port}`
  const added = await guichet(["project", "add", "--name", "Aide", "--site", site, "--json"], environment)
  const refused = await guichet(
    ["index", JSON.parse(added.stdout).id, "--sitemap", `${site}/sitemap.xml`],
    environment,
  )
  expect(refused.exitCode).toBe(1)
  expect(refused.stderr).toMatch(/sitemap\.xml: nobody .* vouches for .*NODE_EXTRA_CA_CERTS/)
})
