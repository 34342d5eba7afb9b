import { expect, test } from "bun:test"
import type { Generator } from "../../../../src/reading/generators/names.ts"
import { readGeneratorPage } from "../../../../src/reading/generators/read-page.ts"

test.each<[Generator, [string, string][]]>([
  [
    "gitbook",
    [
      ["## Fonctionnalités clés", "fonctionnalites-cles"],
      ["## L’équipe d'ici", "lequipe-dici"],
      ["## 2. La mesure", "id-2.-la-mesure"],
      ["## 💍 Le réseau beta.gouv.fr ?", "le-reseau-beta.gouv.fr"],
      ["## Accessibilité & inclusion", "accessibilite-and-inclusion"],
      ["## L'adéquation produit/marché", "ladequation-produit-marche"],
      ["## Mettre en œuvre", "mettre-en-oeuvre"],
      [`## ${"mot ".repeat(40)}`, `${"mot-".repeat(24)}mot`],
      ['## Nouveau nom <a href="#ancien" id="ancien"></a>', "ancien"],
    ],
  ],
  [
    "grav",
    [
      ["## Bureaux d'enregistrement", "bureaux-d-enregistrement"],
      ["## Gérer les alias (des groupes) !", "gérer-les-alias-des-groupes"],
      ["## [fa=cog /] Réglages", "réglages"],
      [`## ${"mot ".repeat(40)}`, `${"mot-".repeat(16)}`.slice(0, -1)],
    ],
  ],
  ["docusaurus", [["## Créer l'été", "créer-lété"]]],
  ["vitepress", [["## Créer l'été", "creer-l-ete"]]],
  ["mkdocs", [["## Créer l'été", "creer-lete"]]],
])("a heading has the anchor that %s gives it", (generator, headings) => {
  for (const [heading, anchor] of headings)
    expect(read(`# P\n\n${heading}\n\nTexte.`, generator)?.sections.at(-1)?.anchor).toBe(anchor)
})

test("Grav's plugin Page TOC makes the anchors of the pages where it is active", () => {
  const page = "## Qu'est-ce que la réputation ?\n\nTexte."
  const anchors = ["page-toc:\n  active: true", "title: P"].map(
    (attributes) => read(`---\n${attributes}\n---\n${page}`, "grav")?.sections[0]?.anchor,
  )
  expect(anchors).toEqual(["qu-est-ce-que-la-reputati", "qu-est-ce-que-la-réputation"])
})

