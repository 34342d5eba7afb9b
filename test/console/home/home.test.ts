import { expect, test } from "bun:test"
import { purgeAnswers, storeAnswer } from "../../../src/answering/ask/store-answer.ts"
import { dayMs, hourMs } from "../../../src/base/clock.ts"
import { lastDays } from "../../../src/console/kit/dates.tsx"
import { checkChosenAnswers } from "../../../src/owners/chosen/set-aside.ts"
import { startSetRun } from "../../../src/owners/evaluation/set-run.ts"
import { purgeLog } from "../../../src/webhooks/messages/purge.ts"
import { apiOf } from "../../support/api.ts"
import { answerable, foreign } from "../../support/ask.ts"
import { askedBefore } from "../../support/asked-before.ts"
import { signedIn } from "../../support/operator.ts"
import { textOf } from "../../support/page-text.ts"
import type { Receiver } from "../../support/receiver.ts"
import { aService } from "../../support/service-builder.ts"

test("the root leads to the console, which begins with a first project", async () => {
  await using service = await aService().started()
  const reply = await fetch(service.url, { redirect: "manual" })
  expect([reply.status, reply.headers.get("location")]).toEqual([303, "/console"])
  const camille = await signedIn(service)
  const { text } = await camille.get("/console")
  expect(textOf(text)).toContain("Créer votre premier projet")
  expect(text).toContain(`action="/console/projects"`)
  const viewer = await signedIn(service, "viewer")
  expect((await viewer.get("/console")).text).not.toContain(`action="/console/projects"`)
})

test("what the test receiver got and refused is counted on the home as on its own page", async () => {
  await using service = await aService().started()
  const api = await apiOf(service)
  const camille = await signedIn(service)
  const { id } = (await api.post("/api/v1/projects", { name: "Docs", site: "https://docs.exemple.fr" })).body
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  await api.post("/api/v1/forms", { project: id, name: "Contact", fields })
  const made = await camille.post("/console/webhooks/test-receiver")
  const receiver = `/api/v1/endpoints/${made.location?.split("/")[3]}`
  const deliveries = async () =>
    /Livraisons 7 derniers jours.*?pendant ces jours|Livraisons 7 derniers jours.*$/.exec(
      textOf((await camille.get(`/console/projects/${id}?days=7`)).text),
    )?.[0]
  expect(await deliveries()).toContain("Livraisons 7 derniers jours 0 Aucune livraison pendant ces jours")
  await api.patch(receiver, { test_answer: "error" })
  await api.post(`${receiver}/tests`)
  await service.dispatcher.settled()
  expect(await deliveries()).toMatch(/jours 0 1 tentative échouée Aucune livraison n’a encore abouti\./)
  await api.patch(receiver, { test_answer: "ok" })
  await api.post(`${receiver}/tests`)
  await service.dispatcher.settled()
  expect(await deliveries()).toMatch(/jours 1 1 tentative échouée/)
  // The chart begins with the first day that shows something, which is today.
  const { text } = await camille.get(`/console/projects/${id}?days=7`)
  const [card = ""] = /id="deliveries-30".*?<\/section>/s.exec(text) ?? []
  expect(card.match(/class="point"/g)).toHaveLength(1)
  expect(textOf((await camille.get("/console/webhooks")).text)).toMatch(/1 livré 1 tentative échouée/)
})

test("the home tells thirty days of questions, messages and deliveries, the gaps, and what asks for attention", async () => {
  const failing = () => new Response("no", { status: 503 })
  await using service = await aService()
    .withReceivers([() => new Response("ok"), failing])
    .started()
  const { api, receivers } = service
  for (const receiver of receivers) await service.endpoint(receiver)
  const { id } = (await api.post("/api/v1/projects", { name: "Docs", site: "https://docs.exemple.fr" })).body
  const other = (await api.post("/api/v1/projects", { name: "Autre", site: "https://autre.exemple.fr" })).body
    .id
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  const form = (await api.post("/api/v1/forms", { project: id, name: "Contact", fields })).body
  for (const nom of ["Un", "Deux"])
    await fetch(`${service.url}/f/${form.public_id}`, {
      method: "POST",
      headers: { origin: "https://docs.exemple.fr", "content-type": "application/json" },
      body: JSON.stringify({ nom }),
    })
  await askedBefore(service, id)
  await service.settled()
  const { count } = await service.app.db
    .selectFrom("answer")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow()
  const camille = await signedIn(service)
  for (const path of ["/console", `/console/projects/${id}`]) {
    const text = textOf((await camille.get(path)).text)
    expect(text).toMatch(new RegExp(`Questions 30 derniers jours ${count} \\d+ % avec réponse`))
    expect(text).toContain("Messages reçus 30 derniers jours 2 2 non lus")
    expect(text).toContain("Livraisons 30 derniers jours 2 ")
    expect(text).toMatch(/À regarder hooks1\.acme\.fr\S* : 2 tentatives ont échoué en 24 heures/)
    expect(text).toContain("Messages d’essai compris.")
    expect(text).toMatch(/Ce qui manque .* tarifs/)
  }
  const empty = textOf((await camille.get(`/console/projects/${other}`)).text)
  expect(empty).toContain("Aucune question pendant ces jours.")
  expect(empty).toContain("Livraisons 30 derniers jours 0 Aucune livraison")
  const own = textOf((await camille.get(`/console/projects/${id}`)).text)
  expect(own).toContain("reçoivent aussi les messages d’autres projets")
  // A day that is over is remembered; today is counted at each view.
  await fetch(`${service.url}/f/${form.public_id}`, {
    method: "POST",
    headers: { origin: "https://docs.exemple.fr", "content-type": "application/json" },
    body: JSON.stringify({ nom: "Trois" }),
  })
  expect(textOf((await camille.get("/console")).text)).toContain(
    "Messages reçus 30 derniers jours 3 3 non lus",
  )
})

