import { expect, test } from "bun:test"
import { pieceLimits } from "../../../../src/answering/extractive/pieces.ts"
import { readMarkdown } from "../../../../src/reading/formats/markdown/read-markdown.ts"
import { splitDocument } from "../../../../src/reading/passages/split-document.ts"
import { passageUnits } from "../../../../src/reading/passages/units.ts"

test.each<[name: string, source: string, markdown: string]>([
  [
    "kramdown's attributes",
    'Cliquez sur *Valider*{: .btn } et [ici](https://a.fr){:target="_blank"}.\n{: .note }',
    "Cliquez sur *Valider* et [ici](https://a.fr/).",
  ],
  ["those at the end of a paragraph", "Texte. {: .fs-6 }\n\n- {: .x} un", "Texte.\n\n- un"],
  ["kramdown's comments", "{::comment}\nsecret\n{:/comment}\n\nTexte.", "Texte."],
  [
    "attributes of Python Markdown",
    "Le [bouton](https://a.fr){ .md-button } est là. {#ici}",
    "Le [bouton](https://a.fr/) est là.",
  ],
  ["a block of PyMdown", "/// note | Titre\n    type: warning\n\nTexte.\n///", "**Titre**\n\nTexte."],
  [
    "blocks in blocks",
    "//// details | Plus\n/// tab | Linux\nTexte.\n///\n////",
    "**Plus**\n\n**Linux**\n\nTexte.",
  ],
  ["an admonition without a type", '!!! "Titre"\n    Texte.', "**Titre**\n\nTexte."],
  ["one without a title", "???+ tip\n    Texte.", "Texte."],
  ["one with single quotes", "??? note 'Titre'\n    Texte.", "**Titre**\n\nTexte."],
  ["keys", "Tapez ++ctrl+shift+z++ en C++.", "Tapez Ctrl+Shift+Z en C++."],
  [
    "marks, insertions, indices",
    "==Dix jours==, ^^au plus^^, H~2~O et x^2^ si a==b.",
    "Dix jours, au plus, H2O et x² si a==b.",
  ],
  ["CriticMarkup", "Ajout {++neuf++}{--vieux--}, {~~un~>deux~~}.", "Ajout neuf, deux."],
  ["ornaments", ":warning: Attention :material-alert:. Il est 10:30:45.", "Attention . Il est 10:30:45."],
  ["an alert in small letters", "> [!warning]\n> Texte.", "Texte."],
  ["one with a title", "> [!CAUTION] Attention\n> Le délai court.", "**Attention\u00a0:** Le délai court."],
  ["a folded callout of Obsidian", "> [!question]- Pourquoi ?\n> Parce que.", "**Pourquoi ?** Parce que."],
  [
    "an alert in English",
    "> [!tip] Hint\n> The end of the page is near.",
    "**Hint:** The end of the page is near.",
  ],
  ["an alert with a list", "> [!note] Attention\n> - un", "**Attention**\n\n- un"],
  [
    "links of Obsidian",
    "Voir [[guide/page]], [[page|le texte]] et [[page#Le titre]].",
    "Voir page, le texte et page > Le titre.",
  ],
  ["comments of Obsidian", "Texte%% caché %%.\n\n%%\ncaché\n%%\n\nSuite. ^bloc", "Texte.\n\nSuite."],
  [
    "a directive of MyST",
    "```{admonition} Titre\n:class: tip\n\nTexte **gras**.\n```",
    "**Titre**\n\nTexte **gras**.",
  ],
  ["one between colons", ":::{warning}\n:class: x\nTexte.\n:::", "Texte."],
  ["one of reStructuredText", ".. note:: Texte.", "Texte."],
  ["code of MyST", "```{code-block} js\n:linenos:\na\n```", "```js\na\n```"],
  ["what is not text in MyST", "```{toctree}\n:maxdepth: 2\na\n```\n\nTexte.", "Texte."],
  [
    "the version of a change",
    "```{versionadded} 3.2\nLe champ est là.\n```",
    "Ajouté dans la version 3.2\u00a0: Le champ est là.",
  ],
  [
    "and in English",
    ".. deprecated:: 3.2\n   The end of it is near.",
    "Deprecated since version 3.2: The end of it is near.",
  ],
  [
    "roles",
    "Voir {ref}`le guide <guide>`, :doc:`l’aide </a>` et {kbd}`Ctrl`.",
    "Voir le guide, l’aide et `Ctrl`.",
  ],
  [
    "words in parameters of shortcodes",
    'Tapez {{< kbd "Ctrl" >}} puis {{< glossary_tooltip text="le pod" term_id="pod" >}}.',
    "Tapez Ctrl puis le pod.",
  ],
  [
    "a shortcode around words",
    'Le bouton {{< button href="x" >}}Envoyer{{< /button >}}.',
    "Le bouton Envoyer.",
  ],
  [
    "titles of shortcodes",
    '{{% alert title="Titre" %}}\nTexte.\n{{% /alert %}}\n\n{{< tab "Linux" >}}\nSuite.\n{{< /tab >}}',
    "**Titre**\n\nTexte.\n\n**Linux**\n\nSuite.",
  ],
  ["an include of Jekyll with its words", '{% include note.html content="Le texte." %}', "Le texte."],
  [
    "words in parameters of components",
    'Tapez <Key k="z"/> ou <Kbd>Ctrl</Kbd>, <Button label="Envoyer" />.',
    "Tapez z ou `Ctrl`, Envoyer.",
  ],
  [
    "keys with a modifier, and around words",
    'Tapez <Key mod="ctrl" k="c" /> ou <Key>Ctrl</Key> + <Key>X</Key>, voir <Term id="t">le pod</Term>.',
    "Tapez Ctrl+C ou `Ctrl` + `X`, voir le pod.",
  ],
  ["a card", '<Card title="Titre" description="Le texte." href="/x" />', "**Titre**\n\nLe texte."],
  ["inclusions of mdBook", "{{#title X}}Texte {{#playground a.rs}}.", "Texte ."],
  [
    "code with a bar in a table",
    "| A | B |\n| --- | --- |\n| `a|b` | x |",
    "| A | B |\n| --- | --- |\n| `a\\|b` | x |",
  ],
  [
    "a picture that is a word",
    "Cliquez sur ![Envoyer](b.png) pour finir.",
    "Cliquez sur Envoyer pour finir.",
  ],
  [
    "a title that only the pointer shows",
    'Le champ <Nouveau title="Depuis peu" text="3.2"/> est là.',
    "Le champ 3.2 est là.",
  ],
  ["a note within the line", "Dix jours^[ouvrés] au plus.", "Dix jours au plus."],
])("%s: the text is what the page shows", (_, source, markdown) => {
  expect(read(source)).toBe(markdown)
})

