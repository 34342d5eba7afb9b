import { expect, test } from "bun:test"
import { sql } from "kysely"
import { aService } from "../../support/service-builder.ts"

// What programs are told of an error that nobody foresaw: that it happened, and nothing of what it says.

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }

test("the message of a defect goes to no program, which the log has", async () => {
  await using site = await aService().withIndexedProject({ mcp_enabled: true }).started()
  const send = async (method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    return JSON.stringify((await site.send({ headers, body }, `/mcp/${site.project.id}`)).body)
  }
  const { db } = site.service.app
  const rename = (from: string, to: string) =>
    db.transaction().execute((inside) => sql.raw(`ALTER TABLE ${from} RENAME TO ${to}`).execute(inside))
  await rename("document", "document_gone")
  const told = [
    await send("resources/list", {}),
    await send("resources/read", { uri: "https://docs.exemple.fr/installation" }),
  ]
  await rename("document_gone", "document")
  for (const each of told) {
    expect(each).toContain("ne répond pas pour le moment")
    expect(each).not.toMatch(/document_|table|relation|SQL/i)
  }
})
