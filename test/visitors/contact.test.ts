import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { askQueueLimits, openAskQueue } from "../../src/answering/ask/queue.ts"
import { dayMs, hourMs, secondMs } from "../../src/base/clock.ts"
import { type Api, apiOf } from "../support/api.ts"
import { answerable, foreign, origin, type Reply, type Site } from "../support/ask.ts"
import { manyPosts } from "../support/many-posts.ts"
import { signedIn } from "../support/operator.ts"
import { aService } from "../support/service-builder.ts"

// Where there is no answer, the visitor writes to the owner: the form, the answer shown before it is sent, and the
// question that it came from.

let site: Site
let api: Api
let form: { id: string; public_id: string }
let settings: string

const fields = [
  { name: "nom", label: "Nom", type: "text" },
  { name: "adresse", label: "Adresse", type: "email" },
  { name: "message", label: "Message", type: "textarea", required: true },
  { name: "details", label: "Détails", type: "textarea" },
]

beforeAll(async () => {
  site = await aService().withSettings(manyPosts).withIndexedProject().started()
  api = await apiOf(site.service)
  settings = `/api/v1/projects/${site.project.id}/widget-settings`
  form = (await api.post("/api/v1/forms", { project: site.project.id, name: "Contact", fields })).body
})
afterAll(() => site[Symbol.asyncDispose]())

const path = (rest = "") => `/api/v1/projects/${site.project.id}/contact${rest}`
const shown = (headers: Record<string, string> = { origin }): Promise<Reply> =>
  site.send({ method: "GET", headers }, path())
const check = (text: unknown, headers: Record<string, string> = { origin }): Promise<Reply> =>
  site.send(
    { headers: { "content-type": "application/json", ...headers }, body: JSON.stringify({ text }) },
    path("/answer"),
  )
const post = (values: Record<string, string>) =>
  site.send({ headers: { origin }, body: new URLSearchParams(values) }, `/f/${form.public_id}`)
const choose = (contactForm: string | null, contactField?: string | null) =>
  api.patch(settings, { contact_form: contactForm, contact_field: contactField })

test("there is no form before the owner has chosen one", async () => {
  expect(await shown()).toMatchObject({ status: 404, body: { error: { code: "not_found" } } })
  expect((await check(answerable)).status).toBe(404)
})

