import { expect, test } from "bun:test"
import { chmodSync, symlinkSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { Refusal } from "../../../../src/base/errors.ts"
import type { UrlStyle } from "../../../../src/reading/generators/kit/generator.ts"
import type { PageReading } from "../../../../src/reading/kinds/page-reading.ts"
import { splitDocument } from "../../../../src/reading/passages/split-document.ts"
import { inEnglish } from "../../../../src/wording/english.ts"
import { folderReadings, reasonOf } from "../../../support/feed.ts"
import { folderOf } from "../../../support/folder-of.ts"
import { makePdf } from "../../../support/pdf.ts"

test("every Markdown file at any depth is a page, known by its path without extension", async () => {
  using folder = folderOf({
    "index.md": "# A\n\nTexte",
    "guide/a.md": "# A\n\nTexte",
    "guide/b/c.mdx": "# A\n\nTexte",
    "d.markdown": "# A\n\nTexte",
  })
  expect(pathsRead(await readings(folder))).toEqual(["d", "guide/a", "guide/b/c", "index"])
})

test("dot folders, node_modules and parts of other pages are no pages", async () => {
  using folder = folderOf({
    "a.md": "# A\n\nTexte",
    ".git/b.md": "# A\n\nTexte",
    "node_modules/c/README.md": "# A\n\nTexte",
    "_partials/d.md": "# A\n\nTexte",
    "_e.md": "# A\n\nTexte",
    "[param].md": "# A\n\nTexte",
  })
  const found = await readings(folder)
  expect(pathsRead(found)).toEqual(["a"])
  expect(leftOut(found)).toEqual([
    ["[param].md", "empty", "a template for other pages"],
    ["_e.md", "empty", "a part of other pages"],
  ])
})

test("documents that no reader reads are told, the first of each ending with their number", async () => {
  using folder = folderOf({
    "a.md": "# A\n\nTexte",
    "b.rst": "B",
    "c/d.RST": "D",
    "tarifs.xlsx": "x",
    "image.png": "x",
  })
  expect(leftOut(await readings(folder))).toEqual([
    ["b.rst", "not_html", "2 .rst files are not read"],
    ["tarifs.xlsx", "not_html", "1 .xlsx file is not read"],
  ])
})

test.each<[UrlStyle, string]>([
  ["clean", "https://docs.example/fr/guide/a%20b"],
  ["html", "https://docs.example/fr/guide/a%20b.html"],
  ["slash", "https://docs.example/fr/guide/a%20b/"],
])("with %s urls, a page is at %s", async (urlStyle, url) => {
  using folder = folderOf({ "guide/a b.md": "# A\n\nTexte" })
  expect(urlsRead(await readings(folder, { urlStyle, baseUrl: "https://docs.example/fr/" }))).toEqual([url])
})

test("an index or README is the page of its folder, whatever the style of urls", async () => {
  using folder = folderOf({
    "README.md": "# A\n\nTexte",
    "guide/index.md": "# A\n\nTexte",
    "guide/deep/_index.md": "# A\n\nTexte",
  })
  for (const urlStyle of ["clean", "html", "slash"] as const)
    expect(urlsRead(await readings(folder, { urlStyle }))).toEqual([
      "https://docs.example/",
      "https://docs.example/guide/",
      "https://docs.example/guide/deep/",
    ])
})

test("two files of one page are read once", async () => {
  using folder = folderOf({
    "README.md": "# B\n\nTexte",
    "index.md": "# A\n\nTexte",
    "a.md": "# A\n\nTexte",
    "a.mdx": "# B\n\nTexte",
  })
  const found = await readings(folder)
  expect(pathsRead(found)).toEqual(["a", "index"])
  expect(leftOut(found).map(([page, reason]) => [page, reason])).toEqual([
    ["README.md", "duplicate"],
    ["a.mdx", "duplicate"],
  ])
})

test("a folder without Markdown is read as a built site", async () => {
  using folder = folderOf({
    "guide/index.html": "<main><h1>Guide</h1><p>Texte.</p></main>",
    "404.html": "<p>Rien",
  })
  const found = await readings(folder)
  expect(urlsRead(found)).toEqual(["https://docs.example/guide/"])
  using mixed = folderOf({ "a.md": "# A\n\nTexte", "demo.html": "<p>Démo" })
  const both = await readings(mixed)
  expect(pathsRead(both)).toEqual(["a"])
  expect(both).toContainEqual({ page: "demo.html", outcome: "left_out", reason: "not_markdown" })
})

test("a folder that does not exist, is a file or holds no page is refused in clear words", async () => {
  using folder = folderOf({ "notes.txt": "rien" })
  const refused = [
    [join(folder.path, "absent"), "no such file or directory"],
    [join(folder.path, "notes.txt"), "is not a folder"],
    [folder.path, "no page in"],
  ] as const
  for (const [address, reason] of refused) {
    const error = await readings({ path: address }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Refusal)
    expect(reasonOf(error)).toContain(reason)
    expect(reasonOf(error)).toContain(address)
  }
})

test("files that are no text are each left out with the reason, and the rest is read", async () => {
  using folder = folderOf({
    "binary.md": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]),
    "latin1.md": Buffer.from("# Été\n\nTexte", "latin1"),
    "utf16.md": Buffer.from("\ufeff# Été\n\nTexte", "utf16le"),
    "blank.md": "  \n",
    "good.md": "# A\n\nTexte",
  })
  const found = await readings(folder)
  expect(pathsRead(found)).toEqual(["good", "utf16"])
  expect(leftOut(found)).toEqual([
    ["binary.md", "unreadable", "a binary file"],
    ["blank.md", "empty", undefined],
    ["latin1.md", "unreadable", "not UTF-8 text: convert it"],
  ])
})

