import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { findProject, type Project } from "../../../src/accounts/project.ts"
import { runChecks } from "../../../src/ops/checks/checks.ts"
import { addChosenAnswer } from "../../../src/owners/chosen/chosen-answer.ts"
import { checkChosenAnswers } from "../../../src/owners/chosen/set-aside.ts"
import { type Api, apiOf, strangerOf } from "../../support/api.ts"
import { answerable, foreign, indexFolder, type Site } from "../../support/ask.ts"
import { eventually } from "../../support/processes.ts"
import { temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

// Issue K, point 8: the owner's own answers, with at least one source that is a passage of the live index.

let site: Site
let api: Api
let path: string
const page = "https://docs.exemple.fr/installation"
const question = "Où se trouve le guichet de la mairie ?"
const own = { questions: [question], answer: "Au rez-de-chaussée.[^1]", sources: [page] }

beforeAll(async () => {
  site = await aService().withIndexedProject().started()
  api = await apiOf(site.service)
  path = `/api/v1/projects/${site.project.id}/chosen-answers`
})
afterAll(() => site[Symbol.asyncDispose]())

test("a question gets the answer that its owner wrote, with markers and sources as any other", async () => {
  expect((await site.ask({ question })).body.status).toBe("no_answer")
  const made = await api.post(path, own)
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    id: expect.stringMatching(/^cho_[0-9a-f]{32}$/),
    questions: [question],
    answer: own.answer,
    sources: [{ url: page, title: expect.any(String), section: null, found: true }],
    given: true,
    created_at: expect.any(String),
    changed_at: expect.any(String),
  })
  const { body } = await site.ask({ question: "le guichet de la mairie se trouve où ?" })
  expect(body).toEqual({
    id: expect.stringMatching(/^ans_/),
    status: "answered",
    answer: "Au rez-de-chaussée.[^1]",
    sources: [{ n: 1, title: made.body.sources[0].title, section: null, url: page }],
  })
  const kept = (await api.get(`/api/v1/projects/${site.project.id}/answers/${body.id}`)).body
  expect(kept).toMatchObject({ status: "answered", chosen_answer: made.body.id })
  await api.delete(`${path}/${made.body.id}`)
})

test("no cached answer is older than a chosen one, and none outlives it", async () => {
  const before = (await site.ask()).body
  expect((await site.ask()).body.answer).toBe(before.answer)
  const { body: made } = await api.post(path, { ...own, questions: [answerable] })
  expect((await site.ask()).body.answer).toBe("Au rez-de-chaussée.[^1]")
  await api.patch(`${path}/${made.id}`, { answer: "Au premier étage." })
  expect((await site.ask()).body.answer).toBe("Au premier étage. [^1]")
  expect((await api.delete(`${path}/${made.id}`)).status).toBe(204)
  expect((await site.ask()).body.answer).toBe(before.answer)
})

test("it counts against the limits as any other answer", async () => {
  await using small = await aService()
    .withSettings({ GUICHET_ASK_PER_MINUTE: "1" })
    .withIndexedProject()
    .started()
  const { app } = small.service
  await addChosenAnswer(app.db, small.project, own, app.clock.now())
  expect((await small.ask({ question })).status).toBe(200)
  expect((await small.ask({ question })).status).toBe(429)
})

test("a stream gets it as one piece, then whole", async () => {
  const { body: made } = await api.post(path, own)
  const { body } = await site.send({
    headers: {
      "content-type": "application/json",
      origin: "https://docs.exemple.fr",
      accept: "text/event-stream",
    },
    body: JSON.stringify({ project: site.project.id, question }),
  })
  expect(body.match(/^event: .*$/gm)).toEqual(["event: sentence", "event: answer"])
  expect(body).toContain('"text":"Au rez-de-chaussée.[^1]"')
  await api.delete(`${path}/${made.id}`)
})

test("other questions do not get it, and neither does one that leans on its conversation", async () => {
  const { body: made } = await api.post(path, { ...own, questions: [question, "Et pour la mairie ?"] })
  for (const other of [answerable, foreign, "Qui dirige le guichet de la mairie ?", "Bonjour"])
    expect((await site.ask({ question: other })).body.answer, other).not.toContain("rez-de-chaussée")
  const first = (await site.ask()).body
  const followUp = { question: "et pour celui de la mairie ?", previous: [first.id] }
  expect((await site.ask(followUp)).body.answer).not.toContain("rez-de-chaussée")
  expect((await site.ask({ ...followUp, question: "et pour la mairie ?" })).body.answer).toContain("rez")
  await api.delete(`${path}/${made.id}`)
})

