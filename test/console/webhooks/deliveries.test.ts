import { afterEach, expect, test } from "bun:test"
import { dayMs, hourMs, minuteMs } from "../../../src/base/clock.ts"
import { erasePayloads } from "../../../src/webhooks/messages/erase.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { textOf } from "../../support/page-text.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

let webhooks: Webhooks
let client: ConsoleClient
let code: number
afterEach(() => webhooks[Symbol.asyncDispose]())

/** One destination that answers `code`, and the test receiver when asked for. */
async function start(role: "owner" | "viewer" = "owner") {
  code = 200
  webhooks = await aService()
    .withReceivers([
      () => new Response("vu", { status: code, headers: { "x-request-id": "xyz", "set-cookie": "a=b" } }),
    ])
    .started()
  client = await signedIn(webhooks.service, role)
  return webhooks.endpoint()
}

/** Rows of the table: persons, in order. */
async function persons(address: string): Promise<string[]> {
  const { status, text } = await client.get(address)
  expect(status).toBe(200)
  return [...text.matchAll(/data-column="Personne"><a [^>]*>([^<]*)</g)].map(([, person = ""]) => person)
}

async function respond(...names: string[]): Promise<void> {
  for (const name of names) {
    await webhooks.respond({ courriel: `${name}@exemple.fr`, message: `Bonjour de ${name}` })
    webhooks.clock.move(1000)
  }
  await webhooks.settled()
}

async function giveUp(name: string): Promise<void> {
  code = 503
  await respond(name)
  await passEveryAttempt()
}

/** Long enough for the session to end. */
async function passEveryAttempt(): Promise<void> {
  for (let attempt = 1; attempt < 8; attempt++) await webhooks.pass(11 * hourMs)
  client = await signedIn(webhooks.service)
}

