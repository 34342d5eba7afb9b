import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { answerable, foreign } from "../../support/ask.ts"
import { type Behaviour, honest, type Received, reply } from "../../support/models/behaviour.ts"
import { key, providers } from "../../support/models/server.ts"
import type { ModelSite } from "../../support/models/site.ts"
import { aService } from "../../support/service-builder.ts"

// A model writes the answer, and every sentence still cites passages of the index.

const signature = "Comment vérifier la signature d’un webhook ?"

/** Records the prompts, and answers by `answer`. */
function recording(answer: (received: Received) => ReturnType<Behaviour["write"]> = honest.write) {
  const prompts: Received[] = []
  const write: Behaviour["write"] = (received) => {
    prompts.push(received)
    return answer(received)
  }
  return { ...honest, write, prompts }
}

describe.each(providers)("%s", (provider) => {
  let site: ModelSite
  beforeAll(async () => {
    site = await aService().withModel(provider).started()
  })
  afterAll(() => site[Symbol.asyncDispose]())

  test("answers from the passages, with true sources and markers of our own", async () => {
    const { status, body } = await site.ask()
    expect(status).toBe(200)
    expect(body.status).toBe("answered")
    const markers = [...body.answer.matchAll(/\[\^(\d+)\]/g)].map(([, n]) => Number(n))
    expect([...new Set(markers)]).toEqual(body.sources.map(({ n }: { n: number }) => n))
    for (const { url } of body.sources) expect(url).toStartWith("https://docs.exemple.fr/")
  })

  test("a foreign question is refused before the model is paid", async () => {
    const behaviour = recording()
    site.server.behaviour = behaviour
    expect((await site.ask({ question: foreign })).body.status).toBe("no_answer")
    expect(behaviour.prompts).toEqual([])
  })

  test("a follow-up is made standalone by one short call, and retrieval searches both forms", async () => {
    const behaviour = recording()
    site.server.behaviour = behaviour
    const { body: first } = await site.ask({ question: signature })
    behaviour.prompts.length = 0
    site.server.embedded.length = 0
    const { body } = await site.ask({ question: "et en Python ?", previous: [first.id] })
    expect(body.status).toBe("answered")
    const [rewriting, writing, ...rest] = behaviour.prompts
    expect(rest).toEqual([])
    expect(rewriting?.data.map(({ name }) => name)).toEqual(["earlier conversation", "last question"])
    const standalone = writing?.data.find(({ name }) => name === "question in full")?.text
    expect(standalone).toBe(`et en Python ? (${signature})`)
    expect(site.server.embedded).toEqual([standalone as string])
    expect(writing?.data.find(({ name }) => name === "earlier conversation")?.text).toContain(signature)
    expect(writing?.data.find(({ name }) => name === "passage 1")?.text.toLowerCase()).toContain("signature")
  })

  test("a follow-up that cannot be made standalone is answered all the same", async () => {
    const { body: first } = await site.ask({ question: signature })
    site.server.behaviour = recording((received) =>
      received.system.startsWith("You rewrite") ? { status: 500 } : honest.write(received),
    )
    site.log.length = 0
    const { body } = await site.ask({ question: "et pour le vérifier en Node ?", previous: [first.id] })
    expect(body.status).toBe("answered")
    expect(site.log.some(({ message }) => message.includes("not made standalone"))).toBe(true)
  })

  test("a question is embedded once; without its vector, words alone find passages", async () => {
    site.server.behaviour = honest
    site.server.embedded.length = 0
    const asked = "Comment changer le secret d’un webhook sans coupure ?"
    await site.ask({ question: asked })
    expect(site.server.embedded).toEqual([asked])
    site.log.length = 0
    site.server.behaviour = { ...honest, embed: () => ({ status: 500 }) }
    expect((await site.ask({ question: "Comment changer le secret d’un endpoint ?" })).body.status).toBe(
      "answered",
    )
    expect(site.log.find(({ message }) => message.includes("words alone"))?.reason).toContain("server (500")
    expect(JSON.stringify(site.log)).not.toContain("endpoint")
  })

  test("the key is sent in a header only, and no log has it", async () => {
    site.server.behaviour = honest
    await site.ask({ question: "Comment installer Guichet ?" })
    expect(JSON.stringify(site.server.requests)).not.toContain(key)
    expect(JSON.stringify(site.log)).not.toContain(key)
  })

  test("check tries the key and both models", async () => {
    site.server.behaviour = honest
    const { models } = site.service.app
    const signal = new AbortController().signal
    const ok = [
      { model: expect.stringContaining("test-writer"), ok: true, problem: "" },
      { model: expect.stringContaining("test-embedder"), ok: true, problem: "" },
    ]
    expect(await models?.check(signal)).toEqual(ok)
    site.server.behaviour = { write: () => ({ status: 403 }), embed: () => ({ status: 404 }) }
    expect(await models?.check(signal)).toMatchObject([
      { ok: false, problem: expect.stringContaining("the key is refused") },
      { ok: false, problem: expect.stringContaining("no such model") },
    ])
  })
})

test("a model that cannot answer gives no_answer, and so does one without a verified sentence", async () => {
  const none = recording(() => reply({ answerable: false, sentences: [] }))
  await using site = await aService().withModel("gemini", none).started()
  expect((await site.ask()).body).toMatchObject({ status: "no_answer", sources: [] })
  site.server.behaviour = recording(() =>
    reply({ answerable: true, sentences: [{ text: "Faux.", sources: [77] }] }),
  )
  expect((await site.ask({ question: signature.replace("un", "le") })).body).toMatchObject({
    status: "no_answer",
    sources: [],
  })
  expect(none.prompts).toHaveLength(1)
})

test("the model is told to answer in the question's language", async () => {
  const behaviour = recording()
  await using site = await aService().withModel("openai", behaviour).started()
  await site.ask({ question: "How do I verify the signature of a webhook in Node ?" })
  expect(behaviour.prompts[0]?.system).toContain("in the language of the question")
  expect(behaviour.prompts[0]?.data.at(-1)).toEqual({
    name: "question",
    text: "How do I verify the signature of a webhook in Node ?",
  })
})

test("GUICHET_MODEL_FALLBACK=extractive prefers an extractive answer to a 503; the next asks the model again", async () => {
  const failing = { ...honest, write: () => ({ status: 403 }) }
  await using site = await aService()
    .withSettings({ GUICHET_MODEL_FALLBACK: "extractive" })
    .withModel("gemini", failing)
    .started()
  const { status, body } = await site.ask()
  expect({ status, answered: body.status }).toEqual({ status: 200, answered: "answered" })
  const line = site.log.find(({ message }) => message.startsWith("answered from the documentation"))
  expect(line?.reason).toContain("the key is refused")
  // A question that the extractive answerer would refuse stays refused.
  expect((await site.ask({ question: "Quel tarif pour un webhook mensuel ?" })).body.status).toBe("no_answer")
  const behaviour = recording()
  site.server.behaviour = behaviour
  await site.ask()
  expect(behaviour.prompts).toHaveLength(1)
  await site.ask({ question: answerable })
  expect(behaviour.prompts).toHaveLength(1)
})
