import { expect, test } from "bun:test"
import { dayMs } from "../../../../src/base/clock.ts"
import { dirReader } from "../../../../src/reading/kinds/folder/dir.ts"
import { localParser } from "../../../../src/reading/parser.ts"
import { inEnglish } from "../../../../src/wording/english.ts"
import { temporaryFolder } from "../../../support/service.ts"

const today = Date.parse("2026-11-26T12:00:00Z")
const text = "\n\n# Titre\n\nLe guichet ouvrira le 1er janvier 2030.\n"

test.each<[string, string]>([
  ["YAML", "---\ndraft: true\n---"],
  ["YAML 1.1", "---\ndraft: yes\n---"],
  ["a text", '---\nunlisted: "true"\n---'],
  ["not published", "---\npublished: no\n---"],
  ["TOML", "+++\ndraft = true\n+++"],
  ["TOML between rules", "---toml\ndraft = true\n---"],
  ["JSON", '{\n  "title": "A",\n  "params": {\n    "a": 1\n  },\n  "draft": true\n}'],
  ["JSON between rules", '---json\n{ "draft": true }\n---'],
  ["capitals of Hugo", "---\nDraft: true\n---"],
])("a draft is not read, whatever its front matter is written in: %s", async (_, head) => {
  expect(await outcomes({ "a.md": head + text })).toEqual({ "a.md": "noindex" })
})

test("JSON front matter gives the title, and is no text", async () => {
  const found = await readings({ "a.md": '{\n  "title": "Ouverture"\n}\nLe guichet ouvre à neuf heures.' })
  expect(found).toMatchObject([
    { document: { title: "Ouverture", sections: [{ markdown: "Le guichet ouvre à neuf heures." }] } },
  ])
})

const pages = {
  "2030-01-01-a.md": `---\ntitle: A\n---${text}`,
  "2020-01-01-b.md": `---\ndate: 2026-11-27 08:00:00 +0100\n---${text}`,
  "2020-01-01-c.md": text,
}

test("Jekyll's posts are read from their day on, which the name of the file or the front matter gives", async () => {
  const site = {
    "_config.yml": "title: Site\n",
    ...Object.fromEntries(Object.entries(pages).map(([name, text]) => [`_posts/${name}`, text])),
    "page.md": `---\ndate: 2030-01-01\n---${text}`,
  }
  expect(await outcomes(site)).toEqual({
    "_posts/2030-01-01-a.md": "not_published: date: published on 2030-01-01",
    "_posts/2020-01-01-b.md": "not_published: date: published on 2026-11-27",
    "_posts/2020-01-01-c.md": "read",
    "page.md": "read",
  })
  const read = Object.values(await outcomes({ ...site, "_config.yml": "future: true\n" }))
  expect(read).toEqual(["read", "read", "read", "read"])
})

test.each([
  ["Hugo", "hugo.toml", "[permalinks]\nblog = '/:year/:slug/'\n", "content/blog/a.md"],
  ["Jekyll", "_config.yml", "permalink: /:year/:title/\n", "_posts/2020-01-01-a.md"],
  ["Docusaurus", "docusaurus.config.ts", "", "blog/a.md"],
])("a date that is an object of its own leaves out no page: %s", async (_, settings, content, path) => {
  for (const head of ["date: {toString: 1}", "publishDate: {toString: 1}\nbuild: {render: {toString: 1}}"])
    expect(await outcomes({ [settings]: content, [path]: `---\n${head}\n---${text}` })).toEqual({
      [path]: "read",
    })
})

test.each(["publishDate: 2030-01-01", "date: 2030-01-01T10:00:00Z", "pubdate: 2026-11-26T13:00:00"])(
  "Hugo's page is read from its day on, and until its last: %s",
  async (date) => {
    const yaml = (head: string) => `---\n${head}\n---${text}`
    const site = {
      "hugo.toml": "title = 'Site'\n",
      "content/to-come.md": yaml(date),
      "content/past.md": yaml("expiryDate: 2026-01-01"),
      "content/now.md": yaml("date: 2030-01-01\npublishDate: 2020-01-01\nexpiryDate: 2030-01-01"),
      "content/toml.md": `+++\npublishDate = 2030-01-01T00:00:00Z\n+++${text}`,
      "content/draft.md": yaml("draft: true"),
    }
    const hidden = await outcomes(site)
    expect(hidden["content/to-come.md"]).toStartWith("not_published: ")
    expect(hidden).toMatchObject({
      "content/past.md": "not_published: expirydate: published until 2026-01-01",
      "content/now.md": "read",
      "content/toml.md": "not_published: publishdate: published on 2030-01-01",
      "content/draft.md": "noindex",
    })
    const all = "buildFuture = true\nbuildExpired = true\nbuildDrafts = true\n"
    expect(new Set(Object.values(await outcomes({ ...site, "hugo.toml": all })))).toEqual(new Set(["read"]))
  },
)

test("a page is read once its day has come though its file did not change", async () => {
  const site = { "_config.yml": "", "_posts/2026-12-01-a.md": text }
  expect(await outcomes(site)).toEqual({
    "_posts/2026-12-01-a.md": "not_published: date: published on 2026-12-01",
  })
  expect(await outcomes(site, today + 5 * dayMs)).toEqual({ "_posts/2026-12-01-a.md": "read" })
})

test("where no generator publishes by date, a date hides nothing", async () => {
  expect(await outcomes({ "a.md": `---\ndate: 2030-01-01\nexpiryDate: 2020-01-01\n---${text}` })).toEqual({
    "a.md": "read",
  })
})

async function readings(files: Record<string, string>, nowMs = today) {
  using folder = temporaryFolder()
  for (const [path, content] of Object.entries(files)) await Bun.write(`${folder.path}/${path}`, content)
  const feed = {
    id: "feed_1",
    projectId: "project1",
    kind: "dir",
    address: folder.path,
    baseUrl: "https://docs.example",
    urlStyle: "auto",
  } as const
  return await Array.fromAsync(
    dirReader(localParser, { now: () => nowMs })(feed, new AbortController().signal),
  )
}

async function outcomes(files: Record<string, string>, nowMs = today): Promise<Record<string, string>> {
  const found = await readings(files, nowMs)
  return Object.fromEntries(
    found.map((reading) => {
      if (reading.outcome !== "left_out") return [reading.page, reading.outcome]
      const why = reading.reason === "not_published" ? `: ${inEnglish(reading.detail ?? "")}` : ""
      return [reading.page, reading.reason + why]
    }),
  )
}
