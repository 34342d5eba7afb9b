import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Api, apiOf } from "../support/api.ts"
import { answerable, type Site } from "../support/ask.ts"
import { aService } from "../support/service-builder.ts"

let site: Site
let api: Api
let path: string

beforeAll(async () => {
  site = await aService().withIndexedProject().started()
  api = await apiOf(site.service)
  path = `/api/v1/projects/${site.project.id}`
})
afterAll(() => site[Symbol.asyncDispose]())

test("an answer says by codes and words why it was given, as the console does in sentences", async () => {
  const refused = (await site.ask({ question: "Où est le secret de la piscine municipale ?" })).body
  const { reasons } = (await api.get(`${path}/answers/${refused.id}`)).body
  expect(reasons[0]).toEqual({ code: "unknown_words", words: ["piscine", "municipale"], kind: null })

  const answered = (await site.ask({ question: answerable })).body
  expect((await api.get(`${path}/answers/${answered.id}`)).body.reasons).toEqual([])

  const greeting = (await site.ask({ question: "Bonjour" })).body
  expect((await api.get(`${path}/answers/${greeting.id}`)).body.reasons).toBeNull()
})

test("so does a question that is tried", async () => {
  const { body } = await api.post(`${path}/trials`, { question: "Combien coûte un webhook ?" })
  expect(body.reasons).toContainEqual({ code: "quantity", words: [], kind: "price" })
})
