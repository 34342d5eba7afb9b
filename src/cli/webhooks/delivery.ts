import { detail, required } from "../../base/errors.ts"
import { deliveryStates } from "../../db/tables/webhooks.ts"
import { perform } from "../../operations/perform.ts"
import { listDeliveries, workspaceOfDelivery } from "../../webhooks/messages/delivery-log.ts"
import { resendDelivery } from "../../webhooks/messages/operations.ts"
import { commandCaller } from "../kit/caller.ts"
import { defineCommand, json, print } from "../kit/command.ts"
import { openData } from "../kit/open.ts"
import { aboutEndpoint, workspaceWith } from "./endpoint.ts"

const mostListed = 100

export const deliveryList = defineCommand({
  about: `lists the newest ${mostListed} deliveries to an endpoint`,
  args: { endpoint: aboutEndpoint },
  options: {
    state: { choices: deliveryStates, about: "lists those in this state alone" },
    json,
  },
  async run({ args: { endpoint }, options, environment }) {
    await using app = await openData(environment)
    await workspaceWith(app, endpoint)
    const filter = { state: options.state, sinceMs: undefined }
    const { rows } = await listDeliveries(app.db, endpoint, filter, { after: undefined, atMost: mostListed })
    if (options.json) print(JSON.stringify({ items: rows }))
    else
      for (const { id, state, created_at, attempts } of rows)
        print([id, state, created_at, attempts.at(-1)?.outcome].filter(Boolean).join("  "))
    return undefined
  },
})

export const deliveryResend = defineCommand({
  about: "sends the message of a delivery once more, whatever its state",
  details: "The running service sends it.",
  args: { id: "identifier of the delivery, which guichet delivery list shows" },
  options: { json },
  async run({ args: { id }, options, environment }) {
    await using app = await openData(environment)
    const workspaceId = required(await workspaceOfDelivery(app.db, id), detail("webhooks.unknownDelivery"))
    await perform(resendDelivery, app, commandCaller("delivery resend", workspaceId), { delivery: id })
    if (options.json) print(JSON.stringify({ delivery_id: id }))
    return undefined
  },
})
