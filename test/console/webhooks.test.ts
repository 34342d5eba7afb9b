import { afterAll, beforeAll, expect, test } from "bun:test"
import { type ConsoleClient, signedIn } from "../support/operator.ts"
import { type Service, startService } from "../support/service.ts"

let service: Service
let client: ConsoleClient
let endpoint: string

beforeAll(async () => {
  service = await startService({ GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:1" })
  client = await signedIn(service)
  const made = await client.post("/console/webhooks", { url: "https://hooks.acme.fr/guichet" })
  endpoint = /\/console\/webhooks\/ep_\w+/.exec(made.text)?.[0] as string
})
afterAll(() => service[Symbol.asyncDispose]())

test("any day may be replayed from, the first years among them; what is no day is refused at its field", async () => {
  for (const since of ["2026-11-01", "0001-01-01", "9999-12-31"]) {
    const { status, location } = await client.post(`${endpoint}/replays`, { since })
    expect([since, status, location]).toEqual([since, 303, `${endpoint}/deliveries?replayed=0`])
  }
  for (const since of ["", "hier", "2026-99-99", "275760-09-14"]) {
    const { status, text } = await client.post(`${endpoint}/replays`, { since })
    expect([since, status, text.includes("Choisissez un jour")]).toEqual([since, 400, true])
    if (since !== "") expect(text).toContain(`value="${since}"`)
    expect(text.match(/Choisissez un jour/g)).toHaveLength(1)
  }
})

test("what is too long is refused at its field, and nothing of it is lost", async () => {
  const description = "é".repeat(201)
  const { status, text } = await client.post(endpoint, { url: "https://hooks.acme.fr/guichet", description })
  expect([status, text.includes(`value="${description}"`)]).toEqual([400, true])
  expect(text).toContain("Donnez un texte de 200 caractères au plus.")
})
