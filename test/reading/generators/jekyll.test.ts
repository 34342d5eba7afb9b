import { expect, test } from "bun:test"
import { addresses, pageOf, pageText, readSite, textIn } from "../../support/generator-site.ts"

const text = "\n\n# Titre\n\nLe guichet ouvre à neuf heures.\n"
const yaml = (...lines: string[]) => `---\n${lines.join("\n")}\n---${text}`

/** The address path of each page that is read, and the reason of each other one. */
async function outcomes(files: Record<string, string>): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await readSite(files)).map((reading) => {
      if (reading.outcome === "read") return [reading.page, new URL(reading.document.url).pathname]
      return [reading.page, reading.outcome === "left_out" ? reading.reason : reading.outcome]
    }),
  )
}

test("pages, posts and collections have the permalinks of the site", async () => {
  const site = {
    "_config.yml":
      "permalink: pretty\ncollections:\n  guides:\n    output: true\n    permalink: /aide/:path/\n  equipe: {}\nexclude: [notes]\n",
    "a.md": yaml("title: A"),
    "b.md": yaml("permalink: /bienvenue.html"),
    "dossier/index.md": yaml("title: I"),
    "_posts/2024-01-05-bonne-annee.md": yaml("categories: [Vie, du service]"),
    "_drafts/c.md": yaml("title: C"),
    "_guides/un/deux.md": yaml("title: D"),
    "_equipe/camille.md": yaml("title: E"),
    "vendor/bundle/x/README.md": yaml("title: V"),
    "notes/n.md": yaml("title: N"),
  }
  expect(await outcomes(site)).toEqual({
    "a.md": "/a/",
    "b.md": "/bienvenue.html",
    "dossier/index.md": "/dossier/",
    "_posts/2024-01-05-bonne-annee.md": "/vie/du%20service/2024/01/05/bonne-annee/",
    "_drafts/c.md": "empty",
    "_guides/un/deux.md": "/aide/un/deux/",
    "_equipe/camille.md": "empty",
    "vendor/bundle/x/README.md": "empty",
    "notes/n.md": "empty",
  })
})

test("a README beside the home page is a page of its own", async () => {
  const site = {
    "_config.yml": "",
    "index.html": "",
    "README.md": yaml("title: R"),
    "guides/README.md": yaml("title: G"),
  }
  expect(await outcomes(site)).toMatchObject({ "README.md": "/README.html", "guides/README.md": "/guides/" })
})

test("posts keep their own addresses where a style of urls is given", async () => {
  const site = {
    "_config.yml": "",
    "a.md": yaml("title: A"),
    "_posts/2024-01-05-un.md": yaml("title: U"),
    "_posts/2024-01-06-deux.md": yaml("title: D"),
  }
  expect(await addresses(site, { urlStyle: "clean" })).toEqual({
    "a.md": "/a",
    "_posts/2024-01-05-un.md": "/2024/01/05/un",
    "_posts/2024-01-06-deux.md": "/2024/01/06/deux",
  })
})

test("a folder below the site's is read at the address of that folder", async () => {
  const site = {
    "_config.yml": "collections:\n  docs:\n    output: true\n",
    "_docs/a.md": yaml("permalink: /docs/un/"),
    "_docs/b.md": yaml("permalink: /ailleurs/"),
    "_docs/c.md": yaml("title: C"),
  }
  expect(await addresses(site, { dir: "_docs", baseUrl: "https://docs.example/fr/docs" })).toEqual({
    "a.md": "/fr/docs/un/",
    "b.md": "/fr/ailleurs/",
    "c.md": "/fr/docs/c.html",
  })
})

test("posts are read from their day on, which the name of the file or the front matter gives", async () => {
  const site = {
    "_config.yml": "title: Site\n",
    "_posts/2030-01-01-a.md": yaml("title: A"),
    "_posts/2020-01-01-b.md": yaml("date: 2026-11-27 08:00:00 +0100"),
    "_posts/2020-01-01-c.md": text,
    "page.md": yaml("date: 2030-01-01"),
  }
  expect(await addresses(site)).toEqual({
    "_posts/2030-01-01-a.md": "date: published on 2030-01-01",
    "_posts/2020-01-01-b.md": "date: published on 2026-11-27",
    "_posts/2020-01-01-c.md": "/2020/01/01/c.html",
    "page.md": "/page.html",
  })
  const all = await readSite({ ...site, "_config.yml": "future: true\n" })
  expect(all.map(({ outcome }) => outcome)).toEqual(["read", "read", "read", "read"])
})

