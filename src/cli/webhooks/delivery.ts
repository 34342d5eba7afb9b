import type { App } from "../../app.ts"
import { detail, required } from "../../base/errors.ts"
import { deliveryStates } from "../../db/tables/webhooks.ts"
import type { Operation } from "../../operations/operation.ts"
import { findEndpoint } from "../../webhooks/endpoints/endpoint.ts"
import {
  findDelivery,
  type LoggedAttempt,
  listDeliveries,
  workspaceOfDelivery,
} from "../../webhooks/messages/delivery-log.ts"
import { cancelDelivery, resendDelivery } from "../../webhooks/messages/operations.ts"
import { adviceFor } from "../../wording/causes/causes.en.ts"
import { defineDataCommand } from "../kit/open.ts"
import { aboutEndpoint, attemptsNote, workspaceWith } from "./endpoint.ts"

const mostListed = 100
const aboutDelivery = "identifier of the delivery, which guichet delivery list shows"

export const deliveryList = defineDataCommand({
  about: `lists the newest ${mostListed} deliveries to an endpoint`,
  args: { endpoint: aboutEndpoint },
  options: { state: { choices: deliveryStates, about: "lists those in this state alone" } },
  async run({ app, args: { endpoint }, options }) {
    await workspaceWith(app, endpoint)
    const filter = { state: options.state, sinceMs: undefined }
    const { rows } = await listDeliveries(app.db, endpoint, filter, { after: undefined, atMost: mostListed })
    const lines = rows.map(({ id, state, created_at, attempts, waits_for, held_by, cancel_reason }) =>
      [
        id,
        state,
        created_at,
        attempts.at(-1)?.cause ?? attempts.at(-1)?.outcome,
        waits_for && `waits for ${held_by ?? "the rate"}`,
        cancel_reason && "waited too long for its turn",
      ]
        .filter(Boolean)
        .join("  "),
    )
    return { json: { items: rows }, text: lines }
  },
})

export const deliveryShow = defineDataCommand({
  about: "shows one delivery, with why each of its attempts failed",
  args: { id: aboutDelivery },
  async run({ app, args: { id } }) {
    const workspaceId = required(await workspaceOfDelivery(app.db, id), detail("webhooks.unknownDelivery"))
    const delivery = required(await findDelivery(app.db, workspaceId, id), detail("webhooks.unknownDelivery"))
    const endpoint = await findEndpoint(app.db, delivery.endpoint_id, workspaceId)
    const { attempts, payload: _, ...facts } = delivery
    const lines = Object.entries(facts).map(([name, value]) => `${name}: ${value}`)
    return { json: delivery, text: [...lines, ...attempts.map((each) => attemptLine(each, endpoint?.url))] }
  },
})

function attemptLine(attempt: LoggedAttempt, url: string | undefined): string {
  const { number, at, outcome, status, duration_ms, address } = attempt
  const result = status === null ? outcome : `HTTP ${status}`
  const ms = duration_ms === null ? null : `${duration_ms} ms`
  return [`attempt ${number}`, at, result, ms, address, adviceFor(attempt, url)].filter(Boolean).join("  ")
}

export const deliveryCancel = operationCommand(cancelDelivery, {
  about: "cancels the attempts to come of a delivery",
  details: "Of an endpoint that is sent to in order, the next delivery goes.",
})

export const deliveryResend = operationCommand(resendDelivery, {
  about: "sends the message of a delivery once more, whatever its state",
  details: "The running service sends it.",
})

function operationCommand<Result>(
  operation: Operation<App, undefined, Result>,
  texts: { about: string; details: string },
) {
  return defineDataCommand({
    ...texts,
    args: { id: aboutDelivery },
    async run({ app, args: { id }, perform }) {
      const workspaceId = required(await workspaceOfDelivery(app.db, id), detail("webhooks.unknownDelivery"))
      await perform(operation, workspaceId, { delivery: id })
      return { json: { delivery_id: id }, notes: [attemptsNote(id)] }
    },
  })
}