test("the log of a destination and of the workspace is found by state, result, period, form and text", async () => {
  const { id } = await start()
  await respond("zoe", "max")
  await giveUp("lou")
  code = 200
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
  code = 200
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

test("attempts that fail are told at once, messages that are given up in red, and nothing is promised", async () => {
  const { id } = await start()
  await respond("zoe")
  expect((await client.get("/console/webhooks")).text).toContain('class="tag good">fonctionne<')
  code = 500
  await respond("max")
  const amber = (await client.get("/console/webhooks")).text
  expect(amber).toContain('class="tag warn">tentatives en échec<')
  expect(amber).toContain("réessaie tout seul ce qui attend (1)")
  expect(amber).not.toContain("Les rejouer")
  await passEveryAttempt()
  const red = (await client.get("/console/webhooks")).text
  expect(red).toContain('class="tag bad">messages abandonnés<')
  expect(red).toContain("1\u00a0message n’a pas pu être livré après 8\u00a0tentatives")
  expect(red).toContain(`href="/console/webhooks/${id}/replay"`)
  expect(red).not.toContain("rien n’est perdu")
  expect(red).toMatch(/30\u00a0jours\u00a0: 1\u00a0livraison, 8\u00a0tentatives échouées/)
})

test("what waits is counted for each destination", async () => {
  await start()
  code = 503
  await respond("zoe")
  // Two that get nothing any more.
  for (const _ of [1, 2]) await webhooks.endpoint()
  const list = textOf((await client.get("/console/webhooks")).text)
  const waiting = [...list.matchAll(/En attente (\d+)/g)].map(([, count]) => count)
  expect(waiting.toSorted()).toEqual(["0", "0", "1"])
})

test("a replay says how many, sends a test first, tells how far it is, and can be stopped", async () => {
  const { id } = await start()
  await giveUp("lou")
  await webhooks.stopWork()
  const address = `/console/webhooks/${id}/replay`
  expect((await client.get(address)).text).toContain("qui peuvent repartir\u00a0: 1.")
  const tested = await client.post(`${address}/test`)
  expect(tested.location).toMatch(/\/replay\?test=dlv_\w+#test$/)
  expect((await client.get(tested.location as string)).text).toContain("Le message d’essai est en route")
  const since = new Date(webhooks.clock.now() - 10 * dayMs).toISOString().slice(0, 10)
  const replayed = await client.post(`/console/webhooks/${id}/replays`, { since })
  const nowMs = webhooks.clock.now()
  expect(replayed.location).toBe(`${address}?at=${nowMs}&count=1`)
  const running = (await client.get(replayed.location as string)).text
  expect(running).toContain("0 sur 1 sont parties.")
  const stopped = await client.post(`${address}/cancel`, { at: String(nowMs), count: "1" })
  expect(stopped.location).toBe(`${address}?cancelled=1`)
  const { db } = webhooks.service.app
  expect(await db.selectFrom("delivery").select("id").where("resend_at", "is not", null).execute()).toEqual(
    [],
  )
  expect((await client.get(stopped.location as string)).text).toContain("1\u00a0livraison ne partira pas.")
  const again = (await webhooks.api.post(`/api/v1/endpoints/${id}/replays`, { since })).body
  expect(again).toEqual({ count: 1, replayed_at: new Date(nowMs).toISOString() })
  const { replayed_at } = again
  const path = `/api/v1/endpoints/${id}/replay-cancellations`
  expect((await webhooks.api.post(path, { replayed_at })).body).toEqual({ count: 1 })
  expect((await webhooks.api.post(path, { replayed_at: "x" })).status).toBe(400)
  expect((await (await webhooks.stranger()).post(path, { replayed_at })).status).toBe(404)
})

/** The number that the page of a replay shows since a day, and the days that its two forms hold. */
async function replayPage(id: string, query = "") {
  const { text } = await client.get(`/console/webhooks/${id}/replay${query}`)
  const [, shown] = /qui peuvent repartir\u00a0: ([^.]*)\./.exec(text) ?? []
  return { text, shown, days: [...text.matchAll(/name="since"[^>]* value="([^"]*)"/g)].map(([, day]) => day) }
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

test("the number shown is what a replay sends for the day chosen, the oldest and cancelled ones too", async () => {
  const { id } = await start()
  await giveUp("lou")
  await webhooks.pass(12 * dayMs)
  await giveUp("max")
  await webhooks.api.patch(`/api/v1/endpoints/${id}`, { active: false })
  await respond("zoe")
  expect((await replayPage(id)).text).toContain("Cette destination est désactivée")
  await webhooks.api.patch(`/api/v1/endpoints/${id}`, { active: true })
  const all = await replayPage(id)
  expect(all.shown).toBe("3, dont 1 annulée")
  const [since = ""] = all.days
  expect(all.days).toEqual([since, since])
  const nowMs = webhooks.clock.now()
  const recent = await replayPage(id, `?since=${dayOf(nowMs - 8 * dayMs)}`)
  expect([recent.shown, recent.days]).toEqual([
    "2, dont 1 annulée",
    [dayOf(nowMs - 8 * dayMs), dayOf(nowMs - 8 * dayMs)],
  ])
  const none = await replayPage(id, `?since=${dayOf(nowMs + 2 * dayMs)}`)
  expect([none.shown, none.text.includes("il n’y a rien à rejouer"), none.days.length]).toEqual([
    undefined,
    true,
    1,
  ])
  expect((await replayPage(id, "?since=hier")).text).toContain("Choisissez un jour")
  code = 200
  const replayed = await client.post(`/console/webhooks/${id}/replays`, { since })
  expect(replayed.location).toEndWith("&count=3")
  await webhooks.settled()
  const states = (await webhooks.deliveries(id)).map(({ state }) => state)
  expect(states).toEqual(["delivered", "delivered", "delivered"])
})

test("what the filter of a destination excludes is neither counted, nor replayed, nor a reason to be red", async () => {
  const { id } = await start()
  await giveUp("lou")
  expect((await client.get("/console/webhooks")).text).toContain("messages abandonnés")
  const { api } = webhooks
  const project = (await api.post("/api/v1/projects", { name: "Docs", site: "https://docs.exemple.fr" })).body
    .id
  await api.patch(`/api/v1/endpoints/${id}`, { projects: [project] })
  expect((await replayPage(id)).shown).toBeUndefined()
  const { text } = await client.get("/console/webhooks")
  expect([text.includes("messages abandonnés"), text.includes("tentatives en échec")]).toEqual([false, true])
  expect((await api.post(`/api/v1/endpoints/${id}/replays`, { since: "2026-01-01" })).body.count).toBe(0)
})

test("the home and the page of webhooks are red together, and no longer once a replay has succeeded", async () => {
  const { id } = await start()
  const { api } = webhooks
  await api.post("/api/v1/projects", { name: "Docs", site: "https://docs.exemple.fr" })
  const tags = async () => {
    const home = /<li(?: class="(\w+)")?><div>hooks0\.acme\.fr/.exec((await client.get("/console")).text)
    const list = (await client.get("/console/webhooks")).text
    return [
      home ? (home[1] === "doubtful" ? "warn" : "bad") : undefined,
      /class="tag (\w+)">/.exec(list)?.[1],
    ]
  }
  expect(await tags()).toEqual([undefined, undefined])
  code = 500
  await respond("zoe")
  expect(await tags()).toEqual(["warn", "warn"])
  await passEveryAttempt()
  expect(await tags()).toEqual(["bad", "bad"])
  expect((await client.get("/console")).text).toContain("1\u00a0livraison abandonnée peut être rejouée")
  code = 200
  webhooks.clock.move(minuteMs)
  const { days } = await replayPage(id)
  await client.post(`/console/webhooks/${id}/replays`, { since: days[0] as string })
  await webhooks.settled()
  expect(await tags()).toEqual([undefined, "good"])
  await webhooks.pass(25 * hourMs)
  client = await signedIn(webhooks.service)
  expect(await tags()).toEqual([undefined, "good"])
})

test("a destination is green again once an attempt succeeded after the last failure and nothing is retried", async () => {
  await start()
  await webhooks.api.post("/api/v1/projects", { name: "Docs", site: "https://docs.exemple.fr" })
  const shown = async () => ({
    list: textOf((await client.get("/console/webhooks")).text),
    home: textOf((await client.get("/console")).text),
  })
  code = 503
  await respond("zoe")
  await webhooks.pass(6000)
  const failing = await shown()
  expect(failing.list).toContain("Guichet réessaie tout seul ce qui attend (1)")
  expect(failing.home).toContain("2 tentatives ont échoué en 24 heures. Guichet réessaie.")
  code = 200
  await respond("max")
  const mixed = await shown()
  expect(mixed.list).toContain("tentatives en échec")
  expect(mixed.home).toContain("2 tentatives ont échoué en 24 heures. Guichet réessaie.")
  await webhooks.pass(6 * minuteMs)
  const again = await shown()
  expect(again.list).toMatch(
    /fonctionne .*Fonctionne de nouveau depuis le 10 mars à 10:00\. Avant cela, 2 tentatives avaient échoué en 24 heures ; plus rien n’attend/,
  )
  expect(again.list).not.toMatch(/tentatives en échec|réessaie tout seul/)
  expect(again.home).not.toContain("hooks0.acme.fr")
  code = 503
  await respond("lou")
  expect((await shown()).list).toContain("Guichet réessaie tout seul ce qui attend (1)")
})

test("list, destination and home say how many deliveries a replay sends, also where they were only cancelled", async () => {
  const { id } = await start()
  const { api } = webhooks
  await api.post("/api/v1/projects", { name: "Docs", site: "https://docs.exemple.fr" })
  const address = `/console/webhooks/${id}`
  const link = (number: number) => `href="${address}/replay">${number} à rejouer</a>`
  await respond("max")
  expect((await client.get("/console/webhooks")).text).not.toContain("à rejouer")
  await api.patch(`/api/v1/endpoints/${id}`, { active: false })
  await respond("zoe", "lou")
  await api.patch(`/api/v1/endpoints/${id}`, { active: true })
  for (const page of ["/console/webhooks", address, `${address}/deliveries`])
    expect((await client.get(page)).text).toContain(link(2))
  const home = (await client.get("/console")).text
  expect(textOf(home)).toContain("hooks0.acme.fr/hook : 2 livraisons annulées peuvent être rejouées.")
  expect(home).toContain(`href="${address}/replay"`)
  const { shown, days } = await replayPage(id)
  expect(shown).toBe("2, toutes annulées")
  await client.post(`${address}/replays`, { since: days[0] as string })
  await webhooks.settled()
  expect((await client.get("/console/webhooks")).text).not.toContain("à rejouer")
  expect((await client.get("/console")).text).not.toContain("hooks0.acme.fr")
})

test("the page of a replay tells what waits for its next attempt, and leads to where it is sent now", async () => {
  const { id } = await start()
  code = 503
  await respond("zoe")
  const { text } = await replayPage(id)
  expect(textOf(text)).toContain("1 livraison attend sa prochaine tentative")
  expect(text).toContain(`href="/console/webhooks/${id}/deliveries?state=pending"`)
  expect(await persons(`/console/webhooks/${id}/deliveries?state=pending`)).toEqual(["zoe@exemple.fr"])
})

test("nothing is said to be retried, nor to work again, where failures were only put aside", async () => {
  const { id } = await start()
  await webhooks.api.post("/api/v1/projects", { name: "Docs", site: "https://docs.exemple.fr" })
  await respond("max")
  code = 503
  await respond("zoe")
  for (const active of [false, true]) await webhooks.api.patch(`/api/v1/endpoints/${id}`, { active })
  const list = textOf((await client.get("/console/webhooks")).text)
  const home = textOf((await client.get("/console")).text)
  expect(list).toMatch(/tentatives en échec .*1 tentative a échoué depuis 24 heures/)
  expect(home).toContain("1 tentative a échoué en 24 heures.")
  expect(list + home).not.toMatch(/réessaie tout seul|Guichet réessaie|Fonctionne de nouveau/)
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
    "L’hôte (host) est celui de l’URL actuelle et l’agent (user-agent) celui de la version installée",
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
  code = 503
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
  expect(textOf((await client.get("/console")).text)).toMatch(/Boîte d’essai : .*CRM de l’agence : /)
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
  expect(textOf((await client.get("/console/webhooks")).text)).toContain("Messages d’essai compris.")
  const box = (await webhooks.api.post("/api/v1/endpoints", { kind: "test" })).body.id
  await client.post(`/console/webhooks/${box}/requests`)
  await respond("max")
  const requests = (await client.get(`/console/webhooks/${box}/requests`)).text
  expect(requests.match(/class="tag">message d’essai</g)).toHaveLength(1)
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
  expect(text).toContain("signature juste")
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
