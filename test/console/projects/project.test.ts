import { expect, test } from "bun:test"
import { findProject, insertProject } from "../../../src/accounts/project.ts"
import type { NewProject } from "../../../src/accounts/projects/record.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import { thresholds } from "../../../src/answering/retrieval/thresholds.ts"
import { listFeeds } from "../../../src/reading/feed.ts"
import { apiOf } from "../../support/api.ts"
import { signedIn } from "../../support/operator.ts"
import { formIn } from "../../support/page-form.ts"
import { textOf } from "../../support/page-text.ts"
import { aService } from "../../support/service-builder.ts"

test("a new project is asked what its site is called; its settings change that, and the sentence after a refusal", async () => {
  await using service = await aService().started()
  const client = await signedIn(service)
  const projects = async () => await service.app.db.selectFrom("project").selectAll().execute()
  expect((await client.get("/console/projects")).text).toMatch(/<select[^>]* name="kind"/)
  const values = { name: "Mairie", site: "https://mairie.exemple.fr", kind: "site", kind_word: "" }
  await client.post("/console/projects", values)
  const [made] = await projects()
  expect(made).toMatchObject({ kind_word: "site", no_answer_more: null })
  const path = `/console/projects/${made?.id}/settings`
  const more = { kind: "own", kind_word: "Le guide", no_answer_more: "Appelez-nous." }
  expect((await client.post(path, { ...values, ...more })).status).toBe(303)
  expect(await projects()).toMatchObject([{ kind_word: "le guide", no_answer_more: "Appelez-nous." }])
  expect((await client.get(path)).text).toContain('value="le guide"')
  const refused = await client.post(path, { ...values, kind: "own" })
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining("Indiquez un nom avec son article"),
  ])
  expect((await client.post(path, { ...values, kind: "documentation" })).status).toBe(303)
  expect(await projects()).toMatchObject([{ kind_word: "documentation" }])
})

test("a project is named after its site unless it is given a name, and its sitemap is read at once where that is ticked", async () => {
  await using first = await aService().withOwner().started()
  const { service, site } = first
  const { db } = service.app
  const camille = await signedIn(service)
  expect((await camille.get("/console/projects")).text).toMatch(/name="read"[^>]* checked/)
  const read = await camille.post("/console/projects", { name: " ", site: site.url, read: "on" })
  const [, id = ""] =
    /^\/console\/projects\/(\w+)\/indexing\?done=createdRead$/.exec(read.location ?? "") ?? []
  expect((await findProject(db, id))?.name).toBe(site.host)
  expect(await listFeeds(db, id)).toMatchObject([{ kind: "site", address: `${site.url}/` }])
  while (((await findProject(db, id))?.indexedAt ?? null) === null) await Bun.sleep(50)
  const told = await camille.post("/console/projects", { name: "Guide", site: site.url })
  expect(told.location).toEndWith("/indexing?done=created")
  expect(await listFeeds(db, told.location?.split("/")[3] ?? "")).toEqual([])
  // What was unticked stays so while something else is put right.
  const refused = await camille.post("/console/projects", { name: "Guide", site: "docs exemple.fr" })
  expect(refused.status).toBe(400)
  expect(refused.text).not.toMatch(/name="read"[^>]* checked/)
})

test("a site may be typed as people write it, and only what is wrong is refused", async () => {
  await using service = await aService().started()
  const { db } = service.app
  const camille = await signedIn(service)
  const made = await camille.post("/console/projects", { name: "", site: " www.mairie-exemple.fr " })
  const id = made.location?.split("/")[3] ?? ""
  expect(await findProject(db, id)).toMatchObject({
    name: "www.mairie-exemple.fr",
    site: "https://www.mairie-exemple.fr",
  })
  const path = `/console/projects/${id}/settings`
  const shown = formIn((await camille.get(path)).text, path)
  const saved = await camille.post(path, { ...shown, site: "mairie.fr/aide", origins: "b.fr\nc.fr:8443" })
  expect(saved.status).toBe(303)
  expect(await findProject(db, id)).toMatchObject({
    site: "https://mairie.fr/aide",
    origins: ["https://mairie.fr", "https://b.fr", "https://c.fr:8443"],
  })
  for (const site of ["", "mairie", "mailto:mairie@exemple.fr", "ftp://exemple.fr", "marie@exemple.fr"]) {
    const { status, text } = await camille.post("/console/projects", { name: "", site })
    expect([site, status, text.includes("Indiquez l’URL du site")]).toEqual([site, 400, true])
    if (site !== "") expect(text).toContain(`value="${site}"`)
    expect(text).not.toContain("Indiquez un nom")
  }
})

