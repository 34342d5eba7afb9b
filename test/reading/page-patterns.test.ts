import { expect, test } from "bun:test"
import { namesOfFile, namesOfUrl, pageFilter } from "../../src/reading/page-patterns.ts"
import { apiOf } from "../support/api.ts"
import { guichet } from "../support/cli.ts"
import { readSitemap, refusedSitemap } from "../support/read-sitemap.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { page, sitemap, testNetwork } from "../support/site.ts"

const site = "https://docs.exemple.fr"

test.each<[pattern: string, matches: string[], others: string[]]>([
  ["/blog/*", ["/blog/a", "/blog/a/"], ["/blog", "/blog/", "/blog/a/b", "/blogs/a"]],
  ["/blog/**", ["/blog", "/blog/", "/blog/a", "/blog/a/b.html"], ["/blogs/a", "/x/blog/a"]],
  ["**/changelog", ["/changelog", "/a/b/changelog/"], ["/mon-changelog", "/changelog/1"]],
  ["fr/**/api", ["/fr/api", "/fr/a/b/api"], ["/fr/a/xapi", "/en/api"]],
  ["/v1**", ["/v1.2/a", "/v1"], ["/v2"]],
  ["*.html", ["/a.html"], ["/a/b.html"]],
  ["/équipe/*", ["/%C3%A9quipe/a"], ["/equipe/a"]],
  ["**?print=*", ["/a/b?print=1"], ["/a/b"]],
  [`${site}/a/**`, ["/a/b"], ["/b/a/b"]],
  ["https://autre.exemple.fr/**", [], ["/a"]],
])("the pattern %s", (pattern, matches, others) => {
  const filter = pageFilter({ exclude: [pattern] })
  const isExcluded = (path: string) => filter(namesOfUrl(new URL(path, site)), site) !== undefined
  expect(matches.filter((path) => !isExcluded(path))).toEqual([])
  expect(others.filter(isExcluded)).toEqual([])
})

test("a file is named with or without its extension, and an index by its folder", () => {
  const isExcluded = (pattern: string, file: string) => pageFilter({ exclude: [pattern] })(namesOfFile(file))
  for (const [pattern, file] of [
    ["blog/*", "blog/a.md"],
    ["blog/*.md", "blog/a.md"],
    ["blog/a", "blog/a.mdx"],
    ["blog", "blog/_index.md"],
    ["/blog/**", "blog/README.md"],
  ] as const)
    expect(isExcluded(pattern, file), pattern).toBeDefined()
  expect(isExcluded("blog/*", "blog/a/b.md")).toBeUndefined()
})

test("matching costs as much for an address made for it as for any other", () => {
  const filter = pageFilter({ exclude: Array.from({ length: 20 }, () => "**a*a**a*ab") })
  const cost = (length: number) => {
    const before = process.cpuUsage().user
    for (let n = 0; n < 20; n++) filter(["a".repeat(length)])
    return process.cpuUsage().user - before
  }
  cost(2000)
  const [short, long] = [1000, 8000].map((length) => Math.min(cost(length), cost(length), cost(length)))
  expect(long as number).toBeLessThan(24 * (short as number))
})

test("pages that no pattern wants are not asked for, and are told as left out with the pattern", async () => {
  const { of, log, documents } = await readSitemap(
    (origin) => ({
      "/sitemap.xml": sitemap(
        ...["guide/a", "guide/interne/b", "blog/c", "moved"].map((path) => `${origin}/${path}`),
      ),
      "/guide/a": page("A"),
      "/moved": Response.redirect("/guide/interne/d", 301),
      "/guide/interne/d": page("D"),
    }),
    testNetwork(),
    [],
    { include: ["/guide/**", "/moved"], exclude: ["**/interne/*"] },
  )
  expect(documents.map(({ path }) => path)).toEqual(["guide/a"])
  for (const path of ["/guide/interne/b", "/blog/c", "/moved"]) expect(of(path)).toBe("left_out: excluded")
  expect(log).not.toContain("GET /blog/c")
  expect(log).not.toContain("GET /guide/interne/b")
})

test("patterns that want no page at all are an error that names them", async () => {
  const reason = await refusedSitemap(
    (origin) => ({ "/sitemap.xml": sitemap(`${origin}/a`), "/a": page("A") }),
    testNetwork(),
    { include: ["/guide/**"] },
  )
  expect(reason).toContain("no page is left by --include and --exclude")
})

test("the API keeps the patterns of a feed, and names what is none", async () => {
  await using service = await aService().started()
  const api = await apiOf(service)
  const { body: project } = await api.post("/api/v1/projects", { name: "Docs", site })
  const feeds = `/api/v1/projects/${project.id}/feeds`
  const feed = { kind: "sitemap", address: `${site}/sitemap.xml` }
  const made = await api.post(feeds, { ...feed, include: ["/guide/**"], exclude: ["**/brouillon"] })
  expect([made.status, made.body.include, made.body.exclude]).toEqual([201, ["/guide/**"], ["**/brouillon"]])
  expect((await api.get(feeds)).body.items).toEqual([made.body])
  const again = await api.post(feeds, feed)
  expect([again.body.id, again.body.include, again.body.exclude]).toEqual([made.body.id, [], []])

  for (const exclude of [["a b"], [""], ["/a".repeat(101)], ["*a*b*c*d*e*f"], Array(21).fill("/a"), "/a"]) {
    const { status, body } = await api.post(feeds, { ...feed, exclude })
    expect([status, typeof body.error.fields.exclude]).toEqual([400, "string"])
  }
})

test("the command leaves files out, and says which pattern did", async () => {
  using folder = temporaryFolder()
  using data = temporaryFolder()
  const environment = { GUICHET_DATA_DIR: data.path }
  for (const file of ["guide/a.md", "blog/b.md", "c.md"])
    await Bun.write(`${folder.path}/docs/${file}`, `# ${file}\n\nTexte.`)
  const added = await guichet(["project", "add", "--name", "Aide", "--site", site, "--json"], environment)
  const index = ["index", JSON.parse(added.stdout).id]
  const dir = [...index, "--dir", `${folder.path}/docs`, "--base-url", site, "--words", "--json"]

  const first = await guichet([...dir, "--exclude", "blog/**", "--exclude", "/c"], environment)
  expect(JSON.parse(first.stdout)).toMatchObject({
    documents: 1,
    skipped: [
      { page: "c.md", reason: "excluded: --exclude /c" },
      { page: "blog/b.md", reason: "excluded: --exclude blog/**" },
    ],
  })
  const again = await guichet([...index, "--words", "--json"], environment)
  expect(JSON.parse(again.stdout)).toMatchObject({ documents: 1, unchanged: 1 })
  expect((await guichet([...index, "--include", "guide/**"], environment)).exitCode).toBe(2)
  expect((await guichet([...dir, "--include", "a b"], environment)).exitCode).toBe(2)
})