test.each<[string, Generator, string, string]>([
  [
    "a hint of GitBook becomes its text",
    "gitbook",
    '{% hint style="info" %}\nTexte.\n{% endhint %}',
    "Texte.",
  ],
  [
    "a tab's title stands above its text",
    "gitbook",
    '{% tabs %}\n{% tab title="Linux" %}\nTexte.\n{% endtab %}\n{% endtabs %}',
    "**Linux**\n\nTexte.",
  ],
  [
    "an embedded video is named by its address",
    "gitbook",
    'Voyez :\n\n{% embed url="https://video.example/v?a=1&b=_2_" %}\n\nTexte.',
    "Voyez :\n\n[https://video.example/v?a=1&b=\\_2\\_](https://video.example/v?a=1&b=_2_)\n\nTexte.",
  ],
  [
    "or by its caption",
    "gitbook",
    '{% embed url="https://video.example/v" caption="La démonstration" %}\n\nTexte.',
    "[La démonstration](https://video.example/v)\n\nTexte.",
  ],
  [
    "an address that is none of the web's is not shown",
    "gitbook",
    '{% embed url="javascript:alert(1)" %}\n\nTexte.',
    "Texte.",
  ],
  [
    "a file is named",
    "gitbook",
    '{% file src="../.gitbook/assets/Bilan%202024 beta.pdf" %}\n\nTexte.',
    "Bilan 2024 beta.pdf\n\nTexte.",
  ],
  [
    "a card that leads to another page says nothing by itself",
    "gitbook",
    '{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}\n\nTexte.',
    "Texte.",
  ],
  [
    "the caption of a picture says nothing without it",
    "gitbook",
    '<figure><img src="a.png" alt=""><figcaption><p>Figure 1</p></figcaption></figure>\n\nTexte.',
    "Texte.",
  ],
  [
    "cards are a list, without the columns that are not shown",
    "gitbook",
    '<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target></th></tr></thead><tbody><tr><td><strong>Tchap</strong></td><td>Messagerie</td><td><a href="tchap.md">tchap.md</a></td></tr><tr><td>Pad</td><td></td><td></td></tr></tbody></table>',
    "- **Tchap**\n  Messagerie\n- Pad",
  ],
  ["the break that ends a paragraph is not shown", "gitbook", "Texte.\\\n\n\\\n\nSuite.", "Texte.\n\nSuite."],
  ["a name in braces is text", "gitbook", "Bonjour {{ prénom }}.", "Bonjour {{ prénom }}."],

  ["a shortcode disappears", "grav", "[center]\nTexte [size=30]grand[/size].\n[/center]", "Texte grand."],
  ["and one of another plugin", "grav", '[carte lieu="ici" /]\n\n[x]Texte.[/x]', "Texte."],
  [
    "what only looks like one is text",
    "grav",
    "Le bloc [sshd] de `[center]`.",
    "Le bloc [sshd] de `[center]`.",
  ],
  ["an icon disappears from code too", "grav", "Ouvrez `[fa=cog /] Réglages`.", "Ouvrez `Réglages`."],
  [
    "a link stays a link",
    "grav",
    "Le [center](/a) et [div](/b).",
    "Le [center](https://docs.example/a) et [div](https://docs.example/b).",
  ],
  [
    "the title of a tab or of details stands above its text",
    "grav",
    '[ui-tabs]\n[ui-tab title="Sous Linux"]\nTexte.\n[/ui-tab]\n[/ui-tabs]\n[details summary="Plus"]\nSuite.\n[/details]',
    "**Sous Linux**\n\nTexte.\n\n**Plus**\n\nSuite.",
  ],
  [
    "also when its attributes stand on several lines",
    "grav",
    '[details summary="Un\nlong titre" class="x"]\nTexte.\n[/details]',
    "**Un long titre**\n\nTexte.",
  ],
  ["a notice is a quote", "grav", "!!! Attention au feu.\n!!! Merci.", "> Attention au feu. Merci."],
  [
    "code between shortcodes is code",
    "grav",
    '[prism classes="language-yaml"]\nroutes:\n  - "[center]"\n[/prism]\n\nTexte.',
    '```yaml\nroutes:\n  - "[center]"\n```\n\nTexte.',
  ],
  ["the mark of the summary makes no heading", "grav", "Texte.\n===\nSuite.", "Texte.\n\nSuite."],
  [
    "Twig disappears",
    "grav",
    "{% set a = 'b' %}\n{% if a %}\nL'image {{ a }} est là.\n{% endif %}",
    "L'image \ufffc est là.",
  ],

  ["a note of Docusaurus", "docusaurus", ":::note[Titre]\n\nTexte.\n\n:::", "**Titre**\n\nTexte."],
  [
    "tabs of Docusaurus",
    "docusaurus",
    '<Tabs>\n<TabItem value="l" label="Linux">\n\nTexte.\n\n</TabItem>\n</Tabs>',
    "**Linux**\n\nTexte.",
  ],
  [
    "details of Docusaurus",
    "docusaurus",
    "<details>\n<summary>Plus</summary>\n\nTexte.\n\n</details>",
    "**Plus**\n\nTexte.",
  ],

  [
    "what a module exports",
    "docusaurus",
    "import a from './a'\n\nexport const b = {\n  c: 1,\n};\nexport const d = {\n  e: 1,\n};\n\nTexte.",
    "Texte.",
  ],
  ["an icon in a sentence", "docusaurus", 'Un <Icon name="x" style={{color: "red"}}/> ici.', "Un ici."],
  [
    "a word that is marked in a sentence",
    "docusaurus",
    "La <Step n={1}>*valeur*</Step> est `0`.",
    "La *valeur* est `0`.",
  ],
  [
    "a picture on several lines",
    "docusaurus",
    '<img\n  src="a.png"\n  style={{ width: "7rem" }}\n/>\n\nTexte.',
    "Texte.",
  ],
  ["a centred picture", "docusaurus", "<center>\n![Un chat](/a.png)\n</center>\n\nTexte.", "Texte."],

  ["an admonition of MkDocs", "mkdocs", '!!! note "Titre"\n    Texte.', "**Titre**\n\nTexte."],
  ["one that is folded", "mkdocs", "??? tip\n    Texte.", "Texte."],
  ["a tab of MkDocs", "mkdocs", '=== "Linux"\n\n    Texte.', "**Linux**\n\nTexte."],
  ["attributes of MkDocs", "mkdocs", "Texte.\n{: .grand }", "Texte."],
  [
    "a variable of MkDocs",
    "mkdocs",
    "La version {{ version }} de `{{ x }}`.",
    "La version \ufffc de `{{ x }}`.",
  ],
  ["an abbreviation of MkDocs", "mkdocs", "Texte.\n\n*[HTML]: Hyper Text", "Texte."],

  ["a tip of VitePress", "vitepress", "[[toc]]\n\n::: tip Titre\nTexte.\n:::", "**Titre**\n\nTexte."],
  ["an interpolation of VitePress", "vitepress", "Texte {{ compte }} ici.", "Texte \ufffc ici."],
])("%s", (_, generator, source, markdown) => {
  const sections = read(`# P\n\n${source}`, generator)?.sections ?? []
  expect(sections.map((section) => section.markdown).join("\n\n")).toBe(markdown)
})

function read(text: string, generator: Generator) {
  const document = readGeneratorPage(text, {
    path: "01.guide/docs",
    url: "https://docs.example/guide",
    generator,
  })
  return "leftOut" in document ? undefined : document
}