describe("once the owner has chosen a form", () => {
  beforeAll(async () => {
    await choose(form.id)
  })

  test("the widget is told so, and gets the form as the service renders it", async () => {
    const look = await site.send({ method: "GET", headers: { origin } }, path().replace("contact", "widget"))
    expect(look.body.contact).toBe(true)
    expect(look.body.started).toBeString()
    const { status, body, headers } = await shown()
    expect(status).toBe(200)
    expect(body.form).toBe(form.public_id)
    expect(body.html).toStartWith("<form")
    for (const { name } of fields) expect(body.html).toContain(`name="${name}"`)
    expect(body.field).toBe("message")
    expect(headers.get("access-control-allow-origin")).toBe(origin)
    expect((await shown({ origin: "https://ailleurs.exemple" })).status).toBe(403)
    expect((await shown({})).status).toBe(403)
  })

  test("the question goes into the field that the owner chose, if the form has it", async () => {
    await choose(form.id, "details")
    expect((await shown()).body.field).toBe("details")
    const wrong = await choose(form.id, "adresse")
    expect(wrong).toMatchObject({ status: 400 })
    expect(Object.keys(wrong.body.error.fields)).toEqual(["contact_field"])
    await choose(form.id, null)
    expect((await shown()).body.field).toBe("message")
  })

  test("a form that is filled in already may be sent at once: its visitor began when the widget was shown", async () => {
    const state = async (id: string) =>
      (await api.get(`/api/v1/forms/${form.id}/responses?state=held`)).body.items.some(
        (each: { id: string }) => each.id === id,
      )
        ? "held"
        : "received"
    const opened = async (started: string) =>
      (
        await site.send(
          { method: "GET", headers: { origin } },
          path(`?started=${encodeURIComponent(started)}`),
        )
      ).body.started
    const sentWith = async (started: string) => {
      const message = `Bonjour ${crypto.randomUUID()}`
      return state((await post({ message, guichet_started: started })).body.id)
    }
    const widget = await site.send(
      { method: "GET", headers: { origin } },
      path().replace("contact", "widget"),
    )
    const { started } = widget.body
    expect(await sentWith(await opened(started))).toBe("held")
    site.clock.move(10 * secondMs)
    expect(await sentWith(await opened(started))).toBe("received")
    // What nobody has signed, or for another form alone, brings no time.
    const { body: other } = await api.post("/api/v1/forms", {
      project: site.project.id,
      name: "Devis",
      fields,
    })
    const { started: ofOther } = (
      await site.send({ method: "GET", headers: { origin } }, `/f/${other.public_id}/start`)
    ).body
    site.clock.move(10 * secondMs)
    for (const worthless of ["", "1", ofOther, started.replace(/^\d+/, "1000000000000")])
      expect(await sentWith(await opened(worthless)), worthless).toBe("held")
  })

  test("a form of another project is refused", async () => {
    const other = await api.post("/api/v1/projects", { name: "Autre", site: origin })
    const theirs = await api.post("/api/v1/forms", { project: other.body.id, name: "Contact", fields })
    const refused = await choose(theirs.body.id)
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["contact_form"]])
  })

  test("what the documentation answers is told before sending, and neither kept nor counted as a question", async () => {
    const kept = async () => {
      const { db } = site.service.app
      const answers = await db.selectFrom("answer").selectAll().execute()
      const asks = await db.selectFrom("recent_ask").selectAll().execute()
      const counts = await db
        .selectFrom("limit_count")
        .selectAll()
        .where("subject", "not like", "checks:%")
        .execute()
      return JSON.stringify([answers, asks, counts])
    }
    const before = await kept()
    const found = await check(`  ${answerable}  `)
    expect(found.body.status).toBe("answered")
    expect(found.body.id).toBeUndefined()
    expect(found.body.sources[0].url).toContain("/verifier-une-signature")
    expect((await check(foreign)).body).toEqual({ status: "no_answer", answer: "", sources: [] })
    expect((await check("x")).body.status).toBe("no_answer")
    expect((await check("")).body.status).toBe("no_answer")
    expect(await kept()).toBe(before)
  })

  test("only the first 1,000 characters are looked at", async () => {
    const blank = "\u00a0 ".repeat(600)
    expect((await check(`Bonjour${blank}${answerable}`)).body.status).toBe("no_answer")
  })

  test.each([[undefined], [1], [null], [["x"]]])("text %j is refused", async (text) => {
    expect(await check(text)).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } })
  })

  test("a body of more than 32 KB, and a page of elsewhere, are refused", async () => {
    expect((await check("x".repeat(33_000))).status).toBe(400)
    expect((await check(answerable, { origin: "https://ailleurs.exemple" })).status).toBe(403)
    expect((await check(answerable, {})).status).toBe(403)
  })

  test("those who did not need to write are counted, never more than were shown an answer", async () => {
    site.clock.move(40 * dayMs)
    // Counted without waiting for the disk.
    const counted = async (...wanted: number[]) => {
      for (;;) {
        const { answers_offered, messages_spared } = (await api.get(settings)).body
        if (answers_offered === wanted[0] && messages_spared === wanted[1]) return
        await Bun.sleep(1)
      }
    }
    const solved = () => site.send({ headers: { origin } }, path("/solved"))
    await counted(0, 0)
    expect((await solved()).status).toBe(204)
    await counted(0, 0)
    await check(answerable)
    await check(foreign)
    await check(answerable)
    await counted(2, 0)
    for (let times = 0; times < 3; times++) await solved()
    await check(answerable)
    await counted(3, 2)
    expect(
      (await site.send({ headers: { origin: "https://ailleurs.exemple" } }, path("/solved"))).status,
    ).toBe(403)
    const operator = await signedIn(site.service)
    const { text } = await operator.get(`/console/projects/${site.project.id}/appearance`)
    expect(text).toContain("Messages évités")
  })

  test("the checks of one visitor are bounded by a limit of their own, and questions go on", async () => {
    site.clock.move(2 * hourMs)
    const statuses = []
    for (let times = 0; times < 21; times++) statuses.push((await check(foreign)).status)
    expect(statuses).toEqual([...Array(20).fill(200), 429])
    expect((await check(foreign)).headers.get("retry-after")).toBe("60")
    expect((await site.ask()).status).toBe(200)
    site.clock.move(hourMs)
    expect((await check(foreign)).status).toBe(200)
  })

  test("a switched-off assistant tells nothing, and the form goes on", async () => {
    await api.patch(`/api/v1/projects/${site.project.id}`, { assistant_enabled: false })
    expect((await check(answerable)).body.status).toBe("no_answer")
    expect((await shown()).status).toBe(200)
    await api.patch(`/api/v1/projects/${site.project.id}`, { assistant_enabled: true })
  })

  test("a removed form is offered no more", async () => {
    const other = await api.post("/api/v1/forms", { project: site.project.id, name: "Passager", fields })
    await choose(other.body.id)
    await api.delete(`/api/v1/forms/${other.body.id}`)
    expect((await shown()).status).toBe(404)
    await choose(form.id)
    expect((await shown()).status).toBe(200)
  })
})

