import { expect, test } from "bun:test"
import type { FailureCause } from "../../../src/outbound/failure.ts"
import { causes } from "../../../src/wording/causes/causes.fr.ts"
import { openAuthority } from "../../support/authority.ts"
import { startNameServer } from "../../support/dns.ts"
import { failingReceivers } from "../../support/failing-receivers.ts"
import { signedIn } from "../../support/operator.ts"
import { textOf } from "../../support/page-text.ts"
import { aService } from "../../support/service-builder.ts"

const publicAddress = "93.184.215.14"

/** As `textOf` gives it. */
const spaced = (text: string) => text.replace(/\s+/g, " ")

interface Wanted {
  name: string
  outcome: string
  cause: FailureCause | null
  address: string | null
}

test("every failure tells its cause to the owner and by the API, and where it was connected to unless inside", async () => {
  using authority = openAuthority()
  await using names = await startNameServer()
  await using stack = new AsyncDisposableStack()
  const wanted: Wanted[] = []
  const fixed: string[] = []
  for (const [at, { cause, outcome, start }] of Object.values(failingReceivers).entries()) {
    const name = `hooks${at}.acme.fr`
    const { port } = stack.use(await start(authority, name))
    fixed.push(`${name}=127.0.0.1:${port}`)
    wanted.push({ name, outcome, cause, address: `127.0.0.1:${port}` })
  }
  const unresolved = [
    { name: "gone.acme.fr", outcome: "dns", cause: "dns_not_found", address: null },
    { name: "ill.acme.fr", outcome: "dns", cause: "dns_unavailable", address: null },
    { name: "inside.acme.fr", outcome: "private_address", cause: null, address: null },
  ] as const
  for (const { name } of unresolved) names.answers[name] = [publicAddress]
  wanted.push(...unresolved)

  await using site = await aService()
    .withSettings({
      GUICHET_WEBHOOK_RESOLVE: fixed.join(","),
      GUICHET_WEBHOOK_CA_FILE: authority.caFile,
    })
    .withOverrides({ outbound: { newResolver: names.newResolver, answerTimeoutMs: 2000 } })
    .withReceivers([])
    .started()
  const ids = new Map<string, string>()
  for (const { name } of wanted) {
    const added = await site.api.post("/api/v1/endpoints", { url: `https://${name}/hook` })
    expect(added.status).toBe(201)
    ids.set(name, added.body.id)
  }
  delete names.answers["gone.acme.fr"]
  names.answers["ill.acme.fr"] = "SERVFAIL"
  names.answers["inside.acme.fr"] = ["10.0.0.7"]
  await site.respond({ courriel: "zoe@exemple.fr" })
  await site.settled()

  const client = await signedIn(site.service)
  const list = textOf((await client.get("/console/deliveries")).text)
  for (const { name, outcome, cause, address } of wanted) {
    const [delivery] = await site.deliveries(ids.get(name) as string)
    const [attempt] = delivery.attempts
    expect({ name, ...attempt }).toMatchObject({ name, outcome, cause, address, status: null })
    expect([delivery.last_cause, delivery.attempts.length]).toEqual([cause, 1])
    const page = textOf((await client.get(`/console/deliveries/${delivery.id}`)).text)
    expect(page).toContain(`Livraison à ${name}`)
    if (cause !== null) {
      expect(list).toContain(spaced(causes[cause].name))
      expect(page).toContain(spaced(causes[cause].advice))
      expect(page.includes("Aucune requête n’est partie.")).toBe(
        !["closed", "answer_timeout", "not_http", "answer_too_large"].includes(cause),
      )
    }
    if (address !== null) expect(page).toContain(address.replace(/:(\d+)$/, ", port $1"))
  }
  expect(JSON.stringify(await site.deliveries(ids.get("inside.acme.fr") as string))).not.toContain("10.0.0.7")
})