test("a page is read once its day has come though its file did not change", async () => {
  const site = { "_config.yml": "", "_posts/2026-12-01-a.md": text }
  expect(await addresses(site)).toEqual({ "_posts/2026-12-01-a.md": "date: published on 2026-12-01" })
  expect(await addresses(site, { nowMs: Date.parse("2026-12-01T12:00:00Z") })).toEqual({
    "_posts/2026-12-01-a.md": "/2026/12/01/a.html",
  })
})

test("a date that is an object of its own leaves out no page", async () => {
  for (const head of ["date: {toString: 1}", "publishDate: {toString: 1}\nbuild: {render: {toString: 1}}"]) {
    const site = { "_config.yml": "permalink: /:year/:title/\n", "_posts/2020-01-01-a.md": yaml(head) }
    expect(await outcomes(site)).toEqual({ "_posts/2020-01-01-a.md": "/2020/a/" })
  }
})

test("a part that a page includes is read in its place, with the values of the site", async () => {
  const site = {
    "_config.yml": "nom: Guichet",
    "_includes/note.html": "{{ include.sorte }} : {{ site.nom }}",
    "a.md": '---\nv: 3\n---\n# A\n\n{% include note.html sorte="Avis" %}, {{ page.v }}',
  }
  expect(await pageText(site, "a.md")).toBe("Avis : Guichet, 3")
})

test("a tag between raw and endraw is text", async () => {
  const source =
    "# A\n\n{% raw %}\n```\n{% include_cached b.html %} {{ site.nom }}\n```\n{% endraw %}\n\n{% include b.html %}"
  const site = {
    "_config.yml": "nom: Guichet",
    "_includes/b.html": "Une partie.",
    "a.md": `---\na: b\n---\n${source}`,
  }
  expect(await pageText(site, "a.md")).toBe(
    "```\n{% include_cached b.html %} {{ site.nom }}\n```\n\nUne partie.",
  )
})

test("a link to a file leads to the address that its page has", async () => {
  const site = {
    "_config.yml": "",
    "a.md": "---\na: b\n---\n# A\n\n[B](b.md) et {% link b.md %} et [C]({{ site.baseurl }}/c/).",
    "b.md": yaml("permalink: /bienvenue/"),
  }
  expect(await pageText(site, "a.md", { baseUrl: "https://docs.example/aide" })).toBe(
    "[B](https://docs.example/aide/bienvenue/) et https://docs.example/aide/bienvenue/ et [C](https://docs.example/aide/c/).",
  )
})

test.each([
  ["", "créer-lété"],
  ["kramdown:\n  input: kramdown", "crer-lt"],
  ["markdown: CommonMarkGhPages", "créer-lété"],
])("anchors are those of the reader that the settings name: %j", async (settings, anchor) => {
  const site = { "_config.yml": settings, "a.md": "# A\n\n## Créer l'été\n\nTexte." }
  expect((await pageOf(site, "a.md")).sections[0]?.anchor).toBe(anchor)
})

test("a name in braces is text", () => {
  expect(textIn("jekyll", "Bonjour {{ prénom }}.")).toBe("Bonjour {{ prénom }}.")
})

const jekyll = (files: Record<string, string>, ...defaults: string[]) =>
  outcomes({
    "_config.yml": ["collections:", "  guides:", "    output: true", "defaults:", ...defaults].join("\n"),
    ...files,
  })
const scope = (path: string, type: string | undefined, ...values: string[]) => [
  `- scope: { path: "${path}"${type ? `, type: ${type}` : ""} }`,
  `  values: { ${values.join(", ")} }`,
]

