import { afterAll, beforeAll, expect, test } from "bun:test"
import { hourMs } from "../../../src/base/clock.ts"
import { purgeForms } from "../../../src/forms/responses/purge.ts"
import type { FormSite } from "../../support/forms.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

let site: FormSite & Webhooks
beforeAll(async () => {
  site = await aService()
    .withReceivers([() => new Response("", { status: 500 })])
    .withForms()
    .started()
})
afterAll(() => site[Symbol.asyncDispose]())

test("a message that is still to be sent outlives the retention of its form until it was sent, for two days at most", async () => {
  await site.endpoint()
  const form = await site.form({ retention_days: 2 })
  for (const nom of ["Zoé", "Max"]) await form.json({ nom, guichet_trap: "x" })
  const held = (await form.responses("state=unwanted")) as { id: string }[]
  await site.pass(47 * hourMs)
  for (const { id } of held) await site.api.post(`/api/v1/forms/${form.id}/responses/${id}/acceptance`)
  await site.settled()
  await site.pass(2 * hourMs)
  await purgeForms(site.service.app)
  expect(await form.responses()).toHaveLength(2)
  site.receiver.answer = () => new Response("ok")
  await site.pass(3 * hourMs)
  await purgeForms(site.service.app)
  expect(await form.responses()).toEqual([])
  expect(
    site.receiver.received.map(({ body }) => JSON.parse(Buffer.from(body).toString()).data.values.nom),
  ).toContain("Zoé")
})

test("nothing waits for longer than that", async () => {
  site.receiver.answer = () => new Response("", { status: 500 })
  const form = await site.form({ retention_days: 2 })
  await form.json({ nom: "Zoé" })
  await site.settled()
  site.clock.move(97 * hourMs)
  await purgeForms(site.service.app)
  expect(await form.responses()).toEqual([])
})
