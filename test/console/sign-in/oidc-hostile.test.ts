import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test"
import { findOperator } from "../../../src/accounts/operator.ts"
import { dayMs, minuteMs, secondMs } from "../../../src/base/clock.ts"
import { movableClock } from "../../support/clock.ts"
import { openBrowser } from "../../support/oidc/browser.ts"
import {
  type HostileProvider,
  hostileSecret,
  startHostileProvider,
} from "../../support/oidc/hostile-provider.ts"
import { signedIn } from "../../support/operator.ts"
import { freePort } from "../../support/port.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

const clock = movableClock()
let provider: HostileProvider
let service: Service
let url: string

beforeAll(async () => {
  provider = startHostileProvider()
  service = await startService(provider)
  url = service.app.config.publicUrl
  await signedIn(service)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  provider[Symbol.dispose]()
})
beforeEach(() => {
  provider.replies.clear()
  // A network that failed often waits, and its failures are remembered for a day.
  clock.move(2 * dayMs)
})

async function startService({ issuer }: HostileProvider): Promise<Service> {
  const port = await freePort()
  return aService()
    .withClock(clock)
    .withSettings({
      GUICHET_PORT: String(port),
      GUICHET_PUBLIC_URL: `http://localhost:${port}`,
      GUICHET_OIDC_ISSUER: issuer,
      GUICHET_OIDC_CLIENT_ID: "guichet",
      GUICHET_OIDC_CLIENT_SECRET: hostileSecret,
      GUICHET_OIDC_DOMAINS: "mairie.fr",
      GUICHET_OIDC_ACR: "eidas1,eidas2",
    })
    .started()
}

let people = 0

/** Claims that sign in somebody new, for the attempt of a browser. */
function claimsFor(asked: URL): Record<string, unknown> {
  people++
  const nowSeconds = Math.floor(clock.now() / secondMs)
  return {
    iss: provider.issuer,
    aud: "guichet",
    sub: `agent-${people}`,
    email: `agent${people}@mairie.fr`,
    email_verified: true,
    acr: "eidas1",
    nonce: asked.searchParams.get("nonce"),
    iat: nowSeconds,
    exp: nowSeconds + 60,
  }
}

/** Begins in a browser, stops at the provider, and comes back with what it has forged. */
async function comeBack(
  forge: (claims: Record<string, unknown>) => void = provider.forge,
  answer: (asked: URL) => Record<string, string> = () => ({}),
) {
  const browser = openBrowser()
  const { url: asked } = await browser.go(
    `${url}/console/sign-in/oidc`,
    ({ pathname }) => pathname === "/authorize",
  )
  const claims = claimsFor(asked)
  forge(claims)
  const query = { code: "a-code", state: asked.searchParams.get("state") ?? "", ...answer(asked) }
  const page = await browser.go(`${url}/console/sign-in/oidc/callback?${new URLSearchParams(query)}`)
  const account = await findOperator(service.app.db, `agent${people}@mairie.fr`)
  return { status: page.status, text: page.text, page, browser, query, isMade: account !== undefined }
}

test("what the forged tokens are changes of signs in", async () => {
  expect(await comeBack()).toMatchObject({ status: 200, isMade: true })
})

const forgeries: Record<string, (claims: Record<string, unknown>) => void> = {
  "of another issuer": (claims) => provider.forge({ ...claims, iss: "https://accounts.exemple.fr" }),
  "for another client": (claims) => provider.forge({ ...claims, aud: "another" }),
  "with another nonce": (claims) => provider.forge({ ...claims, nonce: "another" }),
  "without a nonce": ({ nonce: _, ...claims }) => provider.forge(claims),
  "that has expired": (claims) => provider.forge({ ...claims, exp: Number(claims["iat"]) - 120 }),
  "without an expiry": ({ exp: _, ...claims }) => provider.forge(claims),
  "of the algorithm none": (claims) => provider.forge(claims, { alg: "none" }),
  "signed by the client's secret": (claims) => provider.forge(claims, { alg: "HS256" }),
  "signed by a key of somebody else": (claims) => provider.forge(claims, { isStrangeKey: true }),
  "without a subject": ({ sub: _, ...claims }) => provider.forge(claims),
  "whose userinfo is of another person": (claims) => provider.forge(claims, { userinfo: { sub: "another" } }),
}

