import { expect, test } from "bun:test"
import { symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import type { PageReading } from "../../../../src/reading/kinds/page-reading.ts"
import type { FolderFeed } from "../../../../src/reading/kinds/table.ts"
import { folderReadings } from "../../../support/feed.ts"
import { folderOf } from "../../../support/folder-of.ts"

// Every address here is the one that the generator itself builds; `bun test/bench/addresses.ts` compares whole sites.

const text = "# A\n\nTexte"
const page = (attributes: string, body = text) => `---\n${attributes}\n---\n${body}`

interface Case {
  files: Record<string, string>
  /** By file, its address path; null when it is no page. */
  pages: Record<string, string | null>
  feed?: Partial<FolderFeed>
  /** The feed's folder in the site. */
  dir?: string
}

const cases: Record<string, Case> = {
  "without a generator, a path of the front matter counts from the site": {
    files: {
      "guide/a.md": page("slug: /depart"),
      "guide/b.md": page("permalink: /b.html"),
      "guide/c.md": page("slug: c2"),
    },
    pages: { "guide/a.md": "/depart", "guide/b.md": "/b.html", "guide/c.md": "/guide/c2" },
  },
  "a path that makes no address is ignored": {
    files: {
      "a.md": page("permalink: /:year/:title"),
      "b.md": page(`permalink: /${"a".repeat(3000)}`),
      "c.md": page('permalink: "/\\ud800"'),
      "d.md": page("permalink: https://ailleurs.example/d"),
      "e.md": page("permalink: //ailleurs.example/e"),
    },
    pages: { "a.md": "/a", "b.md": "/b", "c.md": "/c", "d.md": "/d", "e.md": "/e" },
  },
}

test.each(Object.entries(cases))("%s", async (_, { files, pages, feed, dir = "." }) => {
  using folder = folderOf(files)
  const found = await readings(join(folder.path, dir), feed)
  const addresses = found.map(({ page, ...reading }) => [
    page,
    reading.outcome === "read" ? reading.document.url.replace("https://docs.example", "") : null,
  ])
  expect(Object.fromEntries(addresses.filter(([page]) => (page as string) in pages))).toEqual(pages)
})

const secret = "Le mot de passe est dans le coffre."

test.each<[string, string, (target: string) => string]>([
  ["mkdocs.yml", "docs/a.md", (target) => `--8<-- "${target}"`],
  [".vitepress/config.ts", "docs/a.md", (target) => `<!--@include: ${target}-->`],
  ["_config.yml", "docs/a.md", (target) => `{% include_relative ${target} %}`],
  ["book.toml", "src/a.md", (target) => `{{#include ${target}}}`],
  ["hugo.toml", "content/a.md", (target) => `{{% include "${target}" %}}`],
])("an inclusion of a site with %s stays in the folder and ends", async (sign, name, include) => {
  using outside = folderOf({ "secret.md": secret })
  const targets = [
    "../../secret.md",
    join(outside.path, "secret.md"),
    "lien.md",
    `https://x.example/secret.md`,
  ]
  const circle = Array.from({ length: 3 }, () => include("a.md")).join("\n")
  const text = page("a: b", `# A\n\n${targets.map(include).join("\n\n")}\n\n${circle}\n\nSuite.`)
  using folder = folderOf({ [`site/${sign}`]: "", [`site/${name}`]: text, "secret.md": secret })
  symlinkSync(join(outside.path, "secret.md"), join(folder.path, "site", dirname(name), "lien.md"))
  const read = await textOf(join(folder.path, "site"), name)
  expect(read).toContain("Suite.")
  expect(read).not.toContain("coffre")
})

function readings(address: string, options: Partial<FolderFeed> = {}): Promise<PageReading[]> {
  const baseUrl = "https://docs.example"
  const feed = {
    id: "feed_1",
    projectId: "project1",
    kind: "dir",
    address,
    baseUrl,
    urlStyle: "auto",
    ...options,
  } as const
  return folderReadings(feed)
}

async function textOf(address: string, page: string, options: Partial<FolderFeed> = {}): Promise<string> {
  const reading = (await readings(address, options)).find((reading) => reading.page === page)
  if (reading?.outcome !== "read") throw new Error(JSON.stringify(reading))
  return reading.document.sections.map(({ markdown }) => markdown).join("\n")
}
