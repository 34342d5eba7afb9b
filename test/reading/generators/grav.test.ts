import { expect, test } from "bun:test"
import { folderReadings } from "../../support/feed.ts"
import { folderOf } from "../../support/folder-of.ts"
import { addresses, anchorsIn, folderFeed, pageOf, siteUrl, textIn } from "../../support/generator-site.ts"

const page = (attributes: string) => `---\ntitle: A\n${attributes}\n---\nTexte`

const site = {
  "config/site.yaml": "",
  "pages/01.home/default.md": page(""),
  "pages/02.Guide/chapter.md": page("routes:\n  default: '/aide'"),
  "pages/02.Guide/10.installer/docs.md": page(""),
  "pages/02.Guide/10.installer/docs.fr.md": page(""),
  "pages/02.Guide/20.regler/docs.fr.md": page("slug: reglages"),
  "pages/02.Guide/20.regler/autre.fr.md": page(""),
  "pages/02.Guide/30.absent/05.page/docs.md": page("routes:\n  default: /page"),
  "pages/02.Guide/40.cache/docs.md": page("routable: false"),
  "README.md": "# A\n\nTexte",
}

test("a folder is a page, its numbers are dropped, `routes` and `slug` hold for the pages below", async () => {
  expect(await addresses(site)).toEqual({
    "pages/01.home/default.md": "/",
    "pages/02.Guide/chapter.md": "/aide",
    "pages/02.Guide/10.installer/docs.md": "/aide/installer",
    "pages/02.Guide/10.installer/docs.fr.md": "/fr/aide/installer",
    "pages/02.Guide/20.regler/autre.fr.md": "/fr/aide/regler",
    "pages/02.Guide/20.regler/docs.fr.md": "another file of the same page was read",
    "pages/02.Guide/30.absent/05.page/docs.md": "/page",
    "pages/02.Guide/40.cache/docs.md": "routable: false in its front matter",
    "README.md": "outside the pages of the site",
  })
})

test.each([
  ["true", "/en/guide"],
  ["false", "/guide"],
])("the default language stands in addresses if the site says so: %s", async (setting, path) => {
  const languages = "languages:\n  supported: [en, fr]\n  default_lang: en\n"
  const files = {
    "config/system.yaml": `${languages}  include_default_lang: ${setting}\n`,
    "pages/01.guide/docs.md": page(""),
  }
  expect(await addresses(files, { dir: "pages" })).toEqual({ "01.guide/docs.md": path })
})

test("under the address of one language, its pages are read, and others where it has none", async () => {
  const found = await addresses(site, { dir: "pages", baseUrl: `${siteUrl}/fr` })
  expect(found).toMatchObject({
    "01.home/default.md": "/fr/",
    "02.Guide/chapter.md": "/fr/aide",
    "02.Guide/10.installer/docs.fr.md": "/fr/aide/installer",
    "02.Guide/10.installer/docs.md": "in another language than fr",
    "02.Guide/20.regler/autre.fr.md": "/fr/aide/regler",
    "02.Guide/30.absent/05.page/docs.md": "/fr/page",
  })
})

test("a reading that goes on knows the addresses of what was read before", async () => {
  using folder = folderOf(site)
  const before = new Map([["pages/02.Guide/chapter.md", `${siteUrl}/aide`]])
  const reading = folderReadings(folderFeed(folder.path), { before })
  const urls = (await reading).flatMap((read) =>
    read.outcome === "read" && !before.has(read.page) ? [read.document.url] : [],
  )
  expect(urls).toContain(`${siteUrl}/aide/installer`)
})

test.each([
  ["[fa=cog /] Réglages", "réglages"],
  ["mot ".repeat(40), `${"mot-".repeat(16)}`.slice(0, -1)],
])("the anchor of %s is %s", (heading, anchor) => {
  expect(anchorsIn("grav", [heading])).toEqual([anchor])
})

