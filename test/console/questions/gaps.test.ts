import { afterAll, beforeAll, expect, test } from "bun:test"
import { purgeAnswers, storeAnswer } from "../../../src/answering/ask/store-answer.ts"
import { dayMs } from "../../../src/base/clock.ts"
import type { OutgoingMail } from "../../../src/mail/outbox.ts"
import { mailWeeks } from "../../../src/owners/gaps/gap-mails.ts"
import { apiOf, strangerOf } from "../../support/api.ts"
import { answerable, origin, type Site } from "../../support/ask.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { formIn } from "../../support/page-form.ts"
import { aService } from "../../support/service-builder.ts"

// Issue K, point 8: « Ce qui manque ».

let site: Site
let client: ConsoleClient
let path: string
const mails: OutgoingMail[] = []

beforeAll(async () => {
  site = await aService()
    .withOverrides({ sendMail: async (mail) => void mails.push(mail) })
    .withIndexedProject()
    .started()
  client = await signedIn(site.service)
  path = `/console/projects/${site.project.id}/questions/gaps`
})
afterAll(() => site[Symbol.asyncDispose]())

const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")
const shown = async (query = "") => textOf((await client.get(`${path}${query}`)).text)

async function unanswered(question: string, daysAgo: number, isNear = true): Promise<string> {
  const related = isNear ? [{ title: "Tarifs", section: null, url: "https://docs.exemple.fr/tarifs" }] : []
  const result = { status: "no_answer" as const, answer: "Rien.", sources: [], related }
  const { id: projectId } = site.project
  const kept = { projectId, question, page: undefined, generation: 0, cacheKey: null, result }
  return (await storeAnswer(site.service.app.db, kept, site.clock.now() - daysAgo * dayMs)).id
}

test("what is asked is grouped, the most asked first, with the nearest pages; what is far stands apart", async () => {
  for (const question of ["Quels sont les tarifs ?", "quels sont vos TARIFS", "Où voir les tarifs ?"])
    await unanswered(question, 1)
  await unanswered("Peut-on exporter en PDF ?", 1)
  await unanswered("Qui a gagné le match ?", 1, false)
  const text = await shown()
  expect(text).toMatch(
    /Proches de votre documentation.*tarifs.*Autre formulation.*3 fois.*Au plus près.*Tarifs/i,
  )
  expect(text).toContain("la dernière le 9 mars à 10:00")
  expect(text.toLowerCase().indexOf("tarifs")).toBeLessThan(text.indexOf("exporter"))
  expect(text).toMatch(/Loin de votre documentation.*Qui a gagné le match/)
})

test("« traité » and « hors sujet » move the whole group; asked again, what was treated is open again", async () => {
  const treated = await unanswered("Quelle est la surface du jardin ?", 2)
  await unanswered("la surface du jardin", 2)
  expect((await client.post(`${path}/marks`, { gap: treated, mark: "treated" })).status).toBe(303)
  expect(await shown()).not.toContain("jardin")
  expect(await shown("?state=treated")).toMatch(/surface du jardin.*2 fois/)
  await unanswered("Surface du jardin ?", 0)
  expect(await shown()).toMatch(/surface du jardin.*posée à nouveau.*3 fois/i)
  const off = await unanswered("Quelle heure est-il ?", 1)
  await client.post(`${path}/marks`, { gap: off, mark: "off_topic" })
  await unanswered("quelle heure est-il", 0)
  expect(await shown()).not.toContain("heure est-il")
  expect(await shown("?state=off_topic")).toMatch(/heure est-il.*2 fois/)
  await client.post(`${path}/marks?state=off_topic`, { gap: off })
  expect(await shown()).toContain("heure est-il")
  expect((await client.post(`${path}/marks`, { gap: "ans_0", mark: "treated" })).status).toBe(404)
})

