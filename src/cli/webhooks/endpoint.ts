import { endpointShown, withFailing } from "../../api/endpoints.ts"
import type { App } from "../../app.ts"
import { detail, required } from "../../base/errors.ts"
import { perform } from "../../operations/perform.ts"
import { listEndpoints, requireEndpoint, workspaceOfEndpoint } from "../../webhooks/endpoints/endpoint.ts"
import { testEndpoint } from "../../webhooks/messages/operations.ts"
import { commandCaller } from "../kit/caller.ts"
import { defineCommand, json, print } from "../kit/command.ts"
import { openData } from "../kit/open.ts"
import { requireWorkspace } from "../workspace.ts"

/** For the argument that names an endpoint, of every command. */
export const aboutEndpoint = "identifier of the endpoint, which guichet endpoint list shows"

export const endpointList = defineCommand({
  about: "lists the endpoints that webhooks are sent to, newest first",
  options: {
    workspace: { value: "ID", about: "workspace whose endpoints are listed; the default one without it" },
    json,
  },
  async run({ options, environment }) {
    await using app = await openData(environment)
    const endpoints = await listEndpoints(app.db, await requireWorkspace(app, options.workspace))
    if (options.json)
      print(JSON.stringify({ items: (await withFailing(app, endpoints)).map(endpointShown.json) }))
    else
      for (const { id, active, url, description } of endpoints)
        print([id, active ? "active" : "inactive", url, description].filter(Boolean).join("  "))
    return undefined
  },
})

export const endpointShow = defineCommand({
  about: "shows one endpoint",
  args: { id: aboutEndpoint },
  options: { json },
  async run({ args, options, environment }) {
    await using app = await openData(environment)
    const found = await requireEndpoint(app.db, await workspaceWith(app, args.id), args.id)
    const [shown = {}] = (await withFailing(app, [found])).map(endpointShown.json)
    if (options.json) print(JSON.stringify(shown))
    else
      for (const [key, value] of Object.entries(shown))
        print(`${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    return undefined
  },
})

export const endpointTest = defineCommand({
  about: "sends an endpoint a message with invented data and prints its delivery",
  details: "The running service sends it.",
  args: { id: aboutEndpoint },
  options: { json },
  async run({ args, options, environment }) {
    await using app = await openData(environment)
    const caller = commandCaller("endpoint test", await workspaceWith(app, args.id))
    const { deliveryId } = await perform(testEndpoint, app, caller, { endpoint: args.id })
    print(options.json ? JSON.stringify({ delivery_id: deliveryId }) : deliveryId)
    return undefined
  },
})

/** Throws Refusal `not_found`. */
export async function workspaceWith(app: App, endpointId: string): Promise<string> {
  return required(await workspaceOfEndpoint(app.db, endpointId), detail("webhooks.unknownEndpoint"))
}
