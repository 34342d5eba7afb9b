import { expect, test } from "bun:test"
import type { Fault } from "../history.ts"
import type { Post } from "../load.ts"
import type { Arrival } from "../receivers.ts"
import type { StoredAttempt } from "../stored.ts"
import { ledgerOf } from "./ledger.ts"
import type { Records } from "./records.ts"

/* The ledger of `bun test/faults/nodes.ts` is worth as much as what it finds. */

const startMs = Date.parse("2026-03-10T09:00:00Z")
const key = "hooks-0.acme.fr msg_1"

function arrival(afterMs: number, changes: Partial<Arrival> = {}): Arrival {
  const atMs = startMs + afterMs
  return {
    node: 0,
    atMs,
    endMs: atMs + 20,
    status: 200,
    sentAtSeconds: Math.floor(atMs / 1000),
    hash: 1,
    responseId: "resp_1",
    ...changes,
  }
}

function fault(kind: Fault["kind"], fromMs: number, toMs: number, node?: number): Fault {
  return { kind, node, fromMs: startMs + fromMs, toMs: startMs + toMs }
}

const request = { fromMs: startMs, toMs: startMs + 30 }
const burst = { kind: "posts", limit: 25, taken: 25, refused: 10, failed: 0, hasRetried: false } as const
const delivery = { number: 1, state: "delivered", attemptsMade: 1, responseId: "resp_1", key } as const

function post(changes: Partial<Post> = {}): Post {
  return { ...request, key: "one", id: "resp_1", email: undefined, status: 201, ...changes }
}

/** One form post with its two deliveries, one question, one mail, and nothing wrong but a kill much later. */
function records(): Records {
  const attempt = {
    deliveryNumber: 1,
    kind: "automatic",
    atMs: startMs + 100,
    durationMs: 20,
    outcome: "delivered",
    status: 200,
  } as const
  const other = "hooks-1.acme.fr msg_1"
  return {
    load: {
      posts: [post()],
      questions: [{ ...request, status: 200, isAnswered: true, text: "" }],
      bursts: [burst],
      visits: [{ ...request, status: 200 }],
      readings: 1,
      begun: { posts: 1, questions: 1 },
    },
    faults: [fault("kill", 60_000, 63_000, 0)],
    drains: [{ exitCode: 0, tookMs: 1000 }],
    receivers: {
      arrivals: new Map([
        [key, [arrival(100)]],
        [other, [arrival(100)]],
      ]),
      overlapping: [],
      mostInFlight: 5,
    },
    mails: [],
    readers: [{ pid: 7, fromMs: startMs, toMs: startMs + 500 }],
    nodesUpToDate: 3,
    stored: {
      responses: [{ id: "resp_1", key: "one", email: null }],
      deliveries: [delivery, { ...delivery, number: 2, key: other }],
      attempts: [attempt, { ...attempt, deliveryNumber: 2 }],
      mailsLeft: 0,
      nodes: 3,
      liveGenerations: 1,
    },
  }
}

function failing(change: (records: Records) => void): string[] {
  const changed = records()
  change(changed)
  return ledgerOf(changed).flatMap(({ passed, name }) => (passed ? [] : [name.replace(/,? of \d+.*/, "")]))
}

function arrivals(found: Records, ...those: Arrival[]): void {
  found.receivers = { ...found.receivers, arrivals: new Map([...found.receivers.arrivals, [key, those]]) }
}

test("a run in which nothing went wrong closes", () => {
  expect(failing(() => {})).toEqual([])
})

