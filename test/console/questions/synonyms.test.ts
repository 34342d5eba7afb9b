import { afterAll, beforeAll, expect, test } from "bun:test"
import { allSynonymGroups } from "../../../src/index/synonyms/synonym-group.ts"
import type { Site } from "../../support/ask.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

let site: Site
let client: ConsoleClient
let path: string

beforeAll(async () => {
  site = await aService().withIndexedProject().started()
  client = await signedIn(site.service)
  path = `/console/projects/${site.project.id}/synonyms`
})
afterAll(() => site[Symbol.asyncDispose]())

const groups = () => allSynonymGroups(site.service.app.db, site.project.id)

test("an operator adds a group, sees it and removes it; the next question obeys", async () => {
  const question = "Comment vérifier le paraphe d’un bordereau ?"
  expect((await site.ask({ question })).body.status).toBe("no_answer")
  const added = await client.post(path, { words: "paraphe, signature" })
  expect([added.status, added.location]).toEqual([303, `${path}?done=added`])
  await client.post(path, { words: "bordereau; webhook," })
  const { text } = await client.get(`${path}?done=added`)
  expect(text).toContain("paraphe, signature")
  expect(text).toContain("Le groupe est ajouté")
  expect((await site.ask({ question })).body.status).toBe("answered")
  for (const { id } of await groups())
    expect((await client.post(`${path}/${id}/removal`)).location).toBe(`${path}?done=removed`)
  expect(await groups()).toEqual([])
  expect((await client.get(path)).text).toContain("Aucun groupe pour l’instant.")
  expect((await site.ask({ question })).body.status).toBe("no_answer")
})

test("a group that cannot be is shown again with what is wrong", async () => {
  const { status, text } = await client.post(path, { words: "mél" })
  expect(status).toBe(400)
  expect(text).toContain("Indiquez de 2 à 10 mots différents.")
  expect(text).toContain('value="mél"')
  expect((await client.post(`${path}/syn_1/removal`)).status).toBe(404)
  expect(await groups()).toEqual([])
})
