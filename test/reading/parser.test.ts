import { expect, test } from "bun:test"
import { detail } from "../../src/base/errors.ts"
import { answerParserCall, localParser, type ParserCall, remoteParser } from "../../src/reading/parser.ts"

const place = { path: "a", url: "https://docs.exemple.fr/a" }

test("a document whose text is longer than any page is left out", async () => {
  const text = `# A\n\n${"Un mot de plus. ".repeat(700_000)}`
  expect(await localParser.markdown(text, place)).toMatchObject({ leftOut: "too_large" })
})

test("whoever parses elsewhere gets what would come here", async () => {
  // As through the channel between two processes.
  const there = remoteParser(async (call) => ({ answer: structuredClone(await answerParserCall(call)) }))
  const bytes = new TextEncoder().encode("<urlset><url><loc>https://docs.exemple.fr/a</loc></url></urlset>")
  const html = '<link rel="canonical" href="/b"><main><h1>A</h1><p>Texte</p></main>'
  expect(await there.markdown("# A\n\nTexte", place)).toEqual(
    await localParser.markdown("# A\n\nTexte", place),
  )
  expect(await there.html(html, place)).toEqual(await localParser.html(html, place))
  expect((await there.html(html, place)).canonical).toBe("https://docs.exemple.fr/b")
  expect(await there.sitemap(bytes)).toEqual(await localParser.sitemap(bytes))
  expect(await there.links("- [A](/a)")).toEqual({ addresses: ["/a"], tooLong: 0 })
  expect(await there.parts("# A\n\nTexte")).toHaveLength(1)
})

test("what exceeds its limits is left out or cannot be read; what throws there throws here", async () => {
  const exceeded = detail("reading.elapsedTime", { seconds: 10 })
  const exceeding = remoteParser(async () => ({ exceeded }))
  const leftOut = { leftOut: "too_complex", detail: exceeded } as const
  const wrong = { wrong: detail("reading.listParsing", { why: exceeded }) }
  expect(await exceeding.markdown("", place)).toEqual(leftOut)
  expect(await exceeding.html("", place)).toEqual({ read: leftOut, canonical: undefined })
  expect(await exceeding.file(new Uint8Array(), place)).toEqual(leftOut)
  expect(await exceeding.sitemap(new Uint8Array())).toEqual(wrong)
  expect(await exceeding.links("")).toEqual(wrong)
  expect(await exceeding.parts("")).toEqual(wrong)
  const throwing = remoteParser(async () => ({
    answer: await answerParserCall({ name: "absent", given: [] } as unknown as ParserCall),
  }))
  await expect(throwing.links("")).rejects.toThrow()
})

test("a file is read by what it holds, and told by its name or type where it is text", async () => {
  const read = (text: string, clue: { name?: string; type?: string }) =>
    localParser.file(new TextEncoder().encode(text), { ...place, ...clue })
  const html = "<!doctype html><title>Tarifs</title><main><h1>Tarifs</h1><p>Douze euros.</p></main>"
  expect(await read(html, { name: "tarifs.md" })).toMatchObject({ title: "Tarifs" })
  expect(await read("# Tarifs\n\nDouze euros.", { name: "tarifs.md" })).toMatchObject({ title: "Tarifs" })
  expect(await read("# Tarifs\n\nDouze euros.", { type: "text/markdown; charset=utf-8" })).toMatchObject({
    sections: [{ markdown: "Douze euros." }],
  })
  expect(await read("\0\u0001", { name: "tarifs.md" })).toMatchObject({ leftOut: "unreadable" })
  expect(await read("# Tarifs", { name: "tarifs.exe" })).toMatchObject({ leftOut: "unreadable" })
})