test("the owner's chosen answers come before what the documentation gives, also within a message", async () => {
  await using own = await aService().withSettings(manyPosts).withIndexedProject().started()
  const owner = await apiOf(own.service)
  const project = `/api/v1/projects/${own.project.id}`
  const contact = (await owner.post("/api/v1/forms", { project: own.project.id, name: "Contact", fields }))
    .body
  await owner.patch(`${project}/widget-settings`, { contact_form: contact.id })
  const answerTo = async (text: string) => {
    const body = JSON.stringify({ text })
    return (
      await own.send(
        { headers: { origin, "content-type": "application/json" }, body },
        `${project}/contact/answer`,
      )
    ).body
  }
  const question = "Où se trouve le guichet de la mairie ?"
  const source = "https://docs.exemple.fr/installation"
  expect((await answerTo(question)).status).toBe("no_answer")
  const chosen = await owner.post(`${project}/chosen-answers`, {
    questions: [question, answerable],
    answer: "Au rez-de-chaussée.[^1]",
    sources: [source],
  })
  for (const text of [
    question,
    answerable,
    `Bonjour, où se trouve le guichet de la mairie ? Merci d’avance.`,
    `Madame, Monsieur,\nJe viens d’emménager. J’ai un dossier à déposer !\nOù se trouve le guichet de la mairie ?\nZoé`,
  ])
    expect(await answerTo(text), text).toEqual({
      status: "answered",
      answer: "Au rez-de-chaussée.[^1]",
      sources: [{ n: 1, title: expect.any(String), section: null, url: source }],
    })
  // A sentence that asks nothing is no question of the owner's, whatever the documentation makes of it.
  const told = await answerTo("Je ne me demande pas où se trouve le guichet de la mairie.")
  expect(told.answer ?? "").not.toContain("rez-de-chaussée")
  await owner.delete(`${project}/chosen-answers/${chosen.body.id}`)
  expect((await answerTo(question)).status).toBe("no_answer")
})

test("while this node has more questions than it can work on, a message is sent without being looked at", async () => {
  const queue = openAskQueue({ ...askQueueLimits, atWork: 1 })
  await using own = await aService()
    .withSettings(manyPosts)
    .withOverrides({ assistant: { queue } })
    .withIndexedProject()
    .started()
  const owner = await apiOf(own.service)
  const project = `/api/v1/projects/${own.project.id}`
  const contact = (await owner.post("/api/v1/forms", { project: own.project.id, name: "Contact", fields }))
    .body
  await owner.patch(`${project}/widget-settings`, { contact_form: contact.id })
  const body = JSON.stringify({ text: answerable })
  const checked = async () =>
    (
      await own.send(
        { headers: { origin, "content-type": "application/json" }, body },
        `${project}/contact/answer`,
      )
    ).body.status
  const leave = queue.enter()
  expect(await checked()).toBe("no_answer")
  leave?.()
  expect(await checked()).toBe("answered")
  // The place was given back.
  expect(await checked()).toBe("answered")
})

