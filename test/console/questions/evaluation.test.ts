import { afterAll, beforeAll, expect, spyOn, test } from "bun:test"
import type { OutgoingMail } from "../../../src/mail/outbox.ts"
import { runChecks } from "../../../src/ops/checks/checks.ts"
import { importedQuestions } from "../../../src/owners/evaluation/import-questions.ts"
import { lostSince, runSetsAfterReadings } from "../../../src/owners/evaluation/set-run.ts"
import { type Api, apiOf, strangerOf } from "../../support/api.ts"
import { answerable, type Site } from "../../support/ask.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

// Issue K, point 8: questions with the page or the text expected, tried after each reading.

let site: Site
let client: ConsoleClient
let api: Api
let path: string
let base: string
const mails: OutgoingMail[] = []

beforeAll(async () => {
  site = await aService()
    .withOverrides({ sendMail: async (mail) => void mails.push(mail) })
    .withIndexedProject()
    .started()
  client = await signedIn(site.service)
  api = await apiOf(site.service)
  base = `/api/v1/projects/${site.project.id}`
  path = `/console/projects/${site.project.id}/questions/evaluation`
})
afterAll(() => site[Symbol.asyncDispose]())

const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")
const shown = async () => textOf((await client.get(path)).text)

/** As the job of every minute does. */
async function afterReading(): Promise<void> {
  const { assistant, indexes, questionMails } = site.service.app
  const deps = {
    assistant,
    wordsOnlyIndexes: indexes.wordsOnlyIndexes,
    onFall: questionMails.evaluationFell,
    onFailure(_: string, error: unknown) {
      throw error
    },
  }
  await runSetsAfterReadings(deps, new AbortController().signal)
}

const runs = async () => (await api.get(`${base}/evaluation-runs`)).body.items

test("a question is added with the page or the text that its answer has to give", async () => {
  expect(await shown()).toContain("L’évaluation est vide.")
  const page = "https://docs.exemple.fr/verifier-une-signature#python"
  expect((await client.post(path, { question: answerable, page })).location).toBe(`${path}?done=added`)
  const wrong = await client.post(path, { question: "Sans rien d’attendu ?" })
  expect(wrong.status).toBe(400)
  expect(wrong.text).toContain("Dites ce que la réponse doit citer")
  expect(wrong.text).toContain("Sans rien d’attendu")
  const text = await api.post(`${base}/evaluation-questions`, {
    question: "Combien de tentatives pour une livraison ?",
    text: "8 TENTATIVES",
  })
  expect(text.status).toBe(201)
  expect(await shown()).toMatch(/le texte « 8 TENTATIVES ».*la page \/verifier-une-signature/)
  for (const body of [
    { question: "x", page: "/a" },
    { question: "Une question", text: "y".repeat(501) },
    { question: "Une question", page: "https://" },
  ])
    expect((await api.post(`${base}/evaluation-questions`, body)).status, JSON.stringify(body)).toBe(400)
})

test("a visitor’s question is taken over with the page that its answer cites", async () => {
  const { body } = await site.ask()
  const { text } = await client.get(`${path}?answer=${body.id}`)
  expect(text).toContain(`value="${answerable}"`)
  expect(text).toContain('value="https://docs.exemple.fr/verifier-une-signature"')
})

test("a run asks all of them without counting or keeping anything, and is shown with its history", async () => {
  const kept = async () => (await site.service.app.db.selectFrom("answer").select("id").execute()).length
  const before = await kept()
  await client.post(path, { question: "Quelle est la recette de la tarte ?", page: "/tarte" })
  await afterReading()
  await afterReading()
  expect(await kept()).toBe(before)
  const [run, ...others] = await runs()
  expect(others).toEqual([])
  expect(run).toMatchObject({ total: 3, passed: 2, lost: 0, ended_at: expect.any(String) })
  const text = await shown()
  expect(text).toContain("Réponses comme prévu 2 sur 3")
  expect(text).toMatch(/tarte \? sans réponse/)
  expect(text).toMatch(/Évaluations précédentes.*2 sur 3 67 %/)
})