test.each([
  "Appuyez sur {{< param touche >}} pour finir.",
  "Appuyez sur :material-cog: pour finir.",
  "Le site {{ site.title }} ouvre à neuf heures.",
  "Le produit {% data variables.product %} ouvre à neuf heures.",
  'Le bouton <Action on="x"/> ouvre la page.',
  "Voyez ![[note]] pour finir.",
  "Cliquez sur ![](b.png) pour finir.",
  "La page suivante s’affiche : ![](b.png)",
])("a sentence whose words are not all read is not quoted: %s", (source) => {
  expect(quotable(`Avant.\n\n${source}\n\nAprès.`)).toEqual(["Avant.", "Après."])
})

test.each([
  "La route de **app/[[...slug]]/route.ts** est là.",
  "- Exemple :\n\n  ```js\n  a = `{{ x }}`\n  ```",
  "La commande `{{ x }}` ouvre `[[ -f a ]]`.",
  "Le type Liste suit a::b et 10:30.",
  "Un [lien](https://a.fr).",
])("a sentence whose marks are code or text is quoted: %s", (source) =>
  expect(quotable(source)).toHaveLength(1),
)

function read(source: string): string {
  const document = readMarkdown(`# P\n\n${source}`, { path: "a", url: "https://docs.example/a" })
  return "leftOut" in document
    ? document.leftOut
    : document.sections.map(({ markdown }) => markdown).join("\n\n")
}

/** The units of a page that an answer may quote. */
function quotable(source: string): string[] {
  const document = readMarkdown(`# P\n\n${source}`, { path: "a", url: "https://docs.example/a" })
  if ("leftOut" in document) throw new Error(document.leftOut)
  return splitDocument(document)
    .flatMap((passage) => passageUnits(passage, "fr"))
    .filter(({ codeLines }) => codeLines <= pieceLimits.codeLines)
    .map(({ markdown }) => markdown)
}
