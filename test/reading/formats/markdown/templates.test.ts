import { expect, test } from "bun:test"
import { readMarkdown } from "../../../../src/reading/formats/markdown/read-markdown.ts"
import { splitDocument } from "../../../../src/reading/passages/split-document.ts"
import { textIn } from "../../../support/generator-site.ts"

const place = { path: "guide/page", url: "https://docs.example/guide/page" }

function textOf(source: string): string {
  const page = readMarkdown(source, place)
  if ("leftOut" in page) throw new Error(JSON.stringify(page))
  return page.sections.map(({ markdown }) => markdown).join("\n\n")
}

test.each([
  [
    "a call over lines",
    '{{ govukButton({\n  text: "Envoyer la demande",\n  href: "/x"\n}) }}\n\nTexte.',
    "Envoyer la demande\n\nTexte.",
  ],
  [
    "a call with braces",
    '{{ component("alerte", { titre: "Attention", texte: "Le dossier expire." }) }}',
    "Attention. Le dossier expire.",
  ],
  ["a call that says nothing", '{{ include({\n  file: "x"\n}) }}\n\nTexte.', "Texte."],
  ["one within a sentence", "Le prix est de {{ prix(2026) }} euros.", "Le prix est de \ufffc euros."],
  ["a tag over lines", '{% set liste = [\n  { nom: "a" },\n  { nom: "b" }\n] %}\n\nTexte.', "Texte."],
  ["a shortcode over lines", '{{< carte\n  title="Cantine"\n>}}\n\nTexte.', "**Cantine**\n\nTexte."],
  ["a call in code", "```\n{{ f({\n  a: 1\n}) }}\n```", "```\n{{ f({\n  a: 1\n}) }}\n```"],
  ["a call that never ends", "{{ f({\n\nTexte.", "{{ f({\n\nTexte."],
])("the words of a template: %s", (_, source, text) => expect(textOf(source)).toBe(text))

test.each([
  ["Voir [la page]({{ config.site_url }}/y).", "Voir la page."],
  ["Voir [la page](https://{{ host }}/y) ou [l’autre]({{ url('x') }}).", "Voir la page ou l’autre."],
  ["Voir [la page]({% url 'x' %}).", "Voir la page."],
  ['Voir <a href="{{ base }}/y">la page</a>.', "Voir la page."],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an address as pages write it
  ["Voir [la page](${base}/y).", "Voir la page."],
])("a link whose address is filled in is its words: %s", (source, text) => {
  for (const generator of [undefined, "mkdocs", "eleventy"] as const)
    expect(generator ? textIn(generator, source) : textOf(source)).toBe(text)
})

test.each([
  [
    "a question and its answer",
    '<Faq question="Combien ?" answer="Dix euros." />',
    "**Combien ?**\n\nDix euros.",
  ],
  [
    "a list of objects",
    `<Cards items={[\n  { title: "Cantine", description: 'Quatre euros.' },\n  { title: "Garderie" },\n]} />`,
    "- **Cantine**\n\n  Quatre euros.\n- Garderie",
  ],
  ["a list of texts", '<Steps items={["Ouvrir le compte", "Payer"]} />', "- Ouvrir le compte\n- Payer"],
  [
    "the names of tabs, which stand at them",
    '<Tabs items={["npm", "yarn"]}>\n<Tab label="npm">\n\nTexte.\n\n</Tab>\n</Tabs>',
    "**npm**\n\nTexte.",
  ],
  [
    "a fragment and a template literal",
    "<Card title={<>Le <b>prix</b></>} text={`Dix euros`} />",
    "**Le prix**\n\nDix euros",
  ],
  ["a name, which is none of its words", '<Diagram name="arbre_de_rendu">\n\nTexte.\n\n</Diagram>', "Texte."],
  ["fragments", "<>\nTexte.\n</>\n\nAvant <>milieu</> après.", "Texte.\n\nAvant milieu après."],
])("the props of a component: %s", (_, source, text) => expect(textOf(source)).toBe(text))

test.each([
  ["Cliquez sur :\n\n![Enregistrer](b.png)", "Cliquez sur :\n\nEnregistrer"],
  ["Cliquez sur : ![Enregistrer](b.png)", "Cliquez sur : Enregistrer"],
  ["Cliquez sur :\n\n![](b.png)", "Cliquez sur :\n\n\ufffc"],
])("a picture that a colon announces says its description: %s", (source, text) =>
  expect(textOf(source)).toBe(text),
)

const attributes = "---\ntitle: Prime\ndescription: Toucher l’aide de rentrée\ntags: [bourse, école]\n---\n"

test("description and tags find the page's first passage, and are not shown", () => {
  const page = readMarkdown(
    `${attributes}\nLe dossier est à remettre en mairie.\n\n## Délai\n\n${"Un mois environ. ".repeat(200)}`,
    place,
  )
  if ("leftOut" in page) throw new Error(page.leftOut)
  const [first, ...others] = splitDocument(page)
  expect(first?.keywords).toBe("Toucher l’aide de rentrée, bourse, école")
  expect(first?.markdown).toStartWith("Le dossier est à remettre en mairie.")
  expect(others.filter(({ keywords }) => keywords !== undefined)).toEqual([])
})

test("the description is the text of a page that has no other", () => {
  expect(textOf(`${attributes}\n<Accueil />\n`)).toBe("Toucher l’aide de rentrée")
  expect(readMarkdown("---\ntags: [a]\n---\n", place)).toEqual({ leftOut: "empty" })
})

test.each([
  "---\nredirect_to: /nouvelle\n---\n\nTexte.",
  "---\nredirectTo: [https://a.exemple/nouvelle]\n---\n",
  "---\nhead:\n  - [meta, { http-equiv: refresh, content: '0; url=/nouvelle' }]\n---\n\nTexte.",
  "import { Redirect } from '@docusaurus/router'\n\n<Redirect to=\"/nouvelle\" />",
  "export default function () {\n  return <Redirect to={'/nouvelle'} />\n}",
  '<meta http-equiv="refresh" content="0; url=/nouvelle">\n',
  "# Ancienne\n\n<script>window.location.replace('/nouvelle')</script>",
  "# Ancienne\n\nCette page a été déplacée : voir [la nouvelle](/nouvelle).",
  "# Old\n\nThis page has moved to [the new one](https://a.example/new).",
])("a page that only sends on is left out: %j", (source) => {
  expect(readMarkdown(source, place)).toMatchObject({ leftOut: "redirect" })
})

test.each([
  "---\nredirect_from: /ancienne\n---\n\nTexte.",
  "---\nredirect: false\n---\n\nTexte.",
  "# Nginx\n\nÉcrivez location = '/x' dans la configuration.",
  '# Routeur\n\nLe composant renvoie ailleurs :\n\n```jsx\n<Redirect to="/x" />\n```',
  "# Mairie\n\nLe service a déménagé : voir [le plan](/plan).",
])("a page that says something itself is read: %j", (source) => {
  expect(readMarkdown(source, place)).toHaveProperty("sections")
})
