import { afterEach, expect, test } from "bun:test"
import { dayMs, hourMs, minuteMs } from "../../../src/base/clock.ts"
import {
  answerWith,
  client,
  end,
  giveUp,
  passEveryAttempt,
  persons,
  respond,
  signInAgain,
  start,
  webhooks,
} from "../../support/destination.ts"
import { signedIn } from "../../support/operator.ts"
import { textOf } from "../../support/page-text.ts"

afterEach(end)

test("attempts that fail are told at once, messages that are given up in red, and nothing is promised", async () => {
  const { id } = await start()
  await respond("zoe")
  expect((await client.get("/console/webhooks")).text).toContain('class="tag good">fonctionne<')
  answerWith(500)
  await respond("max")
  const amber = (await client.get("/console/webhooks")).text
  expect(amber).toContain('class="tag warn">tentatives en échec<')
  expect(amber).toContain("réessaie tout seul ce qui a échoué (1)")
  expect(amber).not.toContain("Les rejouer")
  await passEveryAttempt()
  const red = (await client.get("/console/webhooks")).text
  expect(red).toContain('class="tag bad">messages abandonnés<')
  expect(red).toContain("1\u00a0message n’a pas pu être livré après 8\u00a0tentatives")
  expect(red).toContain(`href="/console/webhooks/${id}/replay"`)
  expect(red).not.toContain("rien n’est perdu")
  expect(red).toMatch(/30\u00a0jours\u00a0: 1\u00a0livraison, 8\u00a0tentatives échouées/)
})

test("from home, three clicks at most lead to why a delivery failed", async () => {
  const { id } = await start()
  await webhooks.api.post("/api/v1/projects", { name: "Mairie", site: "https://www.acme.fr" })
  await respond("zoe")
  answerWith(503)
  await giveUp("lou")
  await respond("max")
  const failing = `/console/webhooks/${id}/deliveries?state=failing`
  for (const address of ["/console", "/console/webhooks", `/console/webhooks/${id}`])
    expect((await client.get(address)).text).toContain(`href="${failing}"`)
  expect(await persons(failing)).toEqual(["max@exemple.fr", "lou@exemple.fr"])
  const { text } = await client.get(failing)
  const delivery = /href="(\/console\/deliveries\/dlv_\w+)">max/.exec(text)?.[1] as string
  const page = textOf((await client.get(delivery)).text)
  expect(page).toContain("Livraison à hooks0.acme.fr")
  expect(page).toContain("Dernière tentative (127.0.0.1, port")
  expect(page).toContain(
    " : refusé par l’application (HTTP 503). Le serveur web placé devant votre application n’arrive pas à la joindre",
  )
})

test("home counts what the test receiver got, and leaves it out of its alarms", async () => {
  await start()
  await webhooks.api.post("/api/v1/projects", { name: "Mairie", site: "https://www.acme.fr" })
  const box = (await webhooks.api.post("/api/v1/endpoints", { kind: "test" })).body
  await respond("zoe")
  expect(textOf((await client.get("/console")).text)).toContain("2 réussies 0 abandonnées")
  await webhooks.api.patch(`/api/v1/endpoints/${box.id}`, { test_answer: "error" })
  await giveUp("lou")
  const home = (await client.get("/console")).text
  expect(home).toContain("hooks0.acme.fr")
  expect(home).not.toContain("Boîte d’essai")
})

