import { expect, test } from "bun:test"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { folderReadings } from "../../../support/feed.ts"
import { folderOf } from "../../../support/folder-of.ts"
import { addresses, folderFeed, pageOf, recognised } from "../../../support/generator-site.ts"

const page = "# A\n\n## L'été 2\n\nTexte"

test.each<[string, Record<string, string>]>([
  ["docs", { "docs/a.md": page }],
  ["a/b/c/d/e", { "mkdocs.yml": "" }],
  ["repo/docs", { "mkdocs.yml": "", "repo/.git/HEAD": "" }],
])("no generator is told without signs, too far above or beyond the repository: %s", async (dir, files) => {
  expect(await recognised(files, dir)).toBeUndefined()
})

test("the generator that the owner sets is right, whatever the files tell", async () => {
  const site = { "mkdocs.yml": "", "a.md": page }
  const anchors = await Promise.all(
    ([undefined, "gitbook", "vitepress", "docusaurus"] as const).map(
      async (generator) => (await pageOf(site, "a.md", generator && { generator })).sections[0]?.anchor,
    ),
  )
  expect(anchors).toEqual(["lete-2", "lete-2", "l-ete-2", "lété-2"])
})

test("the settings of a site are read in its folder only", async () => {
  using outside = folderOf({ "mkdocs.yml": "use_directory_urls: false" })
  using folder = folderOf({ "a.md": page })
  symlinkSync(join(outside.path, "mkdocs.yml"), join(folder.path, "mkdocs.yml"))
  const reading = folderReadings(folderFeed(folder.path))
  expect(await reading).toMatchObject([{ document: { url: "https://docs.example/a/" } }])
})

test("without a generator, the end of an address is left out unless the owner asks for a slash", async () => {
  expect(await addresses({ "guide/a.md": page })).toEqual({ "guide/a.md": "/guide/a" })
  expect(await addresses({ "guide/a.md": page }, { urlStyle: "slash" })).toEqual({
    "guide/a.md": "/guide/a/",
  })
})
