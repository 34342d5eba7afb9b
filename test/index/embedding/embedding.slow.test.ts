import { describe, expect, test } from "bun:test"
import { Refusal } from "../../../src/base/errors.ts"
import { guichet } from "../../support/cli.ts"
import {
  type Documentation,
  dirFeed,
  documentation,
  indexFeeds,
  newProject,
} from "../../support/documentation.ts"
import { honest } from "../../support/models/behaviour.ts"
import {
  type ModelServer,
  type ProviderName,
  providers,
  startModelServer,
} from "../../support/models/server.ts"
import { shortPauses } from "../../support/models/site.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

// Vectors are paid for once: unchanged passages are not sent again.

interface Started extends AsyncDisposable {
  server: ModelServer
  service: Service
  pages: Documentation
  index(): ReturnType<typeof indexFeeds>
}

async function start(provider: ProviderName, environment: Record<string, string> = {}): Promise<Started> {
  const server = startModelServer(provider)
  const service = await aService()
    .withSettings({ ...server.environment, ...environment })
    .withOverrides({ modelLimits: shortPauses })
    .started()
  const project = await newProject(service.app)
  const pages = documentation({ "a.md": "Le zorglub est rouge.", "b.md": "Le quinoa est vert." })
  const feed = await dirFeed(service.app, project, pages)
  return {
    server,
    service,
    pages,
    index: () => indexFeeds(service.app, project, [feed]),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      pages[Symbol.dispose]()
    },
  }
}

const vectorRows = ({ service }: Started) =>
  service.app.db.selectFrom("passage_vector").select(["hash", "model"]).execute()

describe.each(providers)("%s", (provider) => {
  test("re-indexing pays only for changed passages, and deletes vectors of passages that are gone", async () => {
    await using started = await start(provider)
    const { server, pages, index } = started
    expect((await index()).spent).toMatchObject({ embedded: 2, reused: 0, requests: 1 })
    expect(server.embedded.map((text) => text.split("\n").at(-1))).toEqual([
      "Le zorglub est rouge.",
      "Le quinoa est vert.",
    ])
    server.embedded.length = 0
    pages.write({ "b.md": "Le quinoa est jaune." })
    const { spent } = await index()
    expect(spent).toMatchObject({ embedded: 2, reused: 1, requests: 1 })
    expect(server.embedded).toHaveLength(1)
    expect(spent?.characters).toBe((server.embedded[0] as string).length)
    expect(await vectorRows(started)).toHaveLength(2)
    // Nothing changed, so nothing is built.
    expect((await index()).spent).toBeUndefined()
  })

  test("a rate limit is waited for; vectors already paid for are kept when it does not pass", async () => {
    await using started = await start(provider)
    const { server, index } = started
    let calls = 0
    server.behaviour = {
      ...honest,
      embed: (texts) => (++calls === 1 ? { status: 503 } : (honest.embed(texts) as number[][])),
    }
    expect((await index()).spent).toMatchObject({ embedded: 2, requests: 2 })
    expect(calls).toBe(2)
    server.behaviour = { ...honest, embed: () => ({ status: 400 }) }
    started.pages.write({ "c.md": "La brume est grise." })
    const failure = await index().catch((error) => error)
    expect(failure).toBeInstanceOf(Refusal)
    expect(failure.message).toContain("the server refuses the request")
    expect(await vectorRows(started)).toHaveLength(2)
    // The previous index still answers.
    expect(await started.service.app.indexes.staleIndexes({ files: true })).toEqual([])
  })

  test("vectors of a wrong number, size or type are rejected", async () => {
    for (const vectors of [
      [],
      [[1, 2]],
      [[1], [1, 2]],
      [
        [0, 0],
        [1, 2],
      ],
      [["x"], ["y"]],
    ]) {
      await using started = await start(provider)
      started.server.behaviour = { ...honest, embed: () => vectors as number[][] }
      expect((await started.index().catch((error) => error)).message).toContain("garbled")
    }
  })

  test("vectors are scaled to length 1", async () => {
    await using started = await start(provider)
    started.server.behaviour = { ...honest, embed: (texts) => texts.map(() => [3, 4]) }
    await started.index()
    const { vector } = await started.service.app.db
      .selectFrom("passage_vector")
      .select("vector")
      .executeTakeFirstOrThrow()
    expect([...new Float32Array(vector.slice().buffer)]).toEqual([Math.fround(0.6), Math.fround(0.8)])
  })

  test("another model means a rebuild", async () => {
    await using started = await start(provider)
    await started.index()
    const { dataDir } = started.service.app.config
    await using other = await aService()
      .withSettings({
        ...started.server.environment,
        GUICHET_DATA_DIR: dataDir,
        GUICHET_GEMINI_EMBEDDING_MODEL: "another",
        GUICHET_OPENAI_EMBEDDING_MODEL: "another",
      })
      .withOverrides({ modelLimits: shortPauses })
      .started()
    expect(await other.app.indexes.staleIndexes({ files: false })).toHaveLength(1)
  })
})

test("Gemini's batches hold 100 texts as documents; a question is sent alone, as a query", async () => {
  await using started = await start("gemini")
  const { server, pages, index, service } = started
  pages.write(
    Object.fromEntries(Array.from({ length: 119 }, (_, at) => [`p${at}.md`, `Le mot est mot${at}.`])),
  )
  expect((await index()).spent).toMatchObject({ embedded: 121, requests: 2 })
  expect(server.requests.map(({ path, body }) => [path, body.requests.length])).toEqual([
    ["/v1beta/models/test-embedder:batchEmbedContents", 100],
    ["/v1beta/models/test-embedder:batchEmbedContents", 21],
  ])
  expect(server.requests[0]?.body.requests[0]).toMatchObject({
    taskType: "RETRIEVAL_DOCUMENT",
    outputDimensionality: 768,
  })
  await service.app.assistant.understanding?.vectorOf("Quel mot ?", new AbortController().signal)
  expect(server.requests.at(-1)).toMatchObject({
    path: "/v1beta/models/test-embedder:embedContent",
    body: { taskType: "RETRIEVAL_QUERY" },
  })
})

test("the command index shows the cost of vectors, and eval scores the written answers", async () => {
  await using started = await start("openai")
  const { server, service, pages } = started
  const environment = { ...server.environment, GUICHET_DATA_DIR: service.app.config.dataDir }
  const { id } = await newProject(service.app)
  const command = ["index", id, "--dir", pages.path, "--base-url", "https://docs.exemple.fr"]
  const { stdout, exitCode } = await guichet([...command, "--json"], environment)
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout).embedding).toEqual({
    embedded: 2,
    reused: 0,
    requests: 1,
    characters: server.embedded.join("").length,
  })
  await Bun.write(
    `${pages.path}/questions.jsonl`,
    `${JSON.stringify({ id: "1", question: "De quelle couleur est le zorglub ?", answerable: true, pages: ["a"], kind: "direct" })}\n`,
  )
  const scored = await guichet(["eval", id, `${pages.path}/questions.jsonl`, "--json"], environment)
  expect(JSON.parse(scored.stdout)).toMatchObject({ hit1: 1, cited: 1, answered: { direct: 1 } })
})