test("what waits is counted for each destination", async () => {
  await start()
  answerWith(503)
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
  expect(running).toContain("0 sur 1 sont parties\u00a0: 0\u00a0livrée, 0\u00a0en échec.")
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

test("a replay warns after a test that failed, and ends with what came of it", async () => {
  const { id } = await start()
  await giveUp("lou")
  await respond("max")
  await passEveryAttempt()
  const address = `/console/webhooks/${id}/replay`
  const before = (await client.get(address)).text
  expect(before).not.toContain("Rejouer quand même")
  const tested = await client.post(`${address}/test`)
  await webhooks.settled()
  const warned = (await client.get(tested.location as string)).text
  expect(warned).toContain("Le message d’essai vient d’échouer")
  expect(warned).toContain("Rejouer quand même")
  const replayed = await client.post(`${address}s`, { since: "2026-03-10" })
  await webhooks.settled()
  const failed = (await client.get(replayed.location as string)).text
  expect(failed).toContain("C’est fini\u00a0: 0\u00a0livrée, 2\u00a0en échec.")
  expect(failed).toContain(`href="/console/webhooks/${id}/deliveries?state=failing"`)
  answerWith(200)
  const again = await client.post(`${address}s`, { since: "2026-03-10" })
  await webhooks.settled()
  const done = (await client.get(again.location as string)).text
  expect(done).toContain("C’est fini\u00a0: 2\u00a0livrées, 0\u00a0en échec.")
})

test("a new destination is offered what was received before, once, and gets it under the same webhook-id", async () => {
  const { id } = await start()
  await respond("zoe", "lou")
  const sent = await Promise.all((await webhooks.deliveries(id)).map(({ message_id }) => message_id))
  const created = await client.post("/console/webhooks", { url: "https://hooks0.acme.fr/later", every: "1" })
  expect(created.text).toContain("2 messages reçus ces 30\u00a0derniers jours")
  const [later] = (await webhooks.api.get("/api/v1/endpoints")).body.items
  expect(created.text).toContain(`action="/console/webhooks/${later.id}/replays"`)
  webhooks.clock.move(1)
  const form = { since: "2026-03-01", messages: "never_sent" }
  const taken = await client.post(`/console/webhooks/${later.id}/replays`, form)
  await webhooks.settled()
  expect((await client.get(taken.location as string)).text).toContain(
    "C’est fini\u00a0: 2\u00a0livrées, 0\u00a0en échec.",
  )
  const received = await webhooks.deliveries(later.id)
  expect(received.map(({ message_id }) => message_id).toSorted()).toEqual(sent.toSorted())
  expect((await client.get(`/console/webhooks/${later.id}/replay`)).text).not.toContain("déjà reçus")
  const again = await webhooks.api.post(`/api/v1/endpoints/${later.id}/replays`, form)
  expect([again.status, again.body.count]).toEqual([202, 0])
})

test("what a filter keeps away, a test message and what was erased are no messages to send afterwards", async () => {
  await start()
  const project = (await webhooks.api.post("/api/v1/projects", { name: "M", site: "https://www.acme.fr" }))
    .body
  const fields = [{ name: "message", label: "Message", type: "text" }]
  const form = (await webhooks.api.post("/api/v1/forms", { project: project.id, name: "Devis", fields })).body
  await respond("zoe")
  const { db } = webhooks.service.app
  const replays = async (filter: object) => {
    const url = "https://hooks0.acme.fr/later"
    const { id } = (await webhooks.api.post("/api/v1/endpoints", { url, ...filter })).body
    const wanted = { since: "2026-03-01", messages: "never_sent" }
    return (await webhooks.api.post(`/api/v1/endpoints/${id}/replays`, wanted)).body.count
  }
  expect(await replays({ forms: [form.id] })).toBe(0)
  expect(await replays({})).toBe(1)
  await db.updateTable("message").set({ payload: null }).execute()
  expect(await replays({})).toBe(0)
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
  answerWith(200)
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
    return [home?.[1], /class="tag (\w+)">/.exec(list)?.[1]]
  }
  expect(await tags()).toEqual([undefined, undefined])
  answerWith(500)
  await respond("zoe")
  expect(await tags()).toEqual(["warn", "warn"])
  await passEveryAttempt()
  expect(await tags()).toEqual(["bad", "bad"])
  expect((await client.get("/console")).text).toContain("1\u00a0livraison abandonnée peut être rejouée")
  answerWith(200)
  webhooks.clock.move(minuteMs)
  const { days } = await replayPage(id)
  await client.post(`/console/webhooks/${id}/replays`, { since: days[0] as string })
  await webhooks.settled()
  expect(await tags()).toEqual([undefined, "good"])
  await webhooks.pass(25 * hourMs)
  await signInAgain()
  expect(await tags()).toEqual([undefined, "good"])
})

test("a destination is green again once an attempt succeeded after the last failure and nothing is retried", async () => {
  await start()
  await webhooks.api.post("/api/v1/projects", { name: "Docs", site: "https://docs.exemple.fr" })
  const shown = async () => ({
    list: textOf((await client.get("/console/webhooks")).text),
    home: textOf((await client.get("/console")).text),
  })
  answerWith(503)
  await respond("zoe")
  await webhooks.pass(6000)
  const failing = await shown()
  expect(failing.list).toContain("Guichet réessaie tout seul ce qui a échoué (1)")
  expect(failing.home).toContain("2 tentatives ont échoué en 24 heures. Guichet réessaie.")
  answerWith(200)
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
  answerWith(503)
  await respond("lou")
  expect((await shown()).list).toContain("Guichet réessaie tout seul ce qui a échoué (1)")
})

test("each destination has recovered for itself", async () => {
  const { id } = await start()
  const other = await webhooks.endpoint()
  answerWith(503)
  await respond("zoe")
  answerWith(200)
  await webhooks.pass(6 * minuteMs)
  await respond("max")
  const tags = [...(await client.get("/console/webhooks")).text.matchAll(/class="tag (\w+)">/g)]
  expect(tags.map(([, mood]) => mood)).toEqual(["good", "good"])
  // One of them fails again, for good.
  await webhooks.api.patch(`/api/v1/endpoints/${other.id}`, { active: false })
  answerWith(500)
  await respond("lou")
  const list = textOf((await client.get("/console/webhooks")).text)
  expect(list).toContain("tentatives en échec")
  expect((await webhooks.deliveries(id)).length).toBe(3)
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
  // Who may not replay is led there to look.
  const viewed = textOf((await (await signedIn(webhooks.service, "viewer")).get("/console")).text)
  expect([viewed.includes("Voir la destination"), viewed.includes(" Rejouer ")]).toEqual([true, false])
  const { shown, days } = await replayPage(id)
  expect(shown).toBe("2, toutes annulées")
  await client.post(`${address}/replays`, { since: days[0] as string })
  await webhooks.settled()
  expect((await client.get("/console/webhooks")).text).not.toContain("à rejouer")
  expect((await client.get("/console")).text).not.toContain("hooks0.acme.fr")
})

test("the page of a replay tells what waits for its next attempt, and leads to where it is sent now", async () => {
  const { id } = await start()
  answerWith(503)
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
  answerWith(503)
  await respond("zoe")
  for (const active of [false, true]) await webhooks.api.patch(`/api/v1/endpoints/${id}`, { active })
  const list = textOf((await client.get("/console/webhooks")).text)
  const home = textOf((await client.get("/console")).text)
  expect(list).toMatch(/tentatives en échec .*1 tentative a échoué depuis 24 heures/)
  expect(home).toContain("1 tentative a échoué en 24 heures.")
  expect(list + home).not.toMatch(/réessaie tout seul|Guichet réessaie|Fonctionne de nouveau/)
})
