import type { CallToolResult, McpHttpHandler } from "@modelcontextprotocol/server"
import packageFile from "../../../package.json" with { type: "json" }
import { Refusal } from "../../base/errors.ts"
import { showPage } from "../../indexing/shown-page.ts"
import { listDocuments } from "../../owners/published/list-documents.ts"
import { pageMarkdown } from "../../reading/formats/outline.ts"
import { programNames, programWords, sentence } from "../../wording/programs/programs.ts"
import { ask, type ProgramCall, search } from "./tools.ts"

/** Documents of one part of the list of resources. */
const listedAtOnce = 100
const invalidParams = -32_602
const internalError = -32_603
const resourceNotFound = -32_002

/** The SDK is loaded with the first request: it takes 27 MB, and most projects are closed to programs. */
export async function mcpServer(call: ProgramCall): Promise<McpHttpHandler> {
  const { createMcpHandler, ProtocolError, Server } = await import("@modelcontextprotocol/server")
  const { assistant, project } = call
  const words = programWords(project)
  const names = programNames(project)
  const tools = { ask: ask(call), search: search(call) }

  const refusalSentence = (error: unknown) => sentence(call.refusalOf(error).detail, project.language)

  /** The program's model reads what was wrong, and may do better. */
  function refused(error: unknown): CallToolResult {
    return { content: [{ type: "text", text: refusalSentence(error) }], isError: true }
  }

  /** For any other error the SDK would send the message, which may hold a statement or a path. */
  const protocolError = (error: unknown, code: number) =>
    new ProtocolError(error instanceof Refusal ? code : internalError, refusalSentence(error))

  function server() {
    const server = new Server(
      { name: "guichet", version: packageFile.version, title: project.name, websiteUrl: project.site },
      { capabilities: { tools: {}, resources: {} }, instructions: words.instructions(names) },
    )
    server.setRequestHandler("tools/list", () => ({
      tools: Object.values(tools).map(({ described }) => described),
    }))
    server.setRequestHandler("tools/call", async ({ params: { name, arguments: given = {} } }) => {
      if (!Object.hasOwn(tools, name)) throw new ProtocolError(invalidParams, `no tool ${name.slice(0, 100)}`)
      return tools[name as keyof typeof tools].run(given).catch(refused)
    })
    server.setRequestHandler("resources/list", async ({ params }) => {
      const part = { cursor: params?.cursor, atMost: listedAtOnce }
      const { documents, next } = await listDocuments(assistant.db, project.id, part).catch((error) => {
        throw protocolError(error, invalidParams)
      })
      return {
        resources: documents.map(({ url, title }) => ({
          uri: url,
          name: title,
          mimeType: "text/markdown",
        })),
        ...(next !== undefined && { nextCursor: next }),
      }
    })
    server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }))
    server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
      const page = await showPage(assistant.db, project.id, uri).catch((error) => {
        throw protocolError(error, invalidParams)
      })
      if (!page || !("read" in page))
        throw new ProtocolError(resourceNotFound, `no resource ${uri.slice(0, 200)}`)
      return { contents: [{ uri, mimeType: "text/markdown", text: pageMarkdown(page.read) }] }
    })
    return server
  }

  // The server announces no changes, so it takes no subscriptions.
  return createMcpHandler(server, { maxSubscriptions: 0 })
}