test.each([
  ["active: true", "", "qu-est-ce-que-la-reputati"],
  ["active: true\nenabled: false", "", "quest-ce-que-la-réputation"],
  ["active: false", "page-toc:\n  active: true", "qu-est-ce-que-la-reputati"],
  ["active: true", "page-toc:\n  active: false", "quest-ce-que-la-réputation"],
])(
  "the plugin Page TOC, of the site (%j) and of the page (%j), makes the anchors",
  async (settings, attributes, anchor) => {
    const files = {
      "config/site.yaml": "",
      "config/plugins/page-toc.yaml": settings,
      "pages/01.a/docs.md": `---\ntitle: A\n${attributes}\n---\n## Qu'est-ce que la réputation ?\n\nTexte.`,
    }
    const { sections } = await pageOf(files, "pages/01.a/docs.md")
    expect(sections[0]?.anchor).toBe(anchor)
  },
)

test.each([
  ["a shortcode disappears", "[center]\nTexte [size=30]grand[/size].\n[/center]", "Texte grand."],
  ["and one of another plugin", '[carte lieu="ici" /]\n\n[x]Texte.[/x]', "Texte."],
  ["what only looks like one is text", "Le bloc [sshd] de `[center]`.", "Le bloc [sshd] de `[center]`."],
  ["an icon disappears from code too", "Ouvrez `[fa=cog /] Réglages`.", "Ouvrez `Réglages`."],
  [
    "a link stays a link",
    "Le [center](/a) et [div](/b).",
    "Le [center](https://docs.example/a) et [div](https://docs.example/b).",
  ],
  [
    "the title of a tab or of details stands above its text",
    '[ui-tabs]\n[ui-tab title="Sous Linux"]\nTexte.\n[/ui-tab]\n[/ui-tabs]\n[details summary="Plus"]\nSuite.\n[/details]',
    "**Sous Linux**\n\nTexte.\n\n**Plus**\n\nSuite.",
  ],
  [
    "also when its attributes stand on several lines",
    '[details summary="Un\nlong titre" class="x"]\nTexte.\n[/details]',
    "**Un long titre**\n\nTexte.",
  ],
  ["a notice is a quote", "!!! Attention au feu.\n!!! Merci.", "> Attention au feu. Merci."],
  [
    "code between shortcodes is code",
    '[prism classes="language-yaml"]\nroutes:\n  - "[center]"\n[/prism]\n\nTexte.',
    '```yaml\nroutes:\n  - "[center]"\n```\n\nTexte.',
  ],
  ["the mark of the summary makes no heading", "Texte.\n===\nSuite.", "Texte.\n\nSuite."],
  [
    "Twig disappears",
    "{% set a = 'b' %}\n{% if a %}\nL'image {{ a }} est là.\n{% endif %}",
    "L'image \ufffc est là.",
  ],
])("%s", (_, source, markdown) => {
  expect(textIn("grav", source)).toBe(markdown)
})

test("a page of a site, whose title is the name of its folder", async () => {
  const files = {
    "config/site.yaml": "",
    "pages/03.etat-civil/02.acte_de_naissance/docs.md": `---
taxonomy:
  category: docs
---
!! La copie est gratuite.

[ui-tabs]
[ui-tab title="En ligne"]
Remplissez le formulaire : [center]cinq minutes[/center].
[/ui-tab]
[/ui-tabs]

## Délais d’envoi

[prism classes="language-sh"]
# un commentaire
[/prism]
`,
  }
  const { url, title, sections } = await pageOf(files, "pages/03.etat-civil/02.acte_de_naissance/docs.md")
  expect({ url, title }).toEqual({
    url: `${siteUrl}/etat-civil/acte_de_naissance`,
    title: "Acte de naissance",
  })
  expect(sections).toEqual([
    {
      headings: [],
      anchor: null,
      markdown: "> La copie est gratuite.\n\n**En ligne**\n\nRemplissez le formulaire : cinq minutes.",
    },
    { headings: ["Délais d’envoi"], anchor: "délais-d’envoi", markdown: "```sh\n# un commentaire\n```" },
  ])
})