test("a home shows the period that is chosen beside as many days before, and what is wrong first", async () => {
  await using service = await aService().started()
  const { app } = service
  const api = await apiOf(service)
  const { id } = (await api.post("/api/v1/projects", { name: "Docs", site: "https://docs.exemple.fr" })).body
  await api.patch(`/api/v1/projects/${id}`, { assistant_enabled: false })
  const nowMs = app.clock.now()
  const result = { status: "no_answer" as const, answer: "", sources: [] }
  const asked = { projectId: id, question: "Quand ?", page: "/", generation: 1, cacheKey: null, result }
  for (const [days, count] of [
    [1, 12],
    [10, 10],
    [40, 20],
  ] as const)
    for (let each = 0; each < count; each++) await storeAnswer(app.db, asked, nowMs - days * dayMs - each)
  const camille = await signedIn(service)
  for (const path of ["/console", `/console/projects/${id}`]) {
    const month = textOf((await camille.get(path)).text)
    expect(month).toMatch(/Questions 30 derniers jours 22 .*30 jours d’avant : 20 \(\+10\s%\)/)
    expect(month.indexOf("l’assistant est désactivé")).toBeLessThan(month.indexOf("Pour commencer"))
    const week = textOf((await camille.get(`${path}?days=7`)).text)
    expect(week).toMatch(/Questions 7 derniers jours 12 .*7 jours d’avant : 10 \(\+20\s%\)/)
  }
  const list = textOf((await camille.get("/console/projects")).text)
  expect(list).toMatch(
    /Docs docs\.exemple\.fr pas encore lu 22, 0\s% avec réponse l’assistant est désactivé\./,
  )
})

test("a step of the way is ticked by what has happened, and the list goes once all are done", async () => {
  await using service = await aService().started()
  const { db, clock } = service.app
  const api = await apiOf(service)
  const { id } = (await api.post("/api/v1/projects", { name: "Docs", site: "https://docs.exemple.fr" })).body
  const camille = await signedIn(service)
  const path = `/console/projects/${id}`
  const shown = async () => textOf((await camille.get(path)).text)
  expect(await shown()).toContain("Pour commencer 0 sur 5")
  expect(await shown()).toContain("une question posée dans la console ne compte pas")
  await askedBefore(service, id)
  expect(await shown()).toContain("Recevoir la première question (fait)")
  await db.insertInto("widget_sighting").values({ project_id: id, seen_at: clock.now() }).execute()
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  await api.post("/api/v1/forms", { project: id, name: "Contact", fields })
  expect(await shown()).toContain("Pour commencer 3 sur 5")
  expect(await shown()).toContain("Lire la documentation du site (à faire)")
  // Whoever has forms alone is led on as well.
  expect(await shown()).toContain("Créer la boîte d’essai")
})

