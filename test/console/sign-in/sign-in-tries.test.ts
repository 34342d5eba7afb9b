import { afterAll, beforeAll, expect, test } from "bun:test"
import { maxPendingSignIns } from "../../../src/accounts/hashing.ts"
import { purgeSessions } from "../../../src/accounts/session.ts"
import { forgetTries, maxRememberedSubjects, purgeTries } from "../../../src/accounts/sign-in.ts"
import { rememberPlaces } from "../../../src/accounts/sign-in-place.ts"
import { dayMs, minuteMs } from "../../../src/base/clock.ts"
import { movableClock } from "../../support/clock.ts"
import { type ConsoleClient, consoleClient, password, signedIn } from "../../support/operator.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

const clock = movableClock()
let service: Service
/** Password hashes are computed one after the other, which takes long on a busy machine. */
const patienceMs = 60_000

beforeAll(async () => {
  service = await aService().withClock(clock).started()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Each try comes from its own address, so that tests do not slow one another down. */
let people = 0
const somewhere = () => {
  people++
  return { "x-forwarded-for": `203.0.${113 + (people >> 8)}.${people & 255}` }
}

const tryAs = (email: string, given: string, headers: Record<string, string> = somewhere()) =>
  consoleClient(service).post("/console/sign-in", { email, password: given }, { token: null, headers })

/** Makes one wrong try a minute, each from its own address, until the account is slowed to the maximum. */
async function attack(email: string): Promise<void> {
  for (let guess = 0; guess < 11; guess++) {
    expect((await tryAs(email, `essai numéro ${guess}`)).status).toBe(401)
    clock.move(minuteMs)
  }
  expect((await tryAs(email, "un essai de plus")).status).toBe(401)
}

test(
  "who guesses from everywhere keeps nobody out of a browser, or from a network, that has signed in",
  async () => {
    const { email } = await signedIn(service)
    const home = somewhere()
    const laptop = consoleClient(service)
    const signIn = (client: ConsoleClient, headers: Record<string, string>, given = password) =>
      client.post("/console/sign-in", { email, password: given }, { token: null, headers })
    expect((await signIn(laptop, home)).status).toBe(303)
    await attack(email)
    // A stranger waits, even with the right password. The known laptop signs in from a new address, and a new
    // browser signs in from the known address.
    expect((await tryAs(email, password)).status).toBe(429)
    expect((await signIn(laptop, somewhere())).status).toBe(303)
    expect((await signIn(consoleClient(service), home)).status).toBe(303)
    // A sign-in from a known browser or address does not reset the limit for the guesser.
    expect((await tryAs(email, "encore un essai")).status).toBe(429)
  },
  patienceMs,
)

test(
  "a known browser and a known network are slowed by their own tries, and no forged browser is known",
  async () => {
    const { email } = await signedIn(service)
    const laptop = consoleClient(service)
    const home = somewhere()
    const wrong = (client: ConsoleClient, headers: Record<string, string>) =>
      client.post("/console/sign-in", { email, password: "pas le bon" }, { token: null, headers })
    await laptop.post("/console/sign-in", { email, password }, { token: null, headers: home })
    const statuses = async (client: ConsoleClient, where: () => Record<string, string>) => {
      const found: number[] = []
      for (let guess = 0; guess < 6; guess++) found.push((await wrong(client, where())).status)
      return found
    }
    expect(await statuses(consoleClient(service), () => home)).toEqual([401, 401, 401, 401, 401, 429])
    expect(await statuses(laptop, somewhere)).toEqual([401, 401, 401, 401, 401, 429])
    clock.move(minuteMs)
    await attack(email)
    const forger = consoleClient(service)
    forger.browserCookie = `guichet-browser=${"x".repeat(43)}`
    const forged = await forger.post(
      "/console/sign-in",
      { email, password },
      { token: null, headers: somewhere() },
    )
    expect(forged.status).toBe(429)
    // A browser known to another account is a stranger to this one.
    const other = await signedIn(service)
    const strange = await other.post(
      "/console/sign-in",
      { email, password },
      { token: null, headers: somewhere() },
    )
    expect(strange.status).toBe(429)
  },
  patienceMs,
)

test(
  "an account that does not exist is slowed as one that does, for strangers to it",
  async () => {
    const { email } = await signedIn(service)
    const waits = async (account: string) => {
      const found: (string | null)[] = []
      for (let guess = 0; guess < 8; guess++) {
        const reply = await tryAs(account, `essai ${guess}`)
        found.push(`${reply.status} ${reply.headers.get("retry-after")}`)
      }
      return found
    }
    expect(await waits(email)).toEqual(await waits("personne-du-tout@exemple.fr"))
  },
  patienceMs,
)

test(
  "the command line's new password ends every wait, from wherever it was tried",
  async () => {
    const { email } = await signedIn(service)
    const headers = somewhere()
    for (let guess = 0; guess < 5; guess++) await tryAs(email, "pas le bon", headers)
    expect((await tryAs(email, password, headers)).status).toBe(429)
    await forgetTries(service.app, email)
    expect((await tryAs(email, password, headers)).status).toBe(303)
  },
  patienceMs,
)

test(
  "what is remembered of tries and of known places is bounded, and goes",
  async () => {
    const { app } = service
    const { email, operatorId } = await signedIn(service)
    for (let place = 0; place < 60; place++)
      await app.db
        .transaction()
        .execute((transaction) =>
          rememberPlaces(transaction, operatorId, [`${email} ${place}`], clock.now() + place),
        )
    const places = () =>
      app.db.selectFrom("sign_in_place").selectAll().where("operator_id", "=", operatorId).execute()
    expect(await places()).toHaveLength(40)
    expect((await places()).map(({ place }) => place)).toContain(`${email} 59`)
    await purgeSessions(app.db, clock.now() + 180 * dayMs)
    expect((await places()).length).toBeGreaterThan(0)
    await purgeSessions(app.db, clock.now() + 181 * dayMs)
    expect(await places()).toEqual([])

    const rows = Array.from({ length: 10_000 }, (_, number) => ({
      subject: `try:pair:${number}`,
      used: 1,
      period: "",
    }))
    for (let batch = 0; batch <= maxRememberedSubjects / rows.length; batch++)
      await app.db
        .insertInto("limit_count")
        .values(
          rows.map((row) => ({ ...row, subject: `${row.subject}:${batch}`, until: clock.now() + batch })),
        )
        .execute()
    await purgeTries(app.db)
    const { count } = await app.db
      .selectFrom("limit_count")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow()
    expect(count).toBeLessThanOrEqual(maxRememberedSubjects)
    expect(count).toBeGreaterThan(0)
    await app.db.deleteFrom("limit_count").execute()
  },
  patienceMs,
)

test(
  "in a crowd strangers are told to come back at once, and a known browser is served before them",
  async () => {
    const { email } = await signedIn(service)
    const laptop = consoleClient(service)
    await laptop.post("/console/sign-in", { email, password }, { token: null, headers: somewhere() })
    const crowd = Array.from({ length: maxPendingSignIns + 20 }, (_, number) =>
      tryAs(`foule${number}@exemple.fr`, password),
    )
    const order: string[] = []
    const own = laptop
      .post("/console/sign-in", { email, password }, { token: null, headers: somewhere() })
      .then(({ status }) => order.push(`own ${status}`))
    const replies = await Promise.all(
      crowd.map(async (one) => {
        const reply = await one
        order.push(String(reply.status))
        return reply
      }),
    )
    await own
    const refused = replies.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThanOrEqual(1)
    expect(refused[0]?.headers.get("retry-after")).toBe("5")
    expect(refused[0]?.text).toContain("Trop de personnes se connectent en ce moment.")
    expect(replies.filter(({ status }) => status === 401).length).toBe(crowd.length - refused.length)
    expect(order.indexOf("own 303")).toBeGreaterThanOrEqual(0)
    expect(order.indexOf("own 303")).toBeLessThan(order.lastIndexOf("401"))
  },
  patienceMs,
)
