import { expect, test } from "bun:test"
import { addresses, anchorsIn, pageOf } from "../../support/generator-site.ts"

const text = '+++\ntitle = "A"\n+++\n\nTexte'
const page = (attributes: string) => `+++\n${attributes}\n+++\n\nTexte`

test("addresses have slugs of the file, without its date, and sections and bundles those of their folder", async () => {
  const site = {
    "zola.toml": 'default_language = "fr"\n[languages.en]\n',
    "content/_index.md": text,
    "content/Aide/_index.md": text,
    "content/Aide/_index.en.md": text,
    "content/Aide/L’été au guichet.md": text,
    "content/Aide/prix.en.md": text,
    "content/blog/2024-01-05-Bonne_année.md": text,
    "content/blog/lot/index.md": text,
    "content/a.md": page('slug = "Bêta"'),
    "content/b.md": page('path = "ici/la"'),
    "content/c.md": page("draft = true"),
  }
  expect(await addresses(site)).toEqual({
    "content/_index.md": "/",
    "content/Aide/_index.md": "/Aide/",
    "content/Aide/_index.en.md": "/en/Aide/",
    "content/Aide/L’été au guichet.md": "/Aide/l-ete-au-guichet/",
    "content/Aide/prix.en.md": "/en/Aide/prix/",
    "content/blog/2024-01-05-Bonne_année.md": "/blog/bonne-annee/",
    "content/blog/lot/index.md": "/blog/lot/",
    "content/a.md": "/beta/",
    "content/b.md": "/ici/la/",
    "content/c.md": expect.stringContaining("draft"),
  })
})

test("the settings may leave names and anchors as they are", async () => {
  const site = {
    "zola.toml": '[slugify]\npaths = "safe"\npaths_keep_dates = true\nanchors = "safe"\n',
    "content/2024-01-05-Été: guide.md": `${text}\n\n## L’été ici\n\nTexte.`,
  }
  const { url, sections } = await pageOf(site, "content/2024-01-05-Été: guide.md")
  expect(url).toBe(`https://docs.example/${encodeURIComponent("2024-01-05-Été guide")}/`)
  expect(sections[1]?.anchor).toBe("L’été_ici")
  expect(anchorsIn("zola", ["L’été ici"])).toEqual(["l-ete-ici"])
})

test("links to files of the contents lead to their pages", async () => {
  const site = {
    "zola.toml": "",
    "content/a.md": `${text} et [le prix](@/aide/prix.md#ete), [autre](@/rien.md).`,
    "content/aide/prix.md": text,
  }
  const { sections } = await pageOf(site, "content/a.md")
  expect(sections[0]?.markdown).toStartWith("Texte et [le prix](https://docs.example/aide/prix/#ete), ")
})
