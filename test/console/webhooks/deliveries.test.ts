import { afterEach, expect, test } from "bun:test"
import { erasePayloads } from "../../../src/webhooks/messages/erase.ts"
import {
  answerWith,
  client,
  end,
  giveUp,
  persons,
  respond,
  start,
  webhooks,
} from "../../support/destination.ts"
import { textOf } from "../../support/page-text.ts"

afterEach(end)

test("the log of a destination and of the workspace is found by state, result, period, form and text", async () => {
  const { id } = await start()
  await respond("zoe", "max")
  await giveUp("lou")
  answerWith(200)
  await respond("élise")
  for (const log of ["/console/deliveries", `/console/webhooks/${id}/deliveries`]) {
    expect(await persons(log)).toEqual([
      "élise@exemple.fr",
      "lou@exemple.fr",
      "max@exemple.fr",
      "zoe@exemple.fr",
    ])
    expect(await persons(`${log}?state=failed`)).toEqual(["lou@exemple.fr"])
    expect(await persons(`${log}?result=5xx`)).toEqual(["lou@exemple.fr"])
    expect(await persons(`${log}?result=503`)).toEqual(["lou@exemple.fr"])
    expect(await persons(`${log}?result=timeout`)).toEqual([])
    expect(await persons(`${log}?period=1`)).toEqual(["élise@exemple.fr"])
    expect(await persons(`${log}?q=BONJOUR+Elise`)).toEqual(["élise@exemple.fr"])
    expect(await persons(`${log}?q=100%25`)).toEqual([])
    expect(await persons(`${log}?form=form_1`)).toHaveLength(4)
    expect(await persons(`${log}?form=form_2`)).toEqual([])
  }
  const [delivery] = await webhooks.deliveries(id)
  expect(await persons(`/console/deliveries?q=${delivery.message_id}`)).toEqual(["élise@exemple.fr"])
  expect(await persons(`/console/deliveries?endpoint=ep_other`)).toEqual([])
})

test("a long log is read page by page, each delivery once", async () => {
  await start()
  await webhooks.api.post("/api/v1/endpoints", { kind: "test" })
  for (let number = 0; number < 60; number++) await webhooks.respond({ courriel: `p${number}@exemple.fr` })
  await webhooks.settled()
  const seen: string[] = []
  let address: string | undefined = "/console/deliveries"
  let pages = 0
  while (address !== undefined) {
    const { text } = await client.get(address)
    pages++
    seen.push(...[...text.matchAll(/name="delivery" value="(dlv_\w+)"/g)].map(([, id = ""]) => id))
    address = /href="(\/console\/deliveries\?[^"]*cursor=[^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&")
  }
  expect([pages, seen.length, new Set(seen).size]).toEqual([3, 120, 120])
})

test("what is erased is found by nobody any more", async () => {
  await start()
  const erased = await webhooks.respond({ courriel: "zoe@exemple.fr" })
  await webhooks.settled()
  const { db } = webhooks.service.app
  await db.transaction().execute((transaction) => erasePayloads(transaction, [erased], webhooks.clock.now()))
  expect(await persons("/console/deliveries?q=zoe")).toEqual([])
  expect(await persons("/console/deliveries")).toEqual(["(effacé ou sans nom)"])
  const rows = [
    await db.selectFrom("message").selectAll().execute(),
    await db.selectFrom("attempt").selectAll().execute(),
  ]
  expect(JSON.stringify(rows)).not.toContain("zoe")
  expect(JSON.stringify(rows)).not.toContain("xyz")
})

test("chosen deliveries are sent again; a delivered one only once that is confirmed", async () => {
  const { id } = await start()
  await giveUp("lou")
  const [failed] = await webhooks.deliveries(id)
  answerWith(200)
  const log = `/console/webhooks/${id}/deliveries`
  await client.get(log)
  const sent = await client.post(`${log}?state=failed`, { delivery: failed.id })
  expect([sent.status, sent.location]).toEqual([303, `${log}?state=failed&resent=1`])
  await webhooks.settled()
  expect((await webhooks.deliveries(id))[0]).toMatchObject({ id: failed.id, state: "delivered" })
  const asked = await client.post("/console/deliveries", { delivery: failed.id })
  expect([asked.status, asked.text.includes("a déjà été livrée")]).toEqual([409, true])
  const again = await client.post("/console/deliveries", { delivery: failed.id, confirmed: "yes" })
  expect([again.status, again.location]).toEqual([303, "/console/deliveries?resent=1"])
  await webhooks.settled()
  expect(webhooks.receiver.received).toHaveLength(10)
  expect((await client.post("/console/deliveries", {})).status).toBe(400)
  const strange = await client.post("/console/deliveries", { delivery: "dlv_other" })
  expect(strange.location).toBe("/console/deliveries?resent=0&refused=1")
})