test("a limit is a whole number, typed with or without blanks, or nothing", async () => {
  await using service = await aService().started()
  const { db, clock } = service.app
  const wanted = { name: "Guide", site: "https://docs.exemple.fr" }
  const { id } = await insertProject(db, await defaultWorkspaceId(db), wanted, clock.now())
  const camille = await signedIn(service)
  const path = `/console/projects/${id}/settings`
  const shown = formIn((await camille.get(path)).text, path)
  for (const per_day of ["0", "douze", "1,5", "-3"]) {
    const { status, text } = await camille.post(path, { ...shown, per_day })
    expect([per_day, status, text.includes(`value="${per_day}"`)]).toEqual([per_day, 400, true])
    expect(text).toContain("Indiquez un nombre entier à partir de 1, ou laissez vide.")
  }
  expect((await camille.post(path, { ...shown, per_day: "1 200", per_minute: "" })).status).toBe(303)
  expect((await findProject(db, id))?.limits).toMatchObject({ perDay: 1200, perMinute: null })
})

test("without a model, the settings of a project ask nothing of how answers are made", async () => {
  await using service = await aService().started()
  const { db, clock } = service.app
  const wanted = { name: "Guide", site: "https://docs.exemple.fr" }
  const { id } = await insertProject(db, await defaultWorkspaceId(db), wanted, clock.now())
  const camille = await signedIn(service)
  const path = `/console/projects/${id}/settings`
  const page = (await camille.get(path)).text
  // Nobody who reads this page may believe that questions leave.
  expect(page).not.toContain("rédigées par le modèle")
  expect(page).not.toContain('name="answers"')
  // What the API has set stays.
  await (await apiOf(service)).patch(`/api/v1/projects/${id}`, { answers: "extractive" })
  expect((await camille.post(path, { ...wanted, assistant: "on" })).status).toBe(303)
  expect((await findProject(db, id))?.answers).toBe("extractive")
})

test("with a model, the settings of a project say and change whether it writes the answers", async () => {
  await using service = await aService()
    .withSettings({
      GUICHET_MODEL: "openai",
      GUICHET_OPENAI_BASE_URL: "http://127.0.0.1:9",
      GUICHET_OPENAI_MODEL: "m",
    })
    .started()
  const { db, clock } = service.app
  const wanted = { name: "Guide", site: "https://docs.exemple.fr" }
  const { id } = await insertProject(db, await defaultWorkspaceId(db), wanted, clock.now())
  const camille = await signedIn(service)
  const path = `/console/projects/${id}/settings`
  expect((await camille.get(path)).text).toContain('<option value="written" selected>rédigées par le modèle')
  const saved = await camille.post(path, { ...wanted, assistant: "on", answers: "extractive" })
  expect(saved.status).toBe(303)
  expect((await findProject(db, id))?.answers).toBe("extractive")
})

test("what somebody else changed of a project since its page was opened is not undone unseen", async () => {
  await using service = await aService().started()
  const api = await apiOf(service)
  const { id } = (await api.post("/api/v1/projects", { name: "Guide", site: "https://docs.exemple.fr" })).body
  const camille = await signedIn(service)
  const path = `/console/projects/${id}/settings`
  const shown = formIn((await camille.get(path)).text, path)
  await api.patch(`/api/v1/projects/${id}`, { language: "en", assistant_enabled: false })
  const refused = await camille.post(path, { ...shown, name: "Autrement" })
  expect([refused.status, refused.text.includes("Quelqu’un d’autre a changé")]).toEqual([409, true])
  const stays = { name: "Guide", language: "en", assistant_enabled: false }
  expect((await api.get(`/api/v1/projects/${id}`)).body).toMatchObject(stays)
  // Saving again after the warning overwrites the other change on purpose.
  expect((await camille.post(path, formIn(refused.text, path))).status).toBe(303)
  expect((await api.get(`/api/v1/projects/${id}`)).body).toMatchObject({
    name: "Autrement",
    language: "fr",
  })
})