test("what was marked is named, and « Annuler » puts it back where it was", async () => {
  const gap = await unanswered("Vendez-vous des cartes postales ?", 1)
  const undo = async (location: string | null, said: string) => {
    const { text } = await client.get(location ?? "")
    expect(text).toContain(said)
    const [form = ""] = /id="marked".*?<\/form>/s.exec(text) ?? []
    const fields = [...form.matchAll(/name="(undo|mark|gap)" value="([^"]*)"/g)]
    return (
      await client.post(`${path}/marks`, Object.fromEntries(fields.map(([, name, value]) => [name, value])))
    ).location
  }
  const treated = await client.post(`${path}/marks`, { gap, mark: "treated" })
  const undone = await undo(
    treated.location,
    "«\u00a0Vendez-vous des cartes postales ?\u00a0» est marquée comme traitée.",
  )
  expect(await shown()).toContain("cartes postales")
  expect((await client.get(undone ?? "")).text).not.toContain('id="marked"')
  const off = await client.post(`${path}/marks`, { gap, mark: "off_topic" })
  expect((await client.get(off.location ?? "")).text).toContain("est marquée hors sujet.")
  const reopened = await client.post(`${path}/marks?state=off_topic`, { gap })
  await undo(reopened.location, "est de nouveau à traiter.")
  expect(await shown()).not.toContain("cartes postales")
  expect(await shown("?state=off_topic")).toContain("cartes postales")
})

test("« essayer à nouveau » says what would be answered now, and neither keeps nor counts it", async () => {
  const known = await unanswered(answerable, 1)
  const count = async () => {
    const rows = site.service.app.db.selectFrom("answer").select("id").execute()
    return (await rows).length
  }
  const before = await count()
  expect(await shown()).toContain("documentation relue depuis")
  const one = textOf((await client.post(`${path}/trials`, { gap: known })).text)
  expect(one).toContain("1 sur 1 question aurait une réponse maintenant")
  expect(one).toContain("Voir cette réponse")
  const { text } = await client.post(`${path}/trials`)
  expect(textOf(text)).toMatch(/[1-9] sur \d questions aur(ait|aient) une réponse maintenant/)
  expect(textOf(text)).toContain("toujours sans réponse")
  expect(await count()).toBe(before)
  const limits = await site.service.app.db.selectFrom("recent_ask").selectAll().execute()
  expect(limits).toEqual([])
  await client.post(`${path}/marks`, { gap: known, mark: "treated" })
  expect(await shown()).not.toContain("signature")
})