test("a viewer reads the log and sends nothing", async () => {
  const { id } = await start("viewer")
  await respond("zoe")
  expect((await client.get("/console/deliveries")).text).not.toContain('type="checkbox"')
  const [delivery] = await webhooks.deliveries(id)
  expect((await client.post("/console/deliveries", { delivery: delivery.id, confirmed: "yes" })).status).toBe(
    403,
  )
  expect((await client.post(`/console/webhooks/${id}/replay/cancel`, { at: "1", count: "1" })).status).toBe(
    403,
  )
  expect((await client.post("/console/webhooks/test-receiver")).status).toBe(403)
})

test("a delivery shows what was sent and answered, a command, the message received and its siblings", async () => {
  const { id } = await start()
  await webhooks.api.post("/api/v1/endpoints", { kind: "test" })
  await respond("zoe")
  const [delivery] = await webhooks.deliveries(id)
  expect(delivery.attempts[0].response_headers).toContainEqual({ name: "x-request-id", value: "xyz" })
  const { text } = await client.get(`/console/deliveries/${delivery.id}`)
  for (const shown of [
    `webhook-id: ${delivery.message_id}`,
    "webhook-signature: v1,… (recalculée",
    "L’hôte (host) est celui de l’URL actuelle, l’agent (user-agent) celui de la version installée",
    "x-request-id: xyz",
    "curl -i &#39;https://hooks0.acme.fr/hook&#39;",
    "Boîte d’essai",
    "zoe@exemple.fr",
  ])
    expect(text.replaceAll("'", "&#39;")).toContain(shown)
  expect(text).not.toContain("a=b")
  const { db } = webhooks.service.app
  expect(JSON.stringify(await db.selectFrom("attempt").selectAll().execute())).not.toContain("v1,")
})

test("endpoints are called by their description, else their address, and the test box by its name, on every page", async () => {
  const { id } = await start()
  const { api } = webhooks
  await api.post("/api/v1/projects", { name: "Docs", site: "https://docs.exemple.fr" })
  await client.get("/console/webhooks")
  const made = await client.post("/console/webhooks/test-receiver")
  const box = made.location?.split("/")[3] as string
  await api.patch(`/api/v1/endpoints/${id}`, { description: "CRM de l’agence" })
  answerWith(503)
  await client.post(`/console/webhooks/${box}/answer`, { answer: "error" })
  await client.post(`/console/webhooks/${id}/test`)
  await respond("zoe")
  const [delivery] = await webhooks.deliveries(id)
  const pages = [
    "/console",
    "/console/webhooks",
    "/console/deliveries",
    `/console/webhooks/${id}`,
    `/console/deliveries/${delivery.id}`,
    "/console/journal",
  ]
  for (const address of [...pages, `/console/webhooks/${box}`, `/console/webhooks/${box}/deliveries`]) {
    const { text } = await client.get(address)
    expect([address, text.includes("boite-d-essai.invalid")]).toEqual([address, false])
    if (pages.includes(address))
      expect([address, textOf(text)]).toEqual([address, expect.stringContaining("CRM de")])
  }
  const list = textOf((await client.get("/console/webhooks")).text)
  expect(list).toMatch(/Boîte d’essai .*CRM de l’agence .* https:\/\/hooks0\.acme\.fr\/hook /)
  const home = textOf((await client.get("/console")).text)
  expect(home).toContain("CRM de l’agence : ")
  expect(home).not.toContain("Boîte d’essai : ")
  expect(textOf((await client.get("/console/journal")).text)).toContain("Boîte d’essai")
})

test("a test message is called one on every page and every screen, and counts say that they include it", async () => {
  const { id } = await start()
  await client.post(`/console/webhooks/${id}/test`)
  await respond("zoe")
  const { text } = await client.get("/console/deliveries")
  expect(text).toMatch(/camille@exemple\.fr<\/a><div class="hint">message d’essai</)
  const [, test] = await webhooks.deliveries(id)
  expect(textOf((await client.get(`/console/deliveries/${test.id}`)).text)).toContain(
    "livrée message d’essai",
  )
  const [real] = await webhooks.deliveries(id)
  expect(textOf((await client.get(`/console/deliveries/${real.id}`)).text)).not.toContain("message d’essai")
  expect(titleOf((await client.get(`/console/deliveries/${test.id}`)).text)).toBe(
    "Livraison à hooks0.acme.fr, d’un message d’essai",
  )
  expect(textOf((await client.get("/console/webhooks")).text)).toContain("Messages d’essai compris.")
  const box = (await webhooks.api.post("/api/v1/endpoints", { kind: "test" })).body.id
  await client.post(`/console/webhooks/${box}/requests`)
  await respond("max")
  const requests = (await client.get(`/console/webhooks/${box}/requests`)).text
  expect(requests.match(/class="tag">message d’essai</g)).toHaveLength(1)
})

