import { afterAll, beforeAll, expect, test } from "bun:test"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { type Api, apiOf } from "../../support/api.ts"
import { answerable, foreign, type Site } from "../../support/ask.ts"
import { aService } from "../../support/service-builder.ts"

// POST /mcp/:project: programs ask, search and read by the Model Context Protocol, through the client of its SDK.

let site: Site
let api: Api
let address: URL
beforeAll(async () => {
  site = await aService().withIndexedProject({ mcp_enabled: true }).started()
  api = await apiOf(site.service)
  address = new URL(`/mcp/${site.project.id}`, site.service.url)
})
afterAll(() => site[Symbol.asyncDispose]())

/** The protocol of 2026, which has no handshake, and the one of 2025, which begins with one. */
const versions = {
  "2026-07-28": { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  "2025-11-25": { versionNegotiation: { mode: "legacy" } },
} as const

async function connected(version: keyof typeof versions = "2026-07-28") {
  const client = new Client({ name: "test", version: "1" }, versions[version])
  await client.connect(new StreamableHTTPClientTransport(address))
  return { client, [Symbol.asyncDispose]: () => client.close() }
}

const call = async (client: Client, name: string, given: Record<string, unknown>) => {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given })
  const [first] = content as { text: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: the test asserts the shape
  return { text: first?.text ?? "", told: structuredContent as any, isError: isError === true }
}

for (const version of Object.keys(versions) as (keyof typeof versions)[]) {
  test(`a program of ${version} asks, searches and reads`, async () => {
    await using program = await connected(version)
    const { client } = program
    expect(client.getServerVersion()).toMatchObject({ name: "guichet", title: "Guide" })
    expect(client.getInstructions()).toContain("« Guide »".replaceAll(" ", "\u00a0"))
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(["ask", "search"])
    expect(tools[0]?.description).toContain("la documentation de «\u00a0Guide\u00a0»")

    const asked = await call(client, "ask", { question: answerable })
    expect(asked).toMatchObject({ isError: false, told: { status: "answered" } })
    expect(asked.told.sources.length).toBeGreaterThan(0)
    expect(asked.text).toContain(`[^1]: ${asked.told.sources[0].title}`)
    expect(asked.text).toContain(asked.told.sources[0].url)
    expect(asked.text).toContain(asked.told.id)

    const found = await call(client, "search", { q: "signature webhook", limit: 3 })
    expect(found.told.items).toHaveLength(3)
    const [first] = found.told.items
    expect(first).toEqual({
      title: expect.any(String),
      section: expect.anything(),
      url: expect.stringMatching(/^https:\/\/docs\.exemple\.fr\//),
      excerpt: expect.stringMatching(/signature/i),
    })

    const { contents } = await client.readResource({ uri: first.url })
    expect(contents[0]).toMatchObject({ uri: first.url, mimeType: "text/markdown" })
    expect((contents[0] as { text: string }).text).toStartWith(`# ${first.title}\n\n`)
  })
}

test("a question is kept and counted like a visitor’s, and marked; the conversation goes on by its id", async () => {
  await using program = await connected()
  const first = await call(program.client, "ask", { question: answerable })
  const then = { question: "Et avec PHP ?", previous: [first.told.id] }
  const second = await call(program.client, "ask", then)
  const list = (await api.get(`/api/v1/projects/${site.project.id}/answers?limit=2`)).body.items
  expect(list).toMatchObject([
    { id: second.told.id, question: then.question, conversation: first.told.id, via: "mcp" },
    { id: first.told.id, question: answerable, via: "mcp" },
  ])
  const own = await site.ask()
  expect((await api.get(`/api/v1/projects/${site.project.id}/answers/${own.body.id}`)).body.via).toBeNull()
  const asked = (await api.get(`/api/v1/projects/${site.project.id}/answer-statistics`)).body.asked
  expect(asked).toBeGreaterThanOrEqual(3)
})

test("a question that the documentation does not answer is no error, and has no source", async () => {
  await using program = await connected()
  const reply = await call(program.client, "ask", { question: foreign })
  expect(reply).toMatchObject({ isError: false, told: { status: "no_answer", sources: [] } })
  expect(reply.text).toContain("ne répond pas")
})

test("documents are listed in parts, each one once, and read as Markdown", async () => {
  await using program = await connected()
  const names: string[] = []
  let cursor: string | undefined
  do {
    const part = await program.client.listResources(cursor === undefined ? undefined : { cursor })
    expect(part.resources.length).toBeLessThanOrEqual(100)
    names.push(...part.resources.map(({ uri }) => uri))
    cursor = part.nextCursor
  } while (cursor !== undefined)
  const { documents } = await site.service.app.db
    .selectFrom("generation")
    .select("documents")
    .where("live", "=", 1)
    .executeTakeFirstOrThrow()
  expect(new Set(names).size).toBe(documents)
  expect(names).toHaveLength(documents)
})

test("an unknown tool, resource or cursor, and an argument outside its rule, are told as such", async () => {
  await using program = await connected()
  const { client } = program
  await expect(call(client, "remove", {})).rejects.toMatchObject({ code: -32602 })
  await expect(call(client, "toString", {})).rejects.toMatchObject({ code: -32602 })
  await expect(client.readResource({ uri: "https://docs.exemple.fr/nowhere" })).rejects.toThrow(/no resource/)
  await expect(client.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow(/no resource/)
  await expect(client.listResources({ cursor: "x".repeat(65) })).rejects.toMatchObject({ code: -32602 })
  for (const given of [
    {},
    { question: "x" },
    { question: 5 },
    { question: "y".repeat(1001) },
    { question: answerable, previous: "z" },
  ])
    expect((await call(client, "ask", given)).isError).toBe(true)
  for (const given of [
    {},
    { q: "x" },
    { q: "y".repeat(201) },
    { q: "mot", limit: 11 },
    { q: "mot", limit: "1" },
  ])
    expect(await call(client, "search", given)).toMatchObject({ isError: true, told: undefined })
})

test("everything is told in the language of the project", async () => {
  await using english = await aService().withIndexedProject({ mcp_enabled: true, language: "en" }).started()
  address = new URL(`/mcp/${english.project.id}`, english.service.url)
  try {
    await using program = await connected()
    const { tools } = await program.client.listTools()
    expect(tools.map(({ title }) => title)).toEqual(["Ask a question", "Search passages"])
    const wrong = await call(program.client, "ask", { question: "x" })
    expect(wrong.text).toBe("The question has fewer than 2 characters.")
  } finally {
    address = new URL(`/mcp/${site.project.id}`, site.service.url)
  }
})