/** A value of each member of the record that a new project does not have. */
const otherValues: Required<Omit<NewProject, "site">> = {
  name: "Autre",
  origins: ["https://autre.exemple.fr"],
  language: "en",
  assistant_enabled: false,
  answers: "extractive",
  answer_threshold: "talkative",
  kind_word: "site",
  no_answer_more: "Appelez-nous.",
  team_page_listed: true,
  mcp_enabled: true,
  llms_enabled: true,
  editions: [{ name: "v2", label: "Version 2", rule: "/v2/" }],
  edition_fallback: true,
  per_minute: 3,
  per_visitor_day: 4,
  per_day: 5,
  every_hours: 6,
}

test("whatever of the record somebody else changes, the settings that were open undo nothing of it", async () => {
  await using service = await aService().started()
  const api = await apiOf(service)
  const { id } = (await api.post("/api/v1/projects", { name: "Guide", site: "https://docs.exemple.fr" })).body
  const camille = await signedIn(service)
  const path = `/console/projects/${id}/settings`
  for (const [name, value] of Object.entries(otherValues)) {
    const shown = formIn((await camille.get(path)).text, path)
    expect((await api.patch(`/api/v1/projects/${id}`, { [name]: value })).status).toBe(200)
    const { status } = await camille.post(path, shown)
    const saved = (await api.get(`/api/v1/projects/${id}`)).body[name]
    const stays = name === "origins" ? ["https://docs.exemple.fr", "https://autre.exemple.fr"] : value
    expect([name, saved]).toEqual([name, stays])
    // What the form sets is told; what other pages set is no matter of it.
    expect([name, status]).toEqual([name, ["team_page_listed", "every_hours"].includes(name) ? 303 : 409])
  }
})

test("the settings say what each threshold would have made of the last questions", async () => {
  await using site = await aService().withIndexedProject().started()
  const camille = await signedIn(site.service)
  const path = `/console/projects/${site.project.id}/settings`
  const hint = async () => textOf((await camille.get(path)).text)
  expect(await hint()).not.toContain("il aurait répondu")
  const { body } = await site.ask()
  const { db } = site.service.app
  const saveConfidence = (confidence: number) => db.updateTable("answer").set({ confidence }).execute()
  await saveConfidence((thresholds.balanced + thresholds.prudent) / 2)
  expect(await hint()).toContain(
    "À la dernière question, il aurait répondu : prudent 0 fois, équilibré 1 fois, bavard 1 fois.",
  )
  await site.ask({ question: "Bonjour" })
  await saveConfidence((thresholds.talkative + thresholds.balanced) / 2)
  // A greeting is no question.
  expect(await hint()).toContain(
    "À la dernière question, il aurait répondu : prudent 0 fois, équilibré 0 fois",
  )
  expect(body.status).toBe("answered")
})

test("a project is opened to programs in its settings, which tell how they are told of it", async () => {
  const settings = { GUICHET_PUBLIC_URL: "https://guichet.exemple.fr" }
  await using service = await aService().withSettings(settings).started()
  const client = await signedIn(service)
  const wanted = { name: "Guide", site: "https://docs.exemple.fr" }
  const { db, clock } = service.app
  const { id } = await insertProject(db, await defaultWorkspaceId(db), wanted, clock.now())
  const path = `/console/projects/${id}`
  const address = `https://guichet.exemple.fr/mcp/${id}`
  expect((await client.get(`${path}/settings`)).text).not.toContain(address)
  await client.post(`${path}/settings`, { ...wanted, mcp_enabled: "on" })
  expect(await findProject(db, id)).toMatchObject({ mcpEnabled: true, llmsEnabled: false })
  const shown = textOf((await client.get(`${path}/settings`)).text).replaceAll("&quot;", '"')
  expect(shown).toContain(`claude mcp add --transport http docs-exemple-fr ${address}`)
  expect(shown).toContain(`{"mcpServers":{"docs-exemple-fr":{"url":"${address}"}}}`)
  await client.post(`${path}/settings`, { ...wanted, llms_enabled: "on" })
  expect(await findProject(db, id)).toMatchObject({ mcpEnabled: false, llmsEnabled: true })
  expect(textOf((await client.get(`${path}/settings`)).text)).toContain(`/llms/${id}/llms-full.txt`)
})
