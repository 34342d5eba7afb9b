import { expect, test } from "bun:test"
import { askQueueLimits, openAskQueue } from "../../../src/answering/ask/queue.ts"
import { apiOf } from "../../support/api.ts"
import { answerable } from "../../support/ask.ts"
import { signedIn } from "../../support/operator.ts"
import { eventually } from "../../support/processes.ts"
import { aService } from "../../support/service-builder.ts"

// What operators look for has its turn among the questions of visitors.

/** A site where one question is at work at a time and none waits, with how often one found no place. */
async function crowdedSite() {
  const queue = openAskQueue({ ...askQueueLimits, atWork: 1, waiting: 0 })
  let refused = 0
  const counted: typeof queue = {
    enter: () => (crowded.placesLeft-- > 0 ? queue.enter() : undefined),
    wait(project, signal) {
      refused++
      return queue.wait(project, signal)
    },
  }
  const site = await aService()
    .withOverrides({ assistant: { queue: counted } })
    .withIndexedProject()
    .started()
  const crowded = {
    site,
    /** Then visitors take every place. */
    placesLeft: Number.POSITIVE_INFINITY,
    /** As a visitor's question does. */
    takePlace: () => queue.enter() as () => void,
    refused: () => refused,
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  }
  return crowded
}

test("an evaluation that finds no place beside visitors asks again, and ends as it would without them", async () => {
  await using crowded = await crowdedSite()
  const api = await apiOf(crowded.site.service)
  const base = `/api/v1/projects/${crowded.site.project.id}`
  for (const question of [answerable, "Comment sauvegarder les données ?"])
    await api.post(`${base}/evaluation-questions`, { question, text: "e" })
  const leave = crowded.takePlace()
  const { id } = (await api.post(`${base}/evaluation-runs`)).body
  await eventually(async () => crowded.refused() > 0)
  expect((await api.get(`${base}/evaluation-runs/${id}`)).body.ended_at).toBeNull()
  leave()
  const run = async () => (await api.get(`${base}/evaluation-runs/${id}`)).body
  await eventually(async () => (await run()).ended_at !== null)
  expect(await run()).toMatchObject({ total: 2, passed: 2 })
})

test("passages to cite are looked for in turn with visitors: a crowd costs the page its offers, not itself", async () => {
  await using crowded = await crowdedSite()
  const client = await signedIn(crowded.site.service)
  const page = `/console/projects/${crowded.site.project.id}/questions/chosen/new?question=${encodeURIComponent(answerable)}`
  const offered = async () => {
    const { status, text } = await client.get(page)
    expect(status).toBe(200)
    return text.includes('name="source" value="https://docs.exemple.fr/')
  }
  const leave = crowded.takePlace()
  expect(await offered()).toBe(false)
  leave()
  expect(await offered()).toBe(true)
  // The place is free again.
  expect(await offered()).toBe(true)
})

test("gaps that are asked again show what there was a place for", async () => {
  await using crowded = await crowdedSite()
  const { site } = crowded
  const client = await signedIn(site.service)
  for (const question of ["Où garer un vélo ?", "Qui cuit la tarte aux pommes ?"])
    expect((await site.ask({ question })).body.status).toBe("no_answer")
  const again = async (places: number) => {
    crowded.placesLeft = places
    return client.post(`/console/projects/${site.project.id}/questions/gaps/trials`)
  }
  const tried = ({ text }: { text: string }) => /(\d) questions? essayées? à nouveau/.exec(text)?.[1]
  expect(tried(await again(2))).toBe("2")
  expect(tried(await again(1))).toBe("1")
  const { status, text } = await again(0)
  expect(status).toBe(503)
  expect(text).toContain("L’assistant ne répond pas pour le moment.")
})
