import { afterAll, beforeAll, expect, test } from "bun:test"
import { answerHtml } from "../../../src/style/markdown.ts"
import { indexFolder, origin, type Site } from "../../support/ask.ts"
import { documentation } from "../../support/documentation.ts"
import { aService } from "../../support/service-builder.ts"

// Quotations keep the links of the documentation: absolute, https only. Everything else is text.

const page = `# Contacter le service

Pour joindre le service, remplissez [ce formulaire](./nous-ecrire.md#formulaire). Vous pouvez aussi [nous écrire](mailto:aide@exemple.fr) ou lire [l’annuaire](https://annuaire.exemple.fr/a_(b)) et [l’ancien site](http://vieux.exemple.fr), selon ![un schéma](https://exemple.fr/s.png) simple.

- Le [portail des usagers](/portail) ouvre à huit heures pour joindre le service.
- Le [guichet](javascript:alert(1)) ferme à midi.
`
const question = "Comment joindre le service ?"

let site: Site
beforeAll(async () => {
  site = await aService().withIndexedProject().started()
  using folder = documentation({
    "contact.md": page,
    "nous-ecrire.md": "# Nous écrire\n\n## Formulaire\n\nÉcrivez.",
  })
  await indexFolder(site.service.app, site.project, folder.path)
})
afterAll(() => site[Symbol.asyncDispose]())

test("a quotation holds its links, with absolute https addresses, beside its markers", async () => {
  const { body } = await site.ask({ question })
  expect(body.status).toBe("answered")
  expect(body.answer).toContain(`[ce formulaire](${origin}/nous-ecrire#formulaire)`)
  expect(body.answer).toContain("[l’annuaire](https://annuaire.exemple.fr/a_%28b%29)")
  expect(body.answer).toContain("ou lire")
  expect(body.answer).toContain("nous écrire")
  expect(body.answer).toMatch(/\[\^1\]/)
  const links = [...body.answer.matchAll(/\]\(([^)]*)\)/g)].map(([, address]) => address)
  expect(links.every((address) => address.startsWith("https://"))).toBe(true)
  expect(body.answer).not.toMatch(/mailto|javascript|http:|s\.png|!\[/)
})

test("the stream of sentences holds the same links", async () => {
  const { body } = await site.ask({ question }, { accept: "text/event-stream" })
  expect(body).toContain(`[ce formulaire](${origin}/nous-ecrire#formulaire)`)
})

test("a sentence that a link ends or begins stays whole, and its marker stands outside", async () => {
  const { body } = await site.ask({ question: "Quand ouvre le portail des usagers ?" })
  expect(body.answer).toContain(`- Le [portail des usagers](${origin}/portail) ouvre à huit heures`)
})

test("the console shows them as links that open apart, and no other address or image", () => {
  const html = answerHtml(
    "[a](https://x.fr/a) [b](http://x.fr) [c](javascript:x) ![d](https://x.fr/d.png) <b>e</b> [^1]",
    "tried",
  )
  expect(html).toContain('<a href="https://x.fr/a" rel="noopener noreferrer" target="_blank">a</a>')
  expect(html).toContain('<a href="#">b</a> <a href="#">c</a> d &lt;b&gt;e')
  expect(html).toContain('<a href="#source-tried-1">[1]</a>')
  expect(html).not.toContain("<img")
})
