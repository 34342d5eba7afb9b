import { expect, test } from "bun:test"
import { pagePath, pageUrl } from "../../../../src/reading/kinds/web/page-path.ts"

test.each([
  ["https://docs.example/", "index"],
  ["https://docs.example/index.html", "index"],
  ["https://docs.example/guide", "guide"],
  ["https://docs.example/guide/", "guide"],
  ["https://docs.example/guide.html", "guide"],
  ["https://docs.example/guide/index", "guide"],
  ["https://docs.example/guide/index.php", "guide"],
  ["https://docs.example/guide/install.html.md", "guide/install"],
  ["https://docs.example/guide/install.md", "guide/install"],
  ["https://docs.example/guide/install.fr.html.md", "guide/install.fr"],
  ["https://docs.example/html", "html"],
  ["https://docs.example//guide//", "guide"],
  ["https://docs.example/v1.2/notes", "v1.2/notes"],
  ["https://docs.example/v1.2", "v1.2"],
  ["https://docs.example/d%C3%A9marrer", "démarrer"],
  ["https://docs.example/%E9", "%E9"],
  ["https://docs.example/page?id=3#fin", "page?id=3"],
  ["https://docs.example/indexation.html", "indexation"],
  ["https://aide.example/guide/", "aide.example/guide"],
  ["http://docs.example:8080/guide", "docs.example:8080/guide"],
])("%s has the path %s", (address, path) => {
  expect(pagePath(pageUrl(address) as URL, "docs.example")).toBe(path)
})

test.each([
  [" https://docs.example/a#fin\n", "https://docs.example/a"],
  ["HTTPS://Docs.Example:443/a/../b", "https://docs.example/b"],
  ["https://docs.example/%7euser/%c3%a9", "https://docs.example/~user/%C3%A9"],
  ["https://docs.example/a%2Fb", "https://docs.example/a%2Fb"],
  ["https://docs.example/é", "https://docs.example/%C3%A9"],
])("%j is spelt %s", (written, spelt) => {
  expect(pageUrl(written)?.href).toBe(spelt)
})

test("what is no address is none", () => {
  expect(pageUrl("guide/install")).toBeUndefined()
  expect(pageUrl("guide/install", "https://docs.example/a/")?.href).toBe(
    "https://docs.example/a/guide/install",
  )
})
