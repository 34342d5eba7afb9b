import { endpointShown, withFailing } from "../../api/endpoints.ts"
import type { App } from "../../app.ts"
import { detail, required } from "../../base/errors.ts"
import { listEndpoints, requireEndpoint, workspaceOfEndpoint } from "../../webhooks/endpoints/endpoint.ts"
import { testEndpoint } from "../../webhooks/messages/operations.ts"
import { defineDataCommand } from "../kit/open.ts"
import { requireWorkspace } from "../workspace.ts"

/** For the argument that names an endpoint, of every command. */
export const aboutEndpoint = "identifier of the endpoint, which guichet endpoint list shows"

export const endpointList = defineDataCommand({
  about: "lists the endpoints that webhooks are sent to, newest first",
  options: {
    workspace: { value: "ID", about: "workspace whose endpoints are listed; the default one without it" },
  },
  async run({ app, options }) {
    const endpoints = await listEndpoints(app.db, await requireWorkspace(app, options.workspace))
    const items = (await withFailing(app, endpoints)).map(endpointShown.json)
    const lines = items.map(({ id, active, url, description }) =>
      [id, active ? "active" : "inactive", url, description].filter(Boolean).join("  "),
    )
    return { json: { items }, text: lines }
  },
})

export const endpointShow = defineDataCommand({
  about: "shows one endpoint",
  args: { id: aboutEndpoint },
  async run({ app, args }) {
    const endpoint = await requireEndpoint(app.db, await workspaceWith(app, args.id), args.id)
    const [shown = {}] = (await withFailing(app, [endpoint])).map(endpointShown.json)
    const lines = Object.entries(shown).map(
      ([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    )
    return { json: shown, text: lines }
  },
})

export const endpointTest = defineDataCommand({
  about: "sends an endpoint a message with invented data and prints its delivery",
  details: "The running service sends it.",
  args: { id: aboutEndpoint },
  async run({ app, args: { id }, perform }) {
    const { deliveryId } = await perform(testEndpoint, await workspaceWith(app, id), { endpoint: id })
    return { json: { delivery_id: deliveryId }, text: deliveryId, notes: [attemptsNote(deliveryId)] }
  },
})

/** The service makes the attempts, after the command has ended. */
export function attemptsNote(deliveryId: string): string {
  return `guichet delivery show ${deliveryId} shows its attempts`
}

export async function workspaceWith(app: App, endpointId: string): Promise<string> {
  return required(await workspaceOfEndpoint(app.db, endpointId), detail("webhooks.unknownEndpoint"))
}