test("passages to cite are told by their text: without marks, and code without the name of its language", async () => {
  const chosen = path.replace("gaps", "chosen")
  const { status, text } = await client.post(chosen, {
    questions: "Installer le binaire avec systemd sur le serveur",
    answer: "Oui. [^9]",
  })
  expect(status).toBe(400)
  const excerpts = [...text.matchAll(/<span class="hint of-source">([^<]+)</g)].map(([, found = ""]) => found)
  expect(excerpts.join("\n")).toMatch(/guichet|sudo/)
  for (const excerpt of excerpts) expect(excerpt).not.toMatch(/[`|]|\*\*|(^|[.:] )(sh|ini|html|json) /)
})

test("a gap becomes a chosen answer in two clicks: the form is filled in, and saving it closes the gap", async () => {
  const gap = await unanswered("Où garer son vélo devant l’installation ?", 1)
  const chosen = path.replace("gaps", "chosen")
  expect((await client.get(path)).text).toContain(`${chosen}/new?answer=${gap}`)
  const { text } = await client.get(`${chosen}/new?answer=${gap}`)
  expect(text).toContain("Où garer son vélo")
  const [, offered = ""] = /name="source" value="([^"]+)"/.exec(text) ?? []
  expect(offered).toStartWith("https://docs.exemple.fr/")
  // What is ticked is told by its heading and its text, and its page is one click away.
  expect(text).toContain(
    `<a class="hint" href="${offered}" target="_blank" rel="noreferrer">docs.exemple.fr/`,
  )
  const [, excerpt = ""] = /<span class="hint of-source">([^<]+)</.exec(text) ?? []
  expect(excerpt.length).toBeGreaterThan(20)
  const values = {
    from: gap,
    questions: "Où garer son vélo ?\nparking à vélos",
    answer: "Dans la cour.",
    source: offered,
  }
  const refused = await client.post(chosen, { ...values, answer: "Dans la cour.[^3]" })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain("Dans la cour.[^3]")
  expect(refused.text).toMatch(new RegExp(`value="${offered.replace(/[.?#]/g, "\\$&")}" checked`))
  expect((await client.post(chosen, values)).location).toBe(`${chosen}?done=saved`)
  expect(textOf((await client.get(chosen)).text)).toMatch(/Où garer son vélo \?.*Dans la cour/)
  expect(await shown()).not.toContain("vélo")
  const reply = await site.ask({ question: "parking vélos" })
  expect(reply.body).toMatchObject({ status: "answered", answer: "Dans la cour. [^1]" })
  expect(textOf((await client.get(chosen)).text)).toContain("donnée 1 fois")
  const [, id] = new RegExp(`${chosen}/(cho_\\w+)`).exec((await client.get(chosen)).text) ?? []
  const changed = { questions: "Où garer son vélo ?", answer: "Dans la rue.", source: offered }
  expect((await client.post(`${chosen}/${id}`, changed)).status).toBe(303)
  expect((await site.ask({ question: "Où garer un vélo ?" })).body.answer).toBe("Dans la rue. [^1]")
  expect((await client.post(`${chosen}/${id}/removal`)).location).toBe(`${chosen}?done=removed`)
  expect((await site.ask({ question: "Où garer un vélo ?" })).body.status).toBe("no_answer")
})

test("a gap is attached to an answer that is written already, as a phrasing of it, and is closed", async () => {
  const chosen = path.replace("gaps", "chosen")
  expect((await client.get(path)).text).not.toContain("Rattacher")
  const gap = await unanswered("Le local des poussettes est-il fermé à clé ?", 1)
  const questions = "Où ranger la poussette ?\nlocal à poussettes"
  await client.post(chosen, { questions, answer: "Au rez-de-chaussée." })
  const list = `${chosen}?answer=${gap}`
  expect((await client.get(path)).text).toContain(`href="${list}"`)
  const { text } = await client.get(list)
  expect(text).toContain("convient aussi à «\u00a0Le local des poussettes est-il fermé à clé ?\u00a0»")
  const [, edit = "", id = ""] =
    new RegExp(`href="([^"]*/chosen/(cho_\\w+)/edit\\?answer=${gap})"`).exec(text) ?? []
  const form = formIn((await client.get(edit)).text, `${chosen}/${id}`)
  expect(form).toMatchObject({ from: gap })
  expect(form["questions"]?.trim().split("\n")).toEqual([
    ...questions.split("\n"),
    "Le local des poussettes est-il fermé à clé ?",
  ])
  expect((await client.post(`${chosen}/${id}`, form)).location).toBe(`${chosen}?done=saved`)
  expect(await shown()).not.toContain("poussettes")
  const asked = await client.post(path.replace("questions/gaps", "trials"), {
    question: "le local des poussettes est-il fermé à clé",
  })
  expect(textOf(asked.text)).toContain("Au rez-de-chaussée.")
  expect(asked.text).toMatch(new RegExp(`href="${chosen}/${id}">Le local des poussettes est-il fermé`))
  await client.post(`${chosen}/${id}/removal`)
})

test("every Monday, chosen operators are mailed what is new, once, and nobody without anything new", async () => {
  const { db, questionMails } = site.service.app
  const now = () => site.clock.now()
  const send = async () => {
    mails.length = 0
    await mailWeeks(db, questionMails, now())
    await site.service.app.mailer.sendDue()
    return mails
  }
  expect(await send()).toEqual([])
  const [, operator = ""] = /name="operator" value="(opr_\w+)"/.exec((await client.get(path)).text) ?? []
  site.clock.move(1)
  await client.post(`${path}/mails`, { operator })
  expect((await client.get(path)).text).toMatch(new RegExp(`value="${operator}" checked`))
  site.clock.move(dayMs)
  expect(await send()).toEqual([])
  await unanswered("Quand ouvre la piscine ?", 0)
  site.clock.move(dayMs)
  const [mail] = [...(await send())]
  expect(mail?.subject).toBe(
    `${site.project.name}, cette semaine\u00a0: 1 question, 1 sans réponse, 0 message`,
  )
  expect(mail?.text).toContain("- Quand ouvre la piscine ?")
  expect(mail?.text).not.toContain("tarifs")
  expect(mail?.text).toContain(path)
  client = await signedIn(site.service)
  const [, stop = ""] = /décochez-la\u00a0:\n(\S+)/.exec(mail?.text ?? "") ?? []
  const page = (await client.get(new URL(stop).pathname + new URL(stop).search)).text
  expect(page).toContain(`<details id="mails" class="options" open`)
  expect(await send()).toEqual([])
  client = await signedIn(site.service)
  await client.get(path)
  await client.post(`${path}/mails`)
  await unanswered("Combien pèse le colis ?", 0)
  site.clock.move(dayMs)
  expect(await send()).toEqual([])
})