test("no tick comes undone by what is purged later", async () => {
  await using service = await aService().withReceivers().started()
  const { api, clock } = service
  const { db } = service.app
  const { id } = (await api.post("/api/v1/projects", { name: "Docs", site: "https://docs.exemple.fr" })).body
  const shown = async () => textOf((await (await signedIn(service)).get(`/console/projects/${id}`)).text)
  // Nobody has asked yet, and nothing of it can be purged.
  expect(await shown()).toContain("Recevoir la première question (à faire)")
  await service.endpoint(service.receivers[0] as Receiver)
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  const form = (await api.post("/api/v1/forms", { project: id, name: "Contact", fields })).body
  await askedBefore(service, id)
  await fetch(`${service.url}/f/${form.public_id}`, {
    method: "POST",
    headers: { origin: "https://docs.exemple.fr", "content-type": "application/json" },
    body: JSON.stringify({ nom: "Un" }),
  })
  await service.settled()
  await db.insertInto("widget_sighting").values({ project_id: id, seen_at: clock.now() }).execute()
  const ticked =
    /Pour commencer 4 sur 5 .*Voir la fenêtre sur le site \(fait\) .*question \(fait\) .*application \(fait\)/
  expect(await shown()).toMatch(ticked)
  clock.move(32 * dayMs)
  await purgeLog(db, clock.now())
  expect(await shown()).toMatch(ticked)
  clock.move(60 * dayMs)
  await purgeAnswers(db, 90, clock.now())
  // Whether one was ever asked cannot be told any more.
  expect(await shown()).toMatch(/Pour commencer 3 sur 4 .*application \(fait\)/)
  expect(await shown()).not.toContain("Recevoir la première question")
})

test("the next step is done where one is: the line to paste, a form of one's own, the test receiver by one click", async () => {
  await using site = await aService().withIndexedProject().started()
  const { service, project } = site
  const { db, clock } = service.app
  const camille = await signedIn(service)
  const viewer = await signedIn(service, "viewer")
  const path = `/console/projects/${project.id}`
  const line = `data-project=&quot;${project.id}&quot;`
  const pages = [path, "/console", `${path}/trials`]
  for (const page of pages)
    expect([page, (await camille.get(page)).text.includes(line)]).toEqual([page, true])
  await db.insertInto("widget_sighting").values({ project_id: project.id, seen_at: clock.now() }).execute()
  expect((await camille.get(path)).text).toContain(`<a class="button quiet" href="${project.site}"`)
  await askedBefore(service, project.id)
  // The pages of the assistant have nothing to lead on to any more.
  for (const page of pages.slice(2))
    expect([page, (await camille.get(page)).text.includes("Pour commencer")]).toEqual([page, false])
  expect((await camille.get(path)).text).toContain(`href="${path}/forms/new"`)
  expect((await viewer.get(path)).text).not.toContain(`href="${path}/forms/new"`)
  const api = await apiOf(service)
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  await api.post("/api/v1/forms", { project: project.id, name: "Contact", fields })
  expect((await camille.get(path)).text).toContain("Créer la boîte d’essai")
  expect((await viewer.get(path)).text).not.toContain("Créer la boîte d’essai")
  const made = await camille.post("/console/webhooks/test-receiver")
  expect(made.location).toMatch(/^\/console\/webhooks\/ep_\w+\/requests$/)
  const { text } = await camille.get(path)
  expect(text).not.toContain("Créer la boîte d’essai")
  expect(text).toContain(`<a href="${made.location}">Livrer un premier message`)
})

test("a gap of the home leads to the form of its answer, and goes once it is treated", async () => {
  await using site = await aService().withIndexedProject().started()
  const { service, project, ask } = site
  const { id } = (await ask({ question: foreign })).body
  const camille = await signedIn(service)
  const path = `/console/projects/${project.id}`
  const written = `${path}/questions/chosen/new?answer=${id}`
  for (const home of [path, "/console"]) expect((await camille.get(home)).text).toContain(written)
  const viewer = await signedIn(service, "viewer")
  expect((await viewer.get(path)).text).not.toContain(written)
  await camille.get(`${path}/questions/gaps`)
  await camille.post(`${path}/questions/gaps/marks`, { gap: id, mark: "treated" })
  expect(textOf((await camille.get(path)).text)).toContain("Aucune question n’attend de réponse.")
})

test("a gap of the home stands in the list of gaps, and what is off topic stays so in other words", async () => {
  await using site = await aService().withIndexedProject().started()
  const { service, project, ask } = site
  const camille = await signedIn(service)
  const path = `/console/projects/${project.id}`
  const home = async () => textOf((await camille.get(path)).text)
  expect(await home()).toContain(
    "Les questions auxquelles la documentation ne répond pas seront listées ici.",
  )
  const { id } = (await ask({ question: foreign })).body
  const link = `${path}/questions/gaps?gap=${id}`
  for (const page of [path, "/console"]) expect((await camille.get(page)).text).toContain(`href="${link}"`)
  const { status, location } = await camille.get(link)
  expect([status, location]).toEqual([303, `${path}/questions/gaps?days=90&state=open#${id}`])
  expect((await camille.get(location ?? "")).text).toContain(`<li id="${id}">`)
  await camille.post(`${path}/questions/gaps/marks`, { gap: id, mark: "off_topic" })
  await ask({ question: "La recette de la tarte aux pommes, quelle est-elle ?" })
  expect(await home()).toContain("Aucune question n’attend de réponse.")
  expect((await camille.get(link)).location).toContain("state=off_topic")
  // One that is no longer kept leads to the list.
  expect((await camille.get(`${path}/questions/gaps?gap=ans_gone`)).status).toBe(200)
})

