import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Api, apiOf, strangerOf } from "../support/api.ts"
import type { Site } from "../support/ask.ts"
import { aService } from "../support/service-builder.ts"

let site: Site
let api: Api
let path: string

beforeAll(async () => {
  site = await aService().withIndexedProject().started()
  api = await apiOf(site.service)
  path = `/api/v1/projects/${site.project.id}/synonyms`
})
afterAll(() => site[Symbol.asyncDispose]())

test("a group is added, listed and removed, and questions obey it at once", async () => {
  const question = "Comment vérifier le paraphe du bordereau ?"
  expect((await site.ask({ question })).body.status).toBe("no_answer")
  const made = await api.post(path, { words: [" paraphe ", "signature", "paraphe"] })
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    id: expect.stringMatching(/^syn_[0-9a-f]{32}$/),
    words: ["paraphe", "signature"],
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  site.clock.move(1)
  const second = await api.post(path, { words: ["bordereau", "webhook"] })
  expect((await api.get(path)).body).toEqual({ items: [second.body, made.body], next_cursor: null })
  const page = (await api.get(`${path}?limit=1`)).body
  expect(page.items).toEqual([second.body])
  expect((await api.get(`${path}?cursor=${page.next_cursor}`)).body.items).toEqual([made.body])
  const reply = await site.ask({ question })
  expect(reply.body.status).toBe("answered")
  expect(reply.body.sources[0].url).toContain("/verifier-une-signature")
  for (const { id } of [made.body, second.body]) expect((await api.delete(`${path}/${id}`)).status).toBe(204)
  expect((await api.delete(`${path}/${made.body.id}`)).status).toBe(404)
  expect((await site.ask({ question })).body.status).toBe("no_answer")
})

test("a group has 2 to 10 different words of at most 60 characters, each of which is searched", async () => {
  const wrong: [words: unknown, sentence: string][] = [
    [["seul"], "Indiquez de 2 à 10 mots différents."],
    [["seul", "seul"], "Indiquez de 2 à 10 mots différents."],
    [Array.from({ length: 11 }, (_, n) => `mot${n}`), "Indiquez de 2 à 10 mots différents."],
    [["mot", "x".repeat(61)], "Un mot compte de 1 à 60 caractères."],
    [["mot", " "], "Un mot compte de 1 à 60 caractères."],
    [["mot", "de la"], "«\u00a0de la\u00a0» ne contient aucun mot que l’assistant recherche."],
  ]
  for (const [words, sentence] of wrong) {
    const { status, body } = await api.post(path, { words })
    expect([status, body.error.fields], JSON.stringify(words)).toEqual([400, { words: sentence }])
  }
  for (const words of ["mot", [1, 2], ["mot", "a\u0000b"], undefined])
    expect((await api.post(path, { words })).status).toBe(400)
  expect((await api.get(path)).body.items).toEqual([])
})

test("a project keeps 200 groups", async () => {
  for (let n = 0; n < 200; n++) expect((await api.post(path, { words: [`a${n}`, `b${n}`] })).status).toBe(201)
  expect((await api.post(path, { words: ["un", "trop"] })).status).toBe(400)
  const { status, body } = await api.post(path, { words: ["encore", "trotinette"] })
  expect([status, body.error.code]).toEqual([409, "conflict"])
})

test("another workspace sees none of it, and a token needs the rights of the project", async () => {
  const stranger = await strangerOf(site.service)
  for (const reply of [
    await stranger.get(path),
    await stranger.post(path, { words: ["a1", "b1"] }),
    await stranger.delete(`${path}/syn_1`),
  ])
    expect([reply.status, reply.body.error.code]).toEqual([404, "not_found"])
  const reader = await apiOf(site.service, ["projects:read"])
  expect((await reader.get(path)).status).toBe(200)
  expect((await reader.post(path, { words: ["a1", "b1"] })).status).toBe(403)
  const elsewhere = await apiOf(site.service, ["answers:write"])
  expect((await elsewhere.get(path)).status).toBe(403)
})

test("a removed project takes its synonyms with it", async () => {
  const { body: other } = await api.post("/api/v1/projects", { name: "Autre", site: "https://autre.fr" })
  await api.post(`/api/v1/projects/${other.id}/synonyms`, { words: ["mél", "courrier"] })
  expect((await api.delete(`/api/v1/projects/${other.id}`)).status).toBe(204)
  const left = site.service.app.db.selectFrom("synonym_group").selectAll().where("project_id", "=", other.id)
  expect(await left.execute()).toEqual([])
})