test("a page over 5 MB is left out before it is read", async () => {
  using folder = folderOf({ "huge.md": "# A\n", "good.md": "# A\n\nTexte" })
  truncateSync(join(folder.path, "huge.md"), 50 * 1024 * 1024)
  const found = await readings(folder)
  expect(pathsRead(found)).toEqual(["good"])
  expect(leftOut(found)).toEqual([["huge.md", "too_large", "50.0 MB, at most 5 MB"]])
})

test("symbolic links lead neither out of the folder nor round in circles", async () => {
  using outside = folderOf({ "secret.md": "# Secret\n\nTexte" })
  using folder = folderOf({ "a.md": "# A\n\nTexte" })
  symlinkSync(join(outside.path, "secret.md"), join(folder.path, "leak.md"))
  symlinkSync(outside.path, join(folder.path, "leaks"))
  symlinkSync(folder.path, join(folder.path, "round"))
  symlinkSync(join(folder.path, "absent.md"), join(folder.path, "dangling.md"))
  symlinkSync(join(folder.path, "a.md"), join(folder.path, "b.md"))
  const found = await readings(folder)
  expect(pathsRead(found)).toEqual(["a", "b"])
  expect(leftOut(found)).toEqual([
    ["dangling.md", "unreadable", "a symbolic link that leads nowhere"],
    ["leak.md", "unreadable", "a symbolic link out of the folder"],
    ["leaks", "unreadable", "a symbolic link to a folder: not followed"],
    ["round", "unreadable", "a symbolic link to a folder: not followed"],
  ])
})

test("what is exchanged for a link while the folder is read leads nowhere else either", async () => {
  using outside = folderOf({ "page.md": "# Secret\n\nTexte", "secret.md": "# Secret\n\nTexte" })
  using folder = folderOf({
    "guide/page.md": "# Page\n\nTexte",
    "a.md": "# A\n\nTexte",
    // Time to be exchanged in, between the list of the names and the files.
    ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`guide/file-${n}.md`, "# Page\n\nTexte"])),
  })
  symlinkSync(outside.path, join(folder.path, ".guide"))
  symlinkSync(join(outside.path, "secret.md"), join(folder.path, ".a.md"))
  const exchange = `
    const { renameSync } = require("node:fs")
    for (;;) for (const name of ["guide", "a.md"]) {
      renameSync(name, ".kept-" + name)
      renameSync("." + name, name)
      renameSync(name, "." + name)
      renameSync(".kept-" + name, name)
    }`
  const attacker = Bun.spawn([process.execPath, "-e", exchange], { cwd: folder.path })
  try {
    const titles = new Set<string>()
    const pages = new Set<string>()
    for (let round = 0; round < 300; round++)
      for (const reading of await readings(folder)) {
        pages.add(reading.page)
        if (reading.outcome === "read") titles.add(reading.document.title)
      }
    expect(titles).toEqual(new Set(["A", "Page"]))
    expect(pages).not.toContain("guide/secret.md")
  } finally {
    attacker.kill("SIGKILL")
    await attacker.exited
  }
})

