import { afterAll, beforeAll, expect, test } from "bun:test"
import { dayMs } from "../../../src/base/clock.ts"
import { apiOf } from "../../support/api.ts"
import { indexFolder, type Site } from "../../support/ask.ts"
import { documentation } from "../../support/documentation.ts"
import type { FirstStart } from "../../support/first-start.ts"
import { signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

// What stands behind other pages, what a visitor is told of a post, and what its owner sees of both.

const today = Date.parse("2026-06-03T10:00:00Z")
const question = "Où a lieu la fête du village ?"

let site: Site & FirstStart
beforeAll(async () => {
  site = await aService().withOwner().withIndexedProject().started()
  using folder = documentation({
    "actualites/2026-06-02-fete.md":
      "# La fête du village\n\nLa fête du village a lieu sur la place de l’église, un bal la suit.",
    "associations.md":
      "# La fête du village\n\nLa fête du village a lieu au stade communal. Le comité y tient la buvette et range les bancs le lendemain.",
    "mentions-legales.md": "# Mentions légales\n\nLa commune édite ce site.",
    "codes.md": "# Codes\n\n## `ouvrir()`\n\nOuvre.\n\n## `fermer()`\n\nFerme.\n\n## `relire()`\n\nRelit.",
  })
  await indexFolder(site.service.app, site.project, folder.path)
})
afterAll(() => site[Symbol.asyncDispose]())

test("a quoted post says its day in its source's title, and stands behind other pages unless it is asked for and holds", async () => {
  site.clock.move(today - site.clock.now())
  const next = question.replace("la fête", "la prochaine fête")
  const { sources, answer } = (await site.ask({ question: next })).body
  expect(answer).toContain("place de l’église")
  expect(sources[0]).toMatchObject({ title: "La fête du village (2 juin 2026)", section: null })
  expect((await site.ask({ question })).body.answer).toContain("stade communal")
  site.clock.move(400 * dayMs)
  const later = (await site.ask({ question: `${next} Merci.` })).body
  expect(later.answer).toContain("stade communal")
  expect(later.sources[0].title).toBe("La fête du village")
})

test("the list of pages says which ones stand behind others", async () => {
  const { body } = await (await apiOf(site.service)).get(`/api/v1/projects/${site.project.id}/documents`)
  const kinds = Object.fromEntries(body.items.map(({ title, kind }: Record<string, string>) => [title, kind]))
  expect(kinds).toMatchObject({
    "Mentions légales": "legal",
    Codes: "reference",
    "La fête du village": null,
  })
  const client = await signedIn(site.service)
  const { text } = await client.get(`/console/projects/${site.project.id}/indexing`)
  for (const word of ["Page légale", "Référence technique", "passent après les autres"])
    expect(text).toContain(word)
})