test("what cannot be cited or found is refused, each field in words", async () => {
  const wrong: [change: object, field: string, sentence: string][] = [
    [{ answer: " " }, "answer", "Écrivez une réponse de 1 à 5\u202f000 caractères."],
    [{ answer: "x".repeat(5001) }, "answer", ""],
    [{ answer: "Voir.[^2]" }, "answer", "les renvois vont de [^1] à [^1]"],
    [{ answer: "Voir.[^0]" }, "answer", "les renvois"],
    [{ answer: "`[^1]`" }, "answer", "dans du code"],
    [{ questions: [] }, "questions", "Indiquez de 1 à 10 formulations"],
    [{ questions: ["de la"] }, "questions", "au moins un mot"],
    [{ questions: Array.from({ length: 11 }, (_, n) => `question ${n}`) }, "questions", "10"],
    [
      { sources: Array.from({ length: 11 }, (_, n) => `${page}#${n}`) },
      "sources",
      "Indiquez 10 sources au plus",
    ],
    [{ sources: ["https://docs.exemple.fr/nulle-part"] }, "sources", "/nulle-part"],
    [{ sources: [`${page}#nulle-part`] }, "sources", "#nulle-part"],
    [{ sources: ["https://ailleurs.fr/installation"] }, "sources", "ailleurs.fr"],
    [{ sources: ["javascript:alert(1)"] }, "sources", "javascript"],
  ]
  for (const [change, field, sentence] of wrong) {
    const { status, body } = await api.post(path, { ...own, ...change })
    expect([status, body.error?.fields?.[field]], JSON.stringify(change)).toEqual([
      400,
      expect.stringContaining(sentence),
    ])
  }
  expect((await api.get(path)).body.items).toEqual([])
})

test("a project keeps 200 of them, and a stranger sees none", async () => {
  const { db } = site.service.app
  const { body: made } = await api.post(path, own)
  const stranger = await strangerOf(site.service)
  for (const reply of [
    await stranger.get(path),
    await stranger.post(path, own),
    await stranger.get(`${path}/${made.id}`),
    await stranger.patch(`${path}/${made.id}`, { answer: "x" }),
    await stranger.delete(`${path}/${made.id}`),
  ])
    expect(reply.status).toBe(404)
  const other = (await api.post("/api/v1/projects", { name: "Autre", site: "https://autre.fr" })).body
  expect((await api.get(`/api/v1/projects/${other.id}/chosen-answers/${made.id}`)).status).toBe(404)
  expect((await api.post(`/api/v1/projects/${other.id}/chosen-answers`, own)).body.error.code).toBe(
    "not_indexed",
  )
  const stored = await db.selectFrom("chosen_answer").selectAll().executeTakeFirstOrThrow()
  const further = Array.from({ length: 199 }, (_, n) => ({ ...stored, id: `cho_${n}` }))
  await db.insertInto("chosen_answer").values(further).execute()
  const beyond = await api.post(path, own)
  expect([beyond.status, beyond.body.error.code]).toEqual([409, "conflict"])
  await db.deleteFrom("chosen_answer").execute()
})

test("it is set aside and reported when its page goes, and given again when it returns", async () => {
  const { app } = site.service
  await using folder = temporaryFolder()
  const write = (name: string, text: string) => {
    mkdirSync(folder.path, { recursive: true })
    writeFileSync(join(folder.path, `${name}.md`), text)
  }
  const project = (await api.post("/api/v1/projects", { name: "Petit", site: "https://petit.fr" })).body
  const found = { id: project.id, language: "fr" as const }
  const read = async () => {
    await indexFolder(app, (await findProject(app.db, project.id)) as Project, folder.path)
    // Where nodes share indexes, the older one answers until a node has opened the new one.
    const { number } = await app.db
      .selectFrom("generation")
      .select("number")
      .where("project_id", "=", project.id)
      .where("live", "=", 1)
      .executeTakeFirstOrThrow()
    await eventually(async () => {
      await app.indexes.follow()
      return (await app.indexes.liveIndex(project.id))?.generation === number
    })
    await checkChosenAnswers(app.db, app.clock.now())
  }
  write("accueil", "# Accueil\n\nLa maison vous accueille le matin.\n")
  write("tarifs", "# Tarifs\n\n## Abonnement\n\nL’abonnement coûte dix euros par mois.\n")
  await read()
  const address = "https://petit.fr/tarifs#abonnement"
  await addChosenAnswer(app.db, found, { ...own, sources: [address] }, app.clock.now())
  const ask = async () => {
    const reply = await site.send({
      headers: { "content-type": "application/json", origin: "https://petit.fr" },
      body: JSON.stringify({ project: project.id, question }),
    })
    return reply.body.status
  }
  const state = async () => {
    const [chosen] = (await api.get(`/api/v1/projects/${project.id}/chosen-answers`)).body.items
    const checks = await runChecks(app, { wholeDatabase: false, workspaceId: api.workspaceId })
    return [chosen.given, checks.find(({ name }) => name === "answers")?.state]
  }
  expect([await ask(), ...(await state())]).toEqual(["answered", true, "ok"])
  write("tarifs", "# Tarifs\n\n## Prix\n\nLe prix est de dix euros par mois.\n")
  await read()
  expect([await ask(), ...(await state())]).toEqual(["no_answer", false, "warning"])
  write("tarifs", "# Tarifs\n\n## Abonnement\n\nL’abonnement coûte onze euros par mois.\n")
  await read()
  expect([await ask(), ...(await state())]).toEqual(["answered", true, "ok"])
  await api.delete(`/api/v1/projects/${project.id}`)
  for (const table of ["chosen_answer", "answer"] as const) {
    const left = app.db.selectFrom(table).select("id").where("project_id", "=", project.id)
    expect(await left.execute()).toEqual([])
  }
  expect(await app.db.selectFrom("chosen_question").selectAll().execute()).toEqual([])
})
