import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import { openApp } from "../../src/app.ts"
import { listIndexedPages, listLeftOutPages } from "../../src/indexing/page-state.ts"
import { dirFeed, documentation, indexFeeds, newProject } from "../support/documentation.ts"
import { makeOdt } from "../support/office.ts"
import { makePdf } from "../support/pdf.ts"
import { configOf, temporaryFolder } from "../support/service.ts"

const everyPage = { search: "", after: undefined, atMost: 10 }

/** A PDF of one page whose content is a gigabyte of blanks, packed twice. */
function bomb(): Uint8Array {
  const packed = deflateSync(deflateSync(Buffer.alloc(1_000_000_000, " "), { level: 9 }))
  const [start = "", end = ""] = Buffer.from(makePdf([[]]))
    .toString("latin1")
    .split("<</Length 0>>stream\n")
  const stream = `<</Length ${packed.length}/Filter[/FlateDecode/FlateDecode]>>stream\n`
  return Buffer.concat([Buffer.from(start + stream, "latin1"), packed, Buffer.from(end, "latin1")])
}

test("documents made to fill the memory are left out with the reason, and the others are read in their process", async () => {
  using folder = temporaryFolder()
  await using app = await openApp(
    await configOf({
      ...process.env,
      GUICHET_DATA_DIR: folder.path,
      GUICHET_EMBEDDING: "none",
      GUICHET_LOG_LEVEL: "error",
    }),
    { parserLimits: { memoryBytes: 500 * 1024 * 1024 } },
  )
  const project = await newProject(app)
  using docs = documentation({ "a.md": "Le mot est abricot." })
  const files = {
    "bombe.pdf": bomb(),
    "plan.pdf": makePdf([[{ text: "Le plan de la commune et de ses rues", y: 80 }]]),
    "profond.odt": makeOdt("<text:section>".repeat(500)),
    "horaires.odt": makeOdt("<text:p>Les horaires de la piscine</text:p>"),
  }
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(docs.path, name), bytes)
  const indexed = await indexFeeds(app, project, [await dirFeed(app, project, docs)])
  expect(indexed.documents).toBe(3)
  const indexedPages = await listIndexedPages(app.db, project.id, everyPage)
  expect(indexedPages.map(({ format }) => String(format)).sort()).toEqual(["null", "odt", "pdf"])
  const leftOut = await listLeftOutPages(app.db, project.id, everyPage)
  expect(leftOut).toMatchObject([
    { page: "bombe.pdf", reason: "too_complex", detail: { code: "reading.memory" } },
    { page: "profond.odt", reason: "unreadable" },
  ])
})