test("a crowd that was called off topic hides no gap", async () => {
  await using service = await aService().started()
  const api = await apiOf(service)
  const camille = await signedIn(service)
  const projects = await Promise.all(
    ["a", "b"].map(
      async (name) => (await api.post("/api/v1/projects", { name, site: `https://${name}.fr` })).body.id,
    ),
  )
  const result = { status: "no_answer" as const, answer: "Rien.", sources: [] }
  const keep = (projectId: string, question: string, atMs: number) =>
    storeAnswer(
      service.app.db,
      { projectId, question, page: undefined, generation: 1, cacheKey: null, result },
      atMs,
    )
  const nowMs = service.app.clock.now()
  await keep(projects[1], "Comment exporter mes factures ?", nowMs - hourMs)
  for (let number = 0; number < 201; number++)
    await keep(projects[0], `Achetez ${number} montres`, nowMs - number)
  await service.app.db
    .updateTable("answer")
    .set({ gap: "off_topic" })
    .where("project_id", "=", projects[0])
    .execute()
  expect(textOf((await camille.get("/console")).text)).toContain("Comment exporter mes factures ?")
})

test("an evaluation that fell and chosen answers without their sources ask for attention", async () => {
  await using site = await aService().withIndexedProject().started()
  const { service, project, clock } = site
  const { db, assistant } = service.app
  const api = await apiOf(service)
  const camille = await signedIn(service)
  const base = `/api/v1/projects/${project.id}`
  const path = `/console/projects/${project.id}`
  const attention = async () =>
    Promise.all(
      [path, "/console"].map(
        async (page) => textOf((await camille.get(page)).text).split("Questions 30 derniers")[0],
      ),
    )
  const { items } = (await api.get(`${base}/documents`)).body
  await api.post(`${base}/chosen-answers`, {
    questions: [foreign],
    answer: "Elle est au four.[^1]",
    sources: [items[0].url],
  })
  await api.post(`${base}/evaluation-questions`, { question: answerable, page: "/verifier-une-signature" })
  const run = async () => (await startSetRun(assistant, project)).done
  expect(await run()).toMatchObject({ passed: 1 })
  await checkChosenAnswers(db, clock.now())
  for (const text of await attention()) {
    expect(text).not.toContain("mise de côté")
    expect(text).not.toContain("évaluation")
  }
  // The page of the one is gone, and the other's is another one.
  await db
    .updateTable("chosen_answer")
    .set({ sources: '["https://docs.exemple.fr/partie"]', checked_generation: null })
    .execute()
  await checkChosenAnswers(db, clock.now())
  await db.updateTable("evaluation_question").set({ page: "/ailleurs" }).execute()
  clock.move(1000)
  expect(await run()).toMatchObject({ passed: 0, lost: 1 })
  for (const text of await attention()) {
    expect(text).toContain(
      "Guide : l’une de vos réponses est mise de côté, parce que ses sources ont quitté l’index.",
    )
    expect(text).toContain("Guide : une question de l’évaluation n’a plus la réponse prévue.")
  }
  const { text } = await camille.get(path)
  for (const where of ["chosen", "evaluation"])
    expect(text).toContain(`<a href="${path}/questions/${where}" aria`)
  // Each check leads to where its fault is seen; that of the evaluation is told once the answers are in order.
  const health = async () => (await camille.get("/console/settings/health")).text
  expect(await health()).toContain(`<a href="${path}/questions/chosen">`)
  await db.deleteFrom("chosen_answer").execute()
  expect(await health()).toContain(`<a href="${path}/questions/evaluation">`)
})

test("days begin at midnight where the owner is, also when the clocks change", () => {
  const days = lastDays("Europe/Paris", Date.parse("2026-10-27T12:00:00Z"), 4)
  expect(days.map(({ label }) => label)).toEqual(["24 oct.", "25 oct.", "26 oct.", "27 oct."])
  expect(days.map(({ startMs, endMs }) => (endMs - startMs) / hourMs).slice(0, 3)).toEqual([24, 25, 24])
  expect(days[0]?.startMs).toBe(Date.parse("2026-10-23T22:00:00Z"))
})
