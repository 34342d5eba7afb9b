import { expect, test } from "bun:test"
import { join } from "node:path"
import { insertProject } from "../../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import type { Answerer } from "../../../src/answering/answerer.ts"
import {
  type AskQueue,
  type AskQueueLimits,
  askQueueLimits,
  openAskQueue,
} from "../../../src/answering/ask/queue.ts"
import type { ChosenAnswers } from "../../../src/answering/chosen/match-chosen.ts"
import { extractive } from "../../../src/answering/extractive/extract.ts"
import { apiOf } from "../../support/api.ts"
import { answerable, indexFolder, noPlaceHeld, origin, type Reply, type Site } from "../../support/ask.ts"
import { honest } from "../../support/models/behaviour.ts"
import { signedIn } from "../../support/operator.ts"
import { eventually } from "../../support/processes.ts"
import { temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

// Specification, part 7 A: 503 `unavailable`. How many questions a node works on, and how long others wait.

const patient: AskQueueLimits = { atWork: 1, waiting: 10, waitMs: 60_000, overloadedWaitMs: 60_000 }
const questions = [
  "Comment vérifier la signature d’un webhook ?",
  "Comment sauvegarder les données ?",
  "Comment créer un formulaire ?",
] as const

/** Time that passes when the test says so, with each wait that was begun. */
function handTime() {
  const waits: { ms: number; over(): void }[] = []
  return {
    nowMs: 0,
    waits,
    now() {
      return this.nowMs
    },
    start(over: () => void, ms: number) {
      waits.push({ ms, over })
      return () => {}
    },
  }
}

/** A site whose answers come when they are let, with the questions that its answerer got. */
async function slowSite(
  limits: Partial<AskQueueLimits> = {},
  time?: ReturnType<typeof handTime>,
  settings: Record<string, string> = {},
) {
  const letGo = Promise.withResolvers<void>()
  const begun: string[] = []
  let came = 0
  let left = 0
  const answer: Answerer["answer"] = async function* (asked, signal) {
    begun.push(asked.question)
    await letGo.promise
    yield* extractive.answer(asked, signal)
  }
  const queue = openAskQueue({ ...patient, ...limits }, time)
  const watched: AskQueue = {
    enter() {
      const leave = queue.enter()
      if (leave) came++
      return leave
    },
    wait(project, signal) {
      const turn = queue.wait(project, signal)
      came++
      turn.catch(() => left++)
      return turn
    },
  }
  const site = await aService()
    .withSettings(settings)
    .withOverrides({ assistant: { answerer: { version: "slow", answer }, queue: watched } })
    .withIndexedProject()
    .started()
  return {
    site,
    begun,
    letGo: letGo.resolve,
    /** Resolves once so many questions have come to the queue. */
    came: (count: number) => eventually(async () => came >= count),
    /** Resolves once so many have left it without a turn. */
    left: (count: number) => eventually(async () => left >= count),
    /** Asks each of the questions once the one before has come to the queue. */
    async askInOrder(fields: Record<string, unknown>[]) {
      const replies: Promise<Reply>[] = []
      for (const field of fields) {
        const before = came
        replies.push(site.ask(field))
        await eventually(async () => came > before)
      }
      return replies
    },
    /** Another project of the same workspace, with a page that answers a question. */
    async otherProject() {
      const { db } = site.app
      const wanted = { name: "Autre", site: origin }
      const other = await insertProject(db, await defaultWorkspaceId(db), wanted, site.clock.now())
      using folder = temporaryFolder()
      await Bun.write(join(folder.path, "cles.md"), "# Clés\n\nUne clé perdue se remplace au guichet.\n")
      await indexFolder(site.app, other, folder.path)
      return { project: other.id, question: "Comment remplacer une clé perdue ?" }
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  }
}

/** Asks as a page does that may be closed. */
function askFrom(site: Site, signal: AbortSignal, question: string = answerable): Promise<unknown> {
  return fetch(`${site.url}/api/v1/ask`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ project: site.project.id, question }),
    signal,
  }).catch(() => "gone")
}

const statusesOf = async (replies: Promise<Reply>[]) =>
  (await Promise.all(replies)).map(({ status }) => status)

