import { describe, expect, test } from "bun:test"
import { applyProjectChange } from "../../../src/accounts/project.ts"
import { addIndexedProject, foreign, type Reply, type Site } from "../../support/ask.ts"
import { temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

// Specification, part 7 A: 429 `rate_limited` and `quota_exceeded`. The thresholds are settings.

const hourMs = 3_600_000

function refusal({ status, headers, body }: Reply) {
  return { status, ...body.error, retryAfter: headers.get("retry-after") }
}

async function answered(site: Site, times: number, headers: Record<string, string> = {}) {
  for (let time = 0; time < times; time++) expect((await site.ask({}, headers)).status).toBe(200)
}

describe("questions of a project in any 60 seconds", () => {
  test("are refused past the limit, and the message says in how many seconds to retry", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_MINUTE: "3" })
      .withIndexedProject()
      .started()
    await answered(site, 1)
    site.clock.move(20_000)
    await answered(site, 2)
    expect(refusal(await site.ask())).toEqual({
      status: 429,
      code: "rate_limited",
      message: "Trop de questions ont été posées en peu de temps. Réessayez dans 40 secondes.",
      retryAfter: "40",
    })
  })

  test("slide: each place is free again 60 seconds after its question", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_MINUTE: "2" })
      .withIndexedProject()
      .started()
    await answered(site, 1)
    site.clock.move(30_000)
    await answered(site, 1)
    site.clock.move(28_500)
    expect(refusal(await site.ask()).retryAfter).toBe("2")
    site.clock.move(1499)
    expect(refusal(await site.ask())).toMatchObject({
      message: expect.stringContaining("dans 1 seconde."),
      retryAfter: "1",
    })
    site.clock.move(1)
    await answered(site, 1)
    expect(refusal(await site.ask()).retryAfter).toBe("30")
  })

  test("are counted whoever asks, and per project", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_MINUTE: "1" })
      .withIndexedProject()
      .started()
    await answered(site, 1)
    expect((await site.ask({}, { "x-forwarded-for": "198.51.100.7" })).status).toBe(429)
    const other = await addIndexedProject(site)
    expect((await site.ask({ project: other.id })).status).toBe(200)
  })

  test("follow the project's own limit rather than the setting", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_MINUTE: "1" })
      .withIndexedProject()
      .started()
    await applyProjectChange(site.service.app.db, site.project.id, { per_minute: 2 })
    await answered(site, 2)
    expect((await site.ask()).status).toBe(429)
  })

  test("a limit that was lowered says when enough places are free", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_MINUTE: "3" })
      .withIndexedProject()
      .started()
    for (let time = 0; time < 3; time++) {
      await answered(site, 1)
      site.clock.move(10_000)
    }
    await applyProjectChange(site.service.app.db, site.project.id, { per_minute: 1 })
    expect(refusal(await site.ask()).retryAfter).toBe("50")
  })
})

