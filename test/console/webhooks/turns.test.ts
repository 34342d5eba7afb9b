import { expect, test } from "bun:test"
import { signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

test("the console sets order and rate, tells which delivery holds the others, and cancels it", async () => {
  await using webhooks = await aService()
    .withReceivers([() => new Response("", { status: 503 })])
    .started()
  const { id } = await webhooks.endpoint()
  const client = await signedIn(webhooks.service)
  const page = `/console/webhooks/${id}`
  await client.get(page)
  const url = `https://${webhooks.receiver.name}/hook`
  const values = { url, description: "", active: "on", rate_messages: "", rate_per: "minute" }
  const settings = async () => {
    const { in_order, rate } = (await webhooks.api.get(`/api/v1/endpoints/${id}`)).body
    return { in_order, rate }
  }
  await client.post(page, { ...values, rate_messages: "90", in_order: "on" })
  expect(await settings()).toEqual({ in_order: true, rate: { messages: 90, per: "minute" } })
  expect((await client.get(page)).text).toContain('value="90"')
  const wrong = await client.post(page, { ...values, rate_messages: "beaucoup" })
  expect([wrong.status, wrong.text.includes("Indiquez un nombre entier de 1 à")]).toEqual([400, true])
  await client.post(page, { ...values, in_order: "on" })
  expect(await settings()).toEqual({ in_order: true, rate: null })

  await webhooks.respondMany(3)
  await webhooks.settled()
  const [third, , first] = await webhooks.deliveries(id)
  const list = await client.get(`${page}/deliveries`)
  expect(list.text).toContain("2 messages sont en attente de")
  expect(list.text).toContain(`href="/console/deliveries/${first.id}">cette livraison`)
  expect(list.text.match(/attend son tour/g)).toHaveLength(2)
  const held = await client.get(`/console/deliveries/${third.id}`)
  expect(held.text).toContain(`en attente de la livraison <a href="/console/deliveries/${first.id}">`)

  await client.get(`/console/deliveries/${first.id}`)
  const cancelled = await client.post(`/console/deliveries/${first.id}/cancellation`)
  expect(cancelled.location).toBe(`/console/deliveries/${first.id}?done=cancelled`)
  expect((await client.get(cancelled.location as string)).text).toContain("La livraison est annulée.")
  await webhooks.settled()
  expect((await webhooks.deliveries(id)).map(({ state, attempts_made }) => [state, attempts_made])).toEqual([
    ["pending", 0],
    ["pending", 1],
    ["cancelled", 1],
  ])
})
