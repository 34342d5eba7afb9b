import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Answered } from "../../support/api.ts"
import { contact, recordedMessages, site } from "../../support/forms.ts"
import { manyPosts } from "../../support/many-posts.ts"
import { messageChecker } from "../../support/operations.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

const settings = manyPosts
let webhooks: Webhooks
let endpointId: string
let form: { id: string; public_id: string }

beforeAll(async () => {
  webhooks = await aService().withSettings(settings).withReceivers().started()
  endpointId = (await webhooks.endpoint()).id
  const project = await webhooks.api.post("/api/v1/projects", { name: "Site", site })
  form = (await webhooks.api.post("/api/v1/forms", { ...contact, project: project.body.id })).body
})
afterAll(() => webhooks[Symbol.asyncDispose]())

async function post(values: Record<string, string>): Promise<Answered["body"]> {
  const url = `${webhooks.service.url}/f/${form.public_id}`
  const answer = await fetch(url, {
    method: "POST",
    headers: { origin: site },
    body: new URLSearchParams(values),
  })
  return { status: answer.status, ...((await answer.json()) as object) }
}

async function deliveryOf(responseId: string): Promise<Answered["body"] | undefined> {
  for (const { id } of await webhooks.deliveries(endpointId)) {
    const { body } = await webhooks.api.get(`/api/v1/deliveries/${id}`)
    if (body.payload?.includes(responseId)) return body
  }
  return undefined
}

test("what is posted reaches the customer as the object that is listed", async () => {
  const { id } = await post({ nom: "Zoé", adresse: "zoe@exemple.fr", message: "« Bonjour »\n😀" })
  await webhooks.settled()
  const { items } = (await webhooks.api.get(`/api/v1/forms/${form.id}/responses`)).body
  const received = webhooks.receivers[0]?.received.at(-1)
  const message = JSON.parse(new TextDecoder().decode(received?.body))
  // Beside it, the list tells how far the workspace is with it, and what came with it.
  const { progress, assignee, files, ...data } = items[0]
  expect([progress, assignee, files]).toEqual(["todo", null, []])
  expect(message.data).toEqual(data)
  expect(message.data.id).toBe(id)
})

test("its message is what openapi.json tells, with a file and a consent, and with nothing but what is required", async () => {
  const faultsOf = messageChecker((await webhooks.api.get("/api/v1/openapi.json")).body)
  const { body: project } = await webhooks.api.post("/api/v1/projects", { name: "Fichiers", site })
  const { body: made } = await webhooks.api.post("/api/v1/forms", {
    ...contact,
    fields: [...contact.fields, { name: "piece", label: "Pièce", type: "file" }],
    consent: { text: "J’accepte.", confirmation: false },
    project: project.id,
  })
  const full = new FormData()
  for (const [name, value] of Object.entries({ nom: "Zoé", adresse: "zoe@exemple.fr", consent: "on" }))
    full.append(name, value)
  full.append("piece", new File(["%PDF-1.7\n%%EOF\n"], "a.pdf", { type: "application/pdf" }))
  for (const body of [full, new URLSearchParams({ nom: "Zoé" })]) {
    const url = `${webhooks.service.url}/f/${made.public_id}`
    const { status } = await fetch(url, { method: "POST", headers: { origin: site }, body })
    expect(status).toBe(201)
    await webhooks.settled()
    const message = JSON.parse(new TextDecoder().decode(webhooks.receiver.received.at(-1)?.body))
    expect([message.data.form_id, ...faultsOf(message)]).toEqual([made.id])
  }
})

test("a message of 262,144 bytes is taken, one byte more is refused and nothing is stored", async () => {
  const { id } = await post({ nom: "A", message: "" })
  const size = (await deliveryOf(id))?.payload.length
  // Each letter takes two bytes in the message, and six in the post.
  const room = 262_144 - size
  const message = "é".repeat(Math.floor(room / 2)) + "x".repeat(room % 2)
  expect((await post({ nom: "A", message })).status).toBe(201)
  const count = async () => (await webhooks.api.get(`/api/v1/forms/${form.id}/responses`)).body.items.length
  const before = await count()
  expect((await post({ nom: "A", message: `${message}x` })).status).toBe(400)
  expect(await count()).toBe(before)
})

test("erasing a person empties the delivery log of them too", async () => {
  const { id } = await post({ nom: "Camille", adresse: "camille@exemple.fr" })
  await webhooks.settled()
  const delivery = await deliveryOf(id)
  expect(delivery.payload).toContain("camille@exemple.fr")
  await webhooks.api.post("/api/v1/erasures", { email: "camille@exemple.fr" })
  const { body } = await webhooks.api.get(`/api/v1/deliveries/${delivery.id}`)
  expect(JSON.stringify(body)).not.toContain("camille")
})

test("what was kept apart reaches the customer once accepted", async () => {
  const { id } = await post({ nom: "Camille", guichet_trap: "x" })
  await webhooks.settled()
  expect(await deliveryOf(id)).toBeUndefined()
  await webhooks.api.post(`/api/v1/forms/${form.id}/responses/${id}/acceptance`)
  await webhooks.settled()
  expect((await deliveryOf(id)).state).toBe("delivered")
})

test("a response whose message cannot be stored is not stored either, and nobody is told it was", async () => {
  const messages = recordedMessages()
  let broken = true
  const enqueue: typeof messages.enqueue = async (transaction, event) => {
    await messages.enqueue(transaction, event)
    if (broken) throw new Error("disk full")
  }
  await using forms = await aService()
    .withSettings({ GUICHET_LOG_LEVEL: "error" })
    .withOverrides({ messageQueue: { ...messages, enqueue } })
    .withForms()
    .started()
  const made = await forms.form()
  const failed = await made.json({ nom: "Camille", guichet_key: "k" })
  expect([failed.status, failed.body.error.code]).toEqual([503, "unavailable"])
  expect(await made.responses()).toEqual([])
  const shown = await made.browser({ nom: "Camille" })
  expect([shown.status, shown.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"])
  expect(shown.body).toContain(`value="Camille"`)
  broken = false
  expect((await made.json({ nom: "Camille", guichet_key: "k" })).status).toBe(201)
})

test("removing a project empties the delivery log of what its forms received", async () => {
  const project = await webhooks.api.post("/api/v1/projects", { name: "Autre", site })
  const made = await webhooks.api.post("/api/v1/forms", { ...contact, project: project.body.id })
  const answer = await fetch(`${webhooks.service.url}/f/${made.body.public_id}`, {
    method: "POST",
    headers: { origin: site },
    body: new URLSearchParams({ nom: "Dominique", adresse: "dominique@exemple.fr" }),
  })
  const { id } = (await answer.json()) as { id: string }
  await webhooks.settled()
  const delivery = await deliveryOf(id)
  expect(delivery.payload).toContain("dominique@exemple.fr")
  expect((await webhooks.api.delete(`/api/v1/projects/${project.body.id}`)).status).toBe(204)
  const { body } = await webhooks.api.get(`/api/v1/deliveries/${delivery.id}`)
  expect(JSON.stringify(body)).not.toContain("dominique")
})
