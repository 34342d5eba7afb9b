import { afterEach, describe, expect, test } from "bun:test"
import { parseSentences } from "../../../src/answering/generative/parse-sentences.ts"
import { gemini } from "../../../src/answering/llm/gemini.ts"
import { modelLimits } from "../../../src/answering/llm/limits.ts"
import { openModelClient } from "../../../src/answering/llm/model-client.ts"
import { openai } from "../../../src/answering/llm/openai.ts"
import type { Provider } from "../../../src/answering/llm/provider.ts"
import { readConfig } from "../../../src/config/config.ts"
import { openAuthorities } from "../../../src/outbound/authorities.ts"
import { inEnglish } from "../../../src/wording/english.ts"
import { movableClock } from "../../support/clock.ts"
import { timesPlainWork } from "../../support/processor.ts"

// A hostile or broken model server costs one answer, and nothing else.

const network = {
  authorities: openAuthorities({ file: undefined, folders: undefined, extraFile: undefined }),
  proxy: undefined,
  inWords: inEnglish,
}

let server: ReturnType<typeof Bun.serve> | undefined
afterEach(() => server?.stop(true))

/** Serves the APIs of both providers below a path. */
function serving(
  respond: (provider: "gemini" | "openai") => Response,
): Record<"gemini" | "openai", Provider> {
  const paths: Record<string, "gemini" | "openai"> = {
    "/a/path/v1/chat/completions": "openai",
    "/a/path/v1/embeddings": "openai",
    "/a/path/v1beta/models/m:streamGenerateContent": "gemini",
    "/a/path/v1beta/models/e:embedContent": "gemini",
  }
  const own = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const provider = paths[new URL(request.url).pathname]
      return provider ? respond(provider) : new Response(null, { status: 404 })
    },
  })
  server = own
  const url = `http://127.0.0.1:${own.port}/a/path`
  return {
    gemini: gemini({ key: () => "k", model: "m", embeddingModel: "e", baseUrl: url }, network),
    openai: openai({ key: () => "k", model: "m", embeddingModel: "e", baseUrl: `${url}/v1` }, network),
  }
}

const event = {
  gemini: (text: string) =>
    `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text }] }, finishReason: "STOP" }] })}\r\n\r\n`,
  openai: (text: string) =>
    `data: ${JSON.stringify({ choices: [{ delta: { content: text }, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`,
}
const prompt = { system: "", user: "", schema: { type: "object", properties: {} } } as const
const signal = new AbortController().signal

async function textOf(provider: Provider): Promise<string> {
  let text = ""
  for await (const piece of provider.write(prompt, signal)) text += piece
  return text
}

describe.each(["gemini", "openai"] as const)("%s", (name) => {
  test("events cut in the middle of a character", async () => {
    const bytes = new TextEncoder().encode(event[name]("é, 漢字 et 🦊"))
    const body = () =>
      new ReadableStream<Uint8Array>({
        async start(controller) {
          for (const byte of bytes) {
            controller.enqueue(Uint8Array.of(byte))
            if (byte > 127) await Bun.sleep(1)
          }
          controller.close()
        },
      })
    const providers = serving(() => new Response(body()))
    expect(await textOf(providers[name])).toBe("é, 漢字 et 🦊")
  })

  test("a compressed reply is read, and one that unpacks to more than the limit is dropped", async () => {
    const headers = { "content-encoding": "gzip", "content-type": "text/event-stream" }
    let text = event[name]("Bien.")
    const providers = serving(() => new Response(Bun.gzipSync(text), { headers }))
    expect(await textOf(providers[name])).toBe("Bien.")
    text = `data: ${" ".repeat(20_000_000)}`
    expect(textOf(providers[name])).rejects.toMatchObject({ kind: "too_large" })
  })

  test("a Retry-After of a year is cut to minutes", async () => {
    const headers = { "retry-after": "31536000" }
    const providers = serving(() => Response.json({}, { status: 429, headers }))
    expect(textOf(providers[name])).rejects.toMatchObject({ kind: "limited", retryAfterMs: 300_000 })
  })
})

test.each([
  ["far away", [{ index: 4_294_967_294, embedding: [1] }]],
  ["that is no number", [{ index: "a", embedding: [1] }]],
  [
    "twice",
    [
      { index: 0, embedding: [1] },
      { index: 0, embedding: [2] },
    ],
  ],
  ["and nothing else", [null]],
  ["missing, a hundred thousand times", Array(100_000).fill({})],
])("a vector whose place is %s takes no time", async (_, data) => {
  const { openai } = serving(() => Response.json({ data }))
  const embed = async () => expect(await openai.embed(["a"], "document", signal)).toHaveLength(data.length)
  expect(await timesPlainWork(embed, 80)).toBeLessThan(80)
})