test("defaults publish or hide posts and documents of collections", async () => {
  const files = {
    "_posts/2020-01-01-a.md": text,
    "_posts/2020-01-02-b.md": yaml("published: true"),
    "_guides/x.md": text,
    "_guides/old/y.md": text,
    "page.md": text,
  }
  expect(await jekyll(files, ...scope("", "posts", "published: false"))).toEqual({
    "_posts/2020-01-01-a.md": "noindex",
    "_posts/2020-01-02-b.md": "/2020/01/02/b.html",
    "_guides/x.md": "/guides/x.html",
    "_guides/old/y.md": "/guides/old/y.html",
    "page.md": "/page.html",
  })
  expect(await jekyll(files, ...scope("_guides/old", undefined, "published: false"))).toMatchObject({
    "_guides/x.md": "/guides/x.html",
    "_guides/old/y.md": "noindex",
  })
  // Pages are asked for their own front matter alone.
  expect(await jekyll(files, ...scope("", "pages", "published: false"))).toMatchObject({
    "page.md": "/page.html",
  })
})

test("of several defaults the longer path wins, then the one with a type, then the one further down", async () => {
  const files = { "_guides/x.md": text, "_guides/old/y.md": text }
  const at = (name: string) => `permalink: /${name}/:name/`
  const guides = await jekyll(
    files,
    ...scope("_guides/old", undefined, at("old")),
    ...scope("", "guides", at("typed")),
    ...scope("", undefined, at("all")),
  )
  expect(guides).toEqual({ "_guides/x.md": "/typed/x/", "_guides/old/y.md": "/old/y/" })
  const later = await jekyll(files, ...scope("", "guides", at("one")), ...scope("", "guides", at("two")))
  expect(later["_guides/x.md"]).toBe("/two/x/")
})

test("names of types of earlier versions and patterns count, and a collection's folder may be left out", async () => {
  const hidden = scope("", "post", "published: false")
  expect(await jekyll({ "_posts/2020-01-01-a.md": text }, ...hidden)).toEqual({
    "_posts/2020-01-01-a.md": "noindex",
  })
  const files = { "_guides/old-a.md": text, "_guides/new-b.md": text }
  expect(await jekyll(files, ...scope("_guides/old-*.md", undefined, "published: false"))).toEqual({
    "_guides/old-a.md": "noindex",
    "_guides/new-b.md": "/guides/new-b.html",
  })
  const elsewhere = (path: string) =>
    outcomes({
      "_config.yml": ["collections_dir: my", "collections: { guides: { output: true } }", "defaults:"]
        .concat(scope(path, undefined, "published: false"))
        .join("\n"),
      "my/_guides/x.md": text,
      "page.md": text,
    })
  for (const path of ["_guides", "my/_guides"])
    expect(await elsewhere(path)).toMatchObject({ "my/_guides/x.md": "noindex", "page.md": "/page.html" })
})

test("a page of a site", async () => {
  const site = {
    "_config.yml": "nom: la mairie",
    "_includes/rappel.html": "Gardez une *copie*.",
    "demarches/declarer.md": `---
title: Déclarer une naissance
---

La déclaration se fait dans les **cinq jours** à {{ site.nom }}.
{: .avis }

## Préparer les pièces
{: #pieces }

<div class="encart">
<p>En ligne :</p>
</div>
1. numérisez le certificat ;
2. signez.

{% highlight sh %}
scan --pdf
{% endhighlight %}

## L’été au guichet

{% include rappel.html %} Voir [les horaires]({% link horaires.md %}){:target="_blank"}.
`,
    "horaires.md": yaml("title: Horaires"),
  }
  const { url, title, sections } = await pageOf(site, "demarches/declarer.md")
  expect({ url, title }).toEqual({
    url: "https://docs.example/demarches/declarer.html",
    title: "Déclarer une naissance",
  })
  expect(sections).toEqual([
    { headings: [], anchor: null, markdown: "La déclaration se fait dans les **cinq jours** à la mairie." },
    {
      headings: ["Préparer les pièces"],
      anchor: "pieces",
      markdown: "En ligne :\n\n1. numérisez le certificat ;\n2. signez.\n\n```sh\nscan --pdf\n```",
    },
    {
      headings: ["L’été au guichet"],
      anchor: "lété-au-guichet",
      markdown: "Gardez une *copie*. Voir [les horaires](https://docs.example/horaires.html).",
    },
  ])
})
