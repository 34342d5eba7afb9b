import { afterAll, beforeAll, expect, test } from "bun:test"
import { indexFolder, type Site } from "../../support/ask.ts"
import { documentation } from "../../support/documentation.ts"
import { aService } from "../../support/service-builder.ts"

// A name made of several words (`service-public.exemple.fr`, `CarteBancaire`) is one word of a question: it does
// not make the documentation answer whatever else is asked.

const pages = Object.fromEntries(
  Array.from({ length: 30 }, (_, n) => [
    `page${n}.md`,
    `Le service numéro ${n} est ouvert au public. La carte et le compte bancaire du service se gèrent sur exemple.fr, rubrique ${n}.`,
  ]),
)

let site: Site
beforeAll(async () => {
  using folder = documentation(pages)
  site = await aService().withIndexedProject().started()
  await indexFolder(site.service.app, site.project, folder.path)
})
afterAll(() => site[Symbol.asyncDispose]())

test.each(["service-public.exemple.fr", "CarteBancaire", "carte-bancaire-service"])(
  "%s beside a question from elsewhere is refused",
  async (name) => {
    for (const question of [
      `Quelle est la recette de la tarte aux pommes avec ${name} ?`,
      `Qui a peint la Joconde avec ${name} ?`,
    ])
      expect((await site.ask({ question })).body.status).toBe("no_answer")
  },
)

test("a question about the same words is answered", async () => {
  const { body } = await site.ask({ question: "Où se gère la carte bancaire du service ?" })
  expect(body.status).toBe("answered")
})
