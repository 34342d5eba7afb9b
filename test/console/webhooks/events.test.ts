import { expect, test } from "bun:test"
import { signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

test("the console ticks the events of a destination, tries each out, and finds their deliveries", async () => {
  await using webhooks = await aService().withReceivers().started()
  const { id } = await webhooks.endpoint()
  const client = await signedIn(webhooks.service)
  const page = `/console/webhooks/${id}`
  await client.get(page)
  const url = `https://${webhooks.receiver.name}/hook`
  const values = { url, description: "", active: "on", events_shown: "yes" }
  const none = await client.post(page, values)
  expect([none.status, none.text.includes("Choisissez au moins un événement")]).toEqual([400, true])
  await client.post(page, { ...values, events: "questions.unanswered" })
  expect((await webhooks.api.get(`/api/v1/endpoints/${id}`)).body.events).toEqual(["questions.unanswered"])
  // Another form of the page changes nothing of them.
  await client.post(page, { url, description: "CRM", active: "on" })
  expect((await webhooks.api.get(`/api/v1/endpoints/${id}`)).body.events).toEqual(["questions.unanswered"])

  const tested = await client.post(`${page}/test`, { type: "questions.unanswered" })
  expect(tested.status).toBe(303)
  await webhooks.settled()
  const shown = await client.get(`${page}/deliveries?type=questions.unanswered`)
  expect(shown.text).toContain(">Questions sans réponse, chaque jour</a>")
  expect((await client.get(`${page}/deliveries?type=endpoint.failing`)).text).toContain("Aucune livraison ne")
  const delivery = await client.get((tested.location as string).replace(/\?.*/, ""))
  expect(delivery.text).toContain("de «\u00a0Questions sans réponse, chaque jour\u00a0»")
})