test("when fewer pass than before, console, checks and a mail say so, until it is agreed to", async () => {
  const [, operator = ""] =
    /name="operator" value="(opr_\w+)"/.exec((await client.get(path.replace("evaluation", "gaps"))).text) ??
    []
  await client.post(path.replace("evaluation", "gaps/mails"), { operator })
  const { db, mailer } = site.service.app
  // What passed is now expected on a page that nothing cites.
  await db
    .updateTable("evaluation_question")
    .set({ page: "/ailleurs" })
    .where("question", "=", answerable)
    .execute()
  site.clock.move(1000)
  await db.updateTable("evaluation_run").set({ generation: 0 }).execute()
  await afterReading()
  await mailer.sendDue()
  expect(mails.map(({ subject }) => subject)).toEqual([`L’évaluation a baissé\u00a0: ${site.project.name}`])
  expect(mails[0]?.text).toContain("à 1 des 3 questions")
  const state = async () => {
    const checks = await runChecks(site.service.app, { wholeDatabase: false, workspaceId: api.workspaceId })
    return checks.find(({ name }) => name === "answers")?.state
  }
  expect(await state()).toBe("warning")
  expect(await shown()).toMatch(/Une question de moins que le .+ \(2\) a la réponse prévue\./)
  const health = await client.get("/console/settings/health")
  expect(health.text).toContain(`<a href="${path}">${site.project.name}</a>`)
  const [run] = await runs()
  expect(run).toMatchObject({ passed: 1, lost: 1, accepted: false })
  expect((await client.post(`${path}/runs/${run.id}/acceptance`)).status).toBe(303)
  expect(await state()).toBe("ok")
  expect(await shown()).not.toContain("Une question de moins")
  expect(await shown()).toContain("la prochaine évaluation sera comparée à celle-ci")
  // The next run compares with the one that was agreed to, and has lost nothing since.
  site.clock.move(1000)
  await db.updateTable("evaluation_run").set({ generation: 0 }).execute()
  await afterReading()
  const [next] = await runs()
  expect([next.id === run.id, next.passed, next.lost]).toEqual([false, 1, 0])
  expect(await state()).toBe("ok")
  expect(await shown()).not.toContain("Une question de moins")
})

test("an expected page that the index does not have is said at once, with those that are written like it", async () => {
  const question = "Comment vérifier une signature ?"
  const added = await client.post(path, { question, page: "/verifier-signature" })
  expect(added.location).toBe(`${path}?done=addedUnknown`)
  const text = textOf((await client.get(added.location as string)).text)
  expect(text).toContain("mais la page attendue n’est pas dans l’index")
  expect(text).toMatch(/Cette page n’est pas dans l’index.{0,60}Les plus proches : \/verifier-une-signature/)
  const known = await client.post(path, { question, page: "/verifier-une-signature/" })
  expect(known.location).toBe(`${path}?done=added`)
  for (const { id } of (await api.get(`${base}/evaluation-questions`)).body.items.slice(0, 2))
    await client.post(`${path}/${id}/removal`)
})

test("a run by hand is done once at a time, and a removed question is asked no more", async () => {
  site.clock.move(1000)
  const [first] = (await api.get(`${base}/evaluation-questions`)).body.items
  expect((await client.post(`${path}/${first.id}/removal`)).location).toBe(`${path}?done=removed`)
  const { chosen } = site.service.app.assistant
  if (!chosen) throw new Error("nothing looks for chosen answers")
  // The first is under way until the others have been refused.
  const held = Promise.withResolvers<void>()
  const find = chosen.find.bind(chosen)
  const waiting = spyOn(chosen, "find").mockImplementation(async (...asked) => {
    await held.promise
    return find(...asked)
  })
  const started = await Promise.all([1, 2, 3].map(() => api.post(`${base}/evaluation-runs`)))
  held.resolve()
  waiting.mockRestore()
  expect(started.map(({ status }) => status).sort()).toEqual([202, 409, 409])
  const id = started.find(({ status }) => status === 202)?.body.id
  const ended = async () => (await api.get(`${base}/evaluation-runs/${id}`)).body
  while ((await ended()).ended_at === null) await Bun.sleep(5)
  expect(await ended()).toMatchObject({ total: 2, lost: 0 })
})

