import { expect, test } from "bun:test"
import { addresses, anchorsIn, pageOf, textIn } from "../../support/generator-site.ts"

const page = "# A\n\n## L'été 2\n\nTexte"

test("addresses are in lower case without accents, a README is its folder, and only what SUMMARY.md lists is a page", async () => {
  const site = {
    "SUMMARY.md":
      "* [A](README.md)\n  * [B](Guide-PO/README.md)\n  * [C](<Guide-PO/été (1).md>)\n  * [D](guide%20b.md#x)\n  * [E](https://e.example/e.md)",
    "README.md": page,
    "Guide-PO/README.md": page,
    "Guide-PO/été (1).md": page,
    "guide b.md": page,
    "brouillon.md": page,
  }
  expect(await addresses(site)).toEqual({
    "README.md": "/",
    "guide b.md": "/guide-b",
    "Guide-PO/README.md": "/guide-po",
    "Guide-PO/été (1).md": "/guide-po/ete-1",
    "SUMMARY.md": "a table of contents or an error page",
    "brouillon.md": "not in SUMMARY.md: it is not published",
  })
})

test("the end of an address is left out, unless the owner asks for a slash", async () => {
  const site = { ".gitbook.yaml": "", "guide/a.md": page }
  expect(await addresses(site)).toEqual({ "guide/a.md": "/guide/a" })
  expect(await addresses(site, { urlStyle: "slash" })).toEqual({ "guide/a.md": "/guide/a/" })
})

test.each([
  ["Fonctionnalités clés", "fonctionnalites-cles"],
  ["L’équipe d'ici", "lequipe-dici"],
  ["2. La mesure", "id-2.-la-mesure"],
  ["💍 Le réseau beta.gouv.fr ?", "le-reseau-beta.gouv.fr"],
  ["Accessibilité & inclusion", "accessibilite-and-inclusion"],
  ["L'adéquation produit/marché", "ladequation-produit-marche"],
  ["Mettre en œuvre", "mettre-en-oeuvre"],
  [`${"mot ".repeat(40)}`, `${"mot-".repeat(24)}mot`],
  ['Nouveau nom <a href="#ancien" id="ancien"></a>', "ancien"],
])("the anchor of %s is %s", (heading, anchor) => {
  expect(anchorsIn("gitbook", [heading])).toEqual([anchor])
})

test.each([
  ["a hint becomes its text", '{% hint style="info" %}\nTexte.\n{% endhint %}', "Texte."],
  [
    "a tab's title stands above its text",
    '{% tabs %}\n{% tab title="Linux" %}\nTexte.\n{% endtab %}\n{% endtabs %}',
    "**Linux**\n\nTexte.",
  ],
  [
    "an embedded video is named by its address",
    'Voyez :\n\n{% embed url="https://video.example/v?a=1&b=_2_" %}\n\nTexte.',
    "Voyez :\n\n[https://video.example/v?a=1&b=\\_2\\_](https://video.example/v?a=1&b=_2_)\n\nTexte.",
  ],
  [
    "or by its caption",
    '{% embed url="https://video.example/v" caption="La démonstration" %}\n\nTexte.',
    "[La démonstration](https://video.example/v)\n\nTexte.",
  ],
  [
    "an address that is none of the web's is not shown",
    '{% embed url="javascript:alert(1)" %}\n\nTexte.',
    "Texte.",
  ],
  [
    "a file is named",
    '{% file src="../.gitbook/assets/Bilan%202024 beta.pdf" %}\n\nTexte.',
    "Bilan 2024 beta.pdf\n\nTexte.",
  ],
  [
    "a card that leads to another page says nothing by itself",
    '{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}\n\nTexte.',
    "Texte.",
  ],
  [
    "the caption of a picture says nothing without it",
    '<figure><img src="a.png" alt=""><figcaption><p>Figure 1</p></figcaption></figure>\n\nTexte.',
    "Texte.",
  ],
  [
    "cards are a list, without the columns that are not shown",
    '<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target></th></tr></thead><tbody><tr><td><strong>Tchap</strong></td><td>Messagerie</td><td><a href="tchap.md">tchap.md</a></td></tr><tr><td>Pad</td><td></td><td></td></tr></tbody></table>',
    "- **Tchap**\n  Messagerie\n- Pad",
  ],
  ["the break that ends a paragraph is not shown", "Texte.\\\n\n\\\n\nSuite.", "Texte.\n\nSuite."],
  ["a name in braces is text", "Bonjour {{ prénom }}.", "Bonjour {{ prénom }}."],
])("%s", (_, source, markdown) => {
  expect(textIn("gitbook", source)).toBe(markdown)
})

test("a page of a site", async () => {
  const site = {
    "SUMMARY.md": "* [Déclarer](demarches/declarer.md)",
    "demarches/declarer.md": `---
description: Le service en ligne
---

# Déclarer une naissance

{% hint style="warning" %}
La déclaration se fait dans les **cinq jours**.
{% endhint %}

## 1. Préparer les pièces <a href="#pieces" id="pieces"></a>

{% tabs %}
{% tab title="En ligne" %}
Numérisez le certificat.\\
{% endtab %}

{% tab title="Au guichet" %}
Apportez l’original.
{% endtab %}
{% endtabs %}

## 2. Signer & envoyer

{% code title="exemple.txt" %}
\`\`\`
N° 12
\`\`\`
{% endcode %}
`,
  }
  const { url, title, sections } = await pageOf(site, "demarches/declarer.md")
  expect({ url, title }).toEqual({
    url: "https://docs.example/demarches/declarer",
    title: "Déclarer une naissance",
  })
  expect(sections).toEqual([
    {
      headings: [],
      anchor: null,
      markdown: "La déclaration se fait dans les **cinq jours**.",
      keywords: "Le service en ligne",
    },
    {
      headings: ["1. Préparer les pièces"],
      anchor: "pieces",
      markdown: "**En ligne**\n\nNumérisez le certificat.\n\n**Au guichet**\n\nApportez l’original.",
    },
    {
      headings: ["2. Signer & envoyer"],
      anchor: "id-2.-signer-and-envoyer",
      markdown: "**exemple.txt**\n\n```\nN° 12\n```",
    },
  ])
})