test("a message is checked by what runs on this machine alone, whoever writes and embeds for the project", async () => {
  await using served = await aService().withSettings(manyPosts).withModel("openai").started()
  const owner = await apiOf(served.service)
  const { id } = served.project
  const contact = (await owner.post("/api/v1/forms", { project: id, name: "Contact", fields })).body
  await owner.patch(`/api/v1/projects/${id}`, { answers: "written" })
  await owner.patch(`/api/v1/projects/${id}/widget-settings`, { contact_form: contact.id })
  served.server.requests.length = 0
  const checked = await served.send(
    {
      headers: { origin, "content-type": "application/json" },
      body: JSON.stringify({ text: answerable }),
    },
    `/api/v1/projects/${id}/contact/answer`,
  )
  expect(checked.body.status).toBe("answered")
  expect(served.server.requests).toEqual([])
  // Asked as a question, the same text goes to the provider.
  expect((await served.ask({ question: answerable })).body.status).toBe("answered")
  expect(JSON.stringify(served.server.requests)).toContain(answerable)
})

describe("the question that a form response came from", () => {
  const stored = async (id: string) =>
    site.service.app.db
      .selectFrom("form_response")
      .select("answer_id")
      .where("id", "=", id)
      .executeTakeFirst()

  test("is stored with it, shown to the owner, never in the message, and erased with it", async () => {
    const question = "Qui repeint la façade en mars ?"
    const { id: answerId } = (await site.ask({ question })).body
    const { status, body } = await post({ message: "Bonjour", guichet_answer: answerId })
    expect(status).toBe(201)
    expect(await stored(body.id)).toEqual({ answer_id: answerId })
    const listed = (await api.get(`/api/v1/forms/${form.id}/responses/${body.id}`)).body
    expect(JSON.stringify(listed)).not.toContain(answerId)
    const operator = await signedIn(site.service)
    const { text } = await operator.get(
      `/console/projects/${site.project.id}/forms/${form.id}/responses/${body.id}`,
    )
    expect(text).toContain(question)
    await api.delete(`/api/v1/forms/${form.id}/responses/${body.id}`)
    expect(await stored(body.id)).toBeUndefined()
  })

  test("is among the data of whoever wrote, as long as it is kept", async () => {
    const email = "zoe@exemple.fr"
    const question = "Qui repeint la grille en avril ?"
    const { id: answerId } = (await site.ask({ question })).body
    await post({ adresse: email, message: "Bonjour", guichet_answer: answerId })
    await post({ adresse: email, message: "Sans question" })
    const asked = async () => {
      const { items } = (await api.post("/api/v1/exports", { email })).body
      return items.map(({ answer_id, question }: Record<string, string>) => [answer_id, question])
    }
    expect(await asked()).toEqual([
      [answerId, question],
      [null, null],
    ])
    const operator = await signedIn(site.service)
    await operator.get("/console/persons")
    expect((await operator.post("/console/persons", { email })).text).toContain(question)
    expect((await operator.post("/console/persons/export", { email })).text).toContain(question)
    await api.delete(`/api/v1/projects/${site.project.id}/answers/${answerId}`)
    expect(await asked()).toEqual([
      [answerId, null],
      [null, null],
    ])
  })

  test("is no reason to refuse when it is unknown, of another project or old", async () => {
    const { id: answerId } = (await site.ask()).body
    for (const wrong of ["ans_unknown", `ans_${"0".repeat(32)}`, "x".repeat(5000)]) {
      const { status, body } = await post({ message: wrong.slice(0, 50), guichet_answer: wrong })
      expect([status, await stored(body.id)]).toEqual([201, { answer_id: null }])
    }
    const other = await api.post("/api/v1/projects", { name: "Autre", site: origin })
    const theirs = await api.post("/api/v1/forms", { project: other.body.id, name: "Contact", fields })
    const sent = await site.send(
      { headers: { origin }, body: new URLSearchParams({ message: "a", guichet_answer: answerId }) },
      `/f/${theirs.body.public_id}`,
    )
    expect(await stored(sent.body.id)).toEqual({ answer_id: null })
    site.clock.move(dayMs)
    const late = await post({ message: "le lendemain", guichet_answer: answerId })
    expect(await stored(late.body.id)).toEqual({ answer_id: null })
  })

  test("stays in the page that shows a refused form again", async () => {
    const { id: answerId } = (await site.ask()).body
    const { body } = await site.send(
      {
        headers: { origin, accept: "text/html" },
        body: new URLSearchParams({ message: "", guichet_answer: answerId }),
      },
      `/f/${form.public_id}`,
    )
    expect(body).toContain(`name="guichet_answer" value="${answerId}"`)
  })
})
