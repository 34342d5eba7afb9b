import { expect, test } from "bun:test"
import { inEnglish } from "../../../../src/wording/english.ts"
import { folderReadings } from "../../../support/feed.ts"
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
  return await folderReadings(feed, { nowMs })
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