describe("questions of a visitor in a day", () => {
  test("are refused past the limit, until the day ends in the owner's time zone", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_VISITOR_DAY: "2" })
      .withIndexedProject()
      .started()
    await answered(site, 2)
    // 10:00 in Paris: 14 hours are left.
    expect(refusal(await site.ask())).toEqual({
      status: 429,
      code: "rate_limited",
      message: "Vous avez atteint le nombre de questions permis pour aujourd’hui. Réessayez demain.",
      retryAfter: String(14 * 3600),
    })
    site.clock.move(14 * hourMs - 1)
    expect(refusal(await site.ask())).toMatchObject({
      message: expect.stringContaining("dans 1 seconde."),
      retryAfter: "1",
    })
    site.clock.move(1)
    await answered(site, 2)
  })

  test("the last hour of the day is said in minutes", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_VISITOR_DAY: "1" })
      .withIndexedProject()
      .started()
    site.clock.move(14 * hourMs - 25 * 60_000)
    await answered(site, 1)
    expect(refusal(await site.ask()).message).toEndWith("Réessayez dans 25 minutes.")
  })

  test("the day is that of GUICHET_TIMEZONE", async () => {
    await using site = await aService()
      .withSettings({
        GUICHET_ASK_PER_VISITOR_DAY: "1",
        GUICHET_TIMEZONE: "Pacific/Noumea",
      })
      .withIndexedProject()
      .started()
    await answered(site, 1)
    expect(refusal(await site.ask()).retryAfter).toBe(String(4 * 3600))
  })

  test("follow the project's own limit rather than the setting", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_VISITOR_DAY: "1" })
      .withIndexedProject()
      .started()
    await applyProjectChange(site.service.app.db, site.project.id, { per_visitor_day: 2 })
    await answered(site, 2)
    expect((await site.ask()).status).toBe(429)
  })

  test("another visitor is not concerned", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_VISITOR_DAY: "1" })
      .withIndexedProject()
      .started()
    await answered(site, 1, { "x-forwarded-for": "198.51.100.7" })
    await answered(site, 1, { "x-forwarded-for": "198.51.100.8" })
    expect((await site.ask({}, { "x-forwarded-for": "198.51.100.7" })).status).toBe(429)
  })

  test("all addresses of an IPv6 /64 are one visitor", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_VISITOR_DAY: "1" })
      .withIndexedProject()
      .started()
    await answered(site, 1, { "x-forwarded-for": "2001:db8:1:2::1" })
    expect((await site.ask({}, { "x-forwarded-for": "2001:db8:1:2:ffff::9" })).status).toBe(429)
    await answered(site, 1, { "x-forwarded-for": "2001:db8:1:3::1" })
  })

  test("X-Forwarded-For is read from the right: what a client writes into it changes nothing", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_VISITOR_DAY: "1" })
      .withIndexedProject()
      .started()
    await answered(site, 1, { "x-forwarded-for": "198.51.100.7" })
    for (const forged of ["1.2.3.4", "127.0.0.1", "1.2.3.4, 5.6.7.8"])
      expect((await site.ask({}, { "x-forwarded-for": `${forged}, 198.51.100.7` })).status).toBe(429)
  })

  test("X-Forwarded-For is not believed from anyone but a trusted proxy", async () => {
    await using site = await aService()
      .withSettings({
        GUICHET_ASK_PER_VISITOR_DAY: "1",
        GUICHET_TRUSTED_PROXIES: "192.0.2.1",
      })
      .withIndexedProject()
      .started()
    await answered(site, 1, { "x-forwarded-for": "198.51.100.7" })
    expect((await site.ask({}, { "x-forwarded-for": "198.51.100.8" })).status).toBe(429)
  })

  test("the visitor's address is stored nowhere, and known by another hash the next day", async () => {
    await using site = await aService().withIndexedProject().started()
    const { db } = site.service.app
    const subjects = async () =>
      (await db.selectFrom("limit_count").select("subject").execute())
        .map((row) => row.subject)
        .filter((subject) => subject.startsWith("visitor:"))
    await answered(site, 1, { "x-forwarded-for": "198.51.100.7" })
    site.clock.move(24 * hourMs)
    await answered(site, 1, { "x-forwarded-for": "198.51.100.7" })
    const recent = await db.selectFrom("recent_ask").selectAll().execute()
    expect(new Set(await subjects()).size).toBe(2)
    expect(JSON.stringify([await subjects(), recent])).not.toContain("198.51.100.7")
  })
})

describe("questions of a documentation in a day", () => {
  test("are refused past the limit, whoever asks", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_PROJECT_DAY: "2" })
      .withIndexedProject()
      .started()
    await answered(site, 1, { "x-forwarded-for": "198.51.100.7" })
    await answered(site, 1, { "x-forwarded-for": "198.51.100.8" })
    expect(refusal(await site.ask())).toEqual({
      status: 429,
      code: "rate_limited",
      message: "Cette documentation a reçu toutes les questions permises pour aujourd’hui. Réessayez demain.",
      retryAfter: String(14 * 3600),
    })
    site.clock.move(14 * hourMs)
    await answered(site, 1)
  })

  test("follow the project's own limit rather than the setting", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_PROJECT_DAY: "1" })
      .withIndexedProject()
      .started()
    await applyProjectChange(site.service.app.db, site.project.id, { per_day: 2 })
    await answered(site, 2)
    expect((await site.ask()).status).toBe(429)
  })
})

describe("questions of an organisation in a month", () => {
  test("are refused past the quota, and the message gives the date", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_ORGANISATION_MONTH: "2" })
      .withIndexedProject()
      .started()
    await answered(site, 1)
    site.clock.move(24 * hourMs)
    await answered(site, 1)
    const reply = refusal(await site.ask())
    expect(reply).toMatchObject({
      status: 429,
      code: "quota_exceeded",
      message: "Le quota mensuel de questions est atteint. Réessayez le 1er avril.",
    })
    // From 11 March 10:00 to 1 April 00:00 in Paris; the clocks go forward in between.
    expect(reply.retryAfter).toBe(String((20 * 24 + 14 - 1) * 3600))
    site.clock.move(Number(reply.retryAfter) * 1000)
    await answered(site, 1)
  })

  test("are counted over all its projects", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_ORGANISATION_MONTH: "1" })
      .withIndexedProject()
      .started()
    await answered(site, 1)
    const other = await addIndexedProject(site)
    expect(refusal(await site.ask({ project: other.id })).code).toBe("quota_exceeded")
  })
})

