import { expect, test } from "bun:test"
import { origin } from "../support/ask.ts"
import { editions, ofBoth, ofVersion1, ofVersion2, port, versionedSite } from "../support/editions.ts"

// A documentation in several versions or languages: a question is answered from that of its page.

test("each page gets what its own version says", async () => {
  await using site = await versionedSite()
  expect(await site.ask("/v1/reglages", port)).toMatchObject({
    answer: expect.stringContaining("3000"),
    sources: ["/v1/reglages"],
  })
  expect(await site.ask("/v2/fax", port)).toMatchObject({
    answer: expect.stringContaining("4000"),
    sources: ["/v2/reglages"],
  })
})

test("a page of no version, and a caller that tells none, get the first", async () => {
  await using site = await versionedSite()
  for (const page of ["/", "/v10/reglages", undefined])
    expect((await site.ask(page, port)).answer).toContain("4000")
})

test("pages that follow no rule belong to every version", async () => {
  await using site = await versionedSite()
  for (const page of ["/v1/", "/v2"]) expect((await site.ask(page, ofBoth)).sources).toEqual(["/licence"])
})

test("what another version alone answers is not answered", async () => {
  await using site = await versionedSite()
  expect((await site.ask("/v1/", ofVersion2)).status).toBe("no_answer")
  expect((await site.ask("/v2/", ofVersion1)).status).toBe("no_answer")
})

test("the owner may let the first version answer in place of another, and the answer says so", async () => {
  await using site = await versionedSite({ editions, edition_fallback: true })
  const asked = await site.ask("/v1/", ofVersion2)
  expect(asked).toMatchObject({ status: "answered", sources: ["/v2/tableau"] })
  expect(asked.answer).toStartWith(
    "La documentation de cette page ne répond pas. Voici ce que dit une autre version\u00a0: Version 2.\n\n",
  )
  expect(asked.answer).toContain("menu Partage")
  // Its own version answers first, and no version stands in for the first one.
  expect((await site.ask("/v1/", port)).answer).toContain("3000")
  expect((await site.ask("/v2/", ofVersion1)).status).toBe("no_answer")
})

test("a rule counts as soon as it is changed, with nothing read again", async () => {
  await using site = await versionedSite({ editions })
  const { projectId: id, api } = site
  expect((await site.ask("/v1/", port)).answer).toContain("3000")
  const swapped = editions.map((each) => ({ ...each, rule: each.rule === "/v1/" ? "/v2/" : "/v1/" }))
  await api.patch(`/api/v1/projects/${id}`, { editions: swapped })
  const asV2 = await site.ask("/", port)
  expect(asV2.answer).toContain("3000")
  await api.patch(`/api/v1/projects/${id}`, { editions: [] })
  expect((await site.ask("/v1/", ofVersion2)).status).toBe("answered")
})

test("a host is a rule as well, and the longest rule wins", async () => {
  const en = "https://en.exemple.fr"
  const rules = [
    { name: "all", label: "Version 2", rule: "/" },
    { name: "old", label: "Version 1", rule: "/v1/" },
    { name: "en", label: "English", rule: "en.exemple.fr/v1/" },
  ]
  await using site = await versionedSite({ editions: rules, origins: [en] })
  expect((await site.ask("/v1/", port)).answer).toContain("3000")
  expect((await site.ask("/v2/", port)).answer).toContain("4000")
  // The same path on another host is another version, whose kept answer is not given.
  expect((await site.ask("/v1/", port, { from: en })).status).toBe("no_answer")
})

test("an answer that is kept is given to its own version alone", async () => {
  const texts = {
    "v1/a.md": "# Port\n\nLe port par défaut du serveur est 3000.",
    "v2/a.md": "# Port\n\nLe port par défaut du serveur est 4000.",
  }
  await using site = await versionedSite({ editions }, texts)
  const cachedOf = () =>
    site.app.db.selectFrom("answer").select(["cache_key", "edition"]).orderBy("id").execute()
  for (const page of ["/v1/a", "/v2/a", "/v1/a", "/v2/a"]) await site.ask(page, port)
  const [first, second, third, fourth] = await cachedOf()
  expect(first).toEqual(third as never)
  expect(second).toEqual(fourth as never)
  expect(first?.cache_key).not.toBe(second?.cache_key as never)
  expect([first?.edition, second?.edition]).toEqual(["v1", "v2"])
})

test("a conversation that goes on in another version keeps its subject, not its answers", async () => {
  await using site = await versionedSite()
  const { id } = await site.ask("/v1/reglages", port)
  const next = await site.ask("/v2/reglages", "Et en production ?", { previous: [id] })
  expect(next.sources).not.toContain("/v1/reglages")
  expect(next.answer).not.toContain("3000")
})

test("an answer that the team wrote is given in the version of its sources", async () => {
  await using site = await versionedSite()
  const { projectId: id, api } = site
  const written = (version: string, text: string) =>
    api.post(`/api/v1/projects/${id}/chosen-answers`, {
      questions: [port],
      answer: `${text} [^1]`,
      sources: [`${origin}/${version}/reglages`],
    })
  expect((await written("v1", "Le port est 3000, dit l’équipe.")).status).toBe(201)
  expect((await site.ask("/v1/", port)).answer).toContain("dit l’équipe")
  expect((await site.ask("/v2/", port)).answer).not.toContain("dit l’équipe")
  const common = { questions: [ofVersion1], answer: "Nous n’avons pas de fax." }
  expect((await api.post(`/api/v1/projects/${id}/chosen-answers`, common)).status).toBe(201)
  for (const page of ["/v1/", "/v2/"])
    expect((await site.ask(page, ofVersion1)).answer).toContain("pas de fax")
})

test("a search finds the pages of its own version and those of every one", async () => {
  await using site = await versionedSite()
  expect(await site.search("/v1/", "réglages")).toEqual(["/v1/reglages"])
  expect(await site.search("/v2/", "réglages")).toEqual(["/v2/reglages"])
  expect(await site.search(undefined, "réglages")).toEqual(["/v2/reglages"])
  expect(await site.search("/v1/", "télécopieur")).toEqual(["/v1/fax"])
  expect(await site.search("/v2/", "télécopieur")).toEqual([])
  expect(await site.search("/v1/", "licence")).toEqual(["/licence"])
  expect(await site.search("/v1/", "tableau")).toEqual([])
  await site.api.patch(`/api/v1/projects/${site.projectId}`, { edition_fallback: true })
  expect(await site.search("/v1/", "tableau")).toEqual(["/v2/tableau"])
})

test("without versions nothing is told apart", async () => {
  await using site = await versionedSite({})
  expect((await site.search("/v1/", "réglages")).toSorted()).toEqual(["/v1/reglages", "/v2/reglages"])
  expect((await site.ask("/v1/", ofVersion2)).status).toBe("answered")
  const rows = await site.app.db.selectFrom("answer").select("edition").execute()
  expect(rows).toEqual([{ edition: null }])
})
