import { detail, required } from "../../base/errors.ts"
import { deliveryStates } from "../../db/tables/webhooks.ts"
import { listDeliveries, workspaceOfDelivery } from "../../webhooks/messages/delivery-log.ts"
import { resendDelivery } from "../../webhooks/messages/operations.ts"
import { defineDataCommand } from "../kit/open.ts"
import { aboutEndpoint, workspaceWith } from "./endpoint.ts"

const mostListed = 100

export const deliveryList = defineDataCommand({
  about: `lists the newest ${mostListed} deliveries to an endpoint`,
  args: { endpoint: aboutEndpoint },
  options: {
    state: { choices: deliveryStates, about: "lists those in this state alone" },
  },
  async run({ app, args: { endpoint }, options }) {
    await workspaceWith(app, endpoint)
    const filter = { state: options.state, sinceMs: undefined }
    const { rows } = await listDeliveries(app.db, endpoint, filter, { after: undefined, atMost: mostListed })
    const lines = rows.map(({ id, state, created_at, attempts }) =>
      [id, state, created_at, attempts.at(-1)?.outcome].filter(Boolean).join("  "),
    )
    return { json: { items: rows }, text: lines }
  },
})

export const deliveryResend = defineDataCommand({
  about: "sends the message of a delivery once more, whatever its state",
  details: "The running service sends it.",
  args: { id: "identifier of the delivery, which guichet delivery list shows" },
  async run({ app, args: { id }, perform }) {
    const workspaceId = required(await workspaceOfDelivery(app.db, id), detail("webhooks.unknownDelivery"))
    await perform(resendDelivery, workspaceId, { delivery: id })
    return { json: { delivery_id: id } }
  },
})