test("more questions than a node works on wait for their turn, in the order in which they came", async () => {
  await using slow = await slowSite()
  const replies = await slow.askInOrder(questions.map((question) => ({ question })))
  slow.letGo()
  expect(await statusesOf(replies)).toEqual([200, 200, 200])
  expect(slow.begun).toEqual([...questions])
})

test("projects take turns, so that a question waits for one of each other project and not for their crowd", async () => {
  await using slow = await slowSite()
  const other = await slow.otherProject()
  const crowd = await slow.askInOrder([...questions, answerable].map((question) => ({ question })))
  const [beside] = await slow.askInOrder([other])
  slow.letGo()
  expect(await statusesOf([...crowd, beside as Promise<Reply>])).toEqual([200, 200, 200, 200, 200])
  expect(slow.begun.indexOf(other.question)).toBe(2)
})

test("who finds the queue full is told at once, in the sentence of the specification, and counts nowhere", async () => {
  await using slow = await slowSite({ waiting: 1 })
  const replies = await slow.askInOrder(questions.slice(0, 2).map((question) => ({ question })))
  const { status, headers, body } = await slow.site.ask()
  expect({ status, ...body }).toEqual({
    status: 503,
    error: {
      code: "unavailable",
      message: "L’assistant ne répond pas pour le moment. Réessayez dans quelques instants.",
    },
  })
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
  slow.letGo()
  expect(await statusesOf(replies)).toEqual([200, 200])
  const { db } = slow.site.app
  const counts = await db.selectFrom("limit_count").select("used").execute()
  // Of the visitor, the project, the workspace and the organisation.
  expect(counts.map(({ used }) => used)).toEqual([2, 2, 2, 2])
  expect(await db.selectFrom("recent_ask").selectAll().execute()).toHaveLength(2)
})

test("the last one of the longest line makes room for a question of another project", async () => {
  await using slow = await slowSite({ waiting: 2 })
  const other = await slow.otherProject()
  const [first, second, third] = await slow.askInOrder(questions.map((question) => ({ question })))
  const [beside] = await slow.askInOrder([other])
  expect((await third)?.status).toBe(503)
  // Now each has one in line, and a further one of either finds no room.
  expect((await slow.site.ask(other)).status).toBe(503)
  slow.letGo()
  expect(await statusesOf([first, second, beside] as Promise<Reply>[])).toEqual([200, 200, 200])
})

test("a question that is refused for another reason is told so without waiting for a turn", async () => {
  await using slow = await slowSite({}, undefined, { GUICHET_ASK_PER_MINUTE: "2" })
  const replies = await slow.askInOrder(questions.slice(0, 2).map((question) => ({ question })))
  expect((await slow.site.ask({ project: "inconnu12345" })).status).toBe(404)
  expect((await slow.site.ask({}, { origin: "https://ailleurs.exemple" })).status).toBe(403)
  expect((await slow.site.ask()).body.error.code).toBe("rate_limited")
  slow.letGo()
  expect(await statusesOf(replies)).toEqual([200, 200])
})

test("who has waited in vain is told so, and its turn goes to the next one", async () => {
  const time = handTime()
  await using slow = await slowSite({}, time)
  const [first, second, third] = await slow.askInOrder(questions.map((question) => ({ question })))
  time.waits[0]?.over()
  expect((await second)?.status).toBe(503)
  slow.letGo()
  expect(await statusesOf([first, third] as Promise<Reply>[])).toEqual([200, 200])
  expect(slow.begun).toEqual([questions[0], questions[2]])
})

test("once a line has not been empty for so long, who joins it waits a moment only; another line is not concerned", async () => {
  const time = handTime()
  const { waitMs, overloadedWaitMs } = askQueueLimits
  const queue = openAskQueue({ ...askQueueLimits, atWork: 1 }, time)
  const { signal } = new AbortController()
  queue.enter()
  const wait = (project: string) => queue.wait(project, signal).catch(() => {})
  const crowd = [wait("crowded")]
  time.nowMs = waitMs - 1
  crowd.push(wait("crowded"))
  time.nowMs = waitMs
  crowd.push(wait("crowded"), wait("quiet"))
  expect(time.waits.map(({ ms }) => ms)).toEqual([waitMs, waitMs, overloadedWaitMs, waitMs])
  for (const { over } of time.waits) over()
  await Promise.all(crowd)
  void wait("crowded")
  expect(time.waits.at(-1)?.ms).toBe(waitMs)
})

