import { expect, test } from "bun:test"
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
