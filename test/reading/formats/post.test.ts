import { expect, test } from "bun:test"
import type { Document } from "../../../src/reading/formats/document.ts"
import { readHtml } from "../../../src/reading/formats/html/read-html.ts"
import { readMarkdown } from "../../../src/reading/formats/markdown/read-markdown.ts"
import { splitDocument } from "../../../src/reading/passages/split-document.ts"

const site = "https://site.example"
const markdown = (path: string, text: string) =>
  readMarkdown(text, { path, url: `${site}/${path}` }) as Document
const dated = (date: string, text = "Texte.") => `---\ndate: ${date}\n---\n# Titre\n\n${text}`

test.each([
  ["_posts/2024-06-02-fete", "# Fête\n\nTexte.", "2024-06-02"],
  ["actus/2024/06/02/fete", "# Fête\n\nTexte.", "2024-06-02"],
  ["blog/fete", dated("2024-06-02T10:00:00+02:00"), "2024-06-02"],
  ["actualites/2024-06-02_fete", dated("2024-06-01"), "2024-06-01"],
  ["actualites/fete", "# Fête\n\nTexte.", undefined],
  ["actualites/2024-13-42-fete", "# Fête\n\nTexte.", undefined],
  ["guide/installer", dated("2024-06-02"), undefined],
])("%s was published as news on the day that it says", (path, text, day) => {
  expect(markdown(path, text).published).toBe(day as string)
})

test("an HTML page says by itself that it is a post", () => {
  const html = (head: string, path: string) =>
    (
      readHtml(`<head>${head}</head><body><main><h1>Fête</h1><p>Un texte.</p></main>`, {
        path,
        url: `${site}/${path}`,
      }) as Document
    ).published
  const meta = '<meta property="article:published_time" content="2024-06-02T08:00:00+00:00">'
  expect(html(meta, "fete")).toBe("2024-06-02")
  expect(html("", "2024/06/02/fete")).toBe("2024-06-02")
  expect(html("", "fete")).toBeUndefined()
})

test("news holds until the last day that it speaks of, else for a year", () => {
  const untilOf = (text: string) => splitDocument(markdown("_posts/2024-05-02-x", text))[0]?.until
  expect(untilOf("# Fête\n\nLe samedi 8 juin.")).toBe("2025-05-02")
  expect(untilOf("# Fête\n\nLe 8 juin 2024, ou le 09/06/2024.")).toBe("2024-06-09")
  expect(untilOf("# Fair\n\nOn June 8th, 2026 and 2024-06-09.")).toBe("2026-06-08")
  expect(untilOf("# Bilan\n\nDepuis le 1er janvier 2020 et le 31/02/2030.")).toBe("2025-05-02")
})

test("each entry of a list of news holds for a year; other pages always do", () => {
  const list =
    "# Actualités\n\n## 3 mars 2026\n\nUn long texte.\n\n## 2 mars 2025\n\nUn autre.\n\n## 1er mars 2025\n\nTexte."
  const [newest] = splitDocument(markdown("infos", list))
  expect(newest?.until).toBe("2027-03-03")
  expect(splitDocument(markdown("guide", "# Guide\n\nDepuis le 8 juin 2020."))[0]?.until).toBeUndefined()
})
