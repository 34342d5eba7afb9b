import { expect, test } from "bun:test"
import { addresses, anchorsIn, pageOf, pageText } from "../../support/generator-site.ts"

const text = "# A\n\nTexte"

test("the pages are those of the contents", async () => {
  const site = {
    "book.toml": '[book]\nsrc = "livre"',
    "livre/SUMMARY.md": "- [A](README.md)\n- [B](b/c.md)",
    "livre/README.md": text,
    "livre/b/c.md": text,
    "livre/d.md": text,
  }
  expect(await addresses(site)).toMatchObject({
    "livre/README.md": "/",
    "livre/b/c.md": "/b/c.html",
    "livre/d.md": "not in SUMMARY.md: it is not published",
  })
})

test("lines of a file that a page includes are read in its place", async () => {
  const site = { "book.toml": "", "src/a.md": "# A\n\n{{#include b.txt:2}}", "src/b.txt": "Un.\nDeux." }
  expect(await pageText(site, "src/a.md")).toBe("Deux.")
})

test("files that include one another many times over are read up to a limit", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [
      `p${n}.txt`,
      `{{#include p${n + 1}.txt}}\n`.repeat(30) + "x".repeat(1000),
    ]),
  )
  const read = await pageText(
    {
      "book.toml": 'src = "."\n[book]\nsrc = "."',
      ...files,
      "a.md": "# A\n\n{{#include p0.txt}}\n\nSuite.",
    },
    "a.md",
  )
  expect(read.length).toBeLessThan(2_200_000)
  expect(read).toContain("Suite.")
})

test("anchors keep accents, lose punctuation, and dashes are what the settings make of them", () => {
  const titles = ["Créer l'été !", "2. Fin -- suite", "2. Fin -- suite"]
  expect(anchorsIn("mdbook", titles)).toEqual(["créer-lété-", "2-fin--suite", "2-fin--suite-1"])
  expect(anchorsIn("mdbook", titles, "straight").at(1)).toBe("2-fin----suite")
})

test("a page of a site", async () => {
  const site = {
    "book.toml": "",
    "src/SUMMARY.md": "# Sommaire\n\n- [Déclarer](demarches/declarer.md)",
    "src/demarches/declarer.md": `# Déclarer une naissance

{{#title Déclarer}}

> [!WARNING]
> La déclaration se fait dans les **cinq jours**.

## Préparer les pièces

\`\`\`rust
{{#include ../exemples.rs:pieces}}
\`\`\`

## L’été au guichet

Le bureau ferme à \`17 h\`[^1], et {{ heure }} reste du texte.

[^1]: Sauf le samedi.
`,
    "src/exemples.rs": "fn a() {}\n// ANCHOR: pieces\nlet pieces = 2;\n// ANCHOR_END: pieces\n",
  }
  const { url, title, sections } = await pageOf(site, "src/demarches/declarer.md")
  expect({ url, title }).toEqual({
    url: "https://docs.example/demarches/declarer.html",
    title: "Déclarer une naissance",
  })
  expect(sections).toEqual([
    { headings: [], anchor: null, markdown: "La déclaration se fait dans les **cinq jours**." },
    {
      headings: ["Préparer les pièces"],
      anchor: "préparer-les-pièces",
      markdown: "```rust\nlet pieces = 2;\n```",
    },
    {
      headings: ["L’été au guichet"],
      anchor: "lété-au-guichet",
      markdown: "Le bureau ferme à `17 h`, et {{ heure }} reste du texte. (Sauf le samedi.)",
    },
  ])
})