test("a million vectors for one text take no time", async () => {
  const { openai } = serving(() => new Response(`{"data":[${Array(1_000_000).fill("{}").join(",")}]}`))
  const embed = async () => expect(await openai.embed(["a"], "document", signal)).toHaveLength(1_000_000)
  expect(await timesPlainWork(embed, 300)).toBeLessThan(300)
})

test("a reply of too many events is dropped", async () => {
  const { openai } = serving(() => new Response("data: {}\n\n".repeat(100_000)))
  await expect(textOf(openai)).rejects.toMatchObject({ kind: "too_large" })
})

test("a reply of too many pieces is dropped, and the event loop runs while it comes", async () => {
  async function* write() {
    for (;;) yield "a"
  }
  const provider: Provider = { name: "m", embeddingName: undefined, write, embed: async () => [] }
  const client = openModelClient(provider, movableClock(), modelLimits)
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  let pieces = 0
  const read = async () => {
    for await (const _ of client.write(prompt, signal)) pieces++
  }
  await expect(read()).rejects.toMatchObject({ kind: "too_large" })
  clearInterval(timer)
  expect(pieces).toBeGreaterThan(8192)
  expect(turns).toBeGreaterThan(10)
})

test("vectors come in any order", async () => {
  const data = [
    { index: 1, embedding: [2] },
    { index: 0, embedding: [1] },
  ]
  const { openai } = serving(() => Response.json({ data }))
  expect(await openai.embed(["a", "b"], "document", signal)).toEqual([[1], [2]])
})

test("an error body full of blanks between its names takes no time", async () => {
  const body = `{"code"${" ".repeat(100_000)}${'"type" '.repeat(100_000)}}`
  const { openai } = serving(() => new Response(body, { status: 500 }))
  const read = () => expect(textOf(openai)).rejects.toMatchObject({ kind: "server" })
  expect(await timesPlainWork(read, 80)).toBeLessThan(80)
})

test.each(["```json\nJSON\n```", "\n``` \nJSON```\n", "```\n\n JSON \n\n```  ", "JSON"])(
  "JSON is read in %j",
  async (written) => {
    const json = written.replace("JSON", answer({ text: "a", sources: [1] }))
    expect(await sentences(json)).toEqual([{ text: "a", sources: [1] }])
  },
)

test("a fence of nothing but blanks takes no time", async () => {
  const fence = `\`\`\`${" \n".repeat(30_000)}x`
  const read = () => expect(sentences(fence)).rejects.toMatchObject({ kind: "not_json" })
  expect(await timesPlainWork(read, 80)).toBeLessThan(80)
})

async function sentences(json: string) {
  const found: unknown[] = []
  async function* pieces() {
    yield json
  }
  for await (const sentence of parseSentences(pieces())) found.push(sentence)
  return found
}
const answer = (...sentences: unknown[]) => JSON.stringify({ answerable: true, sentences })

test("the number of a source may be a string", async () => {
  expect(await sentences(answer({ text: "a", sources: ["1", 2] }))).toEqual([{ text: "a", sources: [1, 2] }])
})

test.each([
  ["thousands of sentences", answer(...Array(1500).fill({ text: "a", sources: [1] })), "wrong_schema"],
  ["JSON nested without end", `{"answerable":true,"sentences":${"[".repeat(30_000)}`, "not_json"],
  [
    "nested JSON that ends",
    `{"answerable":true,"sentences":${"[".repeat(9000)}${"]".repeat(9000)}}`,
    "wrong_schema",
  ],
  ["a source that is an object", answer({ text: "a", sources: [{ n: 1 }] }), "wrong_schema"],
  ["a source in words", answer({ text: "a", sources: ["passage 1"] }), "wrong_schema"],
  ["an object in place of a text", answer({ text: { text: "a" }, sources: [1] }), "wrong_schema"],
])("%s", async (_, json, kind) => {
  expect(sentences(json)).rejects.toMatchObject({ kind })
})

test.each(["a\nb", "a b", "clé"])("a key that cannot travel, %j, stops the start with its name", (key) => {
  const environment = { GUICHET_MODEL: "gemini", GEMINI_API_KEY: key }
  expect(() => readConfig(environment)).toThrow("GEMINI_API_KEY holds white space or other characters")
})