test("a question whose visitor went away while it waited is not looked at, and takes no place of the limits", async () => {
  await using slow = await slowSite()
  const [first] = await slow.askInOrder([{ question: questions[0] }])
  const page = new AbortController()
  const gone = askFrom(slow.site, page.signal, questions[1])
  await slow.came(2)
  page.abort()
  expect(await gone).toBe("gone")
  await slow.left(1)
  const [third] = await slow.askInOrder([{ question: questions[2] }])
  slow.letGo()
  expect(await statusesOf([first, third] as Promise<Reply>[])).toEqual([200, 200])
  expect(slow.begun).toEqual([questions[0], questions[2]])
  expect(await slow.site.app.db.selectFrom("recent_ask").selectAll().execute()).toHaveLength(2)
})

test("a visitor who goes away while the answer is made frees the place for the next one", async () => {
  await using slow = await slowSite()
  const page = new AbortController()
  const gone = askFrom(slow.site, page.signal, questions[0])
  await eventually(async () => slow.begun.length === 1)
  const [next] = await slow.askInOrder([{ question: questions[1] }])
  page.abort()
  expect(await gone).toBe("gone")
  // The first answer is never let go before the second has begun.
  await eventually(async () => slow.begun.length === 2)
  slow.letGo()
  expect((await next)?.status).toBe(200)
})

test("nothing is retrieved for a visitor who went away before, and the place of the limits is given back", async () => {
  const lookedUp = Promise.withResolvers<AbortSignal>()
  const chosen = Promise.withResolvers<undefined>()
  let retrieved = 0
  const owners: ChosenAnswers = {
    find(_, signal) {
      lookedUp.resolve(signal)
      return chosen.promise
    },
    prepare: async () => {},
  }
  await using site = await aService()
    .withOverrides({ assistant: { chosen: owners, onRetrieved: () => retrieved++ } })
    .withIndexedProject()
    .started()
  const page = new AbortController()
  const asked = askFrom(site, page.signal)
  const signal = await lookedUp.promise
  page.abort()
  expect(await asked).toBe("gone")
  await eventually(async () => signal.aborted)
  chosen.resolve(undefined)
  await noPlaceHeld(site)
  expect(retrieved).toBe(0)
  expect((await site.ask()).status).toBe(200)
  expect(retrieved).toBe(1)
})

test("questions at a model leave the queue to others", async () => {
  const inFlight = Promise.withResolvers<void>()
  await using site = await aService()
    .withOverrides({ assistant: { queue: openAskQueue(patient) } })
    .withModel("openai", {
      ...honest,
      write() {
        inFlight.resolve()
        return { silent: true }
      },
    })
    .started()
  const page = new AbortController()
  const written = askFrom(site, page.signal)
  await inFlight.promise
  expect((await site.ask({ question: "Merci beaucoup !" })).status).toBe(200)
  page.abort()
  expect(await written).toBe("gone")
})

test("trials of the console and the API wait in the line of their project, beside visitors of another one", async () => {
  await using slow = await slowSite({ waiting: 2 })
  const { trial, apiTrial } = await operatorOf(slow.site)
  const other = await slow.otherProject()
  const atWork = trial(questions[0])
  await slow.came(1)
  const waiting = apiTrial(questions[1])
  await slow.came(2)
  const [visitor] = await slow.askInOrder([other])
  // The queue is full: each face says so at once, in a sentence.
  expect((await apiTrial(questions[2])).body.error.code).toBe("unavailable")
  const { status, text } = await trial(questions[2])
  expect(status).toBe(503)
  expect(text).toContain("L’assistant ne répond pas pour le moment.")
  slow.letGo()
  expect((await atWork).status).toBe(200)
  expect((await waiting).status).toBe(200)
  expect((await visitor)?.status).toBe(200)
})

/** Tries questions through both faces, as an owner of the site's workspace. */
async function operatorOf({ service, project }: Site) {
  const client = await signedIn(service)
  const api = await apiOf(service)
  return {
    trial: (question: string) => client.post(`/console/projects/${project.id}/trials`, { question }),
    apiTrial: (question: string) => api.post(`/api/v1/projects/${project.id}/trials`, { question }),
  }
}
