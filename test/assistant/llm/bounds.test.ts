import { describe, expect, test } from "bun:test"
import { openCircuit } from "../../../src/assistant/llm/circuit.ts"
import { ModelFailure } from "../../../src/assistant/llm/failure.ts"
import { openGate } from "../../../src/assistant/llm/gate.ts"
import { minuteMs } from "../../../src/base/clock.ts"
import { answerable, noPlaceHeld, origin } from "../../support/ask.ts"
import { movableClock } from "../../support/clock.ts"
import { type Behaviour, honest, type Reply, reply } from "../../support/models/behaviour.ts"
import { providers } from "../../support/models/server.ts"
import type { ModelSite } from "../../support/models/site.ts"
import { aService } from "../../support/service-builder.ts"

// A model that is slow or gone costs its visitors little, and everybody else nothing.

const writes = (reply: Reply): Behaviour => ({ ...honest, write: () => reply })
const plenty = { GUICHET_ASK_PER_MINUTE: "100000", GUICHET_ASK_PER_VISITOR_DAY: "100000" }
const writings = ({ server }: ModelSite) =>
  server.requests.filter(({ path }) => !path.includes("mbed")).length

describe.each(providers)("%s", (provider) => {
  test("a failure that may pass is tried again once, before anything came", async () => {
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

  test("what will not pass is not tried again, nor what asks for a longer pause", async () => {
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

  test("a circuit opens after repeated outages, and tries again by itself", async () => {
    const limits = { outages: 3, restMs: 30_000, tries: 1 }
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

  test("what one question provokes opens no circuit", async () => {
    await using site = await aService()
      .withSettings(plenty)
      .withModel(provider, writes({ blocked: "SAFETY" }), { outages: 2 })
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
    // It says nothing about the model.
    expect(site.service.app.models?.counts().failures).toEqual({})
  })

  test("a crowd before a model that stalls: a few wait, the others are told at once, other sites are served", async () => {
    // Whoever has a place keeps it until the server goes, however long the crowd takes.
    const patient = { firstPieceMs: minuteMs, answerMs: minuteMs, tries: 1 }
    const limits = { ...patient, inFlight: 4, waiting: 4, outages: 1000 }
    const behaviour = { write: () => ({ silent: true }), embed: () => ({ status: 400 }) }
    let searched = 0
    const assistant = { onRetrieved: () => searched++ }
    await using site = await aService()
      .withSettings(plenty)
      .withOverrides({ assistant })
      .withModel(provider, behaviour, limits)
      .started()
    await using other = await aService().withIndexedProject().started()
    let told = 0
    const crowd = Promise.all(Array.from({ length: 60 }, () => site.ask().finally(() => told++)))
    const counts = () => site.service.app.models?.counts()
    while (told < 52 || writings(site) < 4 || counts()?.waiting !== 4) await Bun.sleep(1)
    const served = await Promise.all(Array.from({ length: 20 }, () => other.ask()))
    expect(served.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect({ writings: writings(site), ...counts() }).toMatchObject({ writings: 4, inFlight: 4, waiting: 4 })
    // Nothing was looked for, and nothing embedded, for whom there was no place.
    expect({ searched, requests: site.server.requests.length }).toEqual({ searched: 8, requests: 12 })
    await site.server[Symbol.asyncDispose]()
    const replies = await crowd
    expect(replies.every(({ status }) => status === 503)).toBe(true)
    await noPlaceHeld(site)
  })

  test("those for whom there is no place get what words alone find, where the owner prefers that", async () => {
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
    // The place was given back.
    site.server.behaviour = honest
    await site.ask({ question: "Comment installer Guichet ?" })
    expect(site.server.requests.length).toBeGreaterThan(requests)
  })
})

test("after its rest, one call tries and the others wait for what becomes of it", () => {
  const clock = movableClock()
  const circuit = openCircuit(clock, { outages: 1, restMs: 1000 })
  const outage = new ModelFailure("server")
  circuit.begin()
  circuit.failed(outage)
  expect(() => circuit.check()).toThrow(ModelFailure)
  clock.move(999)
  expect(() => circuit.begin()).toThrow(ModelFailure)
  clock.move(1)
  circuit.begin()
  expect(() => circuit.begin()).toThrow(ModelFailure)
  circuit.failed(outage)
  expect(() => circuit.begin()).toThrow(ModelFailure)
  clock.move(1000)
  circuit.begin()
  circuit.unknown()
  circuit.begin()
  circuit.succeeded()
  expect(circuit.isOpen()).toBe(false)
  circuit.begin()
  circuit.begin()
})

test("a gate gives places in turn, and takes back the place in line of who leaves", async () => {
  const gate = openGate({ inFlight: 1, waiting: 2 })
  const { signal } = new AbortController()
  const leave = await gate.enter(signal)
  const impatient = new AbortController()
  const left = gate.enter(impatient.signal)
  const next = gate.enter(signal)
  expect(gate.enter(signal)).rejects.toMatchObject({ kind: "crowded" })
  impatient.abort(new Error("left"))
  expect(left).rejects.toThrow("left")
  expect({ inside: gate.inside(), waiting: gate.waiting() }).toEqual({ inside: 1, waiting: 1 })
  leave()
  leave()
  const leaveNext = await next
  expect({ inside: gate.inside(), waiting: gate.waiting() }).toEqual({ inside: 1, waiting: 0 })
  leaveNext()
  expect(gate.inside()).toBe(0)
})