test("a pipe with the name of a page does not stop the reading", async () => {
  using folder = folderOf({ "a.md": "# A\n\nTexte" })
  Bun.spawnSync(["mkfifo", join(folder.path, "pipe.md")])
  expect(leftOut(await readings(folder))).toEqual([["pipe.md", "unreadable", "not a regular file"]])
})

test.skipIf(process.getuid?.() === 0)("what may not be read keeps its last version", async () => {
  using folder = folderOf({ "a.md": "# A\n\nTexte", "closed/b.md": "# B\n\nTexte" })
  chmodSync(join(folder.path, "a.md"), 0)
  chmodSync(join(folder.path, "closed"), 0)
  const found = await readings(folder)
  chmodSync(join(folder.path, "closed"), 0o700)
  expect(found).toMatchObject([
    { page: "a.md", outcome: "failed" },
    { page: "closed", outcome: "failed", listIncomplete: true },
  ])
})

test("a reading ends when it is called off", async () => {
  using folder = folderOf({ "a.md": "# A\n\nTexte", "b.md": "# B\n\nTexte" })
  const reading = folderReadings(feed(folder.path), { signal: AbortSignal.abort(new Error("called off")) })
  expect(reading).rejects.toThrow("called off")
})

test("broken front matter is noted and its page read", async () => {
  using folder = folderOf({ "a.md": "---\ntitle: [\n---\n# A\n\nTexte" })
  const [reading] = await readings(folder)
  expect(reading).toMatchObject({
    outcome: "read",
    document: { title: "A", note: expect.stringContaining("front matter") },
  })
})

test("what is read can be split into passages", async () => {
  using folder = folderOf({ "a.md": "# A\n\n## B {#b}\n\nTexte" })
  const [reading] = await readings(folder)
  if (reading?.outcome !== "read") throw new Error("not read")
  expect(splitDocument(reading.document).map(({ url }) => url)).toEqual(["https://docs.example/a#b"])
})

test("documents beside the pages are read at the address that the site serves them from", async () => {
  using folder = folderOf({
    "mkdocs.yml": "site_name: A",
    "docs/a.md": "# A\n\nTexte",
    "docs/files/tarifs 2026.pdf": makePdf([[{ text: "Tarifs de la cantine pour 2026", y: 80 }]]),
    "docs/vide.pdf": makePdf([[]]),
    "docs/photo.png": "PNG",
  })
  const found = await readings({ path: join(folder.path, "docs") })
  expect(urlsRead(found)).toEqual(["https://docs.example/a", "https://docs.example/files/tarifs%202026.pdf"])
  expect(leftOut(found)).toEqual([["vide.pdf", "scanned", undefined]])
})

test("a folder of documents alone is one", async () => {
  using folder = folderOf({ "tarifs.pdf": makePdf([[{ text: "Tarifs de la cantine", y: 80 }]]) })
  expect(urlsRead(await readings(folder))).toEqual(["https://docs.example/tarifs.pdf"])
})

interface Options {
  urlStyle?: UrlStyle
  baseUrl?: string
}

function readings({ path }: { path: string }, options: Options = {}): Promise<PageReading[]> {
  return folderReadings(feed(path, options))
}

function feed(address: string, options: Options = {}) {
  return {
    id: "feed_1",
    projectId: "project1",
    kind: "dir",
    address,
    baseUrl: "https://docs.example",
    urlStyle: "clean",
    ...options,
  } as const
}

function pathsRead(found: PageReading[]): string[] {
  return found.flatMap((reading) => (reading.outcome === "read" ? [reading.document.path] : [])).sort()
}

function urlsRead(found: PageReading[]): string[] {
  return found.flatMap((reading) => (reading.outcome === "read" ? [reading.document.url] : [])).sort()
}

function leftOut(found: PageReading[]) {
  return found
    .flatMap((reading) =>
      reading.outcome === "left_out"
        ? [[reading.page, reading.reason, reading.detail && inEnglish(reading.detail)]]
        : [],
    )
    .sort()
}
