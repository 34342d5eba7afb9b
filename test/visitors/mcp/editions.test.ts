import { expect, test } from "bun:test"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { editions, ofVersion2, pathOf, port, versionedSite } from "../../support/editions.ts"

test("a program names the version that it asks and searches, else it gets the first", async () => {
  await using site = await versionedSite({ editions, mcp_enabled: true })
  const client = new Client({ name: "test", version: "1" })
  await client.connect(new StreamableHTTPClientTransport(new URL(`/mcp/${site.projectId}`, site.url)))
  try {
    const call = async (name: string, given: Record<string, unknown>) => {
      const { structuredContent, isError } = await client.callTool({ name, arguments: given })
      // biome-ignore lint/suspicious/noExplicitAny: the test asserts the shape
      return { told: structuredContent as any, isError: isError === true }
    }
    const { tools } = await client.listTools()
    for (const { inputSchema } of tools)
      expect(inputSchema.properties).toHaveProperty("edition.enum", ["v2", "v1"])
    const answerIn = async (edition?: string) =>
      (await call("ask", { question: port, ...(edition && { edition }) })).told.answer
    expect(await answerIn("v1")).toContain("3000")
    expect(await answerIn("v2")).toContain("4000")
    expect(await answerIn()).toContain("4000")
    const { told } = await call("search", { q: ofVersion2, edition: "v1" })
    for (const path of told.items.map(pathOf)) expect(path).not.toStartWith("/v2/")
    for (const edition of ["v3", 7, { $ne: 1 }, { toString: 1 }])
      expect((await call("ask", { question: port, edition })).isError).toBe(true)
  } finally {
    await client.close()
  }
})