test("the mail of a week counts questions, those without an answer, and messages; two runs send one", async () => {
  const { db, questionMails, mailer } = site.service.app
  client = await signedIn(site.service)
  const api = await apiOf(site.service)
  const [, operator = ""] = /name="operator" value="(opr_\w+)"/.exec((await client.get(path)).text) ?? []
  await client.post(`${path}/mails`, { operator })
  const fields = [{ name: "message", label: "Message", type: "textarea" }]
  const project = site.project.id
  const form = (await api.post("/api/v1/forms", { project, name: "Contact", fields })).body
  const posted = await fetch(`${site.service.url}/f/${form.public_id}`, {
    method: "POST",
    headers: { origin, accept: "application/json" },
    body: new URLSearchParams({ message: "Bonjour" }),
  })
  expect(posted.status).toBe(201)
  expect((await site.ask({ question: answerable })).body.status).toBe("answered")
  await unanswered("Combien de temps dure la visite ?", 0)
  site.clock.move(dayMs)
  mails.length = 0
  // As two nodes do of which one took over the run of the other.
  await Promise.all([1, 2].map(() => mailWeeks(db, questionMails, site.clock.now())))
  await mailer.sendDue()
  expect(mails.map(({ subject }) => subject.split("\u00a0: ")[1])).toEqual([
    "2 questions, 1 sans réponse, 1 message",
  ])
  await unanswered("Combien de temps dure la visite guidée ?", 0)
  await mailWeeks(db, questionMails, site.clock.now() + 1000)
  await mailer.sendDue()
  expect(mails).toHaveLength(1)
  await client.post(`${path}/mails`)
})

test("what waits in the outbox goes with the questions that it quotes", async () => {
  const { db, mailer, questionMails, clock } = site.service.app
  const quiet = { asked: 0, unanswered: 0, received: 0, gaps: [] }
  const queue = () =>
    db
      .transaction()
      .execute((transaction) => questionMails.week(transaction, ["a@exemple.fr"], site.project, quiet))
  const waiting = async () => (await db.selectFrom("mail").select("id").execute()).length
  await mailer.sendDue()
  await queue()
  expect(await waiting()).toBe(1)
  const api = await apiOf(site.service)
  const gap = await unanswered("Ma voisine s’appelle Camille", 0)
  await api.delete(`/api/v1/projects/${site.project.id}/answers/${gap}`)
  expect(await waiting()).toBe(0)
  await queue()
  await purgeAnswers(db, 7, clock.now() + 8 * dayMs)
  expect(await waiting()).toBe(0)
  client = await signedIn(site.service)
  expect(await shown()).toContain("Rien à traiter")
})

test("the management API lists and marks gaps, for the project's own workspace alone", async () => {
  const api = await apiOf(site.service)
  const id = await unanswered("Avez-vous une application mobile ?", 0)
  const gaps = `/api/v1/projects/${site.project.id}/gaps`
  const [gap] = (await api.get(gaps)).body.items
  expect(gap).toMatchObject({ id, state: "open", times: 1, nearest: [{ title: "Tarifs" }] })
  expect((await api.patch(`${gaps}/${id}`, { state: "treated" })).body.state).toBe("treated")
  expect((await api.patch(`${gaps}/${id}`, { state: "lost" })).status).toBe(400)
  const stranger = await strangerOf(site.service)
  expect((await stranger.get(gaps)).status).toBe(404)
  expect((await stranger.patch(`${gaps}/${id}`, { state: "open" })).status).toBe(404)
  expect((await stranger.get(gaps.replace("gaps", "gap-mails"))).status).toBe(404)
})