describe("what counts", () => {
  test("every 200, unanswered and cached ones included", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_MINUTE: "3" })
      .withIndexedProject()
      .started()
    for (const question of [foreign, foreign, undefined])
      expect((await site.ask(question ? { question } : {})).status).toBe(200)
    expect((await site.ask()).status).toBe(429)
  })

  test("no refused question", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_ASK_PER_VISITOR_DAY: "1", GUICHET_ASK_PER_MINUTE: "5" })
      .withIndexedProject()
      .started()
    const { app } = site.service
    await site.ask({ question: "?" })
    await site.ask({ project: "a".repeat(16) })
    await site.ask({}, { origin: "https://evil.com" })
    await applyProjectChange(app.db, site.project.id, { assistant_enabled: false })
    await site.ask()
    await applyProjectChange(app.db, site.project.id, { assistant_enabled: true })
    expect(await counts(site)).toEqual({})
    await answered(site, 1)
    for (let time = 0; time < 10; time++) expect((await site.ask()).status).toBe(429)
    // The refused questions are not counted by the minute either: four of its five places are free.
    for (const last of [1, 2, 3, 4]) await answered(site, 1, { "x-forwarded-for": `198.51.100.${last}` })
    expect((await site.ask()).body.error.message).toContain("en peu de temps")
  })

  test("no failed question: its place is given back", async () => {
    await using site = await aService()
      .withSettings({
        GUICHET_ASK_PER_MINUTE: "1",
        GUICHET_ASK_PER_ORGANISATION_MONTH: "1",
      })
      .withIndexedProject()
      .started()
    const { assistant } = site.service.app
    const { answerer } = assistant
    assistant.answerer = {
      version: "broken",
      // biome-ignore lint/correctness/useYield: it fails before it answers
      async *answer() {
        throw new Error("no")
      },
    }
    for (let time = 0; time < 3; time++) expect((await site.ask()).status).toBe(503)
    expect(await counts(site)).toEqual({})
    assistant.answerer = answerer
    await answered(site, 1)
  })
})

test("questions asked at once do not overrun a limit", async () => {
  for (const [limit, code] of [
    ["GUICHET_ASK_PER_MINUTE", "rate_limited"],
    ["GUICHET_ASK_PER_VISITOR_DAY", "rate_limited"],
    ["GUICHET_ASK_PER_PROJECT_DAY", "rate_limited"],
    ["GUICHET_ASK_PER_ORGANISATION_MONTH", "quota_exceeded"],
  ] as const) {
    await using site = await aService()
      .withSettings({ [limit]: "7" })
      .withIndexedProject()
      .started()
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, number) => site.ask({ question: `Comment installer ${number} fois ?` })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(7)
    for (const { status, body } of replies) if (status !== 200) expect(body.error.code, limit).toBe(code)
  }
})

test("counts survive a restart", async () => {
  using folder = temporaryFolder()
  const environment = { GUICHET_DATA_DIR: folder.path, GUICHET_ASK_PER_VISITOR_DAY: "2" }
  await using first = await aService().withSettings(environment).withIndexedProject().started()
  await answered(first, 2)
  await first[Symbol.asyncDispose]()
  await using second = await aService()
    .withSettings(environment)
    .withIndexedProject({}, first.project)
    .started()
  expect((await second.ask()).status).toBe(429)
})

test("two services on one database do not overrun a limit together", async () => {
  using folder = temporaryFolder()
  const environment = { GUICHET_DATA_DIR: folder.path, GUICHET_ASK_PER_PROJECT_DAY: "7" }
  await using one = await aService().withSettings(environment).withIndexedProject().started()
  await using other = await aService().withSettings(environment).withIndexedProject({}, one.project).started()
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, number) =>
      (number % 2 ? one : other).ask({ question: `Comment installer ${number} fois ?` }),
    ),
  )
  expect(
    replies
      .map(({ status }) => status)
      .sort()
      .slice(0, 8),
  ).toEqual([...Array(7).fill(200), 429])
})

/** Counters by kind of subject. */
async function counts(site: Site): Promise<Record<string, number>> {
  const rows = await site.service.app.db.selectFrom("limit_count").selectAll().execute()
  return Object.fromEntries(rows.map(({ subject, used }) => [subject.split(":")[0], used]))
}