test("a run that fails midway leaves nothing, and the next may begin at once", async () => {
  site.clock.move(1000)
  const before = await runs()
  const { chosen } = site.service.app.assistant
  if (!chosen) throw new Error("nothing looks for chosen answers")
  const failing = spyOn(chosen, "find").mockRejectedValueOnce(new Error("the index is gone"))
  expect((await client.post(`${path}/runs`)).location).toBe(`${path}?done=started`)
  while ((await runs()).length > before.length) await Bun.sleep(5)
  expect(failing).toHaveBeenCalled()
  failing.mockRestore()
  expect(await runs()).toEqual(before)
  expect((await api.post(`${base}/evaluation-runs`)).status).toBe(202)
  while ((await runs())[0].ended_at === null) await Bun.sleep(5)
})

test("a list is imported as a table or as lines of JSON, and bounded", async () => {
  expect(
    importedQuestions('\ufeffquestion;page;texte\r\n"Où ; quand ""?""";/a;\r\n\r\nQui ?;;moi\r\n'),
  ).toEqual([
    { question: 'Où ; quand "?"', page: "/a", text: "" },
    { question: "Qui ?", page: "", text: "moi" },
  ])
  expect(importedQuestions("Question,URL\nQui ?,https://a.fr/x")).toEqual([
    { question: "Qui ?", page: "https://a.fr/x", text: undefined },
  ])
  expect(
    importedQuestions('{"question":"Qui ?","pages":["a/b"]}\n\n{"question":"Où ?","texts":["ici"]}'),
  ).toEqual([
    { question: "Qui ?", page: "a/b", text: undefined },
    { question: "Où ?", page: undefined, text: "ici" },
  ])
  const count = async () => (await api.get(`${base}/evaluation-questions?limit=100`)).body.items.length
  const before = await count()
  const post = (rows: string) => client.post(`${path}/imports`, { rows })
  for (const rows of [
    "",
    "a;b\nc;d",
    '{"question":1}',
    "x".repeat(300_001),
    `question\n${"Qui ?\n".repeat(501)}`,
  ])
    expect((await post(rows)).status, rows.slice(0, 20)).toBe(400)
  expect((await post("question;page\nQui ?;/a\nSans page ?;")).status).toBe(400)
  expect(await count()).toBe(before)
  expect((await post("question;page\nQui êtes-vous ?;/index\nOù ?;/b")).status).toBe(303)
  expect(await count()).toBe(before + 2)
  const many = `question;page\n${"Qui ?;/a\n".repeat(499)}`
  expect((await post(many)).status).toBe(409)
})

test("a fall is counted over the questions that both runs have", () => {
  const result = (id: string, passed: boolean) => ({
    id,
    outcome: passed ? ("passed" as const) : ("unanswered" as const),
  })
  const before = [result("a", true), result("b", true), result("c", false)]
  expect(lostSince(before, [result("a", true), result("d", false)])).toBe(0)
  expect(lostSince(before, [result("a", false), result("b", true), result("c", false)])).toBe(1)
  expect(lostSince(before, [result("a", false), result("b", true), result("c", true)])).toBe(0)
})

test("a stranger sees none of it, and a removed project takes it all with it", async () => {
  const stranger = await strangerOf(site.service)
  const [run] = await runs()
  for (const reply of [
    await stranger.get(`${base}/evaluation-questions`),
    await stranger.get(`${base}/evaluation-runs/${run.id}`),
    await stranger.post(`${base}/evaluation-runs`),
    await stranger.patch(`${base}/evaluation-runs/${run.id}`, { accepted: true }),
  ])
    expect(reply.status).toBe(404)
  expect((await api.delete(base)).status).toBe(204)
  const { db } = site.service.app
  for (const table of ["evaluation_question", "evaluation_run", "gap_mail", "chosen_answer"] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
})
