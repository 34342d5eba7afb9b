import { describe, expect, test } from "bun:test"
import { openCircuitBreaker } from "../../../src/answering/llm/circuit-breaker.ts"
import { ModelFailure } from "../../../src/answering/llm/failure.ts"
import { minuteMs } from "../../../src/base/clock.ts"
import { addIndexedProject, answerable, noPlaceHeld, origin } from "../../support/ask.ts"
import { movableClock } from "../../support/clock.ts"
import { type Behaviour, honest, type Reply, reply } from "../../support/models/behaviour.ts"
import { providers } from "../../support/models/server.ts"
import type { ModelSite } from "../../support/models/site.ts"
import { aService } from "../../support/service-builder.ts"

// A slow or absent model costs its visitors little time, and other sites nothing.

const writes = (reply: Reply): Behaviour => ({ ...honest, write: () => reply })
const plenty = { GUICHET_ASK_PER_MINUTE: "100000", GUICHET_ASK_PER_VISITOR_DAY: "100000" }
const writings = ({ server }: ModelSite) =>
  server.requests.filter(({ path }) => !path.includes("mbed")).length

describe.each(providers)("%s", (provider) => {
  test("a passing failure is retried once, as long as no piece has come", async () => {
    let calls = 0
    const write: Behaviour["write"] = (received) => (++calls === 1 ? { status: 503 } : honest.write(received))
    await using site = await aService()
      .withModel(provider, { ...honest, write })
      .started()
    expect((await site.ask()).status).toBe(200)
    expect(calls).toBe(2)
    site.server.behaviour = writes({ status: 503 })
    const before = writings(site)
    expect((await site.ask({ question: "Comment installer Guichet ?" })).status).toBe(503)
    expect(writings(site) - before).toBe(2)
  })

  test("a permanent failure is not retried, nor one that asks for a longer pause", async () => {
    await using site = await aService()
      .withModel(provider, writes({ status: 400 }))
      .started()
    await site.ask()
    expect(writings(site)).toBe(1)
    site.server.behaviour = writes({ status: 429 })
    const { status, headers } = await site.ask()
    expect({ status, retryAfter: headers.get("retry-after") }).toEqual({ status: 503, retryAfter: "7" })
    expect(writings(site)).toBe(2)
  })

  test("the circuit breaker opens after repeated outages, and probes again by itself", async () => {
    const limits = { outagesToOpen: 3, cooldownMs: 30_000, maxAttempts: 1 }
    await using site = await aService()
      .withSettings(plenty)
      .withModel(provider, writes({ status: 500 }), limits)
      .started()
    for (let asked = 0; asked < 3; asked++) expect((await site.ask()).status).toBe(503)
    expect(writings(site)).toBe(3)
    const { status, headers } = await site.ask()
    expect({ status, retryAfter: headers.get("retry-after") }).toEqual({ status: 503, retryAfter: "30" })
    expect(writings(site)).toBe(3)
    expect(site.service.app.models?.counts().resting.write).toBe(1)
    site.clock.move(30_000)
    site.server.behaviour = honest
    expect((await site.ask()).status).toBe(200)
    expect(site.service.app.models?.counts()).toMatchObject({
      resting: { write: 0 },
      failures: { server: 3, circuit: 1 },
      calls: { write: 4 },
      inFlight: 0,
      waiting: 0,
    })
  })

  test("failures that depend on the question do not open the circuit breaker", async () => {
    await using site = await aService()
      .withSettings(plenty)
      .withModel(provider, writes({ blocked: "SAFETY" }), { outagesToOpen: 2 })
      .started()
    for (let asked = 0; asked < 4; asked++) await site.ask()
    expect(writings(site)).toBe(4)
  })

  test("a visitor who leaves stops the call", async () => {
    const started = Promise.withResolvers<void>()
    const write = () => {
      started.resolve()
      return { silent: true }
    }
    await using site = await aService()
      .withModel(provider, { ...honest, write })
      .started()
    const page = new AbortController()
    const asked = fetch(`${site.service.url}/api/v1/ask`, {
      method: "POST",
      headers: { "content-type": "application/json", origin },
      body: JSON.stringify({ project: site.project.id, question: answerable }),
      signal: page.signal,
    }).catch(() => "gone")
    await started.promise
    page.abort()
    expect(await asked).toBe("gone")
    while (site.server.left === 0) await Bun.sleep(1)
    while (site.service.app.models?.counts().inFlight !== 0) await Bun.sleep(1)
    // A visitor who leaves is no failure of the model.
    expect(site.service.app.models?.counts().failures).toEqual({})
  })

  test("while a model stalls, a few questions wait, further ones fail at once, and other sites are served", async () => {
    // Long enough that every place stays taken until the server stops.
    const patient = { firstPieceMs: minuteMs, answerMs: minuteMs, maxAttempts: 1 }
    const limits = { ...patient, inFlight: 4, waiting: 4, outagesToOpen: 1000 }
    const behaviour = { write: () => ({ silent: true }), embed: () => ({ status: 400 }) }
    let searched = 0
    const assistant = { onRetrieved: () => searched++ }
    await using site = await aService()
      .withSettings(plenty)
      .withOverrides({ assistant })
      .withModel(provider, behaviour, limits)
      .started()
    await using other = await aService().withIndexedProject().started()
    let failed = 0
    const crowd = Promise.all(Array.from({ length: 60 }, () => site.ask().finally(() => failed++)))
    const counts = () => site.service.app.models?.counts()
    while (failed < 52 || writings(site) < 4 || counts()?.waiting !== 4) await Bun.sleep(1)
    const served = await Promise.all(Array.from({ length: 20 }, () => other.ask()))
    expect(served.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect({ writings: writings(site), ...counts() }).toMatchObject({ writings: 4, inFlight: 4, waiting: 4 })
    // Rejected questions were neither embedded nor searched for.
    expect({ searched, requests: site.server.requests.length }).toEqual({ searched: 8, requests: 12 })
    await site.server[Symbol.asyncDispose]()
    const replies = await crowd
    expect(replies.every(({ status }) => status === 503)).toBe(true)
    await noPlaceHeld(site)
  })

  test("a crowd of one project leaves places for the others", async () => {
    const patient = { firstPieceMs: minuteMs, answerMs: minuteMs, maxAttempts: 1 }
    const limits = { ...patient, inFlight: 3, waiting: 1, perProject: 3, outagesToOpen: 1000 }
    let isStalled = true
    const held = Promise.withResolvers<Reply>()
    const write: Behaviour["write"] = (received) => (isStalled ? held.promise : honest.write(received))
    await using site = await aService()
      .withSettings(plenty)
      .withModel(provider, { ...honest, write }, limits)
      .started()
    const { app } = site.service
    const other = await addIndexedProject(site)
    const crowd = Array.from({ length: 5 }, () => site.ask())
    while (writings(site) < 3) await Bun.sleep(1)
    const refused = await Promise.any(crowd)
    expect([refused.status, refused.body.error.code]).toEqual([503, "unavailable"])
    isStalled = false
    const waiting = site.ask({ project: other.id })
    while (app.models?.counts().waiting !== 1) await Bun.sleep(1)
    held.resolve(reply({ answerable: false, sentences: [] }))
    expect((await waiting).body.status).toBe("answered")
    const statuses = (await Promise.all(crowd)).map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 200, 200, 503, 503])
    // The places were given back.
    expect((await site.ask({ question: "Comment installer Guichet ?" })).status).toBe(200)
  })

  test("a question without a place gets an extractive answer, where the owner prefers that", async () => {
    const limits = { inFlight: 1, waiting: 0 }
    const fallback = { ...plenty, GUICHET_MODEL_FALLBACK: "extractive" }
    const held = Promise.withResolvers<Reply>()
    await using site = await aService()
      .withSettings(fallback)
      .withModel(provider, { ...honest, write: () => held.promise }, limits)
      .started()
    const first = site.ask()
    while (writings(site) === 0) await Bun.sleep(1)
    const requests = site.server.requests.length
    const { body } = await site.ask({ question: "Comment vérifier la signature ?" })
    expect({ status: body.status, requests: site.server.requests.length }).toEqual({
      status: "answered",
      requests,
    })
    held.resolve(reply({ answerable: false, sentences: [] }))
    expect((await first).body.status).toBe("no_answer")
    // The place was released.
    site.server.behaviour = honest
    await site.ask({ question: "Comment installer Guichet ?" })
    expect(site.server.requests.length).toBeGreaterThan(requests)
  })
})

test("after the cooldown one probe call is let through, and the others fail until it ends", () => {
  const clock = movableClock()
  const breaker = openCircuitBreaker(clock, { outagesToOpen: 1, cooldownMs: 1000 })
  const outage = new ModelFailure("server")
  breaker.begin()
  breaker.failed(outage)
  expect(() => breaker.check()).toThrow(ModelFailure)
  clock.move(999)
  expect(() => breaker.begin()).toThrow(ModelFailure)
  clock.move(1)
  breaker.begin()
  expect(() => breaker.begin()).toThrow(ModelFailure)
  breaker.failed(outage)
  expect(() => breaker.begin()).toThrow(ModelFailure)
  clock.move(1000)
  breaker.begin()
  breaker.inconclusive()
  breaker.begin()
  breaker.succeeded()
  expect(breaker.isOpen()).toBe(false)
  breaker.begin()
  breaker.begin()
})
