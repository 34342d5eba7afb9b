import { expect, test } from "bun:test"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { applyProjectChange } from "../../../src/accounts/project.ts"
import { twoNodes } from "../../support/nodes.ts"
import { createDatabase } from "../../support/postgres.ts"
import { noPostgres } from "../../support/postgres-server.ts"

test.skipIf(noPostgres())("each request of a program may reach another node", async () => {
  await using nodes = await twoNodes({ database: await createDatabase() })
  await nodes.indexOn(0)
  await nodes.opened(1)
  const { id } = nodes.project
  await applyProjectChange(nodes.app(0).db, id, { mcp_enabled: true })
  let requests = 0
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "legacy" } })
  const transport = new StreamableHTTPClientTransport(new URL(`${nodes.service(0).url}/mcp/${id}`), {
    fetch: (url, init) => {
      const node = nodes.service(requests++ % 2)
      return fetch(new URL(new URL(url).pathname, node.url), init)
    },
  })
  await client.connect(transport)
  for (let turn = 0; turn < 2; turn++) {
    const asked = await client.callTool({ name: "ask", arguments: { question: "Quel est le mot secret ?" } })
    expect(asked.structuredContent).toMatchObject({ status: "answered" })
    expect((await client.listResources()).resources.length).toBeGreaterThan(0)
  }
  expect(requests).toBeGreaterThan(4)
  await client.close()
})
