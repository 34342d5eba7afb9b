import { expect, test } from "bun:test"
import { editions, ofVersion2, port, versionedSite } from "../../support/editions.ts"
import { signedIn } from "../../support/operator.ts"

// The versions and languages of a documentation, as an owner declares and tries them.

test("versions are declared in rows, and a row that is emptied takes its version away", async () => {
  await using site = await versionedSite({})
  const camille = await signedIn(site)
  const settings = `/console/projects/${site.projectId}/settings`
  const rows = {
    "editions.0.name": "v2",
    "editions.0.label": "Version 2",
    "editions.0.rule": " /v2 ",
    "editions.1.name": "v1",
    "editions.1.label": "Version 1",
    "editions.1.rule": "/v1/",
  }
  const saved = async () => (await site.api.get(`/api/v1/projects/${site.projectId}`)).body
  const { name, site: address } = await saved()
  const save = (values: Record<string, string>) => camille.post(settings, { name, site: address, ...values })
  expect((await save({ ...rows, edition_fallback: "on" })).status).toBe(303)
  expect(await saved()).toMatchObject({ editions, edition_fallback: true })
  const { text } = await camille.get(settings)
  expect(text).toContain('name="editions.3.rule"')
  expect(text).not.toContain('name="editions.4.rule"')
  const wrong = await save({ ...rows, "editions.1.rule": "/v*/" })
  expect(wrong.status).toBe(400)
  expect(wrong.text).toContain("Indiquez un début de chemin")
  expect(wrong.text).toContain('value="/v*/"')
  expect(
    (await save({ ...rows, "editions.0.name": "", "editions.0.label": "", "editions.0.rule": "" })).status,
  ).toBe(303)
  expect(await saved()).toMatchObject({ editions: [editions[1]], edition_fallback: false })
})

test("a question is tried in the version that is chosen", async () => {
  await using site = await versionedSite()
  const camille = await signedIn(site)
  const trials = `/console/projects/${site.projectId}/trials`
  expect((await camille.get(trials)).text).toMatch(/<select[^>]* name="edition"/)
  const tried = async (values: Record<string, string>) => (await camille.post(trials, values)).text
  expect(await tried({ question: port, edition: "v1" })).toContain("3000")
  expect(await tried({ question: port, edition: "v2" })).toContain("4000")
  const trial = (fields: object) => site.api.post(`/api/v1/projects/${site.projectId}/trials`, fields)
  expect((await trial({ question: port, page: "/v1/" })).body.answer).toContain("3000")
  expect((await trial({ question: ofVersion2, edition: "v1" })).body.status).toBe("no_answer")
  const unknown = await trial({ question: port, edition: "v3" })
  expect([unknown.status, unknown.body.error.message]).toEqual([400, expect.stringContaining("v2, v1")])
})