const titleOf = (html: string) => /<h1[^>]*>([^<]*)</.exec(html)?.[1]?.replace(/\s/g, " ")

test("a delivery is titled by its endpoint, by description or host, and by its form", async () => {
  const { id } = await start()
  const project = (await webhooks.api.post("/api/v1/projects", { name: "M", site: "https://www.acme.fr" }))
    .body
  const fields = [{ name: "message", label: "Message", type: "text" }]
  const form = (await webhooks.api.post("/api/v1/forms", { project: project.id, name: "Devis", fields })).body
  await respond("zoe")
  const { db } = webhooks.service.app
  await db.updateTable("message").set({ form_id: form.id }).execute()
  const [delivery] = await webhooks.deliveries(id)
  const title = async () => titleOf((await client.get(`/console/deliveries/${delivery.id}`)).text)
  expect(await title()).toBe("Livraison à hooks0.acme.fr, de « Devis »")
  await webhooks.api.patch(`/api/v1/endpoints/${id}`, { description: "CRM" })
  expect(await title()).toBe("Livraison à CRM, de « Devis »")
  await webhooks.api.delete(`/api/v1/endpoints/${id}`)
  expect(await title()).toBe("Livraison à une destination supprimée, de « Devis »")
})

test("the headers of an answer are bounded, whatever an application sends", async () => {
  const { id } = await start()
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`x-${at}`, "é".repeat(300)]))
  webhooks.receiver.answer = () =>
    new Response("", {
      headers: Object.fromEntries(Object.keys(many).map((name) => [name, "y".repeat(300)])),
    })
  await respond("zoe")
  const [delivery] = await webhooks.deliveries(id)
  const headers: { name: string; value: string }[] = delivery.attempts[0].response_headers
  expect(headers).toHaveLength(16)
  for (const { name, value } of headers) expect(name.length + value.length).toBeLessThanOrEqual(200)
})

test("the test receiver is made with one click, shows what arrives, and answers as it is told", async () => {
  await start()
  await client.get("/console/webhooks")
  const made = await client.post("/console/webhooks/test-receiver")
  expect(made.location).toMatch(/^\/console\/webhooks\/ep_\w+\/requests$/)
  const address = made.location as string
  expect((await client.get(address)).text).toContain("Rien n’est encore arrivé")
  expect((await client.post(address)).status).toBe(303)
  await webhooks.settled()
  const { text } = await client.get(address)
  expect(text).toContain("signature valide")
  expect(text).toContain("webhook-signature: v1,")
  const id = address.split("/")[3]
  const told = await client.post(`/console/webhooks/${id}/answer`, { answer: "error" })
  expect(told.location).toBe(`${address}?done=answer`)
  expect((await webhooks.api.get(`/api/v1/endpoints/${id}`)).body.test_answer).toBe("error")
  expect((await client.get("/console/webhooks")).text).not.toContain("Créer la boîte d’essai")
  const other = (await webhooks.endpoint()).id
  expect((await client.get(`/console/webhooks/${other}/requests`)).status).toBe(404)
  expect((await client.get(`/console/webhooks/${id}`)).text).not.toContain('name="url"')
})

test("pages stay light, however much there is", async () => {
  const { id } = await start()
  const long = "x".repeat(200_000)
  await webhooks.respond({ courriel: "zoe@exemple.fr", long })
  for (let number = 0; number < 20; number++)
    await webhooks.respond({ courriel: `${"p".repeat(100)}${number}@exemple.fr`, message: "m".repeat(2000) })
  await webhooks.respondMany(500)
  await webhooks.settled()
  const deliveries = await webhooks.deliveries(id, "?limit=100")
  const [oldest] = (await webhooks.api.get(`/api/v1/endpoints/${id}/deliveries?limit=100`)).body.items
  for (const address of [
    "/console/webhooks",
    "/console/deliveries",
    `/console/webhooks/${id}/deliveries`,
    `/console/deliveries/${oldest.id}`,
    `/console/deliveries?q=zoe`,
  ]) {
    const { status, text } = await client.get(address)
    expect([address, status, text.length < 100_000]).toEqual([address, 200, true])
  }
  expect(deliveries).toHaveLength(100)
})