for (const [name, forge] of Object.entries(forgeries))
  test(`an identity token ${name} signs nobody in`, async () => {
    const { status, text, isMade } = await comeBack(forge)
    expect([status, isMade, text.includes("n’est pas valable")]).toEqual([401, false, true])
  })

test("a proof that is weaker than what is required, or tells nothing, signs nobody in", async () => {
  for (const acr of ["eidas0", undefined]) {
    const { status, isMade } = await comeBack((claims) => provider.forge({ ...claims, acr }))
    expect([status, isMade]).toEqual([403, false])
  }
})

test("an answer with another state, without one or from another issuer is sent to nobody", async () => {
  provider.codes = []
  for (const answer of [{ state: "another" }, { state: "" }]) {
    const { status, isMade } = await comeBack(provider.forge, () => answer)
    expect([status, isMade]).toEqual([401, false])
  }
  const mixedUp = await comeBack(provider.forge, () => ({ iss: "https://accounts.exemple.fr" }))
  expect([mixedUp.status, mixedUp.isMade, provider.codes]).toEqual([401, false, []])
})

test("an attempt is good for ten minutes", async () => {
  const late = await comeBack(provider.forge, () => {
    clock.move(10 * minuteMs)
    return {}
  })
  expect([late.status, late.isMade]).toEqual([401, false])
})

test("a provider that answers nothing of use is said to be out of reach, and no try is counted", async () => {
  const replies = [
    () => new Response("", { status: 302, headers: { location: "http://127.0.0.1:1/" } }),
    () => new Response("<html>", { headers: { "content-type": "text/html" } }),
    () => new Response("x".repeat(1024 * 1024), { headers: { "content-type": "application/json" } }),
  ]
  for (const reply of replies) {
    provider.replies.set("/token", reply)
    const { status, isMade } = await comeBack()
    expect([[401, 503].includes(status), isMade]).toEqual([true, false])
  }
})

test("failures count per network, and a refusal tells neither a code nor a token", async () => {
  const statuses: number[] = []
  let text = ""
  for (let guess = 0; guess < 22; guess++) {
    const back = await comeBack((claims) => provider.forge({ ...claims, nonce: "another" }))
    statuses.push(back.status)
    text += back.text
  }
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(statuses.at(-1)).toBe(429)
  expect(text).not.toMatch(/a-code|eyJ|opens-userinfo/)
})

test("metadata of another issuer, or that leads into a private network, is not followed", async () => {
  using another = startHostileProvider()
  const inside = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json({}) })
  another.metadata = { issuer: "https://accounts.exemple.fr" }
  await using fooled = await startService(another)
  const begin = () => openBrowser().go(`${fooled.app.config.publicUrl}/console/sign-in/oidc`)
  expect((await begin()).status).toBe(503)
  let isReached = false
  inside.reload({
    fetch() {
      isReached = true
      return Response.json({})
    },
  })
  another.metadata = { token_endpoint: `http://127.0.0.1:${inside.port}/token` }
  const browser = openBrowser()
  const { url: asked } = await browser.go(
    `${fooled.app.config.publicUrl}/console/sign-in/oidc`,
    ({ pathname }) => pathname === "/authorize",
  )
  const state = asked.searchParams.get("state") ?? ""
  const back = await browser.go(
    `${fooled.app.config.publicUrl}/console/sign-in/oidc/callback?code=a-code&state=${state}`,
  )
  expect([back.status, isReached]).toEqual([503, false])
  await inside.stop(true)
})
