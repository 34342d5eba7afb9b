import { afterAll, beforeAll, expect, test } from "bun:test"
import { answerable, demo, origin } from "../support/ask.ts"
import { type Binary, buildBinary } from "../support/binary.ts"
import { guichet } from "../support/cli.ts"
import { providers, startModelServer } from "../support/models/server.ts"
import { startServe } from "../support/serve.ts"
import { temporaryFolder } from "../support/service.ts"

let binary: Binary
beforeAll(async () => {
  binary = await buildBinary()
})
afterAll(() => binary[Symbol.dispose]())

test.each(providers)(
  "the built file indexes, checks, answers, streams and stops with %s",
  async (provider) => {
    using folder = temporaryFolder()
    await using server = startModelServer(provider)
    const environment = {
      ...server.environment,
      GUICHET_DATA_DIR: folder.path,
      BUN_TMPDIR: binary.folder,
    }
    const run = (...argv: string[]) => guichet(argv, environment, "", [binary.path])
    const added = await run("project", "add", "--name", "Guide", "--site", origin, "--json")
    const project = JSON.parse(added.stdout).id as string
    const indexed = await run("index", project, "--dir", demo, "--base-url", origin, "--json")
    const { passages, embedding } = JSON.parse(indexed.stdout)
    expect(embedding.embedded).toBe(passages)
    expect(server.embedded.length).toBeGreaterThan(0)

    await using service = await startServe(environment, [binary.path])
    const ask = (accept: string) =>
      fetch(`${service.url}/api/v1/ask`, {
        method: "POST",
        headers: { "content-type": "application/json", origin, accept },
        body: JSON.stringify({ project, question: answerable }),
      })
    const streamed = await (await ask("text/event-stream")).text()
    expect(streamed).toMatch(/^event: sentence\n[\s\S]*\nevent: answer\n/)
    const reply = await (await ask("application/json")).json()
    expect(reply).toMatchObject({ status: "answered" })
    expect(reply.sources[0].n).toBe(1)
    expect(streamed).toContain(JSON.stringify(reply.answer))
    const written = server.requests.filter(({ path }) => !path.includes("mbed"))
    // The second question was answered from the cache.
    expect(written).toHaveLength(1)

    // A model that hangs does not delay the stop beyond its limit.
    server.behaviour = { ...server.behaviour, write: () => ({ silent: true }) }
    const before = server.requests.length
    const hanging = fetch(`${service.url}/api/v1/ask`, {
      method: "POST",
      headers: { "content-type": "application/json", origin },
      body: JSON.stringify({ project, question: `${answerable} En Node ?` }),
    }).catch(() => undefined)
    while (server.requests.length < before + 2) await Bun.sleep(5)
    service.stop()
    expect(await service.exited).toBe(0)
    await hanging
  },
)