const wrong: Record<string, (records: Records) => void> = {
  "form posts acknowledged and lost": ({ load }) => load.posts.push(post({ key: "two", id: "resp_2" })),
  "form posts acknowledged as another response than the stored one": ({ load }) => {
    load.posts = [post({ id: "resp_2" })]
  },
  "form posts stored twice": ({ stored }) => {
    stored.responses.push({ id: "resp_2", key: "one", email: null })
    // Whose deliveries are there.
    stored.deliveries.push(...stored.deliveries)
  },
  "form posts failed while PostgreSQL was there": ({ load }) =>
    load.posts.push(post({ key: "two", id: undefined, status: 503 })),
  "published = delivered 1 + pending 0 + failed 0": ({ stored }) => stored.deliveries.pop(),
  "deliveries lost, or stored otherwise than the receivers know it": (found) =>
    arrivals(found, arrival(100, { status: 503 })),
  "repeats unexplained": (found) => arrivals(found, arrival(100), arrival(13_100, { node: 1 })),
  "repeats of other bytes": (found) =>
    arrivals(found, arrival(100, { status: 503 }), arrival(5200, { hash: 2 })),
  "attempts logged twice": ({ stored }) => stored.attempts.push(...stored.attempts.slice(1)),
  "attempts earlier than their schedule": (found) => {
    const [first, ...others] = found.stored.attempts as [StoredAttempt, ...StoredAttempt[]]
    const early = { ...first, atMs: startMs + 4900 }
    found.stored.attempts = [{ ...first, outcome: "http_status", status: 503 }, early, ...others]
  },
  "attempts of one delivery that overlapped": ({ receivers }) => receivers.overlapping.push(key),
  "attempts in flight at one endpoint, at most": (found) => {
    found.receivers = { ...found.receivers, mostInFlight: 6 }
  },
  "visitors' daily limits": ({ load }) => load.bursts.push({ ...burst, taken: 26, refused: 9 }),
  "questions failed while PostgreSQL was there": ({ load }) =>
    load.questions.push({ ...request, status: 504, isAnswered: false, text: "" }),
  "looks at the console as the operator of the start": ({ load }) =>
    load.visits.push({ ...request, status: 303 }),
  "mails lost": ({ load, stored }) => {
    load.posts.push(post({ key: "two", id: "resp_2", email: "camille@exemple.fr" }))
    stored.responses.push({ id: "resp_2", key: "two", email: "camille@exemple.fr" })
    stored.deliveries.push({ ...delivery, number: 3, responseId: "resp_2" })
  },
  "mails sent twice without a reason": (found) => {
    const mail = { id: "mail_1", to: "camille@exemple.fr", node: 1, atMs: startMs + 100 }
    found.mails = [mail, { ...mail, node: 2, atMs: startMs + 9000 }]
  },
  "of them, processes that read beside another one": (found) => {
    found.readers = [...found.readers, { pid: 8, fromMs: startMs + 200, toMs: startMs + 900 }]
  },
  "nodes that answer from the last edition": (found) => {
    found.nodesUpToDate = 2
  },
  "stops by a signal": (found) => {
    found.drains = [{ exitCode: 1, tookMs: 100 }]
  },
}

for (const [line, change] of Object.entries(wrong))
  test(`a run does not close on: ${line}`, () => {
    expect(failing(change)).toContain(line)
  })

const away = fault("postgres away", 500, 20_000)

test.each<[string, ...Fault[]]>([
  ["its node was killed before its result was stored", fault("kill", 500, 3500, 0)],
  ["its node was frozen", fault("freeze", 500, 18_500, 0)],
  ["its node was cut off", fault("cut", 500, 30_500, 0)],
  ["its node was killed while PostgreSQL was away", fault("kill", 12_000, 16_000, 0), away],
])("a repeat is explained when %s", (_, ...causes) => {
  const repeated = (found: Records) => {
    found.faults = causes
    arrivals(found, arrival(100), arrival(13_600, { node: 1 }))
  }
  expect(failing(repeated)).toEqual([])
})

test("a repeat is not explained by PostgreSQL away, by another node, nor by what came long before or after", () => {
  for (const cause of [
    away,
    fault("kill", 500, 3500, 1),
    fault("kill", 9000, 12_000, 0),
    fault("terminate", 500, 500),
  ]) {
    const repeated = (found: Records) => {
      found.faults = [cause]
      arrivals(found, arrival(100), arrival(13_600, { node: 1 }))
    }
    expect(failing(repeated)).toEqual(["repeats unexplained"])
  }
})

test("an attempt whose node was frozen until after its end was made again by another one, on no schedule", () => {
  const frozen = (found: Records) => {
    found.faults = [fault("freeze", 500, 18_500, 0)]
    // Its receiver answered after the ten seconds; the node found out when it went on.
    arrivals(found, arrival(100, { endMs: startMs + 10_600 }), arrival(15_700, { node: 1 }))
    const [first, ...others] = found.stored.attempts as [StoredAttempt, ...StoredAttempt[]]
    const late = { ...first, outcome: "timeout", status: null, durationMs: 18_400 }
    found.stored.attempts = [late, { ...first, atMs: startMs + 15_690 }, ...others]
  }
  expect(failing(frozen)).toEqual([])
})

test("a node that was frozen may end what it had begun, and begin nothing", () => {
  const late = (sentAtMs: number) => (found: Records) => {
    found.faults = [fault("freeze", 500, 18_500, 0)]
    const sentAtSeconds = Math.floor((startMs + sentAtMs) / 1000)
    arrivals(found, arrival(15_000, { node: 1 }), arrival(18_510, { sentAtSeconds }))
  }
  expect(failing(late(400))).toEqual([])
  expect(failing(late(18_505))).toEqual(["repeats unexplained"])
})
